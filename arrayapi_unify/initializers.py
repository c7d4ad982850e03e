"""Initial values of variables, from keys."""

from arrayapi_unify.module.initializers import *
from arrayapi_unify.module.initializers import __all__ as __all__
