"""After an interrupted write all Arrays that share memory have their old or their new values."""

from __future__ import annotations

import sys
from types import ModuleType

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.backends._common.algorithms import memory as commits
from tests.views import interruptions
from tests.views.interruptions import Case


@pytest.mark.slow_on("tensorflow", "jax", "dask")  # a graph of thousands of tasks for each call
def test_at_any_line(xp: ModuleType) -> None:
    """`python -m tests.views.interruptions` raises at more lines."""
    assert list(interruptions.injected(xp, 200, seed=1)) == []


def test_each_write_runs_lines_of_ours() -> None:
    xp = unify.get_backend("numpy")
    for write in interruptions.WRITES:
        case = Case(write, "views", False, KeyboardInterrupt)
        assert interruptions.lines(xp, case), write


def test_what_is_left_half_done_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Container whose leaves are written one after another, by Python."""
    xp = unify.get_backend("numpy")

    def one_by_one(targets: list[np.ndarray], values: list[np.ndarray]) -> bool:
        for target, value in zip(targets, values, strict=True):
            target[...] = value
        return True

    monkeypatch.setattr(interruptions, "OURS", __file__)
    monkeypatch.setattr(unify.backends.load("numpy"), "write_all", one_by_one)
    case = Case("containers sum", "views", False, KeyboardInterrupt)
    count = interruptions.lines(xp, case)
    assert any(interruptions.differs(xp, case, at) for at in range(1, count + 1))


def test_a_commit_runs_no_line() -> None:
    done: list[int] = []
    seen = []

    def trace(frame: object, event: str, arg: object) -> None:
        seen.append(event)

    previous = sys.gettrace()
    calls = [(done.append, number) for number in range(3)]
    sys.settrace(trace)
    commits.commit(calls)
    sys.settrace(previous)
    assert done == [0, 1, 2]
    assert seen == ["call"]  # of `commit` itself
