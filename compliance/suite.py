"""Finds or downloads the official suite: data-apis/array-api-tests at one pinned commit.

The suite is not on the package index and is never part of this repository.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from .disk import put
from .errors import NotASuite, SuiteUnavailable

URL = "https://github.com/data-apis/array-api-tests"
COMMIT = "55fcc60179efa2680ddd6cd926ddf17b83530e2b"
ARRAY_API_URL = "https://github.com/data-apis/array-api"
ARRAY_API_COMMIT = "5f847a3858875c682ae901aa22b0413bf24be9da"
# The number of tests that pytest collects from these commits for the measured version of the
# standard: fewer tests would improve a result by mistake.
API_VERSION = "2025.12"
# The suite reads special cases from docstrings. Python 3.13 strips their indentation, by which the
# suite recognizes four of them.
TESTS = 1380 if sys.version_info >= (3, 13) else 1384
VARIABLE = "ARRAY_API_TESTS_DIR"
_INNER = "array-api"  # the submodule, a separate repository
_NAMED = 3  # the number of changed files that a warning names
_MARKERS = ("array_api_tests/__init__.py", "conftest.py", "array-api/src/array_api_stubs")
_FILTERS = ("skips.txt", "xfails.txt")
_FETCH_SECONDS = 600
# Reading the commit of a checkout that another user owns is harmless. Line ends stay as they are
# in the repository, on every platform.
_GIT_SETTINGS = ("-c", "safe.directory=*", "-c", "core.autocrlf=false")


@dataclass(frozen=True)
class Suite:
    """A folder with the suite; commits are None if git can't determine them."""

    path: Path
    commit: str | None
    array_api_commit: str | None
    changed: tuple[str, ...] = ()  # files that differ from the commits

    @property
    def pinned(self) -> bool:
        """True if this is exactly the pinned suite."""
        expected = (COMMIT, ARRAY_API_COMMIT)
        return (self.commit, self.array_api_commit) == expected and not self.changed

    def expected_tests(self, api_version: str) -> int | None:
        """Return the number of tests that pytest has to collect, or None if it is unknown."""
        return TESTS if self.pinned and api_version == API_VERSION else None

    def warnings(self) -> list[str]:
        """Return the known and possible differences of this copy from the pinned suite."""
        found = []
        if self.commit is None:
            found.append("its commit is unknown: the folder is not a git checkout")
        elif self.commit != COMMIT:
            found.append(f"it is at {self.commit}, the project is pinned to {COMMIT}")
        if self.array_api_commit is None:
            found.append("the commit of array-api in it is unknown")
        elif self.array_api_commit != ARRAY_API_COMMIT:
            found.append(f"array-api in it is at {self.array_api_commit}, not {ARRAY_API_COMMIT}")
        if self.changed:
            named = ", ".join(self.changed[:_NAMED])
            more = len(self.changed) - _NAMED
            rest = f" and {more} more" if more > 0 else ""
            found.append(f"files in it differ from its commit: {named}{rest}")
        return found


def cache_folder() -> Path:
    """Return the folder of a fetched suite."""
    return Path(platformdirs.user_cache_dir("arrayapi_unify")) / "array-api-tests"


def find(chosen: Path | None, api_version: str) -> Suite:
    """Take ``--suite``, else the environment variable, else the cache, else fetch with git.

    A folder named by the user that isn't the suite is an error. Only if no suite is available at
    all, `SuiteUnavailable` is raised, and the project's own checks may run instead.
    """
    named = chosen or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    folder = named or cache_folder()
    if named is None and not folder.exists():
        fetch(folder)
    return inspect(folder.expanduser().resolve(), api_version)


def inspect(folder: Path, api_version: str) -> Suite:
    """Check that `folder` is a complete suite without filters, and read its commits."""
    missing = [marker for marker in _MARKERS if not (folder / marker).exists()]
    if missing:
        raise NotASuite(
            f"{folder} is not the official suite: {', '.join(missing)} missing.",
            f"Clone {URL} with its submodules and pass it with --suite or {VARIABLE}; "
            "delete the folder if it is the cached copy, and it is fetched again.",
        )
    filters = [name for name in _FILTERS if (folder / name).exists()]
    if filters:
        raise NotASuite(
            f"{folder} holds {' and '.join(filters)}, which would hide failures.",
            "Delete those files, or use a clean checkout of the suite.",
        )
    stubs = folder / "array-api/src/array_api_stubs"
    if not (stubs / f"_{api_version.replace('.', '_')}").is_dir():
        known = sorted(p.name[1:].replace("_", ".") for p in stubs.glob("_20*_*"))
        raise NotASuite(
            f"This suite does not know version {api_version} of the standard.",
            f"Pass one of these as --api-version: {', '.join(known)}.",
        )
    inner = folder / _INNER
    changed = [*_changed(folder), *(f"{_INNER}/{name}" for name in _changed(inner))]
    return Suite(folder, _head(folder), _head(inner), tuple(changed))


def find_pinned(chosen: Path | None, api_version: str) -> Suite:
    """Find the suite as `find` does, and raise if it isn't exactly the pinned one."""
    found = find(chosen, api_version)
    if not found.pinned:
        reasons = "; ".join(found.warnings())
        raise NotASuite(
            f"{found.path} is not the pinned official suite: {reasons}.",
            "Restore it with git (checkout, clean -fdx), or delete the folder if it is the cached "
            "copy, and it is fetched again.",
        )
    return found


def fetch(target: Path) -> None:
    """Clone the pinned commits next to `target`, and rename the folder when it is complete.

    An interrupted download is therefore never used as a suite.
    """
    if shutil.which("git") is None:
        raise SuiteUnavailable("git is not installed, so the suite can't be fetched.", _REMEDY)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix="fetching-") as scratch:
            whole = Path(scratch) / "suite"
            _checkout(URL, COMMIT, whole)
            _checkout(ARRAY_API_URL, ARRAY_API_COMMIT, whole / _INNER)
            put(whole, target)
    except OSError as error:
        raise SuiteUnavailable(f"the cache can't be written: {error.strerror}.", _REMEDY) from error


_REMEDY = f"Clone {URL} with its submodules, and pass the folder with --suite or {VARIABLE}."


def _checkout(url: str, commit: str, folder: Path) -> None:
    """Fetch one commit, without its history."""
    folder.mkdir(parents=True, exist_ok=True)
    steps = [
        ["init", "--quiet"],
        ["fetch", "--quiet", "--depth=1", url, commit],
        ["checkout", "--quiet", "--detach", "FETCH_HEAD"],
    ]
    for step in steps:
        try:
            done = _git(folder, *step)
        except subprocess.TimeoutExpired as error:
            raise SuiteUnavailable(f"fetching {url} took too long.", _REMEDY) from error
        if done.returncode:
            lines = done.stderr.strip().splitlines() or ["git gave no reason"]
            raise SuiteUnavailable(f"fetching {url} failed: {lines[-1].rstrip('.')}.", _REMEDY)


def _git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # GIT_TERMINAL_PROMPT: fail instead of waiting for a password.
    return subprocess.run(
        ["git", "--no-replace-objects", *_GIT_SETTINGS, *arguments],
        cwd=folder,
        env=os.environ | {"GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=_FETCH_SECONDS,
        check=False,
    )


def _head(folder: Path) -> str | None:
    """The commit of `folder` itself, not of an enclosing repository."""
    if shutil.which("git") is None or not (folder / ".git").exists():
        return None
    done = _git(folder, "rev-parse", "HEAD")
    return done.stdout.strip() if done.returncode == 0 else None


def _changed(folder: Path) -> list[str]:
    """The files that differ from the commit of `folder`, and those that it lacks.

    The contents themselves are compared. `git status` omits ignored files and those flagged as
    unchanged, and a compiled module or a `conftest.py` among them may change the result of a test.
    """
    if _head(folder) is None:
        return []
    committed, present = _committed(folder), dict(_present(folder))
    return sorted(
        name
        for name in committed.keys() | present.keys()
        if name not in present or committed.get(name) != _blob(present[name])
    )


def _committed(folder: Path) -> dict[str, str]:
    """File -> the hash of its content in the checked-out commit."""
    done = _git(folder, "ls-tree", "-r", "-z", "--full-tree", "HEAD")
    found = {}
    for line in done.stdout.split("\0")[:-1]:
        entry, _, name = line.partition("\t")
        _, kind, digest = entry.split()
        if kind == "blob":  # the other kind is a submodule, whose commit is checked separately
            found[name] = digest
    return found


def _present(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files of a checkout, without git's own and without those of the submodule."""
    for parent, folders, names in os.walk(folder):
        here = Path(parent)
        linked = [name for name in folders if (here / name).is_symlink()]
        if here == folder:
            # In a submodule, .git is a file.
            names = [name for name in names if name != ".git"]
            skipped = {".git", _INNER} if _head(folder / _INNER) else {".git"}
            folders[:] = [name for name in folders if name not in skipped]
        for name in [*names, *linked]:
            yield (here / name).relative_to(folder).as_posix(), here / name


def _blob(path: Path) -> str:
    """Git's hash of a file's content."""
    content = os.fsencode(os.readlink(path)) if path.is_symlink() else path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
