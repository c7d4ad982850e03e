"""Finds the official suite, or fetches it: data-apis/array-api-tests at one pinned commit.

The suite is not on the package index and is never part of this repository.
"""

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from compliance.errors import NotASuite, SuiteUnavailable

URL = "https://github.com/data-apis/array-api-tests"
COMMIT = "55fcc60179efa2680ddd6cd926ddf17b83530e2b"
ARRAY_API_URL = "https://github.com/data-apis/array-api"
ARRAY_API_COMMIT = "5f847a3858875c682ae901aa22b0413bf24be9da"
VARIABLE = "ARRAY_API_TESTS_DIR"
_MARKERS = ("array_api_tests/__init__.py", "conftest.py", "array-api/src/array_api_stubs")
_FILTERS = ("skips.txt", "xfails.txt")
_FETCH_SECONDS = 600


@dataclass(frozen=True)
class Suite:
    """A folder that holds the suite; commits are None where git can't tell them."""

    path: Path
    commit: str | None
    array_api_commit: str | None
    modified: bool

    @property
    def pinned(self) -> bool:
        """Whether this is, to the byte, the suite that the project is measured with."""
        expected = (COMMIT, ARRAY_API_COMMIT)
        return (self.commit, self.array_api_commit) == expected and not self.modified

    def warnings(self) -> list[str]:
        """What a reader of the results must know about this copy of the suite."""
        found = []
        if self.commit is None:
            found.append("its commit is unknown: the folder is not a git checkout")
        elif self.commit != COMMIT:
            found.append(f"it is at {self.commit}, the project is pinned to {COMMIT}")
        if self.array_api_commit not in (None, ARRAY_API_COMMIT):
            found.append(f"array-api in it is at {self.array_api_commit}, not {ARRAY_API_COMMIT}")
        if self.modified:
            found.append("files in it differ from its commit")
        return found


def cache_folder() -> Path:
    """Where a fetched suite lives."""
    return Path(platformdirs.user_cache_dir("arrayapi_unify")) / "array-api-tests"


def find(chosen: Path | None, api_version: str) -> Suite:
    """Take ``--suite``, else the environment variable, else the cache, else fetch with git.

    A folder the user named and that is no suite is an error; only a suite that can't be had at
    all raises `SuiteUnavailable`, after which the project's own checks may stand in.
    """
    named = chosen or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    folder = named or cache_folder()
    if named is None and not folder.exists():
        fetch(folder)
    return inspect(folder.expanduser().resolve(), api_version)


def inspect(folder: Path, api_version: str) -> Suite:
    """Make sure that `folder` is a complete suite without filters, and read its commits."""
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
    inner = folder / "array-api"
    modified = _is_modified(folder) or _is_modified(inner)
    return Suite(folder, _head(folder), _head(inner), modified)


def fetch(target: Path) -> None:
    """Clone the pinned commits beside `target` and rename when whole.

    An interrupted download can therefore never be taken for a suite.
    """
    if shutil.which("git") is None:
        raise SuiteUnavailable("git is not installed, so the suite can't be fetched.", _REMEDY)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix="fetching-") as scratch:
            whole = Path(scratch) / "suite"
            _checkout(URL, COMMIT, whole)
            _checkout(ARRAY_API_URL, ARRAY_API_COMMIT, whole / "array-api")
            whole.rename(target)
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
    # safe.directory: reading the commit of a checkout that another user owns is harmless.
    # GIT_TERMINAL_PROMPT: fail instead of waiting for a password nobody will type.
    return subprocess.run(
        ["git", "-c", "safe.directory=*", *arguments],
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
    """The commit of `folder` itself, not of a repository that happens to enclose it."""
    if shutil.which("git") is None or not (folder / ".git").exists():
        return None
    done = _git(folder, "rev-parse", "HEAD")
    return done.stdout.strip() if done.returncode == 0 else None


def _is_modified(folder: Path) -> bool:
    if _head(folder) is None:
        return False
    done = _git(folder, "status", "--porcelain", "--untracked-files=no")
    return done.returncode != 0 or bool(done.stdout.strip())
