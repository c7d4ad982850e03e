"""Finding the official suite."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from compliance import suite
from compliance.errors import NotASuite, SuiteUnavailable
from tests.compliance.conftest import git

VERSION = "2025.12"


def test_order_of_places(workplace: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "cache_folder", lambda: workplace.folder / "cache")
    monkeypatch.setenv(suite.VARIABLE, str(workplace.suite))
    assert suite.find(None, VERSION).path == workplace.suite
    with pytest.raises(NotASuite):  # the user's option takes precedence, even if it is wrong
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
    assert found.changed == ()
    assert not found.pinned
    assert any(suite.COMMIT in warning for warning in found.warnings())
    workplace.write_tests("def test_add(): pass\n")
    changed = suite.inspect(workplace.suite, VERSION)
    assert changed.changed == ("array_api_tests/test_things.py",)
    assert any("differ from its commit: array_api_tests/t" in text for text in changed.warnings())


class TestToTheByte:
    """Files that git ignores or doesn't reach count as changes, too."""

    def added(self, workplace: Any, name: str) -> None:
        """Assert that the message names a file that isn't in the commit."""
        assert suite.inspect(workplace.suite, VERSION).changed == ()
        path = workplace.suite / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
        assert suite.inspect(workplace.suite, VERSION).changed == (name,)

    def test_untracked(self, workplace: Any) -> None:
        self.added(workplace, "array_api_tests/conftest.py")

    def test_ignored(self, workplace: Any) -> None:
        (workplace.suite / ".git" / "info" / "exclude").write_text("*.pyc", encoding="utf-8")
        self.added(workplace, "array_api_tests/__pycache__/test_things.pyc")

    def test_repository_in_it(self, workplace: Any) -> None:
        (workplace.suite / "other").mkdir()
        git(workplace.suite / "other", "init", "--quiet")
        assert all(n.startswith("other/.git/") for n in self.changed(workplace))
        assert self.changed(workplace)

    def test_flagged_as_unchanged(self, workplace: Any) -> None:
        name = "array_api_tests/test_things.py"
        git(workplace.suite, "update-index", "--assume-unchanged", name)
        workplace.write_tests("def test_add(): pass\n")
        assert self.changed(workplace) == (name,)

    def test_removed(self, workplace: Any) -> None:
        (workplace.suite / "array_api_tests" / "test_things.py").unlink()
        assert self.changed(workplace) == ("array_api_tests/test_things.py",)

    def test_another_commit_in_its_place(self, workplace: Any) -> None:
        """A replacement that git would show under the commit's name."""
        before = suite.inspect(workplace.suite, VERSION).commit
        workplace.write_tests("def test_add(): pass\n")
        git(workplace.suite, "commit", "--quiet", "--all", "-m", "other")
        after = suite.inspect(workplace.suite, VERSION).commit
        git(workplace.suite, "replace", str(before), str(after))
        git(workplace.suite, "update-ref", "HEAD", str(before))
        found = suite.inspect(workplace.suite, VERSION)
        assert found.commit == before
        assert found.changed == ("array_api_tests/test_things.py",)

    def changed(self, workplace: Any) -> tuple[str, ...]:
        """The files that differ."""
        return suite.inspect(workplace.suite, VERSION).changed


def test_pinned_or_nothing(workplace: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotASuite, match="pinned to"):
        suite.find_pinned(workplace.suite, VERSION)
    assert suite.inspect(workplace.suite, VERSION).expected_tests(VERSION) is None
    inner = workplace.suite / "array-api"
    git(inner, "init", "--quiet")
    git(inner, "add", "--all")
    git(inner, "commit", "--quiet", "-m", "stubs")
    # As in the suite, the folder is a submodule.
    git(workplace.suite, "rm", "-r", "--quiet", "--cached", "array-api")
    git(workplace.suite, "commit", "--quiet", "-m", "submodule")
    both = suite.inspect(workplace.suite, VERSION)
    monkeypatch.setattr(suite, "COMMIT", both.commit)
    monkeypatch.setattr(suite, "ARRAY_API_COMMIT", both.array_api_commit)
    found = suite.find_pinned(workplace.suite, VERSION)
    assert found.expected_tests(VERSION) == suite.TESTS
    assert found.expected_tests("2024.12") is None
    (inner / "more.py").touch()
    with pytest.raises(NotASuite, match=r"differ from its commit: array-api/more\.py"):
        suite.find_pinned(workplace.suite, VERSION)


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
