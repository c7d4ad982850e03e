"""The state of this project that a report measures: its commit, and a digest of its sources.

Only the digest shows if a result is about the present sources. A commit doesn't: files may have
changed since, and a report is always committed after the sources it measures.
"""

import hashlib
import importlib.util
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any

from .namespaces import PROJECT


def provenance() -> dict[str, Any]:
    """Commit and digest of the package that would be imported; without git, no commit."""
    package = folder()
    return {"commit": _commit(package), "sources": digest(package)}


def host() -> dict[str, str]:
    """Describe the machine."""
    return {
        "description": platform.platform(),
        "system": platform.system() or "unknown",
        "release": platform.release() or "unknown",
        "machine": platform.machine() or "unknown",
    }


def folder() -> Path:
    """Return the folder that the package is imported from."""
    spec = importlib.util.find_spec(PROJECT)
    assert spec is not None, f"{PROJECT} can't be imported"
    assert spec.origin is not None, f"{PROJECT} has no folder"
    return Path(spec.origin).parent


def digest(package: Path) -> str:
    """The hash of the names and contents of all modules below a folder."""
    found = hashlib.sha256()
    for path in sorted(
        package.rglob("*.py"), key=lambda path: path.relative_to(package).as_posix()
    ):
        content = path.read_bytes().replace(b"\r\n", b"\n")  # the same on every platform
        name = path.relative_to(package).as_posix()
        found.update(f"{name}\0{len(content)}\0".encode() + content)
    return found.hexdigest()


def _commit(package: Path) -> str | None:
    """The commit that is checked out, with a mark where the package's files differ from it."""
    commit = _git(package, "rev-parse", "HEAD")
    if commit is None or _git(package, "ls-files", "--error-unmatch", "__init__.py") is None:
        return None  # a repository that happens to enclose an installed package
    return f"{commit}, modified" if _git(package, "status", "--porcelain", ".") else commit


def _git(package: Path, *arguments: str) -> str | None:
    """Return the output of git, or None if git fails or isn't installed."""
    if shutil.which("git") is None:
        return None
    command = ["git", "-c", "safe.directory=*", *arguments]
    done = subprocess.run(
        command, cwd=package, capture_output=True, text=True, encoding="utf-8", check=False
    )
    return done.stdout.strip() if done.returncode == 0 else None
