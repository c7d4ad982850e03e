"""NumPy's implementations of the utility functions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib.array_utils import normalize_axis_index

from arrayapi_unify.backends._common.checks.axes import check_axis_of_0d, check_no_bool
from arrayapi_unify.backends.kernel import FastKernel, Kernel
from arrayapi_unify.backends.numpy._core import WHOLE, returns_array
from arrayapi_unify.backends.numpy._out import reduced_by, truth

NDArray = npt.NDArray[Any]


def _test(name: str, ufunc: np.ufunc) -> Callable[..., Any]:
    """Make all or any; np.all takes more than twice the time of the reduction."""
    reduce: Callable[..., Any] = ufunc.reduce

    def test(
        x: NDArray, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
    ) -> Any:
        if axis is not None and x.ndim == 0:
            check_axis_of_0d(name, axis)
        return reduce(x, axis, None, None, keepdims)

    test.__name__ = test.__qualname__ = name
    whole = FastKernel(functools.partial(reduce, **WHOLE))
    return reduced_by(reduce, truth)(returns_array(Kernel(fast_kernel=whole)(test)))


all = _test("all", np.logical_and)
any = _test("any", np.logical_or)


def _joinable(part: NDArray | complex, x: NDArray, axis: int) -> NDArray:
    """Return what diff joins to x. NumPy's extension is kept: a scalar stands for one slice.

    A Python scalar takes its dtype as an operand of x would, so that float32 stays float32.
    """
    if not isinstance(part, np.ndarray):
        part = np.asarray(part, np.result_type(x.dtype, part))
    if part.ndim:
        return part
    axis = normalize_axis_index(axis, x.ndim)
    return np.broadcast_to(part, (*x.shape[:axis], 1, *x.shape[axis + 1 :]))


def diff(
    x: NDArray,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: NDArray | None = None,
    append: NDArray | None = None,
) -> NDArray:
    """Difference; for n=0 np.diff returns x itself, without what is to be prepended."""
    if x.ndim == 0:
        check_axis_of_0d("diff", axis)
    check_no_bool("diff", axis)
    if n == 0 or prepend is not None or append is not None:
        parts = [_joinable(p, x, axis) for p in (prepend, x, append) if p is not None]
        x = np.concatenate(parts, axis)
    if type(n) is int:
        n = min(n, x.shape[axis])  # NumPy would go on with no elements
    return np.diff(x, n, axis)
