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
    found = trees.time_once(tmp_path, "numpy", ["add(x, y)"])
    assert (found["add(x, y)"] > 5e6) is bool(delay)


def test_all_take_turns_and_ratios_are_to_the_other_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[tuple[Path, int]] = []

    def timed(tree: Path, backend: str, operations: list[str], seed: int) -> dict[str, float]:
        ran.append((tree, seed))
        return dict.fromkeys(operations, 3.0 if tree == trees.ROOT else 2.0)

    monkeypatch.setattr(trees, "time_once", timed)
    rows = trees.measure(tmp_path, "numpy", 3, ["x + y"])
    assert rows == [trees.Row("numpy", "x + y", 2.0, 1.5, 1.0)]
    assert [tree == trees.ROOT for tree, _ in ran[::3]] == [True, False, False]
    # The layout of the heap is the same within a round, and another one in each round.
    assert [seed for _, seed in ran] == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_every_statement_runs_in_this_tree() -> None:
    found = trees.time_once(trees.ROOT, "numpy", [*cases.OPERATIONS])
    assert found.keys() == cases.OPERATIONS.keys()
