"""Files of reports: written atomically, by one run at a time, and checked in advance."""

import contextlib
import errno
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arrayapi_unify._core.files import written_whole

from .errors import ComplianceError, NotAReport

try:
    import fcntl
except ImportError:  # a system without these locks
    fcntl = None  # type: ignore[assignment]  # None if the module is missing


def write(path: Path, content: str | bytes) -> None:
    """Replace a file in one step, so that no reader ever sees half of it."""
    # A test may have drawn a lone surrogate: "\\ud800" is valid JSON for it.
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        written_whole(path, lambda file: file.write(data))
    except OSError as error:
        raise _unwritable(path, error) from error


def put(made: Path, target: Path) -> None:
    """Move a folder to its place, unless another run has created it meanwhile."""
    try:
        made.rename(target)
    except OSError:
        if not target.is_dir():
            raise


def read(path: Path, remedy: str) -> Any:
    """Return the JSON of a file; raise `NotAReport` if it has none."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise NotAReport(f"{path} can't be read: {error}", remedy) from None


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock the folder's files against other runs, from reading to writing them.

    The lock is on the folder itself, so it leaves no file, and ends with the process. A file system
    without locks of folders (NFS) has none.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(folder, error) from error
    if fcntl is None:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def check(folder: Path, *names: str) -> None:
    """Raise if these files can't be written to the folder, before a long run instead of after it.

    Nothing is created: for a missing folder, its parent is checked.
    """
    folder = folder.absolute()
    there = next(place for place in (folder, *folder.parents) if os.path.lexists(place))
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        raise _unwritable(folder, error) from error
    for name in names:
        if (folder / name).exists() and not os.access(folder / name, os.W_OK):
            raise _unwritable(folder / name, PermissionError(errno.EACCES, "it is read-only"))


def _unwritable(path: Path, error: OSError) -> ComplianceError:
    remedy = "Choose a folder you may write to with --output."
    return ComplianceError(f"{path} can't be written: {error.strerror}.", remedy)
