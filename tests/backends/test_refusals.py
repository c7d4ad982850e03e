"""Invalid calls raise the same errors on all backends, from one place in the source."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import backends
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.errors import (
    UnifyAxisError,
    UnifyError,
    UnifyIndexError,
    UnifyLinAlgError,
    UnifyOverflowError,
    UnifyTypeError,
    UnifyValueError,
)
from tests.tables import each

Call = Callable[[ModuleType], Any]
Kind = type[UnifyError]
ROOT = Path(backends.__file__).parent
LONG = np.ones(2, np.longdouble)


def item(xp: ModuleType, key: Any, value: Any, dtype: str = "float64") -> unify.Array:
    """Assign to a part of three ones."""
    x = xp.ones(3, dtype=dtype)
    x[xp.asarray(key) if isinstance(key, list) else key] = value
    return x


# Function, argument, class, and a call of the function in which the argument is invalid.
INDEXING: list[tuple[str, str, Kind, Call]] = [
    ("take", "axis", UnifyAxisError, lambda xp: xp.take(xp.ones(3), xp.asarray([0]), axis=1)),
    ("take", "axis", UnifyAxisError, lambda xp: xp.take(xp.ones(()), xp.asarray([0]), axis=0)),
    ("take", "indices", UnifyTypeError, lambda xp: xp.take(xp.ones(3), xp.asarray([True]))),
    ("take", "indices", UnifyTypeError, lambda xp: xp.take(xp.ones(3), xp.asarray([1.0]))),
    ("take", "indices", UnifyIndexError, lambda xp: xp.take(xp.ones(3), xp.asarray([0, 5]))),
    ("take", "indices", UnifyIndexError, lambda xp: xp.take(xp.ones(3), xp.asarray([0, -4]))),
    ("take", "indices", UnifyIndexError, lambda xp: xp.take(xp.ones(0), xp.asarray([0]))),
    ("take_along_axis", "axis", UnifyAxisError,
     lambda xp: xp.take_along_axis(xp.ones((2, 3)), xp.asarray([[0], [1]]), axis=2)),
    ("take_along_axis", "indices", UnifyTypeError,
     lambda xp: xp.take_along_axis(xp.ones(3), xp.asarray([1.0]))),
    ("take_along_axis", "indices", UnifyValueError,
     lambda xp: xp.take_along_axis(xp.ones((2, 3)), xp.asarray([1]))),
    ("take_along_axis", "indices", UnifyIndexError,
     lambda xp: xp.take_along_axis(xp.ones((2, 3)), xp.asarray([[2], [3]]))),
    ("set_item", "value", UnifyTypeError, lambda xp: item(xp, 0, 1j)),
    ("set_item", "value", UnifyTypeError, lambda xp: item(xp, 0, xp.asarray(1j), "int8")),
    ("set_item", "value", UnifyTypeError, lambda xp: item(xp, slice(2), xp.asarray([1j, 2]))),
    ("set_item", "value", UnifyValueError, lambda xp: item(xp, slice(2), xp.ones(3))),
    ("set_item", "value", UnifyValueError, lambda xp: item(xp, [0, 1], xp.ones(3))),
    ("set_item", "value", UnifyValueError, lambda xp: item(xp, [True, True, False], xp.ones(3))),
    ("set_item", "value", UnifyValueError,
     lambda xp: item(xp, [True, True, False], xp.ones((2, 2)))),
    ("set_item", "value", UnifyValueError, lambda xp: item(xp, [[0, 1]], xp.ones(3))),
    ("set_item", "value", UnifyValueError, lambda xp: item(xp, 0, [1.0])),
    ("set_item", "value", UnifyValueError, lambda xp: item(xp, -1, [[1.0]])),
    ("set_item", "value", UnifyValueError, lambda xp: item(xp, 0, xp.ones(1), "int8")),
    ("set_item", "value", UnifyValueError, lambda xp: item(xp, xp.asarray(0), xp.ones(1))),
]  # fmt: skip
SHAPES: list[tuple[str, str, Kind, Call]] = [
    ("reshape", "shape", UnifyValueError, lambda xp: xp.reshape(xp.ones(6), (4,))),
    ("reshape", "shape", UnifyValueError, lambda xp: xp.reshape(xp.ones(6), (4, -1))),
    ("reshape", "shape", UnifyValueError, lambda xp: xp.reshape(xp.ones(6), (-1, -1))),
    ("reshape", "shape", UnifyValueError, lambda xp: xp.reshape(xp.ones(6), (-2, -3))),
    ("reshape", "shape", UnifyValueError, lambda xp: xp.reshape(xp.zeros((0, 3)), (-1, 0))),
    ("reshape", "shape", UnifyValueError, lambda xp: xp.reshape(xp.zeros((0, 3)), [0, -1, 2])),
    ("reshape", "copy", UnifyValueError,
     lambda xp: xp.reshape(xp.ones((2, 3)).T, (6,), copy=False)),
    ("broadcast_to", "shape", UnifyValueError, lambda xp: xp.broadcast_to(xp.ones(2), (2, -1))),
    ("broadcast_to", "shape", UnifyValueError, lambda xp: xp.broadcast_to(xp.ones(2), (2, 3))),
    ("broadcast_to", "shape", UnifyValueError, lambda xp: xp.broadcast_to(xp.ones((2, 2)), (2,))),
    ("broadcast_arrays", "arrays", UnifyValueError,
     lambda xp: xp.broadcast_arrays(xp.ones(2), xp.ones(3))),
    ("concat", "arrays", UnifyValueError, lambda xp: xp.concat([xp.ones((2, 3)), xp.ones((2, 4))])),
    ("concat", "arrays", UnifyValueError, lambda xp: xp.concat([xp.ones((2, 3)), xp.ones(2)])),
    ("concat", "arrays", UnifyValueError, lambda xp: xp.concat([xp.ones(()), xp.ones(())])),
    ("concat", "axis", UnifyAxisError, lambda xp: xp.concat([xp.ones(2), xp.ones(2)], axis=1)),
    ("stack", "arrays", UnifyValueError, lambda xp: xp.stack([xp.ones(2), xp.ones(3)])),
    ("stack", "axis", UnifyAxisError, lambda xp: xp.stack([xp.ones(2), xp.ones(2)], axis=2)),
    ("permute_dims", "axes", UnifyValueError, lambda xp: xp.permute_dims(xp.ones((2, 3)), (0,))),
    ("permute_dims", "axes", UnifyValueError, lambda xp: xp.permute_dims(xp.ones((2, 3)), (0, 0))),
    ("permute_dims", "axes", UnifyAxisError, lambda xp: xp.permute_dims(xp.ones((2, 3)), (0, 2))),
    ("moveaxis", "destination", UnifyValueError,
     lambda xp: xp.moveaxis(xp.ones((2, 3)), (0, 1), 0)),
    ("moveaxis", "source", UnifyAxisError, lambda xp: xp.moveaxis(xp.ones((2, 3)), 2, 0)),
    ("moveaxis", "source", UnifyValueError,
     lambda xp: xp.moveaxis(xp.ones((2, 3)), (0, 0), (0, 1))),
    ("expand_dims", "axis", UnifyAxisError, lambda xp: xp.expand_dims(xp.ones((2, 1)), 5)),
    ("expand_dims", "axis", UnifyValueError, lambda xp: xp.expand_dims(xp.ones((2, 1)), (0, 0))),
    ("squeeze", "axis", UnifyValueError, lambda xp: xp.squeeze(xp.ones((2, 1)), 0)),
    ("squeeze", "axis", UnifyAxisError, lambda xp: xp.squeeze(xp.ones((2, 1)), 2)),
    ("repeat", "repeats", UnifyTypeError,
     lambda xp: xp.repeat(xp.ones(3), xp.asarray([1.0, 2, 3]))),
    ("repeat", "repeats", UnifyValueError, lambda xp: xp.repeat(xp.ones(3), xp.asarray([1, 2]))),
    ("repeat", "repeats", UnifyValueError,
     lambda xp: xp.repeat(xp.ones(3), xp.asarray([[1, 2, 3]]))),
    ("repeat", "repeats", UnifyValueError,
     lambda xp: xp.repeat(xp.ones(3), xp.asarray([1, -2, 3]))),
    ("repeat", "repeats", UnifyValueError, lambda xp: xp.repeat(xp.ones(3), -1)),
    ("repeat", "repeats", UnifyValueError, lambda xp: xp.repeat(xp.ones(0), -1)),
    ("repeat", "repeats", UnifyTypeError, lambda xp: xp.repeat(xp.ones(3), 1.5)),
    ("zeros", "shape", UnifyValueError, lambda xp: xp.zeros((2, -1))),
    ("ones", "shape", UnifyValueError, lambda xp: xp.ones((2, -1))),
    ("empty", "shape", UnifyValueError, lambda xp: xp.empty(-1)),
    ("full", "shape", UnifyValueError, lambda xp: xp.full((2, -1), 1.0)),
    ("eye", "n_rows", UnifyValueError, lambda xp: xp.eye(-1)),
    ("eye", "n_cols", UnifyValueError, lambda xp: xp.eye(1, -1)),
    ("zeros", "shape", UnifyTypeError, lambda xp: xp.zeros(True)),
    ("full", "shape", UnifyTypeError, lambda xp: xp.full((2, True), 1.0)),
    ("eye", "n_rows", UnifyTypeError, lambda xp: xp.eye(True)),
    ("flip", "axis", UnifyTypeError, lambda xp: xp.flip(xp.ones((2, 1)), axis=True)),
    ("expand_dims", "axis", UnifyTypeError, lambda xp: xp.expand_dims(xp.ones(2), True)),
    ("roll", "shift", UnifyTypeError, lambda xp: xp.roll(xp.ones(2), xp.asarray(1.0))),
    ("fft.fftn", "s", UnifyTypeError, lambda xp: xp.fft.fftn(xp.ones(2), s=[True], axes=[0])),
    ("expand_dims", "axis", UnifyTypeError, lambda xp: xp.expand_dims(xp.ones(2), None)),
    ("broadcast_to", "shape", UnifyTypeError, lambda xp: xp.broadcast_to(xp.ones(2), (True, 2))),
    ("broadcast_to", "shape", UnifyTypeError, lambda xp: xp.broadcast_to(xp.ones(()), True)),
    ("broadcast_to", "shape", UnifyTypeError,
     lambda xp: xp.broadcast_to(xp.ones(()), xp.ones((0, 3)))),
    ("fft.ifft", "n", UnifyTypeError, lambda xp: xp.fft.ifft(xp.ones(2), n=xp.ones((1, 1)))),
    ("linalg.diagonal", "offset", UnifyTypeError,
     lambda xp: xp.linalg.diagonal(xp.ones((2, 2)), offset=-inf)),
    ("nn.elu", "alpha", UnifyTypeError, lambda xp: xp.elu(xp.ones(2), alpha=xp.ones(2))),
    ("nn.elu", "alpha", UnifyTypeError, lambda xp: xp.elu(xp.ones(2), alpha=(1.0, 2.0))),
    ("nn.threshold", "value", UnifyTypeError, lambda xp: xp.threshold(xp.ones(2), 0.0, (1.0, 2.0))),
    ("nan_to_num", "nan", UnifyTypeError, lambda xp: xp.nan_to_num(xp.ones(2), nan=xp.ones(2))),
    ("std", "correction", UnifyTypeError, lambda xp: xp.std(xp.ones(2), correction=xp.ones(1))),
    ("var", "correction", UnifyTypeError, lambda xp: xp.var(xp.ones(2), correction=1j)),
    ("linalg.vector_norm", "ord", UnifyTypeError,
     lambda xp: xp.linalg.vector_norm(xp.ones(2), ord=xp.asarray(1j))),
    ("diag", "k", UnifyTypeError, lambda xp: xp.diag(xp.ones(2), k=True)),
    ("diag", "k", UnifyTypeError, lambda xp: xp.diag(xp.ones(2), k=xp.asarray(1.0))),
    ("diag", "k", UnifyValueError, lambda xp: xp.diag(xp.ones(2), k=-2**63)),
    ("segment_sum", "num_segments", UnifyTypeError,
     lambda xp: xp.segment_sum(xp.ones(2), xp.asarray([0, 0]), xp.asarray(1.0))),
    ("split", "num_or_size_splits", UnifyTypeError,
     lambda xp: xp.split(xp.ones(1), num_or_size_splits=xp.ones((1, 1)))),
    ("fft.fftn", "s", UnifyTypeError, lambda xp: xp.fft.fftn(xp.ones(2), s=[None])),
    ("broadcast_to", "shape", UnifyValueError, lambda xp: xp.broadcast_to(xp.ones(()), (2**62,))),
    ("pad", "mode", UnifyTypeError, lambda xp: xp.pad(xp.ones(()), 0, mode=["constant"])),
    ("nanstd", "correction", UnifyTypeError,
     lambda xp: xp.nanstd(xp.ones(2), correction=xp.ones(1))),
    ("random.orthogonal", "shape", UnifyValueError,
     lambda xp: xp.random.orthogonal(xp.random.key(1), 0, (2,) * 40)),
    ("concat", "axis", UnifyTypeError, lambda xp: xp.concat([xp.ones((2, 1))], axis=True)),
    ("linspace", "num", UnifyValueError, lambda xp: xp.linspace(0, 1, -3)),
]  # fmt: skip
VALUES: list[tuple[str, str, Kind, Call]] = [
    ("searchsorted", "x1", UnifyValueError,
     lambda xp: xp.searchsorted(xp.ones((2, 2)), xp.ones(1))),
    ("searchsorted", "side", UnifyValueError,
     lambda xp: xp.searchsorted(xp.ones(2), xp.ones(1), side="up")),
    ("searchsorted", "sorter", UnifyTypeError,
     lambda xp: xp.searchsorted(xp.ones(2), xp.ones(1), sorter=xp.asarray([0.0, 1.0]))),
    ("searchsorted", "sorter", UnifyValueError,
     lambda xp: xp.searchsorted(xp.ones(2), xp.ones(1), sorter=xp.asarray([0, 1, 1]))),
    ("nonzero", "x", UnifyValueError, lambda xp: xp.nonzero(xp.ones(()))),
    ("diff", "n", UnifyValueError, lambda xp: xp.diff(xp.ones(3), n=-1)),
    ("diff", "axis", UnifyAxisError, lambda xp: xp.diff(xp.ones(3), axis=1)),
    ("diff", "prepend", UnifyValueError,
     lambda xp: xp.diff(xp.ones((2, 3)), prepend=xp.ones((3, 1)))),
    ("diff", "append", UnifyValueError, lambda xp: xp.diff(xp.ones((2, 3)), append=xp.ones(2))),
    ("argmax", "x", UnifyValueError, lambda xp: xp.argmax(xp.ones((2, 0)), axis=1)),
    ("argmin", "x", UnifyValueError, lambda xp: xp.argmin(xp.ones((2, 0)))),
    ("argmin", "axis", UnifyAxisError, lambda xp: xp.argmin(xp.ones((2, 0)), axis=2)),
    ("max", "x", UnifyValueError, lambda xp: xp.max(xp.ones((2, 0)), axis=1)),
    ("min", "x", UnifyValueError, lambda xp: xp.min(xp.ones(0))),
    ("sum", "dtype", UnifyTypeError, lambda xp: xp.sum(xp.asarray([1j]), dtype=xp.float32)),
    ("sum", "axis", UnifyTypeError, lambda xp: xp.sum(xp.ones((2, 1)), axis=True)),
    ("argmax", "axis", UnifyTypeError, lambda xp: xp.argmax(xp.ones((2, 1)), axis=True)),
    ("sum", "axis", UnifyAxisError, lambda xp: xp.sum(xp.ones((2, 1)), axis=5)),
    ("sum", "axis", UnifyValueError, lambda xp: xp.sum(xp.ones((2, 1)), axis=(0, 0))),
    ("pow", "x2", UnifyValueError, lambda xp: xp.pow(xp.asarray([2]), xp.asarray([-1]))),
    ("pow", "x2", UnifyValueError, lambda xp: xp.pow(xp.asarray([2]), -1)),
    ("clip", "x", UnifyTypeError, lambda xp: xp.clip(xp.asarray([1j]), 0, 1)),
    ("clip", "x", UnifyTypeError, lambda xp: xp.clip(xp.asarray([1j]))),
    ("clip", "x", UnifyTypeError, lambda xp: xp.clip(xp.ones(2), 0, xp.asarray([1j, 2]))),
    ("clip", "x", UnifyTypeError, lambda xp: xp.clip(xp.ones(2), 0, 1j)),
    ("clip", "x", UnifyTypeError,
     lambda xp: xp.clip(xp.asarray([1j]), 0, 1, out=xp.asarray([1j]))),
    ("nn.cross_entropy", "axis", UnifyAxisError,
     lambda xp: xp.cross_entropy(xp.ones(2), xp.ones(2), axis=4, reduction="none")),
    ("nn.binary_cross_entropy", "axis", UnifyAxisError,
     lambda xp: xp.binary_cross_entropy(xp.ones(2), xp.ones(2), axis=1, reduction="none")),
    ("floor", "x", UnifyTypeError, lambda xp: xp.floor(xp.asarray([1j]))),
    ("floor_divide", "x1", UnifyTypeError, lambda xp: xp.asarray([1j]) // xp.asarray([1j])),
    ("remainder", "x1", UnifyTypeError, lambda xp: xp.remainder(xp.asarray([1j]), 1j)),
    ("remainder", "x1", UnifyTypeError, lambda xp: xp.remainder(xp.asarray([1]), 1j)),
    ("atan2", "x1", UnifyTypeError, lambda xp: xp.atan2(xp.asarray([1j]), xp.asarray([1j]))),
    ("positive", "x", UnifyTypeError, lambda xp: xp.positive(xp.asarray([True]))),
    ("negative", "x", UnifyTypeError, lambda xp: xp.negative(xp.asarray([True]))),
    ("sign", "x", UnifyTypeError, lambda xp: xp.sign(xp.asarray([True]))),
    ("subtract", "x1", UnifyTypeError, lambda xp: xp.asarray([True]) - xp.asarray([True])),
    ("bitwise_and", "x1", UnifyTypeError, lambda xp: xp.ones(1) & xp.ones(1)),
    ("bitwise_invert", "x", UnifyTypeError, lambda xp: ~xp.ones(1)),
    ("bitwise_left_shift", "x1", UnifyTypeError, lambda xp: xp.ones(1) << 1),
    ("astype", "dtype", UnifyTypeError, lambda xp: xp.astype(xp.asarray([1j]), xp.float32)),
    ("asarray", "obj", UnifyTypeError, lambda xp: xp.asarray(1j, dtype=xp.float32)),
    ("asarray", "obj", UnifyTypeError, lambda xp: xp.asarray(xp.asarray(1j), dtype=xp.float32)),
    ("asarray", "obj", UnifyTypeError, lambda xp: xp.asarray(LONG)),
    ("asarray", "copy", UnifyValueError, lambda xp: xp.asarray([1, 2], copy=False)),
    ("asarray", "copy", UnifyValueError,
     lambda xp: xp.asarray([xp.ones(2), xp.ones(2)], copy=False)),
    ("asarray", "copy", UnifyValueError,
     lambda xp: xp.asarray(xp.ones(2), dtype=xp.float32, copy=False)),
    ("full", "fill_value", UnifyTypeError, lambda xp: xp.full(2, 1j, dtype=xp.float32)),
    ("full", "fill_value", UnifyValueError, lambda xp: xp.full(2, xp.asarray([1.0]))),
    ("full", "fill_value", UnifyValueError, lambda xp: xp.full(2, [1.0, 2.0])),
    ("full_like", "fill_value", UnifyValueError,
     lambda xp: xp.full_like(xp.zeros(2), xp.asarray([1.0, 2.0]))),
    ("full", "fill_value", UnifyTypeError,
     lambda xp: xp.full(2, xp.asarray(1j), dtype=xp.float32)),
    ("from_dlpack", "x", UnifyTypeError, lambda xp: xp.from_dlpack(3)),
    ("from_dlpack", "x", UnifyTypeError, lambda xp: xp.from_dlpack(LONG)),
    ("to_scalar", "x", UnifyValueError, lambda xp: xp.to_scalar(xp.ones(2))),
    ("to_device", "stream", UnifyValueError, lambda xp: xp.to_device(xp.ones(2), "cpu", stream=1)),
]  # fmt: skip
LINEAR_ALGEBRA: list[tuple[str, str, Kind, Call]] = [
    ("matmul", "x1", UnifyValueError, lambda xp: xp.matmul(xp.ones(()), xp.ones(2))),
    ("matmul", "x2", UnifyValueError, lambda xp: xp.matmul(xp.asarray([1]), xp.asarray(2))),
    ("matmul", "x2", UnifyValueError, lambda xp: xp.ones((2, 3)) @ xp.ones((2, 3))),
    ("matrix_transpose", "x", UnifyValueError, lambda xp: xp.matrix_transpose(xp.ones(3))),
    ("vecdot", "x2", UnifyValueError, lambda xp: xp.vecdot(xp.ones(3), xp.ones(2))),
    ("linalg.inv", "x", UnifyLinAlgError, lambda xp: xp.linalg.inv(xp.ones((2, 2)))),
    ("linalg.inv", "x", UnifyLinAlgError, lambda xp: xp.linalg.inv(xp.ones((2, 3)))),
    ("linalg.det", "x", UnifyLinAlgError, lambda xp: xp.linalg.det(xp.ones(3))),
    ("linalg.eigh", "x", UnifyLinAlgError, lambda xp: xp.linalg.eigh(xp.ones((2, 3)))),
    ("linalg.matrix_power", "x", UnifyLinAlgError,
     lambda xp: xp.linalg.matrix_power(xp.ones((2, 2)), -1)),
    ("linalg.cholesky", "x", UnifyLinAlgError, lambda xp: xp.linalg.cholesky(-xp.ones((2, 2)))),
    ("linalg.solve", "x1", UnifyLinAlgError,
     lambda xp: xp.linalg.solve(xp.ones((2, 2)), xp.ones(2))),
    ("linalg.solve", "x1", UnifyLinAlgError,
     lambda xp: xp.linalg.solve(xp.ones((2, 3)), xp.ones(2))),
    ("linalg.solve", "x2", UnifyValueError, lambda xp: xp.linalg.solve(xp.eye(2), xp.ones(3))),
    ("linalg.svd", "x", UnifyLinAlgError, lambda xp: xp.linalg.svd(xp.ones(3))),
    ("linalg.qr", "x", UnifyLinAlgError, lambda xp: xp.linalg.qr(xp.ones(3))),
    ("linalg.expm", "x", UnifyLinAlgError, lambda xp: xp.linalg.expm(xp.ones((2, 3)))),
    ("linalg.lu", "x", UnifyLinAlgError, lambda xp: xp.linalg.lu(xp.ones(3))),
    ("linalg.diagonal", "x", UnifyValueError, lambda xp: xp.linalg.diagonal(xp.ones(3))),
    ("linalg.matrix_norm", "ord", UnifyValueError,
     lambda xp: xp.linalg.matrix_norm(xp.ones((2, 2)), ord=7)),
    ("linalg.matrix_norm", "x", UnifyValueError,
     lambda xp: xp.linalg.matrix_norm(xp.ones((2, 0)), ord=-1)),
    ("linalg.vector_norm", "x", UnifyValueError,
     lambda xp: xp.linalg.vector_norm(xp.ones(0), ord=-inf)),
    ("fft.fft", "n", UnifyValueError, lambda xp: xp.fft.fft(xp.ones(2), n=0)),
    ("fft.fft", "axis", UnifyAxisError, lambda xp: xp.fft.fft(xp.ones(2), axis=1)),
    ("fft.irfft", "n", UnifyValueError, lambda xp: xp.fft.irfft(xp.ones(1))),
    ("fft.fftn", "n", UnifyValueError,
     lambda xp: xp.fft.fftn(xp.ones((2, 2)), s=(0, 2), axes=(0, 1))),
    ("fft.rfft", "x", UnifyTypeError, lambda xp: xp.fft.rfft(xp.asarray([1j, 2j]))),
]  # fmt: skip
REFUSED = [*INDEXING, *SHAPES, *VALUES, *LINEAR_ALGEBRA]

# Errors that show the call itself: only the backend's name may differ.
SHOWN: list[tuple[str, Kind, Call]] = [
    ("Python integer 300 out of bounds for int8", UnifyOverflowError,
     lambda xp: item(xp, 0, 300, "int8")),
    ("Python integer of 201 bits out of bounds for float32", UnifyOverflowError,
     lambda xp: item(xp, 0, 2**200, "float32")),
    ("Python integer of 201 bits out of bounds for float32", UnifyOverflowError,
     lambda xp: item(xp, slice(None), 2**200, "float32")),
    ("Python integer of 2001 bits out of bounds for float64", UnifyOverflowError,
     lambda xp: item(xp, 0, 2**2000)),
    ("Python integer 300 out of bounds for int8", UnifyOverflowError,
     lambda xp: xp.ones(2, dtype=xp.int8) + 300),
    ("1.0 is no index", UnifyIndexError, lambda xp: xp.ones(3)[1.0]),
    ("an array of float64 is no index", UnifyIndexError, lambda xp: xp.ones(3)[xp.ones(1)]),
    ("index 5 is out of bounds for axis 0 with size 3", UnifyIndexError, lambda xp: xp.ones(3)[5]),
    ("index 5 is out of bounds for axis 0 with size 3", UnifyIndexError,
     lambda xp: xp.ones(3)[xp.asarray([0, 5])]),
    ("index 5 is out of bounds for axis 0 with size 3", UnifyIndexError,
     lambda xp: item(xp, [0, 5], 1.0)),
    ("index arrays of the shapes (2,), (3,) don't broadcast", UnifyIndexError,
     lambda xp: xp.ones((3, 3))[xp.asarray([0, 1]), xp.asarray([0, 1, 2])]),
    ("a mask of shape (2,) stands for the axes from 0 on", UnifyIndexError,
     lambda xp: xp.ones(3)[xp.asarray([True, False])]),
    ("the key stands for 2 axes, but the array has 1", UnifyIndexError,
     lambda xp: xp.ones(3)[0, 0]),
    ("argument 'device' is 'gpu:77', which isn't a device of the", UnifyValueError,
     lambda xp: xp.ones(2, device="gpu:77")),
]  # fmt: skip


def refusal(xp: ModuleType, call: Call) -> UnifyError:
    with pytest.raises(UnifyError) as caught:
        unify.compute(call(xp))  # a lazy backend refuses what depends on values when it computes
    return caught.value


class TestCalls:
    @each("function, argument, kind, call", REFUSED)
    def test_are_refused_alike(
        self, function: str, argument: str, kind: Kind, call: Call, xp: ModuleType
    ) -> None:
        error = refusal(xp, call)
        if kind is UnifyLinAlgError:  # PyTorch has a subclass
            assert isinstance(error, kind)
        else:
            assert type(error) is kind
        assert re.match(rf"{re.escape(function)}: argument '{argument}' .+; .+", str(error))
        assert str(error) == str(refusal(namespace_of("numpy"), call))

    @pytest.mark.parametrize(("text", "kind", "call"), SHOWN)
    def test_are_shown_alike(self, text: str, kind: Kind, call: Call, xp: ModuleType) -> None:
        error = refusal(xp, call)
        assert type(error) is kind
        assert text in str(error)
        expected = str(refusal(namespace_of("numpy"), call))
        assert str(error) == expected.replace("numpy backend", f"{xp.ones(1).backend} backend")


def refusals(path: Path) -> Iterator[tuple[str, list[ast.expr]]]:
    """Yield the function in which an argument is refused, and function, argument and texts."""
    for function in ast.walk(ast.parse(path.read_text())):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
                if called in ("raise_type_error", "raise_value_error"):
                    yield function.name, node.args
                elif called == "raise_argument_error":
                    yield function.name, node.args[1:]


def literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


class TestSource:
    def test_refuses_an_argument_of_a_function_in_one_place(self) -> None:
        places: dict[tuple[str, str], set[str]] = defaultdict(set)
        for path in ROOT.rglob("*.py"):
            for where, (function, argument, *_) in refusals(path):
                if literal(function) and literal(argument):
                    pair = ast.literal_eval(function), ast.literal_eval(argument)
                    places[pair].add(f"{path.relative_to(ROOT)}: {where}")
        assert len(places) > 20
        assert {pair: found for pair, found in places.items() if len(found) > 1} == {}

    @pytest.mark.parametrize("name", backends.names())
    def test_refuses_in_a_backend_only_what_that_one_knows(self, name: str) -> None:
        """A check for several functions serves several backends, and is in `_common`."""
        for path in (ROOT / name).rglob("*.py"):
            for where, (function, argument, *_) in refusals(path):
                assert literal(function), f"{path}: {where}"
                assert literal(argument), f"{path}: {where}"

    @pytest.mark.parametrize("name", [*backends.names(), "_common"])
    def test_words_no_refusal_by_hand(self, name: str) -> None:
        for path in (ROOT / name).rglob("*.py"):
            assert ": argument '" not in path.read_text(), path
