"""Distances from a reference, in units in the last place of the data type."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np

__all__ = ["assert_ulps", "distance", "exact"]


def distance(actual: Any, expected: Any, magnitude: Any = None) -> float:
    """Return the largest distance in ulps of each element, or of a magnitude.

    `expected` has more digits than `actual`. NaN, infinities and zeros have to be at the expected
    positions; subnormal results count as zero.
    """
    values = np.asarray(actual)
    real = np.finfo(values.dtype).dtype
    wide = np.clongdouble if values.dtype.kind == "c" else np.longdouble
    expected = np.asarray(expected).astype(wide)
    assert values.shape == expected.shape, (values.shape, expected.shape)
    with np.errstate(all="ignore"):
        rounded = expected.astype(values.dtype)
        special = ~np.isfinite(rounded)
        np.testing.assert_array_equal(values[special], rounded[special])
        error = np.abs(np.where(special, 0, values.astype(wide) - expected))
        unit = np.abs(np.where(special, 0, expected)) if magnitude is None else np.abs(magnitude)
        unit = np.maximum(unit * np.finfo(real).eps, np.finfo(real).tiny)
        return float(np.max(error / unit, initial=0.0))


def assert_ulps(actual: Any, expected: Any, ulps: float, magnitude: Any = None) -> None:
    """Fail if a result differs from its reference by more than the given number of ulps."""
    found = distance(actual, expected, magnitude)
    assert found <= ulps, f"{found:.3g} ulps, {ulps:g} are allowed: {actual!r} for {expected!r}"


def exact(function: Any, values: Any) -> Any:
    """Compute a function of each value with 50 digits; return it in extended precision."""
    with mpmath.workdps(50):
        flat = [function(mpmath.mpf(float(v))) for v in np.ravel(values)]
        texts = [mpmath.nstr(v, 30) if abs(v) > mpmath.mpf("1e-4000") else "0" for v in flat]
    return np.asarray([np.longdouble(text) for text in texts]).reshape(np.shape(values))
