"""Compilers that are quick: PyTorch traces as always, and generates no code.

NumPy's graphs are another package's business. Here a stand-in remembers what it was asked for.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from arrayapi_unify.binding import namespace_of
from tests.installed import INSTALLED

COMPILING = [name for name in INSTALLED if name != "numpy"]


class Recorder:
    """What stands in for `compile_graph`: graphs that call the function again."""

    def __init__(self) -> None:
        self.traced: list[list[tuple[type, tuple[int, ...]]]] = []

    def compile_graph(self, function: Callable[..., Any], *args: Any) -> Callable[..., Any]:
        self.traced.append([(type(x), x.shape) for x in args])
        return function


@pytest.fixture
def graphs(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """A stand-in for the compiler of graphs."""
    recorder = Recorder()
    module: Any = SimpleNamespace(compile_graph=recorder.compile_graph)
    monkeypatch.setitem(sys.modules, "arrayapi_unify.graph", module)
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
