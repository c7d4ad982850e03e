"""A minimal backend: ten functions of an array library with three data types.

Each file has the functions of one category, as in the backends of this project.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayapi_unify.backends._common.protocols.defaults import *  # noqa: F403  # the protocol's defaults
from arrayapi_unify.dtypes import DType, bool, float32, float64

from .library import Grid

NAME = "toy"
DTYPES = {float64: "double", float32: "single", bool: "bit"}


def is_native_type(kind: type) -> Any:
    return issubclass(kind, Grid)


def dtype_of(x: Grid) -> DType:
    return next(dtype for dtype, native in DTYPES.items() if native == x.dtype)


def as_dtype(native: Any) -> DType | None:
    return next((dtype for dtype, name in DTYPES.items() if name is native), None)


def shape_of(x: Grid) -> tuple[int, ...]:
    return x.shape


def copy(x: Grid) -> Grid:
    return Grid(x.values.copy())


def write(target: Grid, value: Grid) -> Grid:
    target.values[...] = value.values
    return target


write_through = write


def in_place(native: Any) -> Any:
    return lambda x, y: write(x, native(x, y))


def to_numpy(x: Grid, /, *, copy: Any = None) -> Any:
    return np.array(x.values, copy=copy)
