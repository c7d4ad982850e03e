"""B57: every function on Dask arrays that are cut along every axis, while looks are refused.

The calls are those of `tests/differential`, compared with the same oracles. `LOOKS` has the
functions whose algorithm needs values.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.contracts import CONTRACTS
from tests.dask_backend.conftest import BYTES
from tests.differential.arguments import cases
from tests.differential.case import Case, build
from tests.differential.check import report
from tests.differential.compare import compare
from tests.differential.coverage import groups, parameters, slow_but_first
from tests.differential.expected import expected
from tests.differential.outcome import Outcome, outcome_of, resolve, run
from tests.differential.runner import check_until

dask = pytest.importorskip("dask")

LARGER: Final = 512
_VALUES: Final = "returns values, which it has computed"
_SIZE: Final = "the size of the result is a sum of values"
_UNKNOWN: Final = "joins or reshapes arrays whose sizes depend on values"
LOOKS: Final = {
    "to_list": _VALUES, "to_numpy": _VALUES, "to_scalar": _VALUES,
    "bincount": _SIZE, "repeat": _SIZE,
    "delete": "the numbers that are deleted are known to Python", "insert": "as `delete`",
    "argwhere": _UNKNOWN, "intersect1d": _UNKNOWN, "setdiff1d": _UNKNOWN, "unique": _UNKNOWN,
}  # fmt: skip
"""The functions that look, and why; there must not be more of them."""


@pytest.mark.parametrize("function", slow_but_first(parameters()))
def test_same_as_expected(function: str, chunked: ModuleType) -> None:
    made = 0
    # A distribution takes hundreds of steps, and as many tasks for each block.
    size = LARGER if CONTRACTS[function].category == "random" else BYTES

    def check(case: Case) -> str | None:
        nonlocal made
        with dask.config.set({"array.chunk-size": size}):
            numpy, got = run(case, namespace_of("numpy")), outcome(case, chunked)
        made += numpy.error is None
        wanted = numpy if numpy.error or got.error else expected(case)
        problem = compare(case, wanted, got, "dask")
        if problem is None or _is_accepted(case, numpy, got):
            return None
        return report(case, chunked, (problem, wanted, got))

    group = groups()[CONTRACTS[function].category]
    check_until(cases(function), check, lambda: made, chunked, among=len(group))


def outcome(case: Case, xp: ModuleType) -> Outcome:
    """Make a call in which looks are refused, but for the table; then look at the results."""

    def action() -> Any:
        args, kwargs = _indexed(build(case.args, xp)), _indexed(build(case.kwargs, xp))
        with unify.computing("allow" if case.function in LOOKS else "refuse"):
            return resolve(xp, case.function)(*args, **kwargs)

    return outcome_of(action, xp)


def _indexed(value: Any) -> Any:
    """Return arguments in which 0-d arrays are elements of others: Dask makes scalars of these."""
    if isinstance(value, unify.Array) and value.shape == ():
        return unify.Array(dask.array.stack([value.data])[0])
    if isinstance(value, dict):
        return {name: _indexed(part) for name, part in value.items()}
    return type(value)(map(_indexed, value)) if type(value) in (list, tuple) else value


def _is_accepted(case: Case, numpy: Outcome, got: Outcome) -> bool:
    """Return True for what a graph can't do: share memory, and raise for values of a slice."""
    if case.function == "to_numpy":
        return case.kwargs.get("copy") is False and got.error_class == "ValueError"
    return case.function in ("nanargmax", "nanargmin") and numpy.error_class == "ValueError"


def test_the_table_may_only_shrink() -> None:
    """A function that looks needs a reason that its algorithm gives."""
    assert len(LOOKS) <= 11
    assert set(LOOKS) <= set(CONTRACTS)
