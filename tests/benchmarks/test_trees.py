"""The comparison of two checkouts measures each of them. No test asserts a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import cases, trees

FAKE = """
import time

class _Namespace:
    def asarray(self, x):
        return _Array()

    def add(self, x, y):
        time.sleep(DELAY)

class _Array:
    data = None

def get_backend(name):
    return _Namespace()
"""


@pytest.mark.parametrize("delay", [0.0, 0.01])
def test_the_tree_that_is_named_is_measured(tmp_path: Path, delay: float) -> None:
    package = tmp_path / "arrayapi_unify"
    package.mkdir()
    (package / "__init__.py").write_text(FAKE.replace("DELAY", str(delay)), encoding="utf-8")
    with trees.Child(tmp_path, "numpy", ["add(x, y)"], 0) as child:
        assert (child.time("add(x, y)") > 5e6) is bool(delay)


class _Clock:
    """In place of a process: tells the times that it is made with, and notes the turns."""

    def __init__(self, turns: list[str], way: str, times: list[float]) -> None:
        self.turns, self.way, self.times = turns, way, iter(times)

    def __enter__(self) -> _Clock:
        return self

    def __exit__(self, *_: object) -> None:
        self.turns.append(f"end of {self.way}")

    def time(self, operation: str) -> float:
        self.turns.append(self.way)
        return next(self.times)


def test_turns_alternate_and_the_shortest_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[str] = []
    times = iter(([4.0, 3.0, 5.0], [2.0, 9.0, 9.0], [9.0, 9.0, 1.0]))
    ways = iter(trees.WAYS)
    monkeypatch.setattr(trees, "TURNS", 3)
    monkeypatch.setattr(trees, "Child", lambda *_: _Clock(turns, next(ways), next(times)))
    found = trees.time_turns(dict.fromkeys(trees.WAYS, Path()), "numpy", ["x + y"], 0)
    assert [found[way]["x + y"] for way in trees.WAYS] == [3.0, 2.0, 1.0]
    assert turns[:9:3] == ["here", "there", "there again"]
    assert sorted(turns[:9]) == sorted(trees.WAYS * 3)
    assert turns[9:] == [f"end of {way}" for way in reversed(trees.WAYS)]


def test_ratios_are_of_medians_to_the_other_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[tuple[dict[str, Path], int]] = []

    def timed(
        paths: dict[str, Path], _: str, operations: list[str], turn: int
    ) -> dict[str, dict[str, float]]:
        measured.append((paths, turn))
        here = [3.0, 3.0, 30.0][turn]
        return {way: {"x + y": here if way == "here" else 2.0} for way in paths}

    monkeypatch.setattr(trees, "time_turns", timed)
    rows = trees.measure(tmp_path, "numpy", 3, ["x + y"])
    assert rows == [trees.Row("numpy", "x + y", 2.0, 1.5, 1.0)]
    assert [turn for _, turn in measured] == [0, 1, 2]  # the layouts of the heap
    assert measured[0][0] == {"here": trees.ROOT, "there": tmp_path, "there again": tmp_path}


def test_every_statement_runs_in_this_tree() -> None:
    with trees.Child(trees.ROOT, "numpy", [*cases.OPERATIONS], 0) as child:
        assert all(child.time(operation) > 0 for operation in cases.OPERATIONS)
