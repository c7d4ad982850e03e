"""The inspection function on TensorFlow."""

from __future__ import annotations

from arrayapi_unify.backends._common.protocols.inspection import Info
from arrayapi_unify.backends.tensorflow import CAPABILITIES
from arrayapi_unify.backends.tensorflow._devices import devices

_INFO = Info(devices, CAPABILITIES)


def __array_namespace_info__() -> Info:
    """Return the one info object of this backend."""
    return _INFO
