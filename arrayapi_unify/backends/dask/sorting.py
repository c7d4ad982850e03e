"""Dask's implementations of the sorting functions, which need an axis whole."""

from __future__ import annotations

from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends.dask._lazy import known_shape
from arrayapi_unify.backends.dask._lift import along
from arrayapi_unify.backends.dask._natives import DaskArray, native, one, stand_in
from arrayapi_unify.backends.numpy import sorting as numpy


def _along(name: str, x: DaskArray, axis: int, descending: bool, stable: bool) -> DaskArray:
    like = getattr(numpy, name)(one(x), axis=axis, descending=descending, stable=stable)
    at = normalize_axis(name, axis, x.ndim)
    function = native("sorting", name, axis=at, descending=descending, stable=stable)
    return along(function, x, (at,), stand_in(like.dtype, known_shape(x)))


def argsort(
    x: DaskArray, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> DaskArray:
    """Sort indices."""
    return _along("argsort", x, axis, descending, stable)


def sort(
    x: DaskArray, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> DaskArray:
    """Sort."""
    return _along("sort", x, axis, descending, stable)
