"""NumPy's implementations of the searching functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.checks.arguments import check_search
from arrayapi_unify.backends._common.checks.axes import check_axis_of_0d
from arrayapi_unify.backends.kernel import FastKernel, Kernel
from arrayapi_unify.backends.numpy._core import returns_array
from arrayapi_unify.backends.numpy._out import broadcast_shape, filled_by
from arrayapi_unify.backends.numpy.dtypes import BY_NAME

NDArray = npt.NDArray[Any]
Scalar = complex | bool


def _position(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """Make argmax or argmin of ndarray's method, which skips np.argmax's dispatch."""

    def position(x: NDArray, /, *, axis: int | None = None, keepdims: bool = False) -> Any:
        if axis is not None and x.ndim == 0:
            check_axis_of_0d(name, axis)
        return method(x, axis, None, keepdims=keepdims)

    position.__name__ = position.__qualname__ = name

    def into(x: NDArray, *, out: NDArray, axis: int | None = None, keepdims: bool = False) -> None:
        method(x, axis, out, keepdims=keepdims)

    native = returns_array(Kernel(fast_kernel=FastKernel(method))(position))
    return filled_by(into, lambda *_, **__: np.dtype(np.intp))(native)


argmax = _position("argmax", np.ndarray.argmax)
argmin = _position("argmin", np.ndarray.argmin)


@returns_array
def count_nonzero(
    x: NDArray, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> Any:
    """Count; over all elements NumPy before 2.4 returns a Python int, which becomes int64."""
    if axis is None and not keepdims:
        return np.count_nonzero(x)
    if x.ndim == 0 and axis is not None:
        check_axis_of_0d("count_nonzero", axis)
    return np.count_nonzero(x, axis, keepdims=keepdims)


def nonzero(x: NDArray, /) -> tuple[NDArray, ...]:
    """Find the elements that aren't zero; NumPy refuses 0-d input as the standard does."""
    return x.nonzero()


def _beside(scalar: Scalar, other: NDArray | Scalar) -> NDArray:
    """Make an array of a scalar, of the dtype that promotion with `other` gives.

    A Python integer out of that dtype's bounds raises; np.where would wrap it around.
    Two scalars: the default dtype of the higher kind.
    """
    if isinstance(other, np.ndarray):
        return np.asarray(scalar, dtype=np.result_type(other.dtype, scalar))
    return np.asarray(scalar, dtype=BY_NAME[dtypes.of_scalars((scalar, other)).name])


@returns_array
def searchsorted(
    x1: NDArray,
    x2: NDArray | float,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: NDArray | None = None,
) -> Any:
    """Search; a scalar left to NumPy would be a float64 or int64, not promoted with x1."""
    if x1.ndim != 1:
        check_search(x1.shape)
    if not isinstance(x2, np.ndarray):
        x2 = _beside(x2, x1)
    if isinstance(sorter, np.ndarray) and sorter.dtype.kind == "u":
        sorter = sorter.astype(np.intp)  # NumPy can't parse uint64
    return x1.searchsorted(x2, side, sorter)


def _choose(condition: NDArray, x1: Any, x2: Any, *, out: NDArray) -> None:
    """Write the second choice, and the first over it: NumPy's own function has no `out`."""
    np.copyto(out, x2)
    np.copyto(out, x1, where=condition)


@filled_by(_choose, shape=broadcast_shape)
def where(condition: NDArray, x1: NDArray | Scalar, x2: NDArray | Scalar, /) -> NDArray:
    """Choose; scalars become arrays first, see `_beside`."""
    first = x1 if isinstance(x1, np.ndarray) else _beside(x1, x2)
    second = x2 if isinstance(x2, np.ndarray) else _beside(x2, x1)
    return np.where(condition, first, second)
