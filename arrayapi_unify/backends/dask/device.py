"""The device functions on Dask, whose blocks are NumPy's."""

from __future__ import annotations

from typing import Any

from arrayapi_unify.backends._common.checks.arguments import raise_stream_error
from arrayapi_unify.backends.dask._natives import DaskArray
from arrayapi_unify.backends.numpy.device import (
    total_mem_on_dev as total_mem_on_dev,
    used_mem_on_dev as used_mem_on_dev,
)
from arrayapi_unify.devices import Device


def to_device(x: DaskArray, device: Device | None, /, *, stream: Any = None) -> DaskArray:
    """Return the array itself: its blocks can't be anywhere else."""
    if stream is not None:
        raise_stream_error(stream)
    return x
