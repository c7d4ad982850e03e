"""Modules in files: loaded values, refused files, and atomic changes."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import dtypes
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.installed import INSTALLED
from tests.nn.networks import Nested, Network, Tied, make_key

FORMATS = ("net.npz", "net.safetensors")
formats = pytest.mark.parametrize("name", FORMATS)
EVERY_DTYPE = [d for d in dtypes.EVERY if not d.name.startswith("complex")]


class Holding(unify.Module):
    """Variables of any data type."""

    def __init__(self, key: Any, dtype: Any) -> None:
        xp = key.__array_namespace__()
        self.v.a = xp.ones((2, 3), dtype=dtype)
        self.v.b = xp.zeros((), dtype=dtype)
        self.buffers.c = xp.ones((0, 2), dtype=dtype)


@formats
class TestRoundTrip:
    @pytest.mark.slow_on("jax")
    @pytest.mark.parametrize("backend", INSTALLED)
    def test_variables_and_buffers(self, backend: str, name: str, tmp_path: Path) -> None:
        net, other = (Nested(make_key(backend, seed)) for seed in (0, 1))
        net(unify.get_backend(backend).ones((2, 3)))
        net.save(tmp_path / name)
        assert other.load(tmp_path / name) is other
        assert other.v.identical(net.v)
        assert other.buffers.identical(net.buffers)

    @pytest.mark.parametrize("backend", INSTALLED)
    def test_into_another_backend(self, backend: str, name: str, tmp_path: Path) -> None:
        net, other = Nested(make_key(backend)), Nested(make_key("numpy", 1))
        net.save(tmp_path / name)
        other.load(tmp_path / name)
        assert other.v.identical(net.to_backend("numpy").v)

    @pytest.mark.parametrize("dtype", EVERY_DTYPE, ids=str)
    def test_every_dtype(self, dtype: dtypes.DType, name: str, tmp_path: Path) -> None:
        net = Holding(make_key("numpy"), dtype)
        net.save(tmp_path / name)
        other = Holding(make_key("numpy"), dtype)
        other.v.a = other.v.a ^ True if dtype is dtypes.bool else other.v.a + other.v.a
        other.load(tmp_path / name)
        assert other.v.identical(net.v)
        assert other.buffers.identical(net.buffers)

    def test_shared_weights(self, name: str, tmp_path: Path) -> None:
        net, other = Tied(make_key("numpy")), Tied(make_key("numpy", 1))
        net.save(tmp_path / name)
        other.load(tmp_path / name)
        assert other.out.v.w.tolist() == other.table.v.w.tolist() == net.v.table.w.tolist()


class TestFormats:
    def test_safetensors_reads_it(self, tmp_path: Path) -> None:
        library = pytest.importorskip("safetensors.numpy")
        net = Network(make_key("numpy"))
        net.save(tmp_path / "net.safetensors")
        found = library.load_file(tmp_path / "net.safetensors")
        assert {k: x.tolist() for k, x in found.items()} == {
            k: x.tolist() for k, x in net.v.leaf_items()
        }

    def test_containers_read_the_other(self, tmp_path: Path) -> None:
        net = Network(make_key("numpy"))
        net.save(tmp_path / "net")
        assert unify.Container.load(tmp_path / "net").variables.identical(net.v)

    def test_without_the_extra(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "safetensors.numpy", None)
        net = Network(make_key("numpy"))
        for call in (net.save, net.load):
            with pytest.raises(UnifyValueError, match=r"pip install safetensors"):
                call(tmp_path / "net.safetensors")
        assert not list(tmp_path.iterdir())


@formats
class TestMismatches:
    def other(self, tmp_path: Path, name: str, net: Any) -> Path:
        net.save(tmp_path / name)
        return tmp_path / name

    def check(self, path: Path, told: str) -> None:
        net = Network(make_key("numpy"))
        before = net.v.copy()
        with pytest.raises(UnifyValueError, match=told):
            net.load(path)
        assert net.v.identical(before)

    def test_names(self, name: str, tmp_path: Path) -> None:
        path = self.other(tmp_path, name, unify.Sequential(unify.Linear(3, 3)))
        self.check(path, r"'_layer/w' is missing; .*'0/w' is unknown to the Module")

    def test_all_are_told_at_once(self, name: str, tmp_path: Path) -> None:
        held = unify.Sequential(*(unify.Linear(1, 1) for _ in range(9)))
        held._layer = unify.Linear(4, 3)
        path = self.other(tmp_path, name, held)
        with pytest.raises(UnifyValueError) as caught:
            Network(make_key("numpy")).load(path)
        told = str(caught.value)
        assert "'_layer/w' is float64 (3, 4) there, float64 (3, 3) here" in told
        unknown = {f"{place}/{kind}" for place in range(9) for kind in ("w", "b")}
        assert set(re.findall(r"'([^']*)' is unknown to the Module", told)) == unknown

    def test_shapes(self, name: str, tmp_path: Path) -> None:
        net = Network(make_key("numpy"))
        net._layer = unify.Linear(4, 3)
        path = self.other(tmp_path, name, net)
        self.check(path, r"'_layer/w' is float64 \(3, 4\) there, float64 \(3, 3\) here")

    def test_dtypes(self, name: str, tmp_path: Path) -> None:
        net = Network(make_key("numpy"))
        net.v = net.v.astype("float32")
        self.check(self.other(tmp_path, name, net), r"'_layer/b' is float32 \(3,\) there, float64")

    def test_no_such_file_format(self, name: str, tmp_path: Path) -> None:
        (tmp_path / name).write_bytes(b"something else, of some length")
        self.check(tmp_path / name, "wrote")

    def test_nothing_is_pickled(self, name: str, tmp_path: Path) -> None:
        Network(make_key("numpy")).save(tmp_path / name)
        data = (tmp_path / name).read_bytes()
        assert b"arrayapi_unify.nn" not in data
        assert b"\x80\x04\x95" not in data


class TestWhole:
    def test_a_failure_leaves_the_old_file(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        net = Network(make_key("numpy"))
        for name in FORMATS:
            net.save(tmp_path / name)
        old = {name: (tmp_path / name).read_bytes() for name in FORMATS}
        files = importlib.import_module("arrayapi_unify._core.files")

        def fails(*_: Any) -> None:
            raise OSError("no space")

        monkeypatch.setattr(files.os, "fsync", fails)
        net.v = net.v + 1
        for name in FORMATS:
            with pytest.raises(OSError, match="no space"):
                net.save(tmp_path / name)
            assert (tmp_path / name).read_bytes() == old[name]
        assert sorted(p.name for p in tmp_path.iterdir()) == sorted(FORMATS)

    def test_complex_numbers_are_refused_by_safetensors(self, tmp_path: Path) -> None:
        net = Holding(make_key("numpy"), "complex128")
        with pytest.raises((UnifyTypeError, UnifyValueError), match=r"'a' is complex128.*\.npz"):
            net.save(tmp_path / "net.safetensors")
        assert not list(tmp_path.iterdir())
        net.save(tmp_path / "net.npz")
        assert np.all(np.asarray(net.load(tmp_path / "net.npz").v.a) == 1)
