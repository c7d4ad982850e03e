"""The instrument detects each sort of fault, and survives it."""

from __future__ import annotations

import pytest

from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.errors import UnifyTypeError
from tests.fuzz.__main__ import above, shares
from tests.fuzz.driver import Made, run
from tests.fuzz.malformed import KINDS, malformed
from tests.fuzz.sorting import sort_of
from tests.fuzz.surface import every, target
from tests.fuzz.things import double


class TestSorting:
    """Each sort of error is distinguished from the others."""

    @pytest.mark.parametrize(
        ("error", "name", "sort"),
        [
            (UnifyTypeError("sum: argument 'x' is None; pass an array"), "sum", "ours"),
            (UnifyTypeError("sum(x=None) failed on the numpy backend: no"), "Array.sum", "ours"),
            (UnifyTypeError("asarray: argument 'obj' is None; pass"), "sin", "inner"),
            (UnifyTypeError("unify.array([1]) is no data type; use one"), "sum", "unnamed"),
            (TypeError("sum() got an unexpected keyword argument 'n'"), "sum", "call"),
            (TypeError("_sum() got an unexpected keyword argument 'n'"), "sum", "raw"),
            (TypeError("'int' object is not callable"), "nested_map", "raw"),
            (ValueError("no"), "sum", "raw"),
            (RecursionError(), "sum", "recursion"),
        ],
    )
    def test_by_class_and_message(self, error: Exception, name: str, sort: str) -> None:
        assert sort_of(error, name) == sort

    def test_the_users_own(self) -> None:
        with pytest.raises(TypeError) as caught:
            double(None)
        assert sort_of(caught.value, "nested_map") == "users"

    def test_limits(self) -> None:
        calls = [Made("sum", i, "type", "", "raw" if i < 3 else "ours", "") for i in range(1000)]
        assert shares(calls)["raw"] == 0.003
        assert above(calls) == ["raw: 0.30%, above 0.20%"]
        assert above(calls[3:]) == []


@pytest.mark.slow
def test_everything_is_called() -> None:
    names = every()
    assert set(CONTRACTS) <= set(names)
    assert {"Linear", "optimizers.Adam", "Array.sum", "Container.sum", "operator.add"} <= set(names)
    without = [name for name in names if not list(malformed(target(name), 1, 0))]
    assert without == []


def test_kinds_and_arguments_have_equal_shares() -> None:
    calls = list(malformed(target("clip"), 700, 3))
    kinds = [kind for kind, _ in calls]
    assert set(kinds) == set(KINDS)
    of_arguments = [kinds.count(kind) for kind in KINDS[:8]]
    assert max(of_arguments) - min(of_arguments) <= 3 * min(of_arguments) // 10
    again = list(malformed(target("clip"), 700, 3))
    assert list(map(repr, calls)) == list(map(repr, again))
    assert list(map(repr, calls)) != list(map(repr, malformed(target("clip"), 700, 4)))


@pytest.mark.slow
def test_a_run() -> None:
    """Calls that end their process, or hang, are reported, and the following ones are made."""
    made = run("numpy", ["instrument.ends", "sum"], 3, 0)
    assert [one.sort for one in made[:3]] == ["end"] * 3
    assert [one.target for one in made[3:]] == ["sum"] * 3
    assert {one.sort for one in run("numpy", ["instrument.hangs"], 1, 0)} == {"hang"}
