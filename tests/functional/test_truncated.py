"""Truncated normal numbers in the tails: quantiles of mpmath, on every backend."""

from __future__ import annotations

import functools
import math
from types import ModuleType
from typing import Any

import mpmath
import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from tests.differential.tracing import COMPILERS
from tests.installed import DIFFERENTIATING, INSTALLED

DRAWN = 16
# The tail at 38 is subnormal, and zero on JAX and TensorFlow; the tail at 39 underflows.
BOUNDS = [
    (30.5, 31.0), (30.5, math.inf), (36.9, 38.7), (38.0, 40.0), (45.0, 50.0), (45.0, 45.0 + 1e-9),
    (100.0, math.inf), (1e4, math.inf),
]  # fmt: skip


@functools.cache
def probabilities(bits: int = 64) -> Any:
    """Return the probabilities of a draw: odd multiples of 2**-53, or of 2**-24."""
    xp = namespace_of("numpy")
    words = np.asarray(xp.random.bits(xp.random.key(3), DRAWN, dtype=f"uint{bits}"))
    digits = {64: 52, 32: 23}[bits]
    return np.ldexp((2 * (words >> (bits - digits)) + 1).astype("f8"), -digits - 1)


@functools.cache
def quantiles(near: float, far: float, bits: int = 64) -> Any:
    """Return the quantiles of exceedance probabilities between two positive bounds."""
    with mpmath.workdps(60):

        def tail(t: Any) -> Any:
            return mpmath.erfc(mpmath.mpf(t) / mpmath.sqrt(2)) / 2

        beyond = mpmath.mpf(0) if math.isinf(far) else tail(far)

        def quantile(p: float) -> float:
            wanted = mpmath.log(beyond + mpmath.mpf(p) * (tail(near) - beyond))
            begin = mpmath.mpf(near) - (wanted - mpmath.log(tail(near))) / near
            return float(mpmath.findroot(lambda t: mpmath.log(tail(t)) - wanted, begin))

        return np.array([quantile(p) for p in probabilities(bits).tolist()])


def draw(xp: ModuleType, low: Any, high: Any, dtype: str = "float64") -> Any:
    key = xp.random.key(3)
    return xp.random.truncated_normal(key, low, high, DRAWN, dtype=getattr(xp, dtype))


@pytest.mark.slow_on("tensorflow", "jax", "dask")
@pytest.mark.exhaustive
def test_quantiles(xp: ModuleType) -> None:
    """An ulp of a logarithm or exponential changes a result by one ulp at most."""
    for near, far in BOUNDS:
        wanted = quantiles(near, far)
        assert len(set(wanted)) > DRAWN / 2
        for found, right in (
            (draw(xp, near, far), wanted),
            (draw(xp, -far, -near), -wanted),
            (draw(xp, xp.asarray([-far]), -near), -wanted),
        ):
            np.testing.assert_array_max_ulp(np.asarray(found), right, 1)


def test_float32_is_rounded_once(xp: ModuleType) -> None:
    found = np.asarray(draw(xp, -50.0, -45.0, "float32"))
    np.testing.assert_array_max_ulp(found, -quantiles(45.0, 50.0, 32).astype("f4"), 1)


@pytest.mark.slow_on("dask")
def test_near_and_far_bounds_side_by_side(xp: ModuleType) -> None:
    """Bounds in an array give the results of each of them as a number."""
    pairs = [(-1.0, 2.0), (-50.0, -45.0), (45.0, 50.0), (-40.0, -29.0), (2.0, -2.0), (-45.0, -45.0)]
    low, high = (xp.asarray([[bound] for bound in bounds]) for bounds in zip(*pairs, strict=True))
    key = xp.random.key(5)
    found = np.asarray(xp.random.truncated_normal(key, low, high, (len(pairs), 4)))
    for i, (lowest, highest) in enumerate(pairs):
        alone = np.asarray(xp.random.truncated_normal(key, lowest, highest, (len(pairs), 4)))
        np.testing.assert_array_equal(found[i], alone[i])
    assert np.isnan(found[4]).all()
    assert (found[5] == -45).all()


@pytest.mark.slow_on("torch")
@pytest.mark.parametrize("framework", [name for name in INSTALLED if name in COMPILERS])
def test_traced(framework: str) -> None:
    xp = namespace_of(framework)

    def function(low: Any, high: Any) -> Any:
        return draw(xp, xp.asarray(low), xp.asarray(high)).data

    bounds = [xp.asarray(bound).data for bound in (-50.0, -45.0)]
    found = np.asarray(unify.Array(COMPILERS[framework](function)(*bounds)))
    np.testing.assert_array_max_ulp(found, -quantiles(45.0, 50.0), 1)


@pytest.mark.parametrize("framework", DIFFERENTIATING)
def test_derivatives(framework: str) -> None:
    """Differences of quantiles from the upper bound: in the tail, and of bounds next to it."""
    xp = namespace_of(framework)

    def total(low: Any, high: Any) -> Any:
        key = xp.random.key(3)
        return xp.sum(xp.random.truncated_normal(key, low, high, (2, DRAWN)))

    low, high = xp.asarray([[-50.0], [-1.0]]), xp.asarray([[-45.0], [2.0]])
    _, slopes = unify.value_and_grad(total, argnums=(0, 1))(low, high)
    step = 2.0**-12

    def difference(by: Any) -> Any:
        moved = [[low, high + by * step], [low, high - by * step]]
        values = [float(total(*bounds)) for bounds in moved]
        return (values[0] - values[1]) / (2 * step)

    for number, row in enumerate(([[1.0], [0.0]], [[0.0], [1.0]])):
        wanted = difference(xp.asarray(row))
        assert abs(float(slopes[1][number, 0]) - wanted) < 1e-5 * abs(wanted)
    assert np.isfinite(np.asarray(slopes[0])).all()
