"""Conditions under which a backend's result may differ, for the rows in `differences`.

Some mark elements of a result, given only the expected values. Others accept a whole call, given
its outcome.
"""

from __future__ import annotations

import functools
import itertools
from typing import Any, Final

import numpy as np

from tests.differential.case import ArrayArg, Case
from tests.differential.outcome import Outcome, Result

__all__ = [
    "as_flushed",
    "complex_not_finite",
    "gate_of_nothing",
    "not_finite",
    "of_infinite",
    "overflowed_beside_zero",
    "within_elements",
]

_CLOSE: Final = 64


def of_infinite(case: Case, expected: Any) -> Any:
    """Mark complex results that aren't finite, of elements with an infinite component."""
    return complex_not_finite(case, expected) & _reached(case, expected.shape)


def complex_not_finite(case: Case, expected: Any) -> Any:
    """Mark complex results that aren't finite."""
    return ~np.isfinite(expected) if expected.dtype.kind == "c" else np.zeros(expected.shape, bool)


def _reached(case: Case, shape: tuple[int, ...]) -> Any:
    """Mark the elements of a result that depend on an infinite number."""
    infinite = [
        np.isinf(leaf.values if isinstance(leaf, ArrayArg) else leaf)
        for leaf in (*case.args, *case.kwargs.values())
        if isinstance(leaf, ArrayArg) or type(leaf) in (float, complex)
    ]
    return functools.reduce(np.logical_or, infinite, np.zeros(shape, bool))


def not_finite(case: Case, expected: Any) -> Any:
    """Mark elements that aren't finite."""
    return ~np.isfinite(expected)


def _flushed(array: ArrayArg) -> ArrayArg:
    values = array.values
    if values.dtype.kind != "f":
        return array
    tiny = np.abs(values) < np.finfo(values.dtype).smallest_normal
    return ArrayArg(np.where(tiny, np.copysign(values.dtype.type(0), values), values), array.view)


def as_flushed(case: Case, expected: Outcome, got: Outcome) -> bool:
    """Return True if each element is right for some arguments with subnormals flushed to zero."""
    if not (isinstance(expected.value, Result) and isinstance(got.value, Result)):
        return False
    if expected.value.values.shape != got.value.values.shape:
        return False
    if expected.value.dtype != got.value.dtype:
        return False
    forms = [(x, _flushed(x)) if isinstance(x, ArrayArg) else (x,) for x in case.args]
    cases = [Case(case.function, args, case.kwargs) for args in itertools.product(*forms)]
    # The pages of differences are rendered without the oracles, which need SciPy and einops.
    from tests.differential.expected import expected as answer_of

    found = [answer_of(each).value.values for each in cases]
    return bool(np.all(np.any([f == got.value.values for f in found], axis=0)))


def within_elements(case: Case, expected: Outcome, got: Outcome) -> bool:
    """Return True if float64 results have a relative error of at most one eps per element."""
    if not (isinstance(expected.value, Result) and isinstance(got.value, Result)):
        return False
    if not expected.value.dtype == got.value.dtype == "float64":
        return False
    wanted, found = expected.value.values, got.value.values
    size = max(a.size for a in case.arrays())
    close = np.isclose(found, wanted, rtol=size * np.finfo(float).eps, atol=0, equal_nan=True)
    return wanted.shape == found.shape and bool(close.all())


def _only(other: Any, mask: Any, expected: Outcome, got: Outcome) -> bool:
    """Return True if results differ, only where `mask` is True, and equal `other` there."""
    if not (isinstance(expected.value, Result) and isinstance(got.value, Result)):
        return False
    wanted, found = expected.value.values, got.value.values
    if expected.value.dtype != got.value.dtype or wanted.shape != found.shape:
        return False
    eps = np.finfo(wanted.dtype).eps if wanted.dtype.kind in "fc" else 0
    far = ~np.isclose(found, wanted, rtol=_CLOSE * eps, atol=0, equal_nan=True)
    allowed = mask & np.isclose(found, other, rtol=0, atol=0, equal_nan=True)
    return bool(far.any() and np.all(allowed | ~far))


def overflowed_beside_zero(case: Case, expected: Outcome, got: Outcome) -> bool:
    """Return True if results differ only by NaN for 0, where the other factors overflow."""
    if not isinstance(expected.value, Result) or expected.value.values.dtype.kind not in "fc":
        return False
    wanted = expected.value.values
    factors = np.abs(case.arrays()[0].astype("c16"))
    fold = {"axis": case.kwargs.get("axis"), "keepdims": case.kwargs.get("keepdims", False)}
    large = np.log2(np.maximum(np.where(np.isfinite(factors), factors, 1), 1)).sum(**fold)
    mask = (wanted == 0) & (large >= np.finfo(wanted.dtype).maxexp)
    return _only(np.nan, mask, expected, got)


def gate_of_nothing(case: Case, expected: Outcome, got: Outcome) -> bool:
    """Return True if results differ only where a subnormal gate counts as 0 (infinity: NaN)."""
    x = case.arrays()[0]
    if x.dtype.kind != "f":
        return False
    value = gate = x.astype("f8")
    if case.function == "nn.glu":
        given = [*case.args[1:], case.kwargs.get("axis", -1)]
        value, gate = np.split(value, 2, given[0])
    with np.errstate(over="ignore", invalid="ignore"):
        share = 1 / (1 + np.exp(-gate))
        times_zero = value * 0
    return _only(times_zero, share < np.finfo(x.dtype).smallest_normal, expected, got)
