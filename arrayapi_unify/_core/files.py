"""Files for users: written whole or not at all, with the mode that they had."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import secrets
import stat
from collections.abc import Callable
from typing import Any, BinaryIO

__all__ = ["written_whole"]


def written_whole(path: str | os.PathLike[str], write: Callable[[BinaryIO], Any]) -> None:
    """Write a file, whole or not at all.

    A file that is there keeps its mode and, as far as the process may give it away, its owner; a
    new one has the mode that the umask leaves. A symlink stays, and its target is written. What is
    no regular file (a FIFO, a device) is written directly: nothing can take its place.

    Raises
    ------
    OSError
        The file can't be written, or is read-only; what was there is unchanged.
    """
    try:
        before = os.stat(path)
    except FileNotFoundError:
        before = None
    if before is not None and not stat.S_ISREG(before.st_mode):
        made = io.BytesIO()  # a device may say that it stands at 0 whatever was written
        write(made)
        with open(path, "wb") as stream:
            stream.write(made.getbuffer())
        return
    if before is not None and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, "The file is read-only", os.fspath(path))
    _replaced(os.path.realpath(path), before, write)


def _replaced(target: str, before: os.stat_result | None, write: Callable[[BinaryIO], Any]) -> None:
    """Write beside the target, and put the result in its place at once."""
    folder = os.path.dirname(target)
    # Short, since the target's name may be as long as a name can be.
    temporary = os.path.join(folder, f".{secrets.token_hex(6)}")
    # The replacement of a private file isn't readable for other users, even while it is written.
    handle = _opened(temporary, target, 0o666 if before is None else 0o600)
    try:
        with open(handle, "wb") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        if before is not None:
            _keep(temporary, before)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _sync(folder)


def _opened(temporary: str, target: str, mode: int) -> int:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        return os.open(temporary, flags | getattr(os, "O_BINARY", 0), mode)
    except OSError as error:
        error.filename = target  # the name that the user knows
        raise


def _keep(temporary: str, before: os.stat_result) -> None:
    """Give a file the owner and the mode of the one that it replaces."""
    now = os.stat(temporary)
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        with contextlib.suppress(OSError):  # only root gives files away
            os.chown(temporary, before.st_uid, before.st_gid)
    os.chmod(temporary, stat.S_IMODE(before.st_mode))


def _sync(folder: str) -> None:
    """Have the folder's new entry on the disk, where the system can do that for folders."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
