"""Fast compilers: PyTorch traces as always, and generates no code.

NumPy's graphs are created by another package, whose calls are recorded here.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from arrayapi_unify.binding import namespace_of
from tests.installed import DIFFERENTIATING, EAGER, INSTALLED


class Recorder:
    """`compile_graph` that records its calls."""

    def __init__(self, compile_graph: Callable[..., Any]) -> None:
        self._compile_graph = compile_graph
        self.traced: list[list[tuple[type, tuple[int, ...]]]] = []

    def compile_graph(self, function: Callable[..., Any], *args: Any) -> Any:
        self.traced.append([(type(x), x.shape) for x in args])
        return self._compile_graph(function, *args)


@pytest.fixture
def graphs(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """Record the calls of the graph compiler."""
    module = importlib.import_module("arrayapi_unify.graph")
    recorder = Recorder(module.compile_graph)
    monkeypatch.setattr(module, "compile_graph", recorder.compile_graph)
    return recorder


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch, graphs: Recorder) -> None:
    """Make PyTorch run the traced operations without code generation."""
    if "torch" in INSTALLED:
        module = importlib.import_module("arrayapi_unify.backends.torch._compilation")
        # A graph break would silently run a call uncompiled.
        whole = functools.partial(module.compiled, backend="eager", fullgraph=True)
        monkeypatch.setattr(module, "compiled", whole)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch, quick: None) -> None:
    """Allow graph breaks, as PyTorch does by default."""
    if "torch" in INSTALLED:
        module = importlib.import_module("arrayapi_unify.backends.torch._compilation")
        compiled = functools.partial(module.compiled, fullgraph=False)
        monkeypatch.setattr(module, "compiled", compiled)


@pytest.fixture(params=EAGER)
def xp(request: pytest.FixtureRequest, quick: None) -> ModuleType:
    """The bound namespace of each backend."""
    return namespace_of(request.param)


@pytest.fixture(params=DIFFERENTIATING)
def compiling(request: pytest.FixtureRequest, quick: None) -> ModuleType:
    """The bound namespace of each backend whose library has a compiler."""
    return namespace_of(request.param)
