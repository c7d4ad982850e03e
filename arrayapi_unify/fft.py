"""The fft extension of the standard, on the backend of the arrays."""

from arrayapi_unify.functional.fft import *
from arrayapi_unify.functional.fft import __all__ as __all__
