"""NumPy's implementation of `segment_sum`."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.segments import check_segments
from arrayapi_unify.backends.numpy.dtypes import dtype_of

__all__ = ["segment_sum"]

Arr = npt.NDArray[Any]


def segment_sum(x: Arr, segment_ids: Arr, num_segments: int, /) -> Arr:
    """Add up at indices; those that are out of range are left out."""
    check_segments(x.shape, dtype_of(x), segment_ids.shape, dtype_of(segment_ids), num_segments)
    found = np.zeros((num_segments, *x.shape[1:]), x.dtype)
    inside = (segment_ids >= 0) & (segment_ids < num_segments)
    np.add.at(found, segment_ids[inside].astype(np.intp), x[inside])
    return found
