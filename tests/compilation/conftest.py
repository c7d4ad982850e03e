"""Compilers that are quick: PyTorch traces as always, and generates no code.

NumPy's graphs are made by another package. What it was asked for is remembered here.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from arrayapi_unify.binding import namespace_of
from tests.installed import INSTALLED

COMPILING = [name for name in INSTALLED if name != "numpy"]


class Recorder:
    """`compile_graph`, with a memory."""

    def __init__(self, compile_graph: Callable[..., Any]) -> None:
        self._compile_graph = compile_graph
        self.traced: list[list[tuple[type, tuple[int, ...]]]] = []

    def compile_graph(self, function: Callable[..., Any], *args: Any) -> Any:
        self.traced.append([(type(x), x.shape) for x in args])
        return self._compile_graph(function, *args)


@pytest.fixture
def graphs(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """Remember what the compiler of graphs is asked for."""
    module = importlib.import_module("arrayapi_unify.graph")
    recorder = Recorder(module.compile_graph)
    monkeypatch.setattr(module, "compile_graph", recorder.compile_graph)
    return recorder


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, graphs: Recorder) -> None:
    """Have PyTorch run what it traced."""
    if "torch" in INSTALLED:
        module = importlib.import_module("arrayapi_unify.backends.torch._compilation")
        # A graph break would be a call that isn't compiled, without a word.
        whole = functools.partial(module.compiled, backend="eager", fullgraph=True)
        monkeypatch.setattr(module, "compiled", whole)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, quick: None) -> None:
    """Let PyTorch run in Python what its compiler doesn't follow, as it does by default."""
    if "torch" in INSTALLED:
        module = importlib.import_module("arrayapi_unify.backends.torch._compilation")
        compiled = functools.partial(module.compiled, fullgraph=False)
        monkeypatch.setattr(module, "compiled", compiled)


@pytest.fixture(params=INSTALLED)
def xp(request: pytest.FixtureRequest, quick: None) -> ModuleType:
    """The bound namespace of each backend."""
    return namespace_of(request.param)


@pytest.fixture(params=COMPILING)
def compiling(request: pytest.FixtureRequest, quick: None) -> ModuleType:
    """The bound namespace of each backend whose library compiles."""
    return namespace_of(request.param)
