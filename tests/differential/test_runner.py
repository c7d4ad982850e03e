"""The calls that a run draws, and the failure of a test without comparisons."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from arrayapi_unify.binding import namespace_of
from arrayapi_unify.contracts import CONTRACTS
from tests import conftest
from tests.differential.coverage import groups, parameters, slow_but_first
from tests.differential.runner import SEED, check_examples, check_until, examples, is_enough

NUMBERS = st.integers(0, 10**9)
VARIABLES = (SEED, "ARRAYAPI_UNIFY_MAX_EXAMPLES", "ARRAYAPI_UNIFY_GROUP_EXAMPLES")


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


def drawn(again: int = 0) -> list[int]:
    found: list[int] = []
    check_examples(NUMBERS, found.append, again=again)
    return found


class TestSeed:
    def test_without_one_the_same_are_drawn(self) -> None:
        assert drawn() == drawn()
        assert drawn() != drawn(again=1)

    def test_a_number_draws_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        without = drawn()
        monkeypatch.setenv(SEED, "7")
        first = drawn()
        assert first == drawn() != without
        assert first != drawn(again=1)
        monkeypatch.setenv(SEED, "8")
        assert first != drawn()

    def test_random_is_another_number_each_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        chosen = set()
        for _ in range(5):
            monkeypatch.setenv(SEED, "random")
            conftest.pytest_configure()
            header = conftest.pytest_report_header()
            chosen.add(int(header.rpartition("=")[2]))
        assert len(chosen) > 1

    def test_draws_as_many_as_are_asked_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert examples("jax", share=0.1, least=10) == 3  # the minimum
        monkeypatch.setenv(SEED, "7")
        assert examples("jax", share=0.1, least=10) == 10


class TestUntilCompared:
    def test_goes_on_until_something_is_compared(self) -> None:
        calls: list[int] = []
        xp = namespace_of("numpy")
        check_until(NUMBERS, calls.append, lambda: len(calls) // 100, xp, share=0.1)
        assert len(calls) >= 100

    def test_fails_if_nothing_is(self) -> None:
        with pytest.raises(AssertionError, match="nothing that was drawn could be compared"):
            check_until(NUMBERS, lambda _: None, lambda: 0, namespace_of("numpy"), share=0.1)

    def test_wants_more_in_a_run_with_a_seed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(SEED, "3")
        calls: list[int] = []
        xp = namespace_of("numpy")
        check_until(NUMBERS, calls.append, lambda: len(calls) // 20, xp, 0.1, least=10)
        assert len(calls) >= 200


class TestEnough:
    def test_one_comparison_where_each_is_compiled(self) -> None:
        assert [is_enough(n, namespace_of("jax")) for n in (0, 1)] == [False, True]
        assert not is_enough(99, namespace_of("torch"))
        assert is_enough(1, namespace_of("torch"), compiling=("jax", "torch"))

    @pytest.mark.parametrize("name", VARIABLES)
    def test_all_where_something_is_set(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(name, "5")
        assert not is_enough(99, namespace_of("jax"))


class TestSlowButFirst:
    def test_one_function_of_each_category_stays(self) -> None:
        functions = parameters()
        marked = slow_but_first(functions)
        assert [p.values for p in marked] == [p.values for p in functions]
        assert [p.id for p in marked] == [p.id for p in functions]
        staying = [CONTRACTS[p.values[0]].category for p in marked if not p.marks]
        assert sorted(staying) == sorted(groups())
        assert {mark.name for p in marked for mark in p.marks} == {"slow"}

    def test_takes_names_too(self) -> None:
        assert [p.id for p in slow_but_first(["sin", "cos"]) if p.marks] == ["cos"]
