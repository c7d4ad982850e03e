"""The fft extension of the standard, on the backend of the arrays."""

from arrayapi_unify.binding import modules as _modules

__all__ = list(_modules.public_functions("fft"))

globals().update(_modules.public_functions("fft"))

__getattr__ = _modules.without(__name__)
