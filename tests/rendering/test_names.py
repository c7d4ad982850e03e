"""The global names of rendered functions: each is defined where its source uses it."""

from __future__ import annotations

import ast
import dis
import re
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import binding_of
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.rendering import functions

PACKAGE = Path(unify.__file__).parent


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code and those of the comprehensions in it."""
    yield code
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _codes(value)


def _used(function: FunctionType) -> set[str]:
    """Return the global names that the code of a function reads."""
    return {
        instruction.argval
        for code in _codes(function.__code__)
        for instruction in dis.get_instructions(code)
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME") and instruction.argval[0] == "_"
    }


def _defined(function: FunctionType) -> set[str]:
    """Return the global names of a function, without those of all and those of its patches.

    PyTorch's compiler adds names, which don't begin with one underscore.
    """
    shared = {*functions._NAMES, "_render", "_rendered", "_graph_call"}
    return {name for name in function.__globals__ if re.match("_[a-z]", name)} - shared


def _rendered(backend: str) -> Iterator[FunctionType]:
    """Yield the rendered functions of a backend, and those of the top level."""
    binding = binding_of(backend)
    binding.complete()
    members = [value for kind in binding.classes for value in vars(kind).values()]
    found = [*binding.functions.values(), *(getattr(m, "fget", None) or m for m in members)]
    found += [contract.public for contract in CONTRACTS.values()]
    for function in found:
        if type(function) is FunctionType:
            functions.rendered(function)
            if function.__code__.co_filename.startswith("<arrayapi_unify"):
                yield function


class TestNames:
    def test_are_those_that_the_source_uses(self, xp: ModuleType) -> None:
        made = list(_rendered(xp.__unify_backend__))
        assert len(made) > 400
        for function in made:
            file = function.__code__.co_filename
            assert _used(function) <= {*functions._NAMES, *_defined(function)}, file
            assert _defined(function) <= _used(function), file

    @pytest.mark.quick
    def test_are_no_strings_in_binding(self) -> None:
        names = set[str]()
        for function in _rendered("numpy"):
            names |= _used(function) | _defined(function)
        assert len(names) > 40
        for path in sorted((PACKAGE / "binding").glob("*.py")):
            found = {
                node.value
                for node in ast.walk(ast.parse(path.read_text()))
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            }
            assert not found & names, path.name

    def test_follow_the_default_data_types(self, xp: ModuleType) -> None:
        """The functions stay, with other values of their global names."""
        add, operator = xp.add, type(xp.asarray(1)).__add__
        before: list[Any] = [dict(function.__globals__) for function in (add, operator)]
        with unify.default_dtype(unify.float32):
            x = xp.asarray([1, 2])
            assert xp.sqrt(x).dtype is xp.float32
            assert (x / x).dtype is xp.float32
        assert xp.add is add
        for function, names in zip((add, operator), before, strict=True):
            assert function.__globals__.keys() == names.keys()
