"""Finding the official suite."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from compliance import suite
from compliance.errors import NotASuite, SuiteUnavailable

VERSION = "2025.12"


def test_order_of_places(workplace: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "cache_folder", lambda: workplace.folder / "cache")
    monkeypatch.setenv(suite.VARIABLE, str(workplace.suite))
    assert suite.find(None, VERSION).path == workplace.suite
    with pytest.raises(NotASuite):  # what the user names comes first, even if it is wrong
        suite.find(workplace.folder, VERSION)
    monkeypatch.delenv(suite.VARIABLE)
    workplace.suite.rename(workplace.folder / "cache")
    assert suite.find(None, VERSION).path == workplace.folder / "cache"


def test_commit_and_changes(workplace: Any) -> None:
    found = suite.inspect(workplace.suite, VERSION)
    head = ["git", "rev-parse", "HEAD"]
    done = subprocess.run(
        head, cwd=workplace.suite, capture_output=True, encoding="utf-8", check=True
    )
    assert found.commit == done.stdout.strip()
    assert not found.modified
    assert not found.pinned
    assert any(suite.COMMIT in warning for warning in found.warnings())
    workplace.write_tests("def test_add(): pass\n")
    changed = suite.inspect(workplace.suite, VERSION)
    assert changed.modified
    assert "files in it differ from its commit" in changed.warnings()


def test_commit_of_an_enclosing_repository_does_not_count(workplace: Any) -> None:
    inner = workplace.suite / "inner"
    inner.mkdir()
    for name in ("array_api_tests", "array-api", "conftest.py"):
        (workplace.suite / name).rename(inner / name)
    found = suite.inspect(inner, VERSION)
    assert found.commit is None
    assert any("unknown" in warning for warning in found.warnings())


def test_unknown_version(workplace: Any) -> None:
    with pytest.raises(NotASuite, match=r"2099\.12") as caught:
        suite.inspect(workplace.suite, "2099.12")
    assert VERSION in caught.value.remedy


@pytest.fixture
def origin(workplace: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A local repository in place of both remote ones."""
    head = ["git", "rev-parse", "HEAD"]
    done = subprocess.run(
        head, cwd=workplace.suite, capture_output=True, encoding="utf-8", check=True
    )
    for name in ("URL", "ARRAY_API_URL"):
        monkeypatch.setattr(suite, name, workplace.suite.as_uri())
    for name in ("COMMIT", "ARRAY_API_COMMIT"):
        monkeypatch.setattr(suite, name, done.stdout.strip())
    target = Path(workplace.folder) / "some" / "cache"
    monkeypatch.setattr(suite, "cache_folder", lambda: target)
    monkeypatch.delenv(suite.VARIABLE, raising=False)
    return target


class TestFetch:
    """Into the cache."""

    def test_fetched_once(self, origin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        # The stand-in has array-api inside already, so its checkout there can't be clean.
        suite.fetch(origin)
        assert (origin / "conftest.py").exists()
        assert (origin / "array-api" / "conftest.py").exists()
        monkeypatch.setattr(suite, "URL", "file:///nowhere")
        assert suite.find(None, VERSION).commit == suite.COMMIT

    def test_failure_leaves_nothing(self, origin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(suite, "ARRAY_API_COMMIT", "b" * 40)
        with pytest.raises(SuiteUnavailable, match="fetching"):
            suite.find(None, VERSION)
        assert list(origin.parent.iterdir()) == []

    def test_no_git(self, origin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(shutil, "which", lambda name: None)
        with pytest.raises(SuiteUnavailable, match="git is not installed"):
            suite.find(None, VERSION)
