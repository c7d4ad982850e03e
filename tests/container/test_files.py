"""Containers in files: loaded values, refused files, and atomic writes."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Container, backends, dtypes
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.installed import DIFFERENTIATING


class TestRoundTrip:
    @pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
    def test_every_dtype(self, xp: ModuleType, dtype: dtypes.DType, tmp_path: Path) -> None:
        c = Container(a=xp.ones((2, 3), dtype=dtype), b={"c": xp.zeros((), dtype=dtype), "d": {}})
        c["e"] = xp.ones((0, 2), dtype=dtype)
        c.save(tmp_path / "file")
        assert Container.load(tmp_path / "file").identical(c)

    def test_other_leaves(self, tmp_path: Path) -> None:
        leaves = {"a": 1, "b": 2.5, "c": "text", "d": None, "e": True, "f": 1 - 2j, "g": -(2**70)}
        c = Container(leaves, h=unify.inf)
        c.save(str(tmp_path / "file.npz"))
        loaded = Container.load(str(tmp_path / "file.npz"))
        assert loaded.identical(c)
        assert {k: type(v) for k, v in loaded.items()} == {k: type(v) for k, v in c.items()}

    def test_native_arrays_stay_native(self, xp: ModuleType, tmp_path: Path) -> None:
        native = xp.ones(2).data
        Container(a=native).save(tmp_path / "file")
        assert type(Container.load(tmp_path / "file").a) is type(native)

    def test_another_backend(self, xp: ModuleType, tmp_path: Path) -> None:
        Container(a=unify.get_backend("numpy").ones(2)).save(tmp_path / "file")
        name = xp.__unify_backend__
        assert Container.load(tmp_path / "file", backend=name).a.backend == name

    def test_keys_that_are_no_names(self, tmp_path: Path) -> None:
        c = Container({"odd key!": {"..": 1, "ü": unify.ones(1)}, "structure": unify.zeros(1)})
        c.save(tmp_path / "file")
        assert Container.load(tmp_path / "file").identical(c)

    def test_a_subclass_loads_itself(self, tmp_path: Path) -> None:
        class Mine(Container):
            pass

        Mine(a={"b": 1}).save(tmp_path / "file")
        assert type(Mine.load(tmp_path / "file").a) is Mine


class TestSafety:
    def test_nothing_is_pickled(self, tmp_path: Path) -> None:
        Container(a=unify.ones(2), b="text").save(tmp_path / "file")
        with np.load(tmp_path / "file", allow_pickle=False) as archive:
            assert {archive[name].dtype.kind for name in archive} <= set("uf")

    @pytest.mark.parametrize(
        "leaf", [object(), [1, 2], {1}, b"bytes", print, np.array([object()], dtype=object)]
    )
    def test_what_the_format_cannot_hold(self, leaf: Any, tmp_path: Path) -> None:
        path = tmp_path / "file"
        Container(a=1).save(path)
        before = path.read_bytes()
        with pytest.raises((UnifyTypeError, ValueError)) as caught:
            Container(x={"y": leaf}).save(path)
        if not isinstance(leaf, np.ndarray):
            assert "'x/y'" in str(caught.value)
        assert path.read_bytes() == before
        assert [p.name for p in tmp_path.iterdir()] == ["file"]

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_what_is_traced_has_no_values(self, backend: str, tmp_path: Path) -> None:
        def saves(x: Any) -> Any:
            Container(a={"b": x}).save(tmp_path / "file")
            return x

        with pytest.raises(Exception, match="values can't be read") as caught:
            unify.vmap(saves)(unify.get_backend(backend).ones((3, 2)))
        told = str(caught.value)
        assert "Container.save: argument 'a/b' is an array of " in told
        assert "save outside of what is traced" in told
        assert not list(tmp_path.iterdir())

    def test_a_failing_write_leaves_the_old_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "file"
        Container(a=1).save(path)

        def fail(*args: Any, **kwargs: Any) -> None:
            raise OSError("disk full")

        monkeypatch.setattr(np.lib.format, "write_array", fail)
        with pytest.raises(OSError, match="disk full"):
            Container(a=unify.ones(3)).save(path)
        monkeypatch.undo()
        assert Container.load(path).to_dict() == {"a": 1}
        assert [p.name for p in tmp_path.iterdir()] == ["file"]

    def test_pickles_are_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "file"
        structure = {"format": "arrayapi_unify.Container/1", "nodes": {}}
        structure["nodes"] = {"a": {"array": "x", "backend": "numpy", "wrapped": True}}
        evil = io.BytesIO()
        np.save(evil, np.array([{}], dtype=object), allow_pickle=True)
        text = io.BytesIO()
        np.save(text, np.frombuffer(json.dumps(structure).encode(), np.uint8))
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("x.npy", evil.getvalue())
            archive.writestr("structure.npy", text.getvalue())
        with pytest.raises(UnifyValueError, match=r"no file that Container\.save wrote"):
            Container.load(path)

    @pytest.mark.parametrize(
        "content", [b"", b"text", b"PK\x03\x04", b"\x80\x04N.", b"PK\x05\x06" + bytes(18)]
    )
    def test_other_files(self, content: bytes, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(content)
        with pytest.raises(UnifyValueError, match=r"no file that Container\.save wrote"):
            Container.load(tmp_path / "file")

    def test_an_archive_of_numpy(self, tmp_path: Path) -> None:
        np.savez(tmp_path / "file.npz", a=np.ones(2))
        with pytest.raises(UnifyValueError, match=r"no file that Container\.save wrote"):
            Container.load(tmp_path / "file.npz")

    def test_a_truncated_file(self, tmp_path: Path) -> None:
        path = tmp_path / "file"
        Container(a=unify.ones(100)).save(path)
        whole = path.read_bytes()
        for size in range(0, len(whole), max(1, len(whole) // 20)):
            path.write_bytes(whole[:size])
            with pytest.raises(UnifyValueError, match=r"no file that Container\.save wrote"):
                Container.load(path)

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            Container.load(tmp_path / "file")

    def test_an_unknown_backend(self, tmp_path: Path) -> None:
        Container(a=unify.ones(1)).save(tmp_path / "file")
        with pytest.raises(UnifyValueError, match="the known backends are"):
            Container.load(tmp_path / "file", backend="nope")
        assert "nope" not in backends.REGISTRY
