"""Linear algebra functions of the main namespace, for the NumPy backend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from arrayapi_unify.errors import UnifyIndexError, UnifyValueError, refuse

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]

Arr = npt.NDArray[Any]


def axis_from_end(function: str, x1: Arr, x2: Arr, axis: int) -> int:
    """Return `axis` as the negative number that means the same axis of both arrays."""
    if -min(x1.ndim, x2.ndim) <= axis < 0:
        return axis
    # The standard has negative axes only; in arrays of equal rank a positive one is clear too.
    if x1.ndim == x2.ndim and 0 <= axis < x1.ndim:
        return axis - x1.ndim
    refuse(
        UnifyIndexError,
        function,
        "axis",
        f"is {axis}, but the arrays have shapes {x1.shape} and {x2.shape}",
        "count from the last axis, which is -1",
    )


def matmul(x1: Arr, x2: Arr, /, *, out: Arr | None = None) -> Any:
    """Multiply; `out` must have the result's shape and take it without loss."""
    if out is None:
        return np.matmul(x1, x2)
    # NumPy would broadcast the result into a larger out.
    batch = np.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    shape = batch + x1.shape[-2:-1] + (x2.shape[-1:] if x2.ndim > 1 else ())
    if out.shape != shape:
        refuse(
            UnifyValueError,
            "matmul",
            "out",
            f"has shape {out.shape}, but the result has {shape}",
            "pass an out of the result's shape",
        )
    return np.matmul(x1, x2, out=out, casting="safe")


# Called with two arrays, the ufunc does all that `matmul` does.
vars(matmul).update(direct=np.matmul, supports_native_out=True)


def matrix_transpose(x: Arr, /) -> Arr:
    """Transpose; NumPy refuses arrays of less than two dimensions as the standard does."""
    return x.mT


def tensordot(x1: Arr, x2: Arr, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> Any:
    """Contract; a negative number of axes means none to NumPy."""
    if isinstance(axes, int) and axes < 0:
        refuse(
            UnifyValueError,
            "tensordot",
            "axes",
            f"is {axes}",
            "pass the number of axes to contract, or a tuple of two sequences of axes",
        )
    return np.tensordot(x1, x2, axes)


def vecdot(x1: Arr, x2: Arr, /, *, axis: int = -1) -> Any:
    """Multiply; a positive axis could be another one in each array."""
    vectors: Any = np.vecdot  # NumPy's stubs don't know `axis`
    return vectors(x1, x2, axis=axis_from_end("vecdot", x1, x2, axis))
