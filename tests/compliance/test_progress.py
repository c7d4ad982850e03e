"""Live counts."""

import io
import time

import pytest
from rich.console import Console

from compliance.progress import Progress


def test_sparse_lines_without_a_terminal() -> None:
    text = io.StringIO()
    with Progress(Console(file=text, width=120), "numpy") as progress:
        progress.start(100)
        for number in range(100):
            progress.advance("failed" if number == 0 else "passed")
    lines = text.getvalue().splitlines()
    assert lines[0] == "numpy: 100 tests"
    assert lines[-1] == "numpy: 100/100, 99 passed, 1 failed, 0 skipped"
    assert len(lines) == 11


def test_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    text, now = io.StringIO(), [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with Progress(Console(file=text, width=40), "numpy") as progress:
        progress.start(40)
        for _ in range(40):
            now[0] += 6
            progress.advance("passed")
    lines = text.getvalue().splitlines()
    assert lines[1] == "numpy: 4/40, 4 passed, 0 failed, 0 skipped, about 3:36 left"
    assert lines[-1] == "numpy: 40/40, 40 passed, 0 failed, 0 skipped"


def test_bar_on_a_terminal() -> None:
    text = io.StringIO()
    with Progress(Console(file=text, width=120, force_terminal=True), "numpy") as progress:
        progress.start(2)
        progress.advance("passed")
    assert "1 passed" in text.getvalue()
