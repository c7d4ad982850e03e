"""Files for users: written atomically, with their modes, links and special files."""

from __future__ import annotations

import contextlib
import io
import os
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pytest

import arrayapi_unify as unify
from arrayapi_unify import Container
from arrayapi_unify._core import files
from arrayapi_unify._core.files import written_whole
from compliance import disk
from compliance.errors import ComplianceError
from tests.nn.networks import Network, make_key

CONTENT = b"content"


def save_container(path: Path) -> None:
    Container(a=unify.ones(3)).save(path)


def save_module(path: Path) -> None:
    Network(make_key("numpy")).save(path)


def save_report(path: Path) -> None:
    disk.write(path, "text")


# Each writer of files, with its file extension.
WRITERS: dict[str, tuple[Callable[[Path], None], str]] = {
    "container": (save_container, ""),
    "module": (save_module, ".npz"),
    "safetensors": (save_module, ".safetensors"),
    "report": (save_report, ".json"),
}


@pytest.fixture(params=WRITERS)
def writer(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Callable[[Path], None], Path]:
    """Return a writer of a file, and a path in a new folder."""
    write, end = WRITERS[request.param]
    folder = tmp_path / "folder"
    folder.mkdir()
    return write, folder / f"file{end}"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


@contextlib.contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


class TestKept:
    """For an existing file, only the content changes."""

    @pytest.mark.parametrize("kept", [0o600, 0o640, 0o664, 0o755])
    def test_mode(self, writer: Any, kept: int) -> None:
        write, path = writer
        path.write_bytes(b"before")
        path.chmod(kept)
        with umask(0o022):
            write(path)
        assert mode(path) == kept
        assert path.read_bytes() != b"before"

    @pytest.mark.parametrize(("mask", "made"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
    def test_mode_of_a_new_file(self, writer: Any, mask: int, made: int) -> None:
        write, path = writer
        with umask(mask):
            write(path)
        assert mode(path) == made

    def test_a_private_file_is_private_while_it_is_written(self, tmp_path: Path) -> None:
        path, seen = tmp_path / "file", []
        path.touch(0o600)

        def write(file: BinaryIO) -> None:
            seen.extend(mode(other) for other in tmp_path.iterdir())

        with umask(0):
            written_whole(path, write)
        assert seen == [0o600, 0o600]

    @pytest.mark.parametrize("there", [True, False])
    @pytest.mark.parametrize("relative", [True, False])
    def test_symlink(self, writer: Any, there: bool, relative: bool) -> None:
        write, path = writer
        elsewhere = path.parent.parent / "elsewhere"
        elsewhere.mkdir()
        target = elsewhere / path.name
        if there:
            target.touch(0o600)
        path.symlink_to(os.path.relpath(target, path.parent) if relative else target)
        write(path)
        assert path.is_symlink()
        assert not target.is_symlink()
        assert target.stat().st_size > 0
        assert mode(target) == 0o600 or not there
        assert os.listdir(elsewhere) == [path.name]
        assert os.listdir(path.parent) == [path.name]

    def test_the_owner(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Only root can change owners, so the call itself is checked."""
        path, given = tmp_path / "file", []
        path.touch()
        found = path.stat()
        monkeypatch.setattr(files.os, "chown", lambda name, *ids: given.append(ids))
        files._keep(str(path), os.stat_result((*found[:4], 1234, 5678, *found[6:])))
        assert given == [(1234, 5678)]

    def test_a_read_only_file_stays(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "file"
        path.write_bytes(b"before")
        # The result of `access` for a file without write permission, except for root.
        monkeypatch.setattr(files.os, "access", lambda name, asked: asked != os.W_OK)
        with pytest.raises(PermissionError, match="read-only") as caught:
            save_container(path)
        assert caught.value.filename == str(path)
        assert path.read_bytes() == b"before"


class TestWrittenDirectly:
    """A special file isn't replaced."""

    def test_fifo(self, writer: Any) -> None:
        write, path = writer
        os.mkfifo(path)
        read: list[bytes] = []
        reader = threading.Thread(target=lambda: read.append(path.read_bytes()), daemon=True)
        reader.start()
        write(path)
        reader.join(60)
        assert stat.S_ISFIFO(path.lstat().st_mode)
        assert os.listdir(path.parent) == [path.name]
        regular = path.with_name(f"regular{path.suffix}")
        write(regular)
        assert len(read[0]) > 0
        if path.suffix in (".json", ".safetensors"):
            assert read == [regular.read_bytes()]
        else:
            path.unlink()
            path.write_bytes(read[0])
            theirs, ours = Container.load(path), Container.load(regular)
            assert theirs.same_structure(ours)

    def test_a_container_through_a_fifo(self, tmp_path: Path) -> None:
        path, c = tmp_path / "fifo", Container(a=unify.ones((2, 3)), b={"c": 1})
        os.mkfifo(path)
        found: list[Any] = []
        reader = threading.Thread(target=lambda: found.append(Container.load(path)), daemon=True)
        reader.start()
        c.save(path)
        reader.join(60)
        assert found[0].identical(c)

    def test_device(self, writer: Any) -> None:
        write, path = writer
        before = os.stat(os.devnull)
        path.symlink_to(os.devnull)
        write(path)
        assert path.is_symlink()
        after = os.stat(os.devnull)
        assert (before.st_mode, before.st_rdev) == (after.st_mode, after.st_rdev)


class TestNames:
    def test_as_long_as_a_name_can_be(self, writer: Any) -> None:
        write, path = writer
        longest = os.pathconf(path.parent, "PC_NAME_MAX")
        path = path.with_name("x" * (longest - len(path.suffix)) + path.suffix)
        write(path)
        write(path)
        assert os.listdir(path.parent) == [path.name]

    def test_too_long(self, tmp_path: Path) -> None:
        with pytest.raises(OSError, match="name too long"):
            save_container(tmp_path / ("x" * 300))
        assert not os.listdir(tmp_path)

    def test_relative_to_the_working_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        written_whole("file", lambda file: file.write(CONTENT))
        assert (tmp_path / "file").read_bytes() == CONTENT

    def test_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        path = tmp_path / "nowhere" / "file"
        with pytest.raises(FileNotFoundError) as caught:
            save_container(path)
        assert caught.value.filename == str(path)  # not the temporary name

    @pytest.mark.parametrize("name", [".", "", "../folder/"])
    def test_a_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        (tmp_path / "folder").mkdir()
        monkeypatch.chdir(tmp_path / "folder")
        with pytest.raises(IsADirectoryError):
            Container(a=1).save(name)
        assert [p.name for p in tmp_path.rglob("*")] == ["folder"]

    def test_links_in_a_circle(self, tmp_path: Path) -> None:
        (tmp_path / "a").symlink_to("b")
        (tmp_path / "b").symlink_to("a")
        with pytest.raises(OSError, match=r"symbolic links"):
            save_container(tmp_path / "a")
        assert sorted(os.listdir(tmp_path)) == ["a", "b"]


class TestWhole:
    @pytest.mark.parametrize("failing", ["fsync", "replace", "chmod"])
    def test_a_failure_leaves_all_as_it_was(
        self, writer: Any, failing: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write, path = writer
        path.write_bytes(b"before")

        def fail(*_: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(files.os, failing, fail)
        with pytest.raises((OSError, ComplianceError), match="No space left"):
            write(path)
        assert path.read_bytes() == b"before"
        assert os.listdir(path.parent) == [path.name]

    def test_an_interrupt(self, tmp_path: Path) -> None:
        path = tmp_path / "file"

        def write(file: BinaryIO) -> None:
            file.write(CONTENT)
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            written_whole(path, write)
        assert not os.listdir(tmp_path)

    def test_a_reader_sees_the_old_or_the_new_one(self, tmp_path: Path) -> None:
        path = tmp_path / "file"
        path.write_bytes(b"before")

        def write(file: BinaryIO) -> None:
            file.write(b"aft")
            file.flush()
            assert path.read_bytes() == b"before"
            file.write(b"er")

        with path.open("rb") as old:
            written_whole(path, write)
            assert old.read() == b"before"
        assert path.read_bytes() == b"after"

    def test_a_disk_that_knows_no_folders(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(handle: int) -> None:
            if stat.S_ISDIR(os.fstat(handle).st_mode):
                raise io.UnsupportedOperation("fsync")

        monkeypatch.setattr(files.os, "fsync", fail)
        written_whole(tmp_path / "file", lambda file: file.write(CONTENT))
        assert (tmp_path / "file").read_bytes() == CONTENT
