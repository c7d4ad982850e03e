"""Comparison of two outcomes: the same data types, shapes and values, or the same exception."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.differential import decompositions
from tests.differential.case import Case
from tests.differential.differences import accepted, documented
from tests.differential.outcome import Outcome, Result
from tests.differential.tolerances import (
    ANY_COMPLEX_ZERO_SIGN,
    ANY_ZERO_SIGN,
    SUBNORMAL,
    Tolerance,
    tolerance_of,
    units,
)

__all__ = ["compare", "compare_results", "ulps_of"]


def compare(
    case: Case,
    expected: Outcome,
    got: Outcome,
    backend: str = "",
    tolerance: Tolerance | None = None,
) -> str | None:
    """Describe in one line how `got` differs from the expected outcome; return None if it doesn't.

    Entries of the table of differences for the backend are accepted; see `differences.Difference`.
    """
    found = _compare(case, expected, got, backend, tolerance)
    return None if found and documented(backend, case, expected, got) else found


def _compare(
    case: Case, expected: Outcome, got: Outcome, backend: str, tolerance: Tolerance | None
) -> str | None:
    if expected.error or got.error:
        if expected.error_class == got.error_class:
            return None
        return f"expected {expected.error_class or 'a result'}, got {got.error_class or 'a result'}"
    mismatch = _structure(expected.value, got.value)
    if mismatch:
        return mismatch
    check = decompositions.CHECKS.get(case.function)
    if check is not None:
        found = check(case, _arrays(expected.value), _arrays(got.value))
        return found or None
    return _values(case, expected.value, got.value, backend, tolerance)


def _arrays(value: Any) -> list[Any]:
    """Return the values of all arrays of an outcome."""
    parts = value[1] if isinstance(value, tuple) else [value]
    return [part.values for part in parts]


def _structure(expected: Any, got: Any) -> str | None:
    """Compare types, data types and shapes."""
    if type(expected) is not type(got):
        return f"expected {type(expected).__name__}, got {type(got).__name__}"
    if isinstance(expected, Result):
        if expected.dtype != got.dtype:
            return f"dtype {got.dtype} instead of {expected.dtype}"
        if expected.values.shape != got.values.shape:
            return f"shape {got.values.shape} instead of {expected.values.shape}"
    if isinstance(expected, tuple):
        if expected[0] != got[0] or len(expected[1]) != len(got[1]):
            return f"{got[0]} of {len(got[1])} instead of {expected[0]} of {len(expected[1])}"
        pairs = zip(expected[1], got[1], strict=True)
        return next((m for m in (_structure(e, g) for e, g in pairs) if m), None)
    return None


def _values(
    case: Case, expected: Any, got: Any, backend: str, tolerance: Tolerance | None, part: int = 0
) -> str | None:
    """Compare values; `part` is the index of this array in the result."""
    if isinstance(expected, Result):
        mask = accepted(backend, case, expected.values)
        if mask is None:
            return compare_results(case, expected.values, got.values, tolerance, part)
        if np.any(np.isfinite(got.values[mask])):
            return "finite where no finite number is expected"
        kept = (np.where(mask, 0, v).astype(v.dtype) for v in (expected.values, got.values))
        return compare_results(case, *kept, tolerance, part)
    if isinstance(expected, tuple):
        pairs = enumerate(zip(expected[1], got[1], strict=True))
        return next(
            (m for m in (_values(case, e, g, backend, tolerance, i) for i, (e, g) in pairs) if m),
            None,
        )
    if isinstance(expected, float | complex):
        return compare_results(case, np.asarray(expected), np.asarray(got), tolerance)
    return None if expected == got else "value"


def compare_results(
    case: Case, expected: Any, got: Any, tolerance: Tolerance | None = None, part: int = 0
) -> str | None:
    """Compare the values of two arrays of one data type and shape."""
    tolerance = tolerance or tolerance_of(case.function)
    if expected.dtype.kind not in "fc":
        return None if np.array_equal(expected, got) else "value"
    if not expected.size:
        return None
    if expected.dtype.kind == "c":
        pairs = [(expected.real, got.real), (expected.imag, got.imag)]
    else:
        pairs = [(expected, got)]
    free = ANY_ZERO_SIGN | (ANY_COMPLEX_ZERO_SIGN if expected.dtype.kind == "c" else frozenset())
    zeros = tolerance.unit is None and case.function not in free
    for e, g in pairs:
        mismatch = _special(e, g, zeros, real=len(pairs) == 1)
        if mismatch:
            return mismatch
    with np.errstate(all="ignore"):
        return _distance(case, expected, got, tolerance, part)


def _special(expected: Any, got: Any, zeros: bool, real: bool) -> str | None:
    """Compare the places of NaN and infinities, and the signs of zeros."""
    if not np.array_equal(np.isnan(expected), np.isnan(got)):
        return "place of NaN"
    infinite = np.isinf(expected)
    if not (
        np.array_equal(infinite, np.isinf(got))
        and np.array_equal(expected[infinite], got[infinite])
    ):
        return "infinity"
    # A real number that underflows keeps its sign; components may be below a rounding error.
    zero = (got == 0) & (real | (expected == 0))
    if zeros and np.any((np.signbit(expected) != np.signbit(got)) & zero):
        return "sign of zero"
    return None


def ulps_of(case: Case, expected: Any, tolerance: Tolerance) -> float:
    """Return the tolerance of a result in ulps."""
    from_complex = any(values.dtype.kind == "c" for values in [expected, *case.arrays()])
    return tolerance.complex if from_complex else tolerance.real


def _distance(case: Case, expected: Any, got: Any, tolerance: Tolerance, part: int) -> str | None:
    real = expected.real.dtype
    ulps = ulps_of(case, expected, tolerance)
    if case.function == "nextafter":  # its results may be subnormal, and are exact nevertheless
        same = np.array_equal(expected, got, equal_nan=True)
        return None if same else "value"
    # In double precision or more, so that the distance of two extremes doesn't overflow.
    wide = np.clongdouble if expected.dtype.kind == "c" else np.longdouble
    e, g = _finite(expected, wide), _finite(got, wide)
    eps, distance = np.finfo(real).eps, np.abs(e - g)
    # Relative to an infinite component, the other component is negligible.
    unit = np.where(np.isinf(np.abs(expected)), np.inf if ulps else 0, np.abs(e))
    if not np.any(distance > ulps * eps * unit + SUBNORMAL[real.name]):
        return None
    unit = np.fmax(unit, units(case, part, e)) if tolerance.unit else unit
    if not np.any(distance > ulps * eps * unit + SUBNORMAL[real.name]):
        return None
    worst = float(np.max(distance / (eps * np.maximum(unit, 1e-300))))
    return "value" if ulps == 0 else f"value, {worst:.3g} ulps where {ulps:g} are allowed"


def _finite(values: Any, wide: Any) -> Any:
    """Upcast; components that aren't finite were already compared, and become zero."""
    values = values.astype(wide)
    if values.dtype.kind == "c":
        values.real = np.where(np.isfinite(values.real), values.real, 0)
        values.imag = np.where(np.isfinite(values.imag), values.imag, 0)
        return values
    return np.where(np.isfinite(values), values, 0)
