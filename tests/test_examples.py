"""Kept failures don't recur."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify.binding import namespace_of
from tests.differential import case
from tests.differential.case import ArrayArg, Case, source
from tests.differential.check import difference, report
from tests.differential.outcome import run
from tests.examples import EXAMPLES
from tests.views import roots, steps
from tests.views.implementations import Bound
from tests.views.state_machine import run_again
from tests.views.steps import Own, Part, Ref, Step

pytestmark = pytest.mark.quick
CALLS = [example for example in EXAMPLES if isinstance(example, Case)]
PROGRAMS = [example for example in EXAMPLES if not isinstance(example, Case)]


@pytest.mark.slow_on("jax", "dask")
@pytest.mark.exhaustive
def test_calls(xp: ModuleType) -> None:
    differing = [(call, found) for call in CALLS if (found := difference(call, xp))]
    assert not differing, "\n".join(report(call, xp, found) for call, found in differing)


@pytest.mark.exhaustive
def test_programs(xp: ModuleType) -> None:
    for program in PROGRAMS:
        run_again(lambda: Bound(xp), program)


def test_calls_compare_something() -> None:
    """A call that NumPy refuses wouldn't notice a wrong number."""
    refused = [call for call in CALLS if run(call, namespace_of("numpy")).error]
    assert not refused


PROGRAM = (
    Step("root", (roots.Root(Own("float64", (2, 3)), "transposed", "asarray", False, ""),)),
    Step("asarray", (Own("float64", (2, 3)),)),
    Step("reshape", (Ref(0), (3, 2))),
    Step("set_item", (Ref(1), (Ellipsis, slice(None, 1)), Part(0, slice(0, 2))), {}),
)


class TestWhatIsPrinted:
    """The text of an example evaluates to it."""

    def test_call(self) -> None:
        call = Case(
            "clip",
            (ArrayArg(np.array([[np.nan, 1.0], [-0.0, np.inf]]), "transposed"), -1.5),
            {"max": ArrayArg(np.array(2, "int8"))},
        )
        again = _again(source(call))
        assert repr(again) == repr(call)
        assert again.args[0].view == "transposed"
        np.testing.assert_array_equal(again.args[0].values, call.args[0].values)

    def test_program(self) -> None:
        assert _again(source(PROGRAM)) == PROGRAM


def _again(text: str) -> Any:
    names = {**vars(case), **vars(steps), **vars(roots), "nan": np.nan, "inf": np.inf}
    return eval(text, names)
