"""Notebooks and terminals: `_repr_html_`, functions in a Sequential, print options."""

from __future__ import annotations

import functools
from html.parser import HTMLParser
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify


class Reader(HTMLParser):
    """Reads a table; every tag has to be closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: list[list[str]] = []
        self.caption = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "caption" in self.open:
            self.caption += data
        else:
            self.rows[-1][-1] += data


def read(shown: Any) -> Reader:
    reader = Reader()
    reader.feed(shown._repr_html_())
    assert not reader.open
    return reader


class TestTables:
    @pytest.mark.eager
    def test_a_container(self, xp: ModuleType) -> None:
        c = unify.Container(a=xp.zeros((4, 5)), b={"c": xp.asarray([1, 2]), "d": "<b>"})
        table = read(c)
        assert table.caption == "unify.Container: 3 leaves"
        name = xp.zeros(1).backend
        assert table.rows == [
            ["key chain", "data type", "shape", "backend", "value"],
            ["a", "float64", "(4, 5)", name, "..."],
            ["b/c", "int64", "(2,)", name, repr(c.b.c)],
            ["b/d", "str", "", "", "'<b>'"],
        ]
        assert "<b>" not in c._repr_html_()
        assert read(unify.Container()).caption == "unify.Container: 0 leaves"

    def test_a_module(self) -> None:
        net = unify.Sequential(unify.Sequential(unify.Linear(3, 2)), unify.relu)
        table = read(net)
        assert table.caption == "Sequential: 8 numbers in 2 variables"
        assert table.rows == [
            ["name", "layer", "variables"],
            ["0", "Sequential", ""],
            ["  0", "Linear(3, 2)", "w float64 (2, 3), b float64 (2,)"],
            ["1", "relu", ""],
        ]
        assert read(unify.Linear(1, 1)).rows[1:] == [
            ["", "Linear(1, 1)", "w float64 (1, 1), b float64 (1,)"]
        ]

    def test_variables_are_a_container(self) -> None:
        assert [row[0] for row in read(unify.Linear(1, 1).v).rows[1:]] == ["w", "b"]

    @pytest.mark.eager
    def test_a_graph(self, xp: ModuleType) -> None:
        graph = unify.compile_graph(lambda x: xp.exp(x) * 2.0, xp.ones(2))
        table = read(graph)
        assert table.caption == f"Graph(x) on {xp.ones(1).backend}"
        *nodes, result = table.rows[1:]
        assert [row[1] for row in nodes] == [node.name for node in graph.nodes]
        assert result == ["return", "", ", ".join(graph.outputs)]


class TestSequential:
    def test_functions_are_shown(self) -> None:
        leaky = functools.partial(unify.leaky_relu, alpha=0.1)
        net = unify.Sequential(unify.Linear(1, 1), unify.tanh, leaky, unify.relu)
        assert repr(net).splitlines()[1:] == [
            "  0: Linear(1, 1)  w float64 (1, 1), b float64 (1,)",
            "  1: tanh",
            "  2: leaky_relu(alpha=0.1)",
            "  3: relu",
        ]

    def test_functions_alone(self) -> None:
        assert repr(unify.Sequential(unify.tanh)).splitlines() == [
            "Sequential: 0 numbers in 0 variables", "  0: tanh",
        ]  # fmt: skip

    def test_attributes_of_other_modules_are_none_of_their_layers(self) -> None:
        net = unify.Linear(1, 1)
        net.note = unify.tanh
        assert "tanh" not in repr(net)


@pytest.mark.parametrize("precision", [2, 5])
@pytest.mark.eager
def test_arrays_follow_numpys_print_options(precision: int, xp: ModuleType) -> None:
    x = xp.asarray([1 / 3])
    with np.printoptions(precision=precision):
        assert f"0.{'3' * precision}]" in repr(x)
    with np.printoptions(threshold=4, edgeitems=1):
        assert "..." in repr(xp.arange(100))
        assert "..." in repr(unify.Container(a=xp.arange(10)))
