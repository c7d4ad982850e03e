"""The command line and the environment of the measured process."""

from collections.abc import Collection
from pathlib import Path

import pytest
from rich.console import Console

from compliance import runner
from compliance.errors import NamespaceError, RunFailed
from compliance.namespaces import parse
from compliance.progress import Progress
from compliance.suite import ARRAY_API_COMMIT, COMMIT, TESTS, Suite


def test_command(tmp_path: Path) -> None:
    suite = Suite(tmp_path, None, None)
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
        runner._result(1, runner._Watch(Progress(Console(), ""), tmp_path), raw, log)
    assert caught.value.remedy == "the reason"


class TestNumberOfTests:
    """The pinned suite has a known number of tests."""

    def uncollected(
        self,
        collected: int,
        errors: dict[str, str],
        commit: str,
        keyword: str = "",
        lacking: Collection[str] = (),
    ) -> int:
        """Return the number of tests missing from a run in which pytest collected `collected`."""
        suite = Suite(Path(), commit, ARRAY_API_COMMIT)
        outcome = runner.Outcome({"summary": {"collected": collected}}, 0)
        watch = runner._Watch(Progress(Console(), ""), Path(), errors)
        settings = runner.Settings(keyword=keyword)
        return runner._uncollected_tests(outcome, suite, settings, watch, lacking)

    def test_whole(self) -> None:
        assert self.uncollected(TESTS, {}, COMMIT) == 0

    @pytest.mark.parametrize("collected", [TESTS - 1, TESTS + 1])
    def test_other_number(self, collected: int) -> None:
        with pytest.raises(RunFailed, match=f"has {TESTS} tests, and pytest collected {collected}"):
            self.uncollected(collected, {}, COMMIT)

    def test_of_a_part_the_number_is_open(self) -> None:
        assert self.uncollected(2, {}, COMMIT, keyword="sin") == 0

    def test_files_that_can_not_be_collected(self) -> None:
        assert self.uncollected(TESTS - 4, {"test_x.py": "no such name"}, COMMIT) == 4

    def test_parameters_that_are_absent_data_types(self) -> None:
        assert self.uncollected(TESTS - 4, {}, COMMIT, lacking={"complex64"}) == 4
        with pytest.raises(RunFailed):
            self.uncollected(TESTS + 1, {}, COMMIT, lacking={"complex64"})

    def test_nobody_knows_the_number_of_another_suite(self) -> None:
        assert self.uncollected(3, {}, "c" * 40) == 0


def test_time_limit_grows_with_the_examples() -> None:
    assert runner.time_limit(20) == runner.time_limit(100) == runner.Settings().timeout_per_test
    assert runner.time_limit(1000) == 10 * runner.time_limit(100)


def test_look_at() -> None:
    assert runner.look_at(parse("array_api_strict"))["dtypes"]


def test_device_reaches_the_process_and_its_refusal_the_caller() -> None:
    with pytest.raises(NamespaceError, match="create arrays on --device gpu:7"):
        runner.look_at(parse("numpy"), "gpu:7")
