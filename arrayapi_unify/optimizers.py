"""Optimizers: the functional steps with their state."""

from arrayapi_unify.binding import modules as _modules
from arrayapi_unify.nn.training.optimizers import *
from arrayapi_unify.nn.training.optimizers import __all__ as __all__

_modules.claim(__name__)
__getattr__ = _modules.without(__name__)
