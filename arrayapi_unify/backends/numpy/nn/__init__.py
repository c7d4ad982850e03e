"""NumPy's implementations of the functions that networks need, one file per category."""

from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr

__getattr__, __dir__ = make_extension_getattr(__name__)
