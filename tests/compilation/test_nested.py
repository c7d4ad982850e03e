"""Graphs, compiled functions and `vmap` inside of functions that a graph records."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify

X = np.asarray([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])


def row(xp: ModuleType, x: Any) -> Any:
    return xp.sin(x) * 2 + xp.sum(x)


def made_before(xp: ModuleType, of: Callable[..., Any]) -> Any:
    """Return a function that was called before, with its own program for such arrays."""
    inner = of(lambda x: row(xp, x), xp.zeros_like(xp.asarray(X)))
    inner(xp.asarray(X))
    inner(xp.asarray(X))
    return inner


pytestmark = pytest.mark.usefixtures("broken")
OUTER = {
    "compile": lambda f, *args: unify.compile(f),
    "compile_graph": lambda f, *args: unify.compile_graph(f, *args),
}


@pytest.mark.slow_on("torch")
@pytest.mark.parametrize("outer", OUTER)
class TestNested:
    """A graph inside of another one is inlined."""

    @pytest.mark.parametrize("inner", OUTER)
    def test_functions_made_before(self, xp: ModuleType, outer: str, inner: str) -> None:
        x, known = xp.asarray(X), made_before(xp, OUTER[inner])
        found = OUTER[outer](lambda y: known(y) - 1, xp.zeros_like(x))(x)
        np.testing.assert_allclose(np.asarray(found), np.sin(X) * 2 + np.sum(X) - 1)

    @pytest.mark.parametrize("inner", OUTER)
    def test_functions_made_inside(self, xp: ModuleType, outer: str, inner: str) -> None:
        def program(y: Any) -> Any:
            return OUTER[inner](lambda z: row(xp, z), y)(y) - 1

        x = xp.asarray(X)
        found = OUTER[outer](program, xp.zeros_like(x))(x)
        np.testing.assert_allclose(np.asarray(found), np.sin(X) * 2 + np.sum(X) - 1)

    def test_compiled_namespaces(self, xp: ModuleType, outer: str) -> None:
        compiled = unify.compiled_namespace(xp)
        x = xp.asarray(X)
        found = OUTER[outer](lambda y: compiled.argmax(compiled.sort(y)), xp.zeros_like(x))(x)
        assert found.tolist() == np.argmax(np.sort(X))

    def test_rows(self, xp: ModuleType, outer: str) -> None:
        x = xp.asarray(X)
        found = OUTER[outer](unify.vmap(lambda y: row(xp, y)), xp.zeros_like(x))(x)
        expected = np.stack([np.sin(r) * 2 + np.sum(r) for r in X])
        np.testing.assert_allclose(np.asarray(found), expected)


@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_keys_and_writes(xp: ModuleType, dtype: str) -> None:
    """Float16 arrays have methods of all classes: each is recorded as itself."""

    def program(x: Any) -> Any:
        x[1:] = x[:-1]
        y = x[1] + x
        y -= 1
        y *= x
        return y

    x = xp.asarray([1.0, 2.0, 4.0], dtype=dtype)
    found = unify.compile_graph(program, xp.zeros_like(x))(x)
    assert (found.tolist(), x.tolist()) == ([1.0, 1.0, 4.0], [1.0, 1.0, 2.0])
