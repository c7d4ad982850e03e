"""No test depends on previous ones on the same worker."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from hypothesis.internal.conjecture import providers

UNUSUAL = int("918273645546")  # not a constant of this module


def test_modules_that_are_loaded_later_do_not_change_what_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hypothesis would draw the constants of all modules outside of site-packages."""
    before = providers._get_local_constants()
    assert not set().union(before.integers, before.floats, before.bytes, before.strings)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "loaded_later.py").write_text(f"x = {UNUSUAL}\n", encoding="utf-8")
    assert importlib.import_module("loaded_later").x == UNUSUAL
    after = providers._get_local_constants()
    assert UNUSUAL not in after.integers
