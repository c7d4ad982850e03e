"""Random numbers, on the backend of the key."""

from arrayapi_unify.functional.random import *
from arrayapi_unify.functional.random import __all__ as __all__
