"""The commit and the digest of the sources that a report measures."""

from pathlib import Path

from compliance import provenance
from tests.compliance.conftest import REPOSITORY, git


def package(folder: Path) -> Path:
    """A small package."""
    found = folder / "package"
    (found / "inner").mkdir(parents=True)
    (found / "__init__.py").write_text("x = 1\n", encoding="utf-8")
    (found / "inner" / "a.py").write_text("y = 2\n", encoding="utf-8")
    return found


def test_digest_is_of_names_and_contents(tmp_path: Path) -> None:
    found = package(tmp_path)
    before = provenance.digest(found)
    (found / "notes.txt").touch()
    assert provenance.digest(found) == before
    (found / "inner" / "a.py").rename(found / "inner" / "b.py")
    renamed = provenance.digest(found)
    (found / "inner" / "b.py").write_text("y = 3\n", encoding="utf-8")
    assert len({before, renamed, provenance.digest(found)}) == 3


def test_contents_do_not_run_into_each_other(tmp_path: Path) -> None:
    found = package(tmp_path)
    before = provenance.digest(found)
    (found / "__init__.py").write_text("", encoding="utf-8")
    (found / "inner" / "a.py").write_text("x = 1\ny = 2\n", encoding="utf-8")
    assert provenance.digest(found) != before


def test_commit(tmp_path: Path) -> None:
    found = package(tmp_path)
    assert provenance._commit(found) is None
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "commit", "--quiet", "--allow-empty", "-m", "empty")
    assert provenance._commit(found) is None  # an enclosing repository doesn't count
    git(tmp_path, "add", "--all")
    git(tmp_path, "commit", "--quiet", "-m", "package")
    commit = provenance._commit(found)
    assert commit is not None
    assert len(commit) == 40
    (tmp_path / "elsewhere.txt").touch()
    assert provenance._commit(found) == commit
    (found / "new.py").touch()
    assert provenance._commit(found) == f"{commit}, modified"


def test_of_this_package() -> None:
    assert provenance.folder() == REPOSITORY / "arrayapi_unify"
    assert provenance.provenance()["sources"] == provenance.digest(provenance.folder())
