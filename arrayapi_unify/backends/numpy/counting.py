"""NumPy's implementations of what counts and adds up by numbers."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.segments import (
    check_segments,
    counts_numbers,
    raise_negative_numbers_error,
)
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.numpy.dtypes import dtype_of

__all__ = ["bincount", "segment_sum"]

NDArray = npt.NDArray[Any]


def segment_sum(x: NDArray, segment_ids: NDArray, num_segments: int, /) -> NDArray:
    """Add up at indices; those that are out of range are left out."""
    check_segments(x.shape, dtype_of(x), segment_ids.shape, dtype_of(segment_ids), num_segments)
    found = np.zeros((num_segments, *x.shape[1:]), x.dtype)
    inside = (segment_ids >= 0) & (segment_ids < num_segments)
    rows = found.reshape(num_segments, math.prod(x.shape[1:]))
    added = x[inside]
    # As rows: of arrays of more than 32 axes, `add.at` ends the process.
    values = added.reshape(added.shape[0], rows.shape[1])
    np.add.at(rows, segment_ids[inside].astype(np.intp), values)
    return found


_COUNTED: Final = frozenset(
    np.dtype(t) for t in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32)
)


@partial_mixed(counts_numbers(_COUNTED))
def bincount(
    x: NDArray, /, *, weights: NDArray | None = None, minlength: int = 0, length: int | None = None
) -> NDArray:
    """Count by NumPy's own function, which says what is negative after the fact."""
    try:
        return np.bincount(x, None, minlength)
    except ValueError:
        raise_negative_numbers_error()
