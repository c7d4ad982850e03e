"""The device functions on NumPy, whose only device is the CPU."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from arrayapi_unify.backends._common.algorithms import memory
from arrayapi_unify.backends._common.checks.arguments import raise_stream_error
from arrayapi_unify.devices import Device


def to_device(
    x: npt.NDArray[Any], device: Device | None, /, *, stream: Any = None
) -> npt.NDArray[Any]:
    """Return the array itself: it can't be anywhere else."""
    if stream is not None:
        raise_stream_error(stream)
    return x


def total_mem_on_dev(device: Device, /) -> int:
    """Return the host's memory."""
    return memory.total()


def used_mem_on_dev(device: Device, /, *, process_specific: bool = False) -> int:
    """Return what is in use of the host's memory."""
    return memory.used(process_specific)
