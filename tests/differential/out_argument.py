"""Calls with `out=`: the result is `out`, with the values of a call without it.

A call that fails doesn't modify `out`.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
from hypothesis import strategies as st

from arrayapi_unify import dtypes
from arrayapi_unify.binding import namespace_of
from tests.differential.arguments import cases
from tests.differential.case import ArrayArg, Case, build
from tests.differential.check import report
from tests.differential.compare import compare
from tests.differential.outcome import Outcome, Result, outcome_of, resolve, run, values_of
from tests.differential.strategies import Draw

__all__ = ["CallWithOut", "calls_with_out", "problems_with_out"]

# A call, NumPy's outcome without `out`, and `out`; None for the first argument.
CallWithOut = tuple[Case, Outcome, ArrayArg | None]


@st.composite
def calls_with_out(draw: Draw, function: str) -> CallWithOut:
    """Draw a call, NumPy's outcome without `out`, and an `out` that matches or almost matches."""
    case = draw(cases(function))
    plain = run(case, namespace_of("numpy"))
    shape, dtype = (2,), "float64"
    if isinstance(plain.value, Result):
        shape, dtype = plain.value.values.shape, plain.value.dtype
    first = case.args[0] if case.args else None
    if isinstance(first, ArrayArg) and first.values.shape == shape and draw(st.integers(0, 3)) == 3:
        return case, plain, None  # the first argument is `out`, too
    # One fault at a time: the order of checks is unspecified.
    mismatch = draw(st.sampled_from([None, None, "dtype", "shape"]))
    if mismatch == "dtype":
        dtype = draw(st.sampled_from(dtypes.ALL)).name
    if mismatch == "shape":
        shape = draw(st.sampled_from([(*shape, 1), (2, *shape), shape[1:]]))
    return case, plain, ArrayArg(np.ones(shape, dtype))


def _call_with_out(case: Case, out: ArrayArg | None, xp: ModuleType) -> Outcome:
    def action() -> Any:
        args = build(case.args, xp)
        target = args[0] if out is None else out.build(xp)
        before = values_of(target)
        try:
            result = resolve(xp, case.function)(*args, **build(case.kwargs, xp), out=target)
        except Exception:
            assert repr(values_of(target)) == repr(before), "a failure changed out"
            raise
        assert result is target, "the result isn't out"
        assert result.dtype == dtypes.as_dtype(before.dtype), "the data type of out changed"
        return result

    return outcome_of(action, xp)


def _natural(outcome: Outcome, plain: Outcome) -> Outcome:
    """Return values in the data type of their computation, which determines the ulps."""
    if outcome.error or not isinstance(plain.value, Result):
        return outcome
    values = outcome.value.values
    if values.dtype.kind == "c" and plain.value.values.dtype.kind != "c":
        values = values.real
    with np.errstate(invalid="ignore"):  # 2**64 - 1 in float64 isn't a uint64
        return Outcome(Result(plain.value.dtype, values.astype(plain.value.dtype)))


def _problem(
    case: Case, plain: Outcome, out: ArrayArg | None, expected: Outcome, xp: ModuleType
) -> str | None:
    got = _natural(_call_with_out(case, out, xp), plain)
    if plain.error and expected.error and got.error:
        return None  # the shape of `out` matches no successful call: two faults, as above
    found = compare(case, expected, got, xp.__unify_backend__)
    if found is None:
        return None
    shown = Case(case.function, case.args, {**case.kwargs, "out": out or "the first argument"})
    return report(shown, xp, (found, expected, got))


def problems_with_out(drawn: CallWithOut, others: Sequence[ModuleType]) -> tuple[bool, list[str]]:
    """Make the call on each backend; return NumPy's success, and the differences of others."""
    case, plain, out = drawn
    expected = _natural(_call_with_out(case, out, namespace_of("numpy")), plain)
    found = [_problem(case, plain, out, expected, xp) for xp in others]
    return expected.error is None, [problem for problem in found if problem]
