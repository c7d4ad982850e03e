"""A failing call releases its arguments immediately, without the garbage collector."""

from __future__ import annotations

import ast
import traceback
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from tests.installed import LAZY
from tests.tables import each
from tests.views.failures import WAYS
from tests.views.released import uncollected

SOURCES = Path(unify.__file__).parent


def held(make: Callable[[], Any], fail: Callable[[Any], Any]) -> tuple[bool, str]:
    """Return True if the result of `make` outlives a failing call, and the exception's name."""
    x = make()
    ref = weakref.ref(x)
    raised = "nothing"
    with uncollected():
        try:
            fail(x)
        except Exception as error:
            raised = type(error).__name__
        del x
        return ref() is not None, raised


def _failing(x: Any) -> Any:
    raise ArithmeticError


# The compilers' own messages for code that they can't compile.
REFUSED = {"compiled": "x @ x", "compiled raising": "failing(x)"}


def keeps_what_it_refuses(
    compiler: Callable[[Any], Any], refused: str, make: Callable[[], Any]
) -> bool:
    """Return True if a library's compiler keeps the frames of calls that it can't compile.

    The function is a new one each time, because a compiler caches the code that it refused.
    """
    names: dict[str, Any] = {"failing": _failing}
    exec(f"def refused(x):\n    return {refused}\n", names)
    return held(make, lambda x: compiler(names["refused"])(x))[0]


@pytest.mark.slow_on("torch", "tensorflow", "jax")
@pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning")  # of torch.compile
@each("way", WAYS)
def test_of_the_arguments(xp: ModuleType, way: str) -> None:
    def stays() -> bool:
        stay, raised = held(lambda: xp.ones((2, 3)) * 2.0, lambda x: WAYS[way](xp, x))
        assert raised != "nothing" or (way == "value" and xp.zeros(1).backend in LAZY)
        return stay

    # A library imported by the first call may keep it in frames.
    if not (stays() and stays()):
        return
    assert way in REFUSED, "the argument is alive"
    assert xp.zeros(1).backend == "torch"
    torch = pytest.importorskip("torch")
    assert keeps_what_it_refuses(torch.compile, REFUSED[way], lambda: torch.ones(2, 3))


def test_the_exception_itself(xp: ModuleType) -> None:
    with uncollected():
        try:
            xp.add(xp.ones(2), xp.ones(3))
        except ValueError as error:
            ref = weakref.ref(error)
        assert ref() is None


def test_the_traceback_is_whole(xp: ModuleType) -> None:
    """It shows the user's line and the cause of the error, for each entry point."""
    for fail in (
        lambda: xp.sum(xp.ones(2), axis=7),
        lambda: xp.ones(2).sum(axis=7),
        lambda: xp.ones(2)[7],
        lambda: unify.Container(a=xp.ones(2)).sum(axis=7),
    ):
        with pytest.raises(IndexError) as caught:
            fail()
        shown = traceback.extract_tb(caught.value.__traceback__)
        assert shown[1].filename == __file__
        assert caught.value.__cause__ is not caught.value


def test_six_failed_additions_hold_nothing() -> None:
    xp = unify.get_backend("numpy")
    refs = []
    with uncollected():
        for _ in range(6):
            data = np.ones(5_000_000)
            refs.append(weakref.ref(data))
            with pytest.raises(ValueError, match="shape"):
                xp.add(xp.asarray(data, copy=False), xp.ones(3))
            del data
        assert [ref() for ref in refs] == [None] * 6


# --- the rule in `errors` ---------------------------------------------------------------------


def _raising() -> Iterator[tuple[str, ast.FunctionDef, ast.Raise]]:
    """Find `raise` statements of names that `except ... as` doesn't bind."""
    for path in sorted(SOURCES.rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text())):
            if not isinstance(function, ast.FunctionDef):
                continue
            bound = {h.name for h in ast.walk(function) if isinstance(h, ast.ExceptHandler)}
            for node in _own(function):
                if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Name):
                    name = node.exc.id
                    if name not in bound and not name[0].isupper() and not name.startswith("_"):
                        yield str(path.relative_to(SOURCES)), function, node


def _own(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Walk a function without its nested functions."""
    nodes: list[ast.AST] = list(function.body)
    while nodes:
        node = nodes.pop()
        yield node
        if not isinstance(node, ast.FunctionDef):
            nodes.extend(ast.iter_child_nodes(node))


def _deleted(function: ast.FunctionDef) -> set[str]:
    """Return the names that a `finally` of a function deletes."""
    ends = [one for t in ast.walk(function) if isinstance(t, ast.Try) for one in t.finalbody]
    targets = [target for one in ends if isinstance(one, ast.Delete) for target in one.targets]
    return {target.id for target in targets if isinstance(target, ast.Name)}


@pytest.mark.slow
def test_what_is_raised_by_name_is_deleted() -> None:
    found = [(path, function, node.exc.id) for path, function, node in _raising()]  # type: ignore[union-attr]  # names
    wrong = {f"{path}: {f.name}: {name}" for path, f, name in found if name not in _deleted(f)}
    assert not wrong
    assert found
