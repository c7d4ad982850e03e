"""Learning rates as functions of the step."""

from arrayapi_unify.binding import modules as _modules
from arrayapi_unify.module.schedules import *
from arrayapi_unify.module.schedules import __all__ as __all__

__getattr__ = _modules.without(__name__)
