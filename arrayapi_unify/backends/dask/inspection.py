"""The inspection function on Dask."""

from __future__ import annotations

from arrayapi_unify.backends._common.protocols.inspection import Info
from arrayapi_unify.backends.dask import CAPABILITIES, devices

_INFO = Info(devices, CAPABILITIES)


def __array_namespace_info__() -> Info:
    """Return the one info object of this backend."""
    return _INFO
