"""NumPy's own running extremes, which take real numbers, and areas below series."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.axes import normalize_axis, only_axis
from arrayapi_unify.backends._common.series import sums_trapezoids
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.numpy._core import returns_array

__all__ = ["cummax", "cummin", "trapezoid"]

NDArray = npt.NDArray[Any]


def _accumulation(name: str, accumulate: Callable[..., NDArray]) -> Callable[..., NDArray]:
    def native(x: NDArray, /, *, axis: int | None = None) -> NDArray:
        if axis is None or x.ndim == 0:
            axis = only_axis(name, x.ndim, axis)
        return accumulate(x, normalize_axis(name, axis, x.ndim))

    native.__name__ = native.__qualname__ = name
    return partial_mixed(_is_real)(native)


def _is_real(x: NDArray, /, **kwargs: object) -> bool:
    return x.dtype.kind != "c"


cummax = _accumulation("cummax", np.maximum.accumulate)
cummin = _accumulation("cummin", np.minimum.accumulate)


@partial_mixed(sums_trapezoids(lambda y: y.dtype.kind == "f"))
@returns_array
def trapezoid(y: NDArray, x: NDArray | None = None, /, *, dx: float = 1.0, axis: int = -1) -> Any:
    """Add up the means of neighbours, each times its width."""
    at = normalize_axis("trapezoid", axis, y.ndim)
    rows = y if at == y.ndim - 1 else np.moveaxis(y, at, -1)
    means = (rows[..., 1:] + rows[..., :-1]) / 2
    if x is None:
        return means.sum(-1) * dx
    return (means * (x[1:] - x[:-1])).sum(-1)
