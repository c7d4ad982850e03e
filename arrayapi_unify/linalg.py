"""The linalg extension of the standard, on the backend of the arrays."""

from arrayapi_unify.functional.linalg import *
from arrayapi_unify.functional.linalg import __all__ as __all__
