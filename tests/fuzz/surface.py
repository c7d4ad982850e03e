"""All public targets, each with valid calls.

Functions have the calls that `tests/test_invalid_arguments.py` draws for them; methods of Array and
Container have those of their functions, with the first array as self. The rest is in `lines`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.contract import Contract
from tests.differential.case import ArrayArg, Case, build
from tests.differential.outcome import resolve
from tests.fuzz.lines import LINES
from tests.fuzz.source import Call, parsed
from tests.test_invalid_arguments import right_calls

__all__ = ["Target", "every", "functions", "target"]


@dataclass(frozen=True)
class Target:
    """A target, and valid calls of it."""

    name: str
    calls: tuple[Call, ...]

    def parameters(self, call: Call) -> list[inspect.Parameter]:
        """Return the parameters of a call's target; none without a signature."""
        try:
            function = call.function(namespace_of("numpy"))
            return list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):
            return []


def functions() -> list[str]:
    """Name all targets but methods: functions, classes, operators."""
    others = (name for name in LINES if name not in CONTRACTS)
    return [*CONTRACTS, *(name for name in others if not name.startswith("instrument."))]


def every() -> list[str]:
    """Name all targets."""
    return [*functions(), *_methods("Array", unify.Array), *_methods("Container", unify.Container)]


def _methods(of: str, kind: type) -> Iterable[str]:
    for contract in CONTRACTS.values():
        name = contract.qualified_name
        if name not in LINES and hasattr(kind, contract.name) and any(_receivers(name)):
            yield f"{of}.{name}"


def _receivers(function: str) -> list[Case]:
    """Return the calls with an array that may be self."""
    return [c for c in right_calls(function) if c.args and isinstance(c.args[0], ArrayArg)]


@functools.cache
def target(name: str) -> Target:
    """Find a target by its name."""
    if name in LINES:
        return Target(name, tuple(map(parsed, LINES[name])))
    of, _, rest = name.partition(".")
    if of in ("Array", "Container"):
        return Target(name, tuple(_methods_calls(of, CONTRACTS[rest])))
    return Target(name, tuple(_function_calls(CONTRACTS[name])))


def _function_calls(contract: Contract) -> Iterable[Call]:
    """Call a function through the namespace, and through the top level."""
    name = contract.qualified_name
    for i, case in enumerate(right_calls(name)):
        namespace = "unify" if i % 3 == 2 else "xp"
        function = functools.partial(_of_top_level if i % 3 == 2 else resolve, function=name)
        yield Call(function, f"{namespace}.{name}", case.args, tuple(case.kwargs.items()))


def _of_top_level(xp: ModuleType, function: str) -> Callable[..., Any]:
    return resolve(unify, function)


def _methods_calls(of: str, contract: Contract) -> Iterable[Call]:
    for case in _receivers(contract.qualified_name):
        function = functools.partial(_method, of=of, name=contract.name, receiver=case.args[0])
        left = f"{case.args[0]!r}" if of == "Array" else f"unify.Container(a={case.args[0]!r})"
        text = f"{left}.{contract.name}"
        yield Call(function, text, case.args[1:], tuple(case.kwargs.items()))


def _method(xp: ModuleType, of: str, name: str, receiver: ArrayArg) -> Callable[..., Any]:
    array = build(receiver, xp)
    found: Any = array if of == "Array" else unify.Container(a=array)
    return getattr(found, name)  # type: ignore[no-any-return]
