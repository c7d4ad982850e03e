"""Random numbers, on the backend of the key."""

from arrayapi_unify.binding import modules as _modules

__all__ = list(_modules.public_functions("random"))

globals().update(_modules.public_functions("random"))

__getattr__ = _modules.without(__name__)
