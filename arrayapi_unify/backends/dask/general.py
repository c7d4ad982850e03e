"""The general functions on Dask: each computes the values."""

from __future__ import annotations

from typing import Any, cast

from arrayapi_unify.backends._common.checks.shapes import raise_many_error
from arrayapi_unify.backends.dask._interchange import to_numpy as to_numpy
from arrayapi_unify.backends.dask._lazy import known_shape, values_of
from arrayapi_unify.backends.dask._natives import DaskArray


def to_list(x: DaskArray, /) -> Any:
    """Return nested lists of Python scalars."""
    return values_of(x).tolist()


def to_scalar(x: DaskArray, /) -> bool | int | float | complex:
    """Return the only element."""
    shape = known_shape(x)
    if any(size != 1 for size in shape):
        raise_many_error(shape)
    return cast("bool | int | float | complex", values_of(x).item())
