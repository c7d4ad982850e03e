"""Learning rates as functions of the step."""

from arrayapi_unify.binding import modules as _modules
from arrayapi_unify.nn.training.schedules import *
from arrayapi_unify.nn.training.schedules import __all__ as __all__

_modules.claim(__name__)
__getattr__ = _modules.without(__name__)
