"""A minimal backend: ten functions of an array library with float64 as its only data type.

`register("toy", framework="tests.toy.library", package="tests.toy")` adds it to the backends.
Each file has the functions of one category, as in the backends of this project.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayapi_unify.backends._common.protocols.defaults import *  # noqa: F403  # the protocol's defaults
from arrayapi_unify.dtypes import DType, float64
from tests.toy.library import Grid

NAME = "toy"
DTYPES = {float64: "double"}


def is_native_type(kind: type) -> bool:
    return issubclass(kind, Grid)


def dtype_of(x: Grid) -> DType:
    return float64


def as_dtype(native: Any) -> DType | None:
    return float64 if native == "double" else None


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


def to_numpy(x: Grid, /, *, copy: bool | None = None) -> Any:
    return np.array(x.values, copy=copy)
