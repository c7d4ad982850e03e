"""Summaries, numbers of parameters and data types of Modules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError
from tests.installed import INSTALLED
from tests.nn.networks import Nested, Tied, make_key

every = pytest.mark.parametrize("backend", INSTALLED)


def rows(text: str) -> dict[str, list[str]]:
    """The cells of each row by the name of the layer; cells are two spaces apart."""
    first, *lines, _ = text.splitlines()
    starts = [first.index(title) for title in ("name", "layer", "output shape")]
    found = {}
    for line in lines:
        name, layer, rest = (
            line[start:end].strip()
            for start, end in zip(starts, [*starts[1:], None], strict=True)
        )  # fmt: skip
        found[name] = [layer, *(cell.strip() for cell in rest.rsplit("  ", 1))]
    return found


class Repeating(unify.Module):
    """A layer that is called twice, one that isn't, and a count that each call changes."""

    def __init__(self, key: Any) -> None:
        self.twice = unify.Linear(3, 3, key=key)
        self.never = unify.Linear(2, 2, key=key)
        self.buffers.calls = unify.get_backend(key.backend).asarray(0)

    def _forward(self, x: Any, *, fails: bool = False) -> Any:
        self.buffers.calls = self.buffers.calls + 1
        x = self.twice(self.twice(x)[None, ...])
        if fails:
            raise LookupError("mine")
        return {"x": x, "rest": (x[0, ...], None)}


class TestSummary:
    @every
    def test_rows(self, backend: str) -> None:
        net = Nested(make_key(backend))
        text = net.summary(unify.get_backend(backend).ones((6, 3)))
        assert rows(text) == {
            "": ["Nested", "(6, 2)", "2"],
            "blocks/0": ["Linear(3, 4)", "(6, 4)", "16"],
            "blocks/1/inner": ["BatchNorm(4)", "(6, 4)", "8"],
            "heads/a": ["Linear(4, 2)", "(6, 2)", "10"],
            "dropout": ["Dropout(0.5)", "(6, 4)", "0"],
        }
        assert text.splitlines()[-1] == (
            "36 parameters in 7 variables (288 bytes), 10 numbers in 3 buffers"
        )

    @pytest.mark.slow_on("jax")
    @every
    @pytest.mark.parametrize("fails", [False, True])
    def test_changes_nothing(self, backend: str, fails: bool) -> None:
        net = Repeating(make_key(backend))
        net.never.eval()
        before, v = net.buffers.copy(), net.v.copy()
        x = unify.get_backend(backend).ones((2, 3))
        if fails:
            with pytest.raises(LookupError, match="mine"):
                net.summary(x, fails=True)
        else:
            net.summary(x)
        assert net.buffers.identical(before)
        assert net.v.identical(v)
        assert [layer.training for layer in net.modules().values()] == [True, True, False]
        assert sorted(net(x)) == ["rest", "x"]
        assert int(net.buffers.calls) == 1

    def test_calls(self) -> None:
        found = rows(Repeating(make_key("numpy")).summary(unify.ones((2, 3))))
        assert found[""] == ["Repeating", "{x: (1, 2, 3), rest: [(2, 3), NoneType]}", "0"]
        assert found["twice"][1] == "(2, 3), (1, 2, 3)"
        assert found["never"][1] == "-"

    def test_a_shared_variable_counts_once(self) -> None:
        net = Tied(make_key("numpy"))
        found = rows(net.summary(unify.asarray([0, 1])))
        assert [cells[-1] for cells in found.values()] == ["0", "15", "0"]
        assert net.num_parameters == 15

    @pytest.mark.parametrize("backend", [b for b in ("torch", "jax") if b in INSTALLED])
    def test_of_compiled_ones(self, backend: str) -> None:
        """The program remains, and isn't run: it knows no shapes of layers."""
        net, xp = Nested(make_key(backend)).eval(), unify.get_backend(backend)
        net.compile_graph(xp.ones((2, 3)))
        program = net._state.program
        assert rows(net.summary(xp.ones((2, 3))))["heads/a"][1] == "(2, 2)"
        assert net._state.program is program
        assert not net.training


def test_num_parameters_is_pytorchs() -> None:
    torch = pytest.importorskip("torch")
    theirs = torch.nn.Sequential(
        torch.nn.Conv1d(3, 4, 3), torch.nn.BatchNorm1d(4), torch.nn.LSTM(4, 5, batch_first=True)
    )
    wanted = sum(parameter.numel() for parameter in theirs.parameters())
    assert unify.Module.from_torch(theirs).num_parameters == wanted
    assert unify.Dropout(0.5).num_parameters == 0


class TestAstype:
    @pytest.mark.slow_on("jax")
    @every
    @pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
    def test_casts_floats_alone(self, backend: str, dtype: str) -> None:
        net = Nested(make_key(backend))
        key, w = np.asarray(net.buffers["dropout/key"]), np.asarray(net.v["heads/a/w"])
        assert net.astype(dtype) is net
        assert {str(x.dtype) for x in net.v.leaves()} == {dtype}
        kinds = {name: str(x.dtype) for name, x in net.buffers.leaf_items()}
        assert set(kinds.values()) == {dtype, "uint32"}
        assert np.array_equal(np.asarray(net.buffers["dropout/key"]), key)
        xp = unify.get_backend(backend)
        found = np.asarray(xp.astype(net.v["heads/a/w"], "float64"))
        np.testing.assert_allclose(found, w, rtol=2.0**-8)
        assert str(net(xp.ones((4, 3), dtype=dtype)).dtype) == dtype

    def test_keeps_sharing_and_other_kinds(self) -> None:
        net = Tied(make_key("numpy")).astype(unify.float32)
        assert list(net.v.key_chains()) == ["table/w"]
        assert net.out.v.w is net.table.v.w

        class Mixed(unify.Module):
            def __init__(self) -> None:
                self.v.z = unify.ones(2, dtype="complex128")
                self.v.w = unify.ones(2)

        mixed = Mixed().astype("float32")
        assert [str(x.dtype) for x in mixed.v.leaves()] == ["complex128", "float32"]

    @pytest.mark.parametrize("dtype", ["int64", "complex64", "bool", unify.uint8, int, "nope", 3])
    def test_refuses(self, dtype: Any) -> None:
        net = Nested(make_key("numpy"))
        with pytest.raises(UnifyTypeError, match=r"Nested\.astype: argument 'dtype'"):
            net.astype(dtype)
        assert net.v.gain.dtype == unify.float64
