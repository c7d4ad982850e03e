"""The result of a compiled call beside that of the same call without a compiler."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import numpy as np

from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.errors import UnifyError
from tests.compiled.calls import REDUCED, Call
from tests.differential.case import ArrayArg, Case, build, replaced
from tests.differential.compare import compare
from tests.differential.differences import COMPILED, NEGATED, NOT_TRACED, REMOVED
from tests.differential.outcome import Outcome, Result
from tests.differential.tolerances import Tolerance, tolerance_of
from tests.differential.tracing import arrays_of

__all__ = ["differs", "is_documented"]

_ULPS: Final = 4
_ULPS_OF_FORMULAS: Final = 8  # of many steps, or rounded to fewer digits
_FORMULAS: Final = ("special.", "random.")
_PRODUCTS: Final = {"prod", "nanprod"}
# Transforms of two axes call those of all, whose rows of documented differences apply.
_SAME: Final = {f"fft.{name}2": f"fft.{name}n" for name in ("fft", "ifft", "rfft", "irfft")}
_PER_HALF: Final = {"float16": 2.0**13, "bfloat16": 2.0**16}  # units of float32


def is_documented(case: Case, xp: ModuleType, error: Exception) -> bool:
    """Return True for an error of ours that the contract or the table of differences declares."""
    depends = CONTRACTS[case.function].data_dependent
    declared = depends and depends.applies(*build(case.args, xp), **build(case.kwargs, xp))
    listed = (_name(xp), case.function) in NOT_TRACED
    return isinstance(error, UnifyError) and bool(declared or listed)


def _name(xp: ModuleType) -> str:
    return xp.__unify_backend__


def differs(call: Call, wanted: Any, got: Any, xp: ModuleType) -> str | None:
    """Compare by the scale of the call's errors, as it is after the change of its array."""
    case, function = _changed(call, xp), call.case.function
    if _name(xp) == "tensorflow" and function in NEGATED and _overflows(case):
        return None
    if function in _PRODUCTS:
        wanted, got = _ordered(case, wanted), _ordered(case, got)
    dtypes = _dtypes(wanted)
    halves = (dtypes | {array.values.dtype.name for array in arrays_of(case)}) & REDUCED.keys()
    many = halves or function.startswith(_FORMULAS)
    rows = [r for r in COMPILED if (r.function, r.backend) == (function, _name(xp))]
    measured = [row.ulps for row in rows if dtypes & {*row.dtypes}]
    most = max([_ULPS_OF_FORMULAS if many else _ULPS, *measured])
    unit = max((_PER_HALF[half] for half in halves), default=1.0)
    usual = tolerance_of(function)
    real = max(most, usual.real if usual.unit else 0)
    tolerance = Tolerance(real * unit, max(most, usual.complex) * unit, usual.unit)
    if _name(xp) in ("tensorflow", "jax"):
        wanted, got = _flushed(wanted), _flushed(got)
        if _has_removed(case):
            wanted, got = _without_signs(wanted), _without_signs(got)
    case = _replaced(case, _widened) if halves else case
    case = Case(_SAME.get(function, function), case.args, case.kwargs)
    outcomes = (Outcome(_in_single(value)) if halves else Outcome(value) for value in (wanted, got))
    return compare(case, *outcomes, _name(xp), tolerance)


def _replaced(case: Case, by: Callable[[ArrayArg], ArrayArg]) -> Case:
    return Case(case.function, *replaced([case.args, case.kwargs], by))


def _changed(call: Call, xp: ModuleType) -> Case:
    """Return the call with the values that its first array is changed to."""
    if call.change == "$":
        return call.case
    first = arrays_of(call.case)[0]
    values = eval(call.change.replace("$", "x"), {"xp": xp, "x": first.build(xp)})
    return _replaced(
        call.case, lambda array: ArrayArg(np.array(values)) if array is first else array
    )


def _overflows(case: Case) -> bool:
    """Return True if an array has the smallest integer, which has no negative."""
    found = [array.values for array in arrays_of(case) if array.values.dtype.kind == "i"]
    return any(bool(np.any(x == np.iinfo(x.dtype).min)) for x in found)


def _ordered(case: Case, value: Any) -> Any:
    """Return a result with zeros where a product may overflow on the way, and underflow.

    There its order decides.
    """
    array = arrays_of(case)[0]
    if not isinstance(value, Result) or array.values.dtype.kind not in "fc":
        return value
    sizes = np.where(np.isfinite(array.values), np.abs(array.values), 1).astype(np.float64)
    limits = np.finfo(array.values.dtype)
    with np.errstate(divide="ignore"):
        digits = np.log2(sizes)
    over = {key: case.kwargs[key] for key in ("axis", "keepdims") if key in case.kwargs}
    above = np.sum(np.maximum(digits, 0), **over)
    below = np.sum(np.minimum(digits, 0), **over)
    both = (above > limits.maxexp) & (below < limits.minexp - limits.nmant)
    return Result(value.dtype, np.where(both, 0, value.values).astype(value.values.dtype))


def _has_removed(case: Case) -> bool:
    scalars = [arg for arg in case.args if not isinstance(arg, ArrayArg)]
    removed = REMOVED.get(case.function, ())
    return any(scalar in removed for scalar in scalars)


def _flushed(value: Any) -> Any:
    """Return a result with zeros for numbers that a part of the formula may have flushed."""
    if isinstance(value, tuple):
        return value[0], [_flushed(part) for part in value[1]]
    if not isinstance(value, Result) or value.values.dtype.kind != "f":
        return value
    values = value.values
    small = np.abs(values) < 4 * np.finfo(values.dtype).tiny
    return Result(value.dtype, np.where(small, np.copysign(np.zeros_like(values), values), values))


def _without_signs(value: Result) -> Result:
    """Return a result without signs of zero, and components of infinite complex numbers."""
    values = value.values
    if values.dtype.kind not in "fc":
        return value
    lost = ~np.isfinite(values) & (values.dtype.kind == "c")
    return Result(value.dtype, (np.where(lost, np.nan, values) + 0).astype(values.dtype))


def _dtypes(value: Any) -> set[str]:
    if isinstance(value, Result):
        return {value.dtype}
    return set().union(*map(_dtypes, value[1])) if isinstance(value, tuple) else set()


def _widened(array: ArrayArg) -> ArrayArg:
    half = array.values.dtype.name in REDUCED
    return ArrayArg(array.values.astype(np.float32)) if half else array


def _in_single(value: Any) -> Any:
    """Return a result with float32 values in place of narrower ones, under its own name."""
    if isinstance(value, Result):
        return Result(value.dtype, _widened(ArrayArg(value.values)).values)
    if isinstance(value, tuple):
        return value[0], [_in_single(part) for part in value[1]]
    return value
