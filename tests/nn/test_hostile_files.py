"""Damaged files of Modules: one error of ours, and an unchanged Module."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyError, UnifyValueError
from tests.container import damage
from tests.nn.networks import Network, make_key


def bits(net: Any) -> list[bytes]:
    """Return the values of the variables, including NaN."""
    return [x.data.tobytes() for x in net.v.leaves()]


def load(net: Any, path: Path, data: bytes) -> UnifyError | None:
    """Load a file of these bytes; an error leaves the Module unchanged."""
    before = bits(net)
    path.write_bytes(data)
    try:
        net.load(path)
    except UnifyError as error:
        assert bits(net) == before
        return error
    return None


@pytest.mark.parametrize("name", ["net.npz", "net.safetensors"])
def test_damaged(name: str, tmp_path: Path) -> None:
    net = Network(make_key("numpy"))
    net.save(tmp_path / name)
    data, refused = (tmp_path / name).read_bytes(), 0
    for seed in range(300):
        changed = damage.damaged(data, random.Random(seed))
        refused += load(net, tmp_path / name, changed) is not None
    # A safetensors file has no checksums, so a changed number isn't detected.
    assert refused > 100


class TestArchives:
    def refused(self, nodes: dict[str, Any], tmp_path: Path) -> str:
        net = Network(make_key("numpy"))
        net.save(tmp_path / "net.npz")
        members = damage.unpacked((tmp_path / "net.npz").read_bytes())
        made = damage.structure(members)
        made["nodes"] |= nodes
        error = load(net, tmp_path / "net.npz", damage.packed(damage.with_structure(members, made)))
        assert isinstance(error, UnifyValueError)
        return str(error)

    def test_more_than_variables_and_buffers(self, tmp_path: Path) -> None:
        told = self.refused({"more": {"nodes": {}}}, tmp_path)
        assert "Network.load: " in told
        assert "'more' is unknown to the Module" in told

    def test_a_leaf_where_the_variables_are(self, tmp_path: Path) -> None:
        unify.Container(variables=3).save(tmp_path / "other")
        with pytest.raises(UnifyValueError, match="'variables' is unknown to the Module"):
            Network(make_key("numpy")).load(tmp_path / "other")

    def test_a_leaf_that_is_no_array(self, tmp_path: Path) -> None:
        net = Network(make_key("numpy"))
        held = net.v.copy()
        held["_layer/b"] = "text"
        unify.Container(variables=held).save(tmp_path / "other")
        with pytest.raises(UnifyValueError, match="'_layer/b' is no array there"):
            net.load(tmp_path / "other")

    def test_names_its_own_function(self, tmp_path: Path) -> None:
        told = self.refused({"a/b": {"value": 1}}, tmp_path)
        assert told.startswith("Module.load: argument 'path': ")
        assert "is no file that Module.save wrote" in told


class TestSafetensors:
    def test_a_name_twice(self, tmp_path: Path) -> None:
        """The library itself would use the last one."""
        entry = '{"dtype": "F64", "shape": [1], "data_offsets": [%d, %d]}'
        text = f'{{"a": {entry % (0, 8)}, "a": {entry % (8, 16)}}}'.encode()
        data = len(text).to_bytes(8, "little") + text + bytes(16)
        error = load(Network(make_key("numpy")), tmp_path / "net.safetensors", data)
        assert "a key is there twice" in str(error)

    def test_more_than_the_file_holds(self, tmp_path: Path) -> None:
        end = 1 << 40
        entry = {"dtype": "F64", "shape": [end // 8], "data_offsets": [0, end]}
        text = json.dumps({"a": entry}).encode()
        data = len(text).to_bytes(8, "little") + text
        error = load(Network(make_key("numpy")), tmp_path / "net.safetensors", data)
        assert "is no safetensors file" in str(error)
