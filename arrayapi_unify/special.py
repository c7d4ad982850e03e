"""Special functions, as those of scipy.special."""

from arrayapi_unify.binding import modules as _modules

__all__ = list(_modules.public_functions("special"))

globals().update(_modules.public_functions("special"))

__getattr__ = _modules.without(__name__)
