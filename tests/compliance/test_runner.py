"""The command line and the environment of the measured process."""

from pathlib import Path

import pytest
from rich.console import Console

from compliance import runner
from compliance.errors import RunFailed
from compliance.namespaces import parse
from compliance.progress import Progress
from compliance.suite import Suite


def test_command(tmp_path: Path) -> None:
    suite = Suite(tmp_path, None, None, False)
    settings = runner.Settings(seed=5, max_examples=9, workers=3, keyword="add")
    command = runner.pytest_command(suite, settings, tmp_path / "raw.json")
    for part in (
        "--hypothesis-seed=5",
        "--max-examples=9",
        "--disable-deadline",
        "no:cacheprovider",
    ):
        assert part in command
    assert command[command.index("-n") + 1] == "3"
    assert command[command.index("-k") + 1] == "add"


def test_own_checks_have_no_options_of_the_suite(tmp_path: Path) -> None:
    command = runner.pytest_command(None, runner.Settings(workers=0), tmp_path / "raw.json")
    assert "own_checks" in command
    assert "--disable-deadline" not in command
    assert "-n" not in command


def test_partial() -> None:
    assert runner.Settings(keyword="add").partial
    assert runner.Settings(nodes=("x",)).partial
    assert not runner.Settings().partial


def test_missing_results_are_noticed(tmp_path: Path) -> None:
    """A run that lost tests on the way must not look complete."""
    raw, log = tmp_path / "raw.json", tmp_path / "log.txt"
    raw.write_text(
        '{"summary": {"collected": 3, "deselected": 1}, "tests": [{}]}', encoding="utf-8"
    )
    log.write_text("the reason", encoding="utf-8")
    with pytest.raises(RunFailed, match="1 of 2 tests") as caught:
        runner._result(1, runner._Watch(Progress(Console(), "")), raw, log)
    assert caught.value.remedy == "the reason"


def test_look_at() -> None:
    assert runner.look_at(parse("array_api_strict"))["dtypes"]
