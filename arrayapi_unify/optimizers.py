"""Optimizers: the functional steps with their state."""

from arrayapi_unify.module.optimizers import *
from arrayapi_unify.module.optimizers import __all__ as __all__
