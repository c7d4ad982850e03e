"""float64 and integers become float16 or bfloat16 in one rounding, as in NumPy and ml_dtypes.

A library that converts through float32 rounds twice: a number next to the midpoint of two
neighbours may be rounded to the midpoint, and then to the even neighbour.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.dtypes import DType
from tests.differential.tracing import COMPILERS
from tests.installed import DIFFERENTIATING, INSTALLED

NATIVE = {unify.float16: np.dtype(np.float16), unify.bfloat16: np.dtype(ml_dtypes.bfloat16)}


@pytest.fixture(params=sorted(NATIVE, key=str), ids=str)
def half(request: pytest.FixtureRequest) -> DType:
    found: DType = request.param
    return found


def middles(half: DType, step: int = 1) -> Any:
    """Return float64 midpoints of neighbours in reduced precision, numbers next to them, and both.

    For bfloat16 there are no subnormal numbers, which JAX and TensorFlow flush to zero.
    """
    words = np.arange(0x0080 if half is unify.bfloat16 else 0, 0x7F7F, dtype="u2")[::step]
    words = words[words < (0x7C00 if half is unify.float16 else 0x7F7F)]
    low, high = (w.view(NATIVE[half]).astype("f8") for w in (words, words + np.uint16(1)))
    high = np.where(np.isinf(high), 65536.0, high)
    middle = (low + high) / 2
    beside = [np.nextafter(middle, low), np.nextafter(middle, high)]
    near = [middle * (1 - 2.0**-40), middle * (1 + 2.0**-40)]
    found = np.concatenate([low, middle, *beside, *near, [np.inf, np.nan, 1e39, 1e300, 65520.0]])
    return np.concatenate([found, -found])


def rounded(values: Any, half: DType) -> Any:
    with np.errstate(all="ignore"):
        return values.astype(NATIVE[half])


def same(found: Any, wanted: Any) -> bool:
    """Return True if float16 or bfloat16 values have equal bits; all NaNs are equal."""
    return bool(
        np.all((found.view("u2") == wanted.view("u2")) | np.isnan(wanted) & np.isnan(found))
    )


def test_the_numbers_tell_one_rounding_from_two() -> None:
    values = middles(unify.float16)
    with np.errstate(all="ignore"):
        twice = values.astype("f4").astype("f2")
    assert np.mean(twice != rounded(values, unify.float16)) > 0.2


def test_every_middle(xp: ModuleType, half: DType) -> None:
    values = middles(half)
    found = xp.astype(xp.asarray(values), half)
    assert same(np.asarray(found), rounded(values, half))


def _set(xp: ModuleType, half: DType, key: Any) -> Callable[[Any], Any]:
    def write(x: Any) -> Any:
        y = xp.zeros(x.shape, dtype=half)
        y[key(x)] = x
        return y

    return write


def _places(x: Any) -> Any:
    return x.__array_namespace__().arange(x.shape[0])


def _all(x: Any) -> Any:
    return x.__array_namespace__().ones(x.shape[0], dtype=unify.bool)


WAYS: dict[str, Callable[[ModuleType, DType], Callable[[Any], Any]]] = {
    "asarray": lambda xp, half: lambda x: xp.asarray(x, dtype=half),
    "array": lambda xp, half: lambda x: xp.array(x, dtype=half),
    "numpy": lambda xp, half: lambda x: xp.asarray(np.asarray(x), dtype=half),
    "list": lambda xp, half: lambda x: xp.asarray(np.asarray(x).tolist(), dtype=half),
    "nested": lambda xp, half: lambda x: xp.asarray([x[i] for i in range(x.shape[0])], dtype=half),
    "scalars": lambda xp, half: (
        lambda x: xp.stack([xp.asarray(v, dtype=half) for v in np.asarray(x).tolist()])
    ),
    "full": lambda xp, half: (
        lambda x: xp.stack([xp.full((), v, dtype=half) for v in np.asarray(x).tolist()])
    ),
    "slice": lambda xp, half: _set(xp, half, lambda x: slice(None)),
    "indices": lambda xp, half: _set(xp, half, _places),
    "mask": lambda xp, half: _set(xp, half, _all),
    "sum": lambda xp, half: lambda x: xp.sum(x[None, :], axis=0, dtype=half),
    "cumulative_sum": lambda xp, half: lambda x: xp.cumulative_sum(x[None, :], axis=0, dtype=half),
    "transposed": lambda xp, half: (
        lambda x: xp.reshape(xp.astype(xp.reshape(x, (2, -1)).T, half).T, (-1,))
    ),
}


@pytest.mark.slow_on("jax", "dask")
@pytest.mark.exhaustive
def test_every_way(xp: ModuleType, half: DType) -> None:
    values = middles(half, 1999)
    values = values[values != 0]  # a sum starts with zero, which changes the sign of another zero
    wanted = rounded(values, half)
    wrong = [
        name
        for name, way in WAYS.items()
        if not same(np.asarray(way(xp, half)(xp.asarray(values, copy=True))), wanted)
    ]
    assert wrong == []


@pytest.mark.parametrize("dtype", ["int64", "uint64", "int32", "uint32"])
def test_integers(xp: ModuleType, half: DType, dtype: str) -> None:
    powers = 2 ** np.arange(63, dtype="u8")
    values = np.concatenate(
        [powers, powers + 1, powers + (powers >> 9) + 1, np.arange(65500, 65540)]
    )
    values = values.astype("u8").astype(dtype)
    found = xp.astype(xp.asarray(values), half)
    assert same(np.asarray(found), rounded(values, half))


@pytest.mark.parametrize("framework", [name for name in INSTALLED if name in COMPILERS])
def test_traced(framework: str, half: DType) -> None:
    xp, values = namespace_of(framework), middles(half, 97)

    def cast(native: Any) -> Any:
        return xp.astype(xp.asarray(native), half).data

    found = COMPILERS[framework](cast)(xp.asarray(values).data)
    assert same(np.asarray(unify.Array(found)), rounded(values, half))


@pytest.mark.exhaustive
@pytest.mark.parametrize("framework", DIFFERENTIATING)
def test_derivatives_are_those_of_a_cast(framework: str, half: DType) -> None:
    """Values are rounded once in differentiated calls, too."""
    xp, values = namespace_of(framework), middles(half, 997)
    values = values[np.isfinite(rounded(values, half))]

    def function(x: Any) -> Any:
        y = xp.astype(x, half)
        seen.append(y)
        return xp.sum(xp.astype(y, unify.float64) * xp.arange(x.shape[0], dtype=unify.float64))

    seen: list[Any] = []
    value, slope = unify.value_and_grad(function)(xp.asarray(values))
    weights = np.arange(len(values), dtype="f8")
    np.testing.assert_allclose(np.asarray(slope), rounded(weights, half).astype("f8"))
    np.testing.assert_allclose(float(value), np.sum(rounded(values, half).astype("f8") * weights))


def test_draws_of_float16_are_the_same_bits(xp: ModuleType) -> None:
    """The float64 draws are the same everywhere, and are rounded like NumPy's."""
    key = xp.random.key(7)
    wide = np.asarray(xp.random.uniform(key, shape=(20_000,), dtype=xp.float64))
    found = np.asarray(xp.random.uniform(key, shape=(20_000,), dtype=xp.float16))
    assert same(found, wide.astype("f2"))
