"""NumPy's own tests: which of them count, what replaces NumPy in them, and the page of results."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import arrayapi_unify as unify
from compliance.consumers import command as consumers
from compliance.consumers.numpy_tests import command, page, plugin
from compliance.consumers.numpy_tests.reasons import REASONS, reason_of

KINDS = ["float64", "O"]


def test_sum() -> None:
    """A docstring that names object arrays doesn't count."""
    assert np.sum(np.ones(3)) == 3  # nor does a comment: datetime64


def test_fields() -> None:
    np.zeros(3, dtype=[("a", "f8")])


def test_text() -> None:
    np.array(["a", "b"])


def test_strides() -> None:
    assert np.ones(3).strides == (8,)


def test_kinds() -> None:
    for kind in KINDS:
        np.zeros(3, dtype=kind)


def _reason(function: Any, **params: Any) -> str:
    item: Any = SimpleNamespace(function=function, callspec=SimpleNamespace(params=params))
    return reason_of(item)


def test_reasons() -> None:
    """The source of a test, what it names, and its parameters decide."""
    found = [_reason(f) for f in (test_sum, test_fields, test_text, test_strides, test_kinds)]
    assert found == ["", "records", "text", "memory", "objects"]
    assert _reason(test_sum, dtype="M8[s]") == "dates"
    assert {*found, "dates"} - {""} <= set(REASONS)


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugin._Now, "runs", True)
    monkeypatch.setattr(plugin._Now, "reached", False)


@pytest.mark.usefixtures("running")
class TestReplacements:
    def stand(self, column: str) -> Any:
        return plugin.Stand(np, plugin.replacements(column, "arrayapi_unify.numpy"))

    def test_arrays(self) -> None:
        stand = self.stand("arrays")
        x = stand.linspace(0.0, 1.0, 3)
        assert isinstance(x, unify.Array)
        assert plugin._Now.reached
        assert stand.cumsum is np.cumsum
        assert type(stand.array(["a"])) is np.ndarray

    def test_functions(self) -> None:
        stand = self.stand("functions")
        assert isinstance(stand.linalg.det([[2.0]]), unify.Array)
        assert plugin._Now.reached
        assert stand.add.reduce([1, 2]) == 3  # an attribute of NumPy's
        assert stand.nditer is np.nditer

    def test_bare(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert type(self.stand("bare").ones(2)) is np.ndarray
        monkeypatch.setattr(plugin._Now, "runs", False)  # as a module is imported
        assert type(self.stand("arrays").ones(2)) is np.ndarray

    def test_comparisons(self) -> None:
        """They see wrong values of Arrays, at any level."""
        compare = self.stand("arrays").testing.assert_equal
        compare([unify.array([1, 2])], [np.array([1, 2])])
        with pytest.raises(AssertionError):
            compare([unify.array([1, 2])], [np.array([1, 3])])


LINES = [
    {"reasons": {"text": 3}},
    {"id": "numpy/lib/tests/t.py::test_a[1]", "outcome": "passed", "message": "", "reached": True},
    {"id": "numpy/lib/tests/t.py::test_a[2]", "outcome": "failed", "message": "x", "reached": True},
    {"id": "numpy/fft/tests/t.py::test_b", "outcome": "passed", "message": "", "reached": False},
]
BARE = [LINES[0], *({**line, "outcome": "passed"} for line in LINES[1:])]
LOST = {"id": "numpy/_core/tests/t.py::test_c", "outcome": "passed", "message": "", "reached": True}


def test_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test counts where NumPy passes it and it reaches ours; a lost one has failed."""
    runs = {"bare": [*BARE, LOST], "arrays": LINES, "functions": LINES}
    monkeypatch.setattr(command, "_run", lambda column, *others: runs[column])
    words = ["numpy", "--backend", "numpy", "--output", str(tmp_path)]
    done = CliRunner().invoke(consumers.consumers, words)
    assert done.exit_code == 0
    assert "numpy, arrays: 1 of 3 (33.3 %)" in done.output
    results = command.load(tmp_path)
    assert [r["unreached"] for r in results] == [1, 1]
    assert results[0]["passed"] == {"lib": 1}
    assert [f["message"] for f in results[0]["failures"]] == ["not collected", "x"]
    text = (tmp_path / command.PAGE).read_text(encoding="utf-8")
    assert text == page.render(results)
    assert "| text | 3 |" in text
    assert "- `lib/tests/t.py::test_a`: `x`" in text
    (tmp_path / command.JSON).write_text(json.dumps({"schema": "other"}), encoding="utf-8")
    again = CliRunner().invoke(consumers.consumers, words)
    assert (again.exit_code, "is no report on NumPy's tests" in again.output) == (2, True)
