"""Indices of every data type, at sizes beyond its range, on every backend.

A library that adds the size to a negative index in the index's own data type wraps around.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import numpy as np
import pytest

import arrayapi_unify as unify
from tests.installed import DIFFERENTIATING, EAGER

# The data types of indices, each with a size beyond it, where that is small.
SIZES: Final = {
    "int8": 300, "uint8": 1000, "int16": 40000, "uint16": 70000, "int32": 300, "uint32": 300,
    "int64": 300, "uint64": 300,
}  # fmt: skip


def indices(dtype: str, size: int) -> np.ndarray[Any, Any]:
    """Return indices to both ends of what the data type and the size allow."""
    limits = np.iinfo(dtype)
    found = [0, 1, min(limits.max, size - 1)]
    return np.array([*found, -1, max(limits.min, -size)] if limits.min else found, dtype)


def beyond(dtype: str, size: int) -> list[np.ndarray[Any, Any]]:
    """Return indices out of bounds by one, as far as the data type has them."""
    limits = np.iinfo(dtype)
    return [np.array([0, k], dtype) for k in (size, -size - 1) if limits.min <= k <= limits.max]


def _written(x: Any, key: Any, value: Any) -> Any:
    y = x * 1.0
    y[key] = value
    return y


# One axis, or two rows; the functions take NumPy's arrays, too.
READS: Final[dict[str, Callable[[Any, Any, Any], Any]]] = {
    "take": lambda xp, x, k: xp.take(x[0], k, axis=0),
    "take of rows": lambda xp, x, k: xp.take(x, k, axis=1),
    "take_along_axis": lambda xp, x, k: xp.take_along_axis(x[0], k, axis=0),
    "take_along_axis of rows": lambda xp, x, k: xp.take_along_axis(x, xp.stack([k, k]), axis=1),
    "x[k]": lambda xp, x, k: x[0][k],
    "x[k[-1]]": lambda xp, x, k: x[0][k[-1]],
    "x[1, k]": lambda xp, x, k: x[1, k],
    "x[:, k]": lambda xp, x, k: x[:, k],
    "x[1:, k]": lambda xp, x, k: x[1:, k],
    "x[None, :, k]": lambda xp, x, k: x[None, :, k],
    "x[..., k[:, None]]": lambda xp, x, k: x[..., k[:, None]],
    "x[i, k]": lambda xp, x, k: x[xp.zeros_like(k), k],
}
WRITES: Final[dict[str, Callable[[Any, Any, Any], Any]]] = {
    "x[k] = -7": lambda xp, x, k: _written(x[0], k, -7.0),
    "x[k[-1]] = -7": lambda xp, x, k: _written(x[0], k[-1], -7.0),
    "x[1, k] = -7": lambda xp, x, k: _written(x, (1, k), -7.0),
    "x[:, k] = -7": lambda xp, x, k: _written(x, (slice(None), k), -7.0),
    "x[1:, k] = -7": lambda xp, x, k: _written(x, (slice(1, None), k), -7.0),
    "x[k] = array": lambda xp, x, k: _written(x[0], k, x[0][k][::-1]),
}
CALLS: Final = READS | WRITES


def rows(size: int) -> np.ndarray[Any, Any]:
    return np.stack([np.arange(size) * 10.0, np.arange(size) * 10.0 + 1.0])


def check(backend: str, dtype: str, compiled: bool, calls: Any = CALLS) -> None:
    xp: ModuleType = unify.get_backend(backend)
    size = SIZES[dtype]
    values, key = rows(size), indices(dtype, size)
    x, k = xp.asarray(values), xp.asarray(key)
    for name, call in calls.items():
        run: Any = lambda x, k, call=call: call(xp, x, k)  # noqa: E731  # with or without `compile`
        found = (unify.compile(run) if compiled else run)(x, k)
        expected = call(np, values, key.astype("int64"))
        np.testing.assert_array_equal(np.asarray(found), expected, err_msg=name)


@pytest.mark.parametrize("dtype", SIZES)
@pytest.mark.parametrize("backend", [*EAGER, "dask"])
def test_reads_and_writes(backend: str, dtype: str) -> None:
    pytest.importorskip(backend)
    check(backend, dtype, compiled=False)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")  # of inductor itself
@pytest.mark.parametrize("dtype", SIZES)
@pytest.mark.parametrize("backend", EAGER)
def test_compiled(backend: str, dtype: str) -> None:
    check(backend, dtype, compiled=True, calls=READS if backend == "torch" else CALLS)


@pytest.mark.parametrize("backend", ["jax", "numpy", "tensorflow"])
def test_compiled_in_bytes(backend: str) -> None:
    if backend not in EAGER:
        pytest.skip(f"{backend} isn't installed")
    few = {name: CALLS[name] for name in ("take", "take of rows", "x[:, k] = -7")}
    check(backend, "int8", compiled=True, calls=few)


@pytest.mark.parametrize("backend", EAGER)
def test_stack_of_one_array_twice(backend: str) -> None:
    """TensorFlow's optimizer makes a tile of it, for which there is no kernel of uint16."""
    xp: ModuleType = unify.get_backend(backend)
    for dtype in ("uint16", "int8") if backend == "tensorflow" else ():
        x = xp.asarray(np.arange(3, dtype=dtype))
        for function in (lambda x: xp.stack([x, x]), lambda x: xp.concat([x, x])):
            for run in (unify.compile(function), unify.compile_graph(function, x)):
                np.testing.assert_array_equal(np.asarray(run(x)), np.asarray(function(x)))


@pytest.mark.parametrize("dtype", SIZES)
@pytest.mark.parametrize("backend", EAGER)
def test_out_of_bounds_by_one(backend: str, dtype: str) -> None:
    xp: ModuleType = unify.get_backend(backend)
    # Sizes that the data type reaches.
    size = min(SIZES[dtype], int(np.iinfo(dtype).max))
    x = xp.asarray(rows(size))
    for key in beyond(dtype, size):
        for name, call in CALLS.items():
            k = xp.asarray(key)
            try:
                found = call(xp, x, k)
            except IndexError:
                continue
            pytest.fail(f"{name} gives {found} for {key}")


@pytest.mark.parametrize("dtype", SIZES)
@pytest.mark.parametrize("backend", DIFFERENTIATING)
def test_derivatives(backend: str, dtype: str) -> None:
    xp: ModuleType = unify.get_backend(backend)
    size = SIZES[dtype]
    key = indices(dtype, size)
    weights = np.arange(1.0, len(key) + 1.0)
    expected = np.zeros(size)
    np.add.at(expected, key.astype("int64"), weights)
    k, w = xp.asarray(key), xp.asarray(weights)
    functions: dict[str, Callable[[Any], Any]] = {
        "take": lambda x: xp.sum(xp.take(x, k) * w),
        "take_along_axis": lambda x: xp.sum(xp.take_along_axis(x, k) * w),
        "x[k]": lambda x: xp.sum(x[k] * w),
        "x[None, k]": lambda x: xp.sum(x[None, k] * w),
    }
    x = xp.asarray(np.arange(float(size)))
    for name, function in functions.items():
        found = np.asarray(unify.grad(function)(x))
        np.testing.assert_array_equal(found, expected, err_msg=name)
    kept = np.ones(size)
    kept[key.astype("int64")] = 0.0
    found = unify.grad(lambda x: xp.sum(_written(x, k, 0.0)))(x)
    np.testing.assert_array_equal(np.asarray(found), kept)
