"""Intermediate values of NumPy's graphs are arrays, as in eager calls, where NumPy has scalars."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from tests.differential.arguments import cases
from tests.differential.case import Case
from tests.differential.check import report
from tests.differential.compare import compare
from tests.differential.coverage import GIVE_NO_ARRAYS, parameters, slow_but_first, takes_arrays
from tests.differential.runner import check_until
from tests.differential.tracing import arrays_of, run_on

xp = namespace_of("numpy")
# Values can't be read in a graph, as masks of `insert`; those of `empty_like` are unspecified.
FUNCTIONS = slow_but_first(
    parameters(
        lambda name: (
            takes_arrays(name)
            and name not in {*GIVE_NO_ARRAYS, "from_dlpack", "empty_like", "insert", "delete"}
        )
    )
)
# NumPy's ufuncs, and so these functions in a graph, return a scalar for a 0-d array.
UNCHANGED = "(xp.positive({0}) if {0}.dtype.kind != 'b' else xp.logical_not(xp.logical_not({0})))"


@pytest.mark.sample(3)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_arguments_are_intermediates(function: str) -> None:
    """Each function, mostly of 0-d arrays, compiled beside eager."""
    count = 0
    keys = function.startswith("random.")  # uint32 arrays that only `key` gives

    def check(case: Case) -> str | None:
        nonlocal count
        given = "xp.asarray({})" if keys else UNCHANGED
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of NaN and infinities, as eager calls have them
            expected = run_on(case, xp, given=given)
            if expected.error or not arrays_of(case):
                return None
            got = run_on(case, xp, unify.compile, given)
        count += 1
        found = compare(case, expected, got, "numpy")
        return None if found is None else report(case, xp, (found, expected, got))

    check_until(cases(function), check, lambda: count, xp)


X = xp.asarray(np.array([0.5, 1.5, 3.25], "float32"))
M = xp.asarray(np.arange(6.0).reshape(2, 3))
SCALARS = {
    "sum": lambda x: xp.sum(x),
    "max": lambda x: xp.max(x),
    "item": lambda x: x[1],
    "dot": lambda x: xp.matmul(x, x),
    "count": lambda x: xp.count_nonzero(x),
    "index": lambda x: xp.argmax(x),
    "integer": lambda x: xp.max(xp.astype(x, xp.int8)),
}
USES = {
    "sigmoid": xp.sigmoid,
    "erf": lambda s: xp.special.erf(s) if s.dtype.kind == "f" else s,
    "argmax": xp.argmax,
    "fft": lambda s: xp.fft.fftn(s) if s.dtype.kind == "f" else s,
    "with a number": lambda s: s + 1,
    "with an array": lambda s: s + X,
    "wraps": lambda s: s * 127,
    "native": lambda s: s.data,
    "viewed": lambda s: xp.concat([s[None], s[None]]),
    "chosen": lambda s: xp.where(s > 1, s, 0),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("made", SCALARS)
def test_scalars(made: str, use: str) -> None:
    def function(x: Any) -> Any:
        return USES[use](SCALARS[made](x))

    expected = function(X)
    for found in (unify.compile(function)(X), unify.compile_graph(function, X)(X)):
        assert type(found) is type(expected)
        np.testing.assert_array_equal(np.asarray(found), np.asarray(expected), strict=True)


def test_scalars_of_the_library_stay() -> None:
    """A function of NumPy's that the user calls gives a scalar, as it does eagerly."""
    found = unify.compile(lambda x: np.sum(x))(X.data)
    assert type(found) is np.float32


def test_several_results_and_writes() -> None:
    def function(x: Any) -> Any:
        sign, value = xp.linalg.slogdet(x)
        total = xp.sum(x)
        total += 1.0
        view = total[None]
        view[0] = xp.sigmoid(value) * sign
        return total

    square = xp.asarray([[2.0, 1.0], [1.0, 3.0]])
    np.testing.assert_array_equal(
        np.asarray(unify.compile(function)(square)), np.asarray(function(square)), strict=True
    )
