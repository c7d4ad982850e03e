"""Quantiles on NumPy."""

from __future__ import annotations

import numpy as np

from arrayapi_unify.backends._common.quantiles import between, native_quantiles, place
from arrayapi_unify.backends.numpy._core import NDArray, returns_array

__all__ = ["percentile", "quantile"]


def _quantile(x: NDArray, axes: tuple[int, ...], share: float) -> NDArray:
    if len(axes) == x.ndim:
        columns = x.ravel()
    else:
        moved = np.moveaxis(x, axes, range(len(axes)))
        columns = moved.reshape(-1, *moved.shape[len(axes) :])
    ordered = np.sort(columns, axis=0)
    low, high, part = place(len(ordered), share)
    with np.errstate(invalid="ignore", over="ignore"):
        found: NDArray = between(np, ordered[low], ordered[high], ordered[-1], part)
    return found.astype(x.dtype, copy=False)


quantile, percentile = native_quantiles(_quantile, lambda x: x.dtype.kind == "f", returns_array)
