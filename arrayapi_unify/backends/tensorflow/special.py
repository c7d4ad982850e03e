"""Special functions of the TensorFlow backend."""

from __future__ import annotations

from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr

__getattr__, __dir__ = make_extension_getattr(__name__)
