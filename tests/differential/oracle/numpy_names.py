"""Oracles of the functions that bear NumPy's names: NumPy's own."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests.differential.oracle._registry import ORACLES, floating, narrow, oracle, same, wide
from tests.differential.oracle.linear import products
from tests.differential.oracle.promotion import promoted

__all__: list[str] = []

same(
    np,
    "atleast_1d", "atleast_2d", "atleast_3d", "diagonal", "fliplr", "flipud", "ravel", "rot90",
    "swapaxes", "transpose",
)  # fmt: skip


def _cut(name: str) -> Any:
    return lambda *args, **kwargs: tuple(getattr(np, name)(*args, **kwargs))


ORACLES.update({name: _cut(name) for name in ("array_split", "dsplit", "hsplit", "vsplit")})


@oracle("trace")
def _trace(x: Any, /, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    planes = np.moveaxis(x, (axis1, axis2), (-2, -1))
    if axis1 % x.ndim == axis2 % x.ndim:
        raise ValueError("the axes are the same")
    return ORACLES["linalg.trace"](planes, offset=offset, dtype=dtype)


@oracle("cross")
def _cross(
    x1: Any, x2: Any, /, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: Any = None
) -> Any:
    if axis is not None:
        axisa = axisb = axisc = axis
    common = np.dtype(promoted(x1.dtype.name, x2.dtype.name))
    # NumPy 2.5 takes no vectors of two elements, and those before it warn.
    vectors = [_of_three(x, i) for x, i in ((x1, axisa), (x2, axisb))]
    if x1.shape[axisa] == x2.shape[axisb] == 2:
        return _cross_product(*vectors, common)[..., 2]
    return np.moveaxis(_cross_product(*vectors, common), -1, axisc)


def _of_three(x: Any, axis: int) -> Any:
    """Return vectors along the last axis, those of two elements with a third one, 0."""
    moved = np.moveaxis(x, axis, -1)
    pads = [(0, 0)] * (moved.ndim - 1) + [(0, int(moved.shape[-1] == 2))]
    return np.pad(moved, pads)


def _cross_product(x1: Any, x2: Any, common: Any) -> Any:
    if common.kind in "fc":
        return narrow(np.cross(wide(x1), wide(x2)), common)
    return np.cross(x1.astype(common), x2.astype(common))


ORACLES.update({n: products(n) for n in ("dot", "inner", "outer", "vdot")})


@oracle("copy")
def _copy(x: Any, /) -> Any:
    return np.array(x)


@oracle("tri")
def _tri(N: int, M: Any = None, k: int = 0, dtype: Any = None) -> Any:
    return np.tri(N, M, k, dtype or float)


same(np, "iscomplexobj", "ndim", "shape", "tril_indices", "triu_indices")


@oracle("identity")
def _identity(n: int, dtype: Any = None) -> Any:
    return np.identity(n, dtype or float)


@oracle("indices")
def _indices(dimensions: Any, dtype: Any = None, sparse: bool = False) -> Any:
    return np.indices(dimensions, dtype or np.int64, sparse)


def _window(name: str) -> Any:
    def window(M: int, beta: float | None = None, dtype: Any = None) -> Any:
        shape = () if beta is None else (beta,)
        return getattr(np, name)(M, *shape).astype(dtype or float)

    return window


ORACLES.update({n: _window(n) for n in ("bartlett", "blackman", "hamming", "hanning", "kaiser")})


@oracle("size")
def _size(x: Any, /, axis: Any = None) -> int:
    if not isinstance(axis, tuple):
        return np.size(x, axis)
    # NumPy 2.2 takes one axis only.
    axes = np.lib.array_utils.normalize_axis_tuple(axis, np.ndim(x))
    return math.prod(np.shape(x)[i] for i in axes)


@oracle("geomspace")
def _geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    own = floating(start, stop)
    wider = np.clongdouble if own.kind == "c" else np.longdouble
    first, last = (np.asarray(v).astype(wider) for v in (start, stop))
    found = np.geomspace(first, last, num, endpoint, axis=axis)
    target = own if dtype is None else np.dtype(dtype)
    # An integer is what is left of a number of the wider data type, not of many digits.
    return found.astype(promoted(own.name, target.name)).astype(target)


def _common(arrays: Any) -> list[Any]:
    """Return arrays in the data type of the table, in which NumPy's have 0.5 of bool as float64."""
    target = promoted(*(np.asarray(x).dtype.name for x in arrays))
    return [np.asarray(x).astype(target) for x in arrays]


def _stacked(name: str) -> Any:
    return lambda arrays, /, **kwargs: getattr(np, name)(_common(arrays), **kwargs)


ORACLES.update({n: _stacked(n) for n in ("column_stack", "dstack", "hstack", "vstack")})


@oracle("append")
def _append(x: Any, /, values: Any, axis: Any = None) -> Any:
    return np.append(*_common([x, values]), axis)


same(np, "delete", "insert")


@oracle("block")
def _block(arrays: Any, /) -> Any:
    leaves = np.block(arrays)
    found: list[Any] = []

    def collect(part: Any) -> None:
        if isinstance(part, list):
            for item in part:
                collect(item)
        else:
            found.append(np.asarray(part).dtype.name)

    collect(arrays)
    return leaves.astype(promoted(*found))


@oracle("select")
def _select(condlist: Any, /, choicelist: Any, default: Any = 0) -> Any:
    if len(condlist) != len(choicelist):
        raise ValueError("the lists differ in length")
    if any(condition.dtype.kind != "b" for condition in condlist):
        raise TypeError("a condition isn't bool")
    # NumPy makes int64 of a Python number, and refuses to cast it to the data type of the others.
    dtype = np.result_type(*choicelist, default)
    choices = [np.asarray(choice, dtype) for choice in choicelist]
    return np.select(condlist, choices, np.asarray(default, dtype))
