"""The drawn tests of a day: the day of a tree, and the parts of a week."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests import draw, slow
from tests.compliance.conftest import git
from tests.differential.runner import SEED

DAY = date(2026, 11, 28)


def test_each_day_of_a_week_has_its_part_and_seed() -> None:
    week = [[variables for variables, _ in draw.draws(DAY + timedelta(n))] for n in range(7)]
    assert {parts[0][slow.SHARE] for parts in week} == {f"7:{part}" for part in range(7)}
    assert {variables[SEED] for variables in week[0][1:]} == {"20261128"}
    assert week[0][0] == dict(next(draw.draws(DAY + timedelta(7)))[0])


def test_day_of_the_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is in UTC, and today's where a file is new or there is no repository."""
    before = datetime.now(UTC).date()
    assert draw.day_of(tmp_path) in (before, datetime.now(UTC).date())
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-11-27T23:30:00-0300")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "commit", "--quiet", "--allow-empty", "-m", "empty")
    assert draw.day_of(tmp_path) == DAY
    (tmp_path / "new").touch()
    assert draw.day_of(tmp_path) in (before, datetime.now(UTC).date())


@pytest.mark.parametrize("given", ["tomorrow", "2026-13-01"])
def test_other_days_are_refused(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        draw.main([given])
    assert given in capsys.readouterr().err


@pytest.mark.parametrize(("options", "status"), [(["--version"], 0), (["--no-such-option"], 1)])
def test_all_draws_run(
    options: list[str],
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    drawn = [({SEED: "1"}, options), ({SEED: "2"}, ["--version"])]
    monkeypatch.setattr(draw, "draws", lambda day: drawn)
    assert draw.main(["2026-11-28"]) == status
    printed = capfd.readouterr().out
    for number, (_, given) in enumerate(drawn, 1):
        start = f"2026-11-28 draws: {SEED}={number} python -m pytest -n auto --dist worksteal"
        assert f"{start} {given[0]}\n" in printed
