"""Initial values of variables, from keys."""

from arrayapi_unify.binding import modules as _modules
from arrayapi_unify.nn.training.initializers import *
from arrayapi_unify.nn.training.initializers import __all__ as __all__

_modules.claim(__name__)
__getattr__ = _modules.without(__name__)
