"""Damaged and hostile files: one error of ours, and no more memory than their size."""

from __future__ import annotations

import random
import struct
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Container
from arrayapi_unify.errors import UnifyError, UnifyValueError
from tests.container import damage

# Python's objects for JSON and for a table of contents, in bytes for each byte of a file.
MOST_FOR_A_BYTE, MOST_FOR_ANY = 40, 1 << 20
REFUSED = r"is no file that Container\.save wrote"


@pytest.fixture
def saved(tmp_path: Path) -> tuple[Container, Path]:
    xp = unify.get_backend("numpy")
    c = Container(a={"b": xp.ones((2, 3)), "c": np.arange(3.0)}, d=(1, 2.5, "text"), e=1 - 2j)
    c["f"] = Container(g=np.float32(3), h=xp.ones(3, dtype="int8"), i={}, j=None, k=True)
    c["l"] = xp.linalg.qr(xp.ones((2, 2)))
    c.save(tmp_path / "file")
    return c, tmp_path / "file"


def load(path: Path, data: bytes) -> Any:
    """Load a file of these bytes, or return our error; its memory is bounded."""
    path.write_bytes(data)
    tracemalloc.reset_peak()
    before, _ = tracemalloc.get_traced_memory()
    try:
        return Container.load(path, backend="numpy")
    except UnifyError as error:
        return error
    finally:
        _, peak = tracemalloc.get_traced_memory()
        assert peak - before < MOST_FOR_ANY + MOST_FOR_A_BYTE * len(data)


@pytest.fixture(autouse=True)
def traced() -> Any:
    tracemalloc.start()
    yield
    tracemalloc.stop()


class TestDrawn:
    """None of 1,100 files raises another error, or needs more than proportional memory."""

    @pytest.mark.slow
    def test_damaged(self, saved: tuple[Container, Path]) -> None:
        c, path = saved
        data = path.read_bytes()
        refused = 0
        for seed in range(600):
            changed = damage.damaged(data, random.Random(seed))
            found = load(path, changed)
            # Files that still load were changed in unused bytes: a time, a reserved field.
            assert isinstance(found, UnifyError) or found.identical(c), seed
            refused += isinstance(found, UnifyError)
        assert refused > 400

    @pytest.mark.slow
    def test_forged(self, saved: tuple[Container, Path]) -> None:
        _, path = saved
        data = path.read_bytes()
        refused = 0
        for seed in range(500):
            found = load(path, damage.forged(data, random.Random(seed)))
            assert isinstance(found, Container | UnifyError), seed
            refused += isinstance(found, UnifyError)
        assert refused > 250


class TestMade:
    """Files crafted with knowledge of the format."""

    def check(self, path: Path, data: bytes, problem: str) -> None:
        found = load(path, data)
        assert isinstance(found, UnifyValueError), found
        assert str(found).startswith("Container.load: argument 'path': ")
        assert str(found).endswith("pass one that it wrote")
        assert problem in str(found)

    def test_compressed(self, saved: tuple[Container, Path]) -> None:
        members = damage.unpacked(saved[1].read_bytes())
        members["array_0.npy"] = damage.npy("<f8", "(10000000,)", bytes(80_000_000))
        data = damage.packed(members, zipfile.ZIP_DEFLATED)
        assert len(data) < 100_000
        del members
        tracemalloc.clear_traces()
        self.check(saved[1], data, "compressed")

    def test_a_shape_beyond_the_file(self, saved: tuple[Container, Path]) -> None:
        members = damage.unpacked(saved[1].read_bytes())
        members["array_0.npy"] = damage.npy("<f8", "(100000000,)", bytes(64))
        self.check(saved[1], damage.packed(members), "192 bytes can't hold float64 (100000000,)")

    def test_members_over_each_other(self, saved: tuple[Container, Path]) -> None:
        """Many entries of the table of contents for the same bytes."""
        members = damage.unpacked(saved[1].read_bytes())
        values = damage.npy("<f8", "(20000,)", bytes(160_000))
        names = [f"array_{i}" for i in range(500)]
        nodes = {n: {"array": n, "backend": "numpy", "wrapped": True} for n in names}
        made = {"format": damage.structure(members)["format"], "nodes": nodes}
        whole = {f"{n}.npy": b"" for n in names} | {"array_0.npy": values}
        data = bytearray(damage.packed(damage.with_structure(whole, made)))
        first = data.index(b"PK\x01\x02")
        for name in names[1:]:
            entry = data.index(f"{name}.npy".encode(), first) - 46
            data[entry + 16 : entry + 28] = data[first + 16 : first + 28]
            data[entry + 42 : entry + 46] = data[first + 42 : first + 46]
        self.check(saved[1], bytes(data), "its members are longer than itself")

    def test_one_array_for_many_leaves(self, saved: tuple[Container, Path]) -> None:
        members = damage.unpacked(saved[1].read_bytes())
        made = damage.structure(members)
        made["nodes"]["z"] = made["nodes"]["a"]["nodes"]["b"]
        data = damage.packed(damage.with_structure(members, made))
        self.check(saved[1], data, "'array_0' is missing, or stands for two leaves")

    @pytest.mark.parametrize("name", ["more.npy", "../more.npy", "/etc/more", "array_0.npz"])
    def test_a_member_of_no_leaf(self, saved: tuple[Container, Path], name: str) -> None:
        members = damage.unpacked(saved[1].read_bytes())
        data = damage.packed({**members, name: members["array_0.npy"]})
        self.check(saved[1], data, f"no leaf has the member {name!r}")

    def test_a_member_twice(self, saved: tuple[Container, Path]) -> None:
        members = damage.unpacked(saved[1].read_bytes())
        data = damage.packed({**members, "array_X.npy": members["array_0.npy"]})
        data = data.replace(b"array_X.npy", b"array_0.npy")
        self.check(saved[1], data, "the member 'array_0.npy' is there twice")

    @pytest.mark.parametrize("key", ["a/b", "", "/", "a/"])
    def test_a_key_chain_as_a_key(self, saved: tuple[Container, Path], key: str) -> None:
        """One of `a/b` and `a: {b}` would be lost silently."""
        members = damage.unpacked(saved[1].read_bytes())
        made = damage.structure(members)
        made["nodes"][key] = {"value": 1}
        data = damage.packed(damage.with_structure(members, made))
        self.check(saved[1], data, f"its key {key!r}")

    def test_a_key_twice(self, saved: tuple[Container, Path]) -> None:
        form = '{"format": "arrayapi_unify.Container/1", "nodes": {%s}}'
        text = form % '"a": {"value": 1}, "a": {"value": 2}'
        self.check(saved[1], damage.packed(damage.with_structure({}, text)), "is there twice")

    @pytest.mark.parametrize(("opening", "closing"), [('{"a": {"nodes": ', "}}"), ("[", "]")])
    @pytest.mark.parametrize("depth", [100, 300, 100_000])
    def test_deep(
        self, saved: tuple[Container, Path], opening: str, closing: str, depth: int
    ) -> None:
        inner = opening * depth + "{}" + closing * depth
        text = f'{{"format": "arrayapi_unify.Container/1", "nodes": {inner}}}'
        self.check(saved[1], damage.packed(damage.with_structure({}, text)), "")

    @pytest.mark.parametrize("descr", ["|O", "<U1", "|V8", "<M8[s]", "<f3"])
    def test_no_numbers(self, saved: tuple[Container, Path], descr: str) -> None:
        members = damage.unpacked(saved[1].read_bytes())
        members["array_0.npy"] = damage.npy(descr, "(1,)", bytes(8))
        self.check(saved[1], damage.packed(members), "")

    def test_bytes_that_are_no_bool(self, saved: tuple[Container, Path]) -> None:
        Container(a=unify.ones(3, dtype="bool")).save(saved[1])
        members = damage.unpacked(saved[1].read_bytes())
        members["array_0.npy"] = damage.npy("|b1", "(3,)", b"\x00\x01\x07")
        found = load(saved[1], damage.packed(members))
        assert found.a.astype("uint8").tolist() == [0, 1, 1]

    def test_encrypted(self, saved: tuple[Container, Path]) -> None:
        data = bytearray(saved[1].read_bytes())
        entry = data.index(b"PK\x01\x02")
        data[entry + 8 : entry + 10] = struct.pack("<H", 1)
        self.check(saved[1], bytes(data), "encrypted")

    def test_a_long_name_is_quoted_in_part(self, saved: tuple[Container, Path]) -> None:
        members = damage.unpacked(saved[1].read_bytes())
        found = load(saved[1], damage.packed({**members, "x" * 60_000: b""}))
        assert isinstance(found, UnifyValueError)
        assert len(str(found)) < 1000


class TestHonest:
    """Files that `save` writes can be loaded, at any ratio of compression."""

    def test_zeros(self, tmp_path: Path) -> None:
        c = Container(a=unify.zeros((1000, 1000)), b=unify.zeros((0, 2**40)))
        c.save(tmp_path / "file")
        assert Container.load(tmp_path / "file").identical(c)

    def test_the_deepest_nest(self, tmp_path: Path) -> None:
        for depth in (99, 100):
            c = Container(x=1)
            for _ in range(depth):
                c = Container(a=c)
            if depth == 99:
                c.save(tmp_path / "file")
                assert Container.load(tmp_path / "file").identical(c)
        with pytest.raises(UnifyValueError, match=r"'a/a/a/\.\.\.' is nested in 100 levels"):
            c.save(tmp_path / "file")

    def test_bytes_in_another_order(self, tmp_path: Path) -> None:
        """A big-endian machine writes `>f8`."""
        Container(a=unify.ones(2)).save(tmp_path / "file")
        members = damage.unpacked((tmp_path / "file").read_bytes())
        members["array_0.npy"] = damage.npy(">f8", "(2,)", struct.pack(">dd", 1.5, -2.0))
        (tmp_path / "file").write_bytes(damage.packed(members))
        assert Container.load(tmp_path / "file").a.tolist() == [1.5, -2.0]

    def test_packed_again(self, saved: tuple[Container, Path]) -> None:
        """docs/containers.md describes how to repack a compressed archive."""
        c, path = saved
        with np.load(path) as archive:
            np.savez_compressed(path.with_suffix(".npz"), **archive)
        with pytest.raises(UnifyValueError, match=r"pack it again without \(np\.savez\)"):
            Container.load(path.with_suffix(".npz"))
        with np.load(path.with_suffix(".npz")) as archive:
            np.savez(path.with_suffix(".npz"), **archive)
        assert Container.load(path.with_suffix(".npz")).identical(c)

    def test_numpy_reads_it(self, tmp_path: Path) -> None:
        values = np.asfortranarray(np.arange(6.0).reshape(2, 3))
        Container(a=values).save(tmp_path / "file")
        with np.load(tmp_path / "file", allow_pickle=False) as archive:
            assert archive["array_0"].tolist() == values.tolist()
        loaded = Container.load(tmp_path / "file").a
        assert loaded.tolist() == values.tolist()
        assert loaded.flags.writeable
