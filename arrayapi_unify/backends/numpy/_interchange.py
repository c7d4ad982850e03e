"""Memory shared with others: DLPack and NumPy."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.algorithms.conversion import convert_array, shared
from arrayapi_unify.backends._common.checks.arguments import check_dlpack
from arrayapi_unify.backends._common.protocols.interchange import is_writeable, never_changes
from arrayapi_unify.errors import UnifyBufferError, raise_argument_error

# DLPack's codes of devices whose memory the CPU reaches: CPU, CUDA host, ROCm host, CUDA managed.
_HOST_DEVICES: Final = frozenset({1, 3, 11, 13})


def to_numpy(x: npt.NDArray[Any], /, *, copy: bool | None = None) -> npt.NDArray[Any]:
    """Return the array itself, or a copy of it."""
    return np.array(x, copy=True) if copy else x


def imported(x: Any, to_cpu: bool, copy: bool | None) -> npt.NDArray[Any]:
    """Make an array of an object with DLPack."""
    check_dlpack(x)
    if int(x.__dlpack_device__()[0]) in _HOST_DEVICES:
        y = shared(x, copy)
    elif to_cpu:
        y = np.from_dlpack(x, device="cpu", copy=copy)
    else:
        problem = "is None, but x lives on a device that NumPy can't reach"
        raise_argument_error(
            UnifyBufferError, "from_dlpack", "device", problem, "pass device='cpu' to copy it"
        )
    # NumPy gets a read-only view of an immutable array, which copy=False requests.
    sealed = copy is None and not is_writeable(y) and never_changes(x)
    return convert_array("from_dlpack", "x", y, None, True if copy or sealed else None)
