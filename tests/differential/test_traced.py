"""Traced calls agree with untraced ones if shapes don't depend on values."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from arrayapi_unify.binding import namespace_of
from arrayapi_unify.contracts import CONTRACTS
from tests.differential.arguments import cases
from tests.differential.case import ArrayArg, Case, leaves
from tests.differential.check import report
from tests.differential.compare import compare
from tests.differential.coverage import GIVE_NO_ARRAYS, parameters, slow_but_first, takes_arrays
from tests.differential.differences import NOT_TRACED
from tests.differential.runner import check_examples, check_until, is_enough
from tests.differential.tracing import COMPILERS, arrays_of, run_on
from tests.installed import INSTALLED

FRAMEWORKS = [name for name in INSTALLED if name in COMPILERS]
FUNCTIONS = slow_but_first(
    parameters(lambda name: name not in GIVE_NO_ARRAYS and takes_arrays(name))
)
# Tracing takes 0.1 to 1 s on PyTorch and JAX.
SHARES = {"torch": 0.05}


@pytest.mark.sample(3)
@pytest.mark.parametrize("framework", FRAMEWORKS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_traced_as_run(function: str, framework: str) -> None:
    xp = importlib.import_module(f"arrayapi_unify.{framework}")
    count = 0

    def check(case: Case) -> str | None:
        nonlocal count
        if is_enough(count, xp, compiling=COMPILERS):
            return None
        expected = run_on(case, xp)
        if expected.error or not arrays_of(case) or not expected.value[1]:
            return None
        if framework == "torch" and (_has_numpy_scalar(case) or _has_inner_node(case)):
            return None  # torch.compile makes tensors of the former, and warns of the latter
        got = run_on(case, xp, COMPILERS[framework])
        count += any(part.values.size for part in expected.value[1])
        if got.error and (framework, function) in NOT_TRACED and _refused(case):
            return None
        found = compare(case, expected, got, framework)
        return None if found is None else report(case, xp, (found, expected, got))

    check_until(cases(function), check, lambda: count, xp, SHARES.get(framework, 0.2), least=10)


def _refused(case: Case) -> bool:
    """Return True if the table applies to this call of one of its functions."""
    dtypes = {array.values.dtype.name for array in arrays_of(case)}
    if case.function in ("add", "subtract", "multiply", "divide", "nn.linear", "ptp", "convolve"):
        return bool(dtypes & {"bool", "uint16", "uint32", "uint64"})
    if case.function in ("get_item", "set_item"):
        key = [leaf for leaf in leaves(case.args[1:2]) if isinstance(leaf, ArrayArg)]
        return any(array.values.dtype.kind == "b" for array in key)
    if case.function == "astype":
        return any(isinstance(argument, str) for argument in (*case.args, *case.kwargs.values()))
    if case.function == "bincount":
        return case.kwargs.get("length") is None
    return case.function != "repeat" or len(arrays_of(case)) > 1


def _has_inner_node(case: Case) -> bool:
    """Return True if an argument is tracked and not a leaf: torch.compile reads its gradient."""
    return any(array.view == "tracked transposed" for array in arrays_of(case))


def _has_numpy_scalar(case: Case) -> bool:
    return any(isinstance(leaf, np.generic) for leaf in leaves([case.args, case.kwargs]))


@pytest.mark.parametrize("function", sorted(GIVE_NO_ARRAYS))
def test_gives_no_arrays(function: str) -> None:
    xp, successes = namespace_of("numpy"), 0

    def check(case: Case) -> str | None:
        nonlocal successes
        outcome = run_on(case, xp)
        successes += outcome.error is None
        return str(case) if outcome.error is None and outcome.value[1] else None

    check_examples(cases(function), check)
    assert successes


def test_table_names_functions() -> None:
    assert {function for _, function in NOT_TRACED} <= set(CONTRACTS)
