"""NumPy's extremes that pass over NaN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.numpy._core import NDArray, returns_array

__all__ = ["nanmax", "nanmin"]

Axis = int | tuple[int, ...] | None


def _extreme(name: str, ufunc: np.ufunc) -> Callable[..., Any]:
    """Make a reduction by the ufunc, which is NaN only where all is: np.nanmax would warn there."""
    reduce: Callable[..., Any] = ufunc.reduce

    def extreme(x: NDArray, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
        return reduce(x, axis, None, None, keepdims)

    extreme.__name__ = extreme.__qualname__ = name
    native = returns_array(extreme)
    return partial_mixed(_is_served)(native)


def _is_served(x: NDArray, /, *, axis: Axis = None, keepdims: bool = False) -> bool:
    """Return True for real floating-point numbers with axes; NumPy refuses empty arrays."""
    return bool(x.dtype.kind == "f" and x.size and x.ndim)


nanmax = _extreme("nanmax", np.fmax)
nanmin = _extreme("nanmin", np.fmin)
