"""Linear algebra functions of the main namespace, for the NumPy backend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.axes import axis_from_end
from arrayapi_unify.backends._common.linalg import contraction
from arrayapi_unify.backends.numpy._core import arrays_out
from arrayapi_unify.backends.numpy._factories import check_shape

__all__ = ["matmul", "matrix_transpose", "tensordot", "vecdot"]

Arr = npt.NDArray[Any]


@arrays_out
def matmul(x1: Arr, x2: Arr, /, *, out: Arr | None = None) -> Any:
    """Multiply; `out` must have the result's shape and take it without loss."""
    if out is None:
        return np.matmul(x1, x2)
    # NumPy would broadcast the result into a larger out.
    batch = np.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    shape = batch + x1.shape[-2:-1] + (x2.shape[-1:] if x2.ndim > 1 else ())
    check_shape("matmul", out, shape)
    return np.matmul(x1, x2, out=out, casting="safe")


# Called with two arrays, the ufunc does all that `matmul` does.
vars(matmul).update(direct=np.matmul, supports_native_out=True)


def matrix_transpose(x: Arr, /) -> Arr:
    """Transpose; NumPy refuses arrays of less than two dimensions as the standard does."""
    return x.mT


@arrays_out
def tensordot(x1: Arr, x2: Arr, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2) -> Any:
    """Contract; a negative number of axes means none to NumPy."""
    return np.tensordot(x1, x2, contraction(x1.shape, x2.shape, axes))


@arrays_out
def vecdot(x1: Arr, x2: Arr, /, *, axis: int = -1) -> Any:
    """Multiply; a positive axis could be another one in each array."""
    vectors: Any = np.vecdot  # NumPy's stubs don't know `axis`
    return vectors(x1, x2, axis=axis_from_end("vecdot", x1.shape, x2.shape, axis))
