"""The cache by data types returns the function's results, and stores only those of two arrays."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify._core import settings
from arrayapi_unify.binding import decorators


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Reset the flag of a first change of the defaults for this test."""
    waiting: list[Any] = []
    monkeypatch.setattr(settings, "FLOATS", SimpleNamespace(call=waiting.append))
    return waiting


class TestRemembering:
    def test_two_arrays_are_looked_up_by_class_and_data_types(
        self, xp: ModuleType, memory: list[Any]
    ) -> None:
        calls: list[Any] = []

        def function(*values: Any) -> Any:
            calls.append(values)
            return "answer"

        function_, seen = decorators.cache_by_dtypes(function)
        x, y = xp.ones(2, dtype=xp.float32), xp.ones(3, dtype=xp.int8)
        assert function_(x, y) == "answer"
        ((kinds, known),) = seen.items()
        assert kinds == (type(x), type(y))
        assert known == {(x.data.dtype, y.data.dtype): "answer"}

    def test_nothing_else_is_remembered(self, xp: ModuleType, memory: list[Any]) -> None:
        class Mine(unify.Array):
            pass

        function, seen = decorators.cache_by_dtypes(lambda *values: "answer")
        x = xp.ones(2)
        for values in ((x,), (x, x, x), (x, 1.0), (x, xp.float32), (x, Mine([1.0]))):
            assert function(*values) == "answer"
        assert seen == {}

    def test_all_is_forgotten_when_the_defaults_change(
        self, xp: ModuleType, memory: list[Any]
    ) -> None:
        function, seen = decorators.cache_by_dtypes(lambda *values: "answer")
        x = xp.ones(2)
        function(x, x)
        assert seen
        memory.pop()()
        assert not seen
        function(x, x)
        assert not seen


def test_result_type_says_the_same_the_second_time(xp: ModuleType) -> None:
    """NumPy's own promotion is the reference where the two agree."""
    kinds = [xp.int8, xp.uint8, xp.int64, xp.float32, xp.float64, xp.complex64]
    for a in kinds:
        for b in kinds:
            x, y = xp.zeros(1, dtype=a), xp.zeros((), dtype=b)
            expected = np.result_type(a.name, b.name).name
            assert [xp.result_type(x, y).name for _ in range(2)] == [expected] * 2
            assert unify.result_type(x, y) is xp.result_type(x, y)
