"""Oracles of creation, data types, devices and conversion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.differential.oracle._registry import ORACLES, floating, oracle, same
from tests.differential.oracle.promotion import promoted, promoted_with

__all__: list[str] = []

same(np, "meshgrid", "ones", "ones_like", "tril", "triu", "zeros")
same(np, "zeros_like", "linspace")
# The values of `empty` are unspecified: only data type and shape are compared.
ORACLES.update(empty=np.zeros, empty_like=np.zeros_like)


@oracle("arange")
def _arange(
    start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None
) -> Any:
    ends = (0, start) if stop is None else (start, stop)
    if not any(isinstance(number, float) for number in (*ends, step)):
        return np.arange(*ends, step, dtype)
    # NumPy rounds the first two numbers to integers, and continues with their difference.
    found = np.arange(*ends, step)
    return found.astype(dtype or found.dtype)


@oracle("full")
def _full(shape: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    # NumPy checks the range of int64 before it checks for zero.
    return np.full(shape, bool(fill_value) if dtype == "bool" else fill_value, dtype)


@oracle("full_like")
def _full_like(x: Any, /, fill_value: Any, *, dtype: Any = None) -> Any:
    return _full(x.shape, fill_value, dtype=str(dtype or x.dtype))


def _has_arrays(obj: Any) -> bool:
    """Return True for an array, and for a nest with one, which determine the data type."""
    if isinstance(obj, list | tuple):
        return any(map(_has_arrays, obj))
    return isinstance(obj, np.ndarray)


@oracle("array", "asarray")
def _asarray(obj: Any, /, *, dtype: Any = None) -> Any:
    found = np.asarray(obj)
    # NumPy converts integers to floats if some exceed int64; here they become uint64.
    if found.size and found.dtype.kind == "f" and not _has_arrays(obj):
        numbers = np.asarray(obj, object)  # unconverted
        if {type(number) for number in numbers.flat} == {int}:
            found = numbers.astype(np.uint64)
    return found.astype(dtype or found.dtype)


@oracle("eye")
def _eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: Any = "float64") -> Any:
    return np.eye(n_rows, n_cols, k=k, dtype=dtype)


@oracle("from_dlpack", "to_numpy")
def _itself(x: Any, /) -> Any:
    return x


@oracle("to_device")
def _to_device(x: Any, device: Any, /, *, stream: Any = None) -> Any:
    return x


@oracle("to_list")
def _to_list(x: Any, /) -> Any:
    return x.tolist()


@oracle("to_scalar")
def _to_scalar(x: Any, /) -> Any:
    return x.item()


@oracle("astype")
def _astype(x: Any, /, dtype: str) -> Any:
    return x.astype(dtype)


@oracle("logspace")
def _logspace(
    start: Any, stop: Any, num: int, base: Any = 10.0, axis: int = 0, *, endpoint: bool = True,
    dtype: Any = None,
) -> Any:  # fmt: skip
    own = floating(start, stop)
    first, last = (np.asarray(v).astype(np.longdouble) for v in (start, stop))
    base = np.asarray(base).astype(np.longdouble)
    found = np.logspace(first, last, num, endpoint, base, axis=axis, dtype=np.longdouble)
    return found.astype(own).astype(dtype or own)


@oracle("one_hot")
def _one_hot(
    indices: Any, depth: int, /, *, on_value: Any = None, off_value: Any = None, axis: int = -1,
    dtype: str = "float64",
) -> Any:  # fmt: skip
    on, off = (1 if on_value is None else on_value), (0 if off_value is None else off_value)
    found = np.full((*indices.shape, depth), off, dtype)
    for place in np.ndindex(indices.shape):
        if 0 <= int(indices[place]) < depth:
            found[(*place, int(indices[place]))] = on
    return np.moveaxis(found, -1, axis)


# --- data types -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Info:
    """The result of `finfo` and `iinfo`: values in the order of the standard's attributes."""

    name: str
    values: list[Any]


def _name(x: Any) -> str:
    return x.dtype.name if isinstance(x, np.ndarray) else str(x)


@oracle("dtype")
def _dtype(x: Any, /) -> str:
    return _name(x)


@oracle("can_cast")
def _can_cast(from_: Any, to: str, /) -> bool:
    return promoted(_name(from_), to) == to


@oracle("result_type")
def _result_type(*arrays_and_dtypes: Any) -> str:
    scalars = [v for v in arrays_and_dtypes if not isinstance(v, np.ndarray | str)]
    found = promoted(*(_name(v) for v in arrays_and_dtypes if isinstance(v, np.ndarray | str)))
    for scalar in scalars:
        found = promoted_with(found, scalar)
    return found


@oracle("finfo")
def _finfo(type: Any, /) -> Any:
    info = np.finfo(_name(type))
    names = ("bits", "eps", "max", "min", "smallest_normal")
    return Info("finfo", [*(np.asarray(getattr(info, n)).item() for n in names), info.dtype.name])


@oracle("iinfo")
def _iinfo(type: Any, /) -> Any:
    info = np.iinfo(_name(type))
    return Info("iinfo", [info.bits, info.max, info.min, info.dtype.name])


_GROUPS = {
    "bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu",
    "real floating": "f", "complex floating": "c", "numeric": "iufc",
}  # fmt: skip


@oracle("isdtype")
def _isdtype(dtype: str, kind: Any) -> bool:
    if isinstance(kind, tuple):
        return any(_isdtype(dtype, k) for k in kind)
    if kind in _GROUPS:
        return np.dtype(dtype).kind in _GROUPS[kind]
    return bool(dtype == kind)
