"""Our functions call the recorder while a thread traces, whichever door a call comes through.

Until then nothing is in their way, and nothing is left in it: the functions' code is exchanged
while a trace runs. So it doesn't matter who holds them: a module, a class, or the user's own names.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any, Final

from arrayapi_unify.array_object.operators import ARITHMETIC, COMPARISON, UNARY
from arrayapi_unify.binding import CONTRACTS, binding_of

__all__ = ["active", "interposed"]


class _Active(threading.local):
    recorder: Any = None


active: Final = _Active()
"""The recorder of this thread."""

_lock: Final = threading.RLock()
_tracing: list[Any] = []
# Of each backend, the functions with what they do while a trace runs.
_prepared: dict[str, list[tuple[FunctionType, Any, Any]]] = {}


def _diverted(*args: Any, **kwargs: Any) -> Any:
    return _graph_call(args, kwargs)  # type: ignore[name-defined]  # noqa: F821  # a global name of the function whose code this becomes


def _copy(function: FunctionType) -> FunctionType:
    made = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _prepare(function: Any, how: str, name: str) -> tuple[FunctionType, Any, Any]:
    """Put the way to the recorder among a function's global names; each function has its own."""
    own = _copy(function)

    def call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        recorder = active.recorder
        if recorder is None or recorder.inside:
            return own(*args, **kwargs)
        return getattr(recorder, how)(name, own, args, kwargs)

    function.__globals__["_graph_call"] = call
    return function, function.__code__, _diverted.__code__


def _special_methods(binding: Any) -> Iterator[tuple[Any, str, str]]:
    """Yield the special members of the array classes, what they record by, and their functions."""
    for kind in binding._kinds():
        for names, how in ((COMPARISON, "operator"), (UNARY, "unary"), (ARITHMETIC, "operator")):
            for operator, function in names.items():
                yield vars(kind).get(f"__{operator}__"), how, function
        for operator, function in ARITHMETIC.items():
            yield vars(kind).get(f"__r{operator}__"), "reflected", function
            yield vars(kind).get(f"__i{operator}__"), "in_place", function
        yield vars(kind).get("__getitem__"), "unary", "get_item"
        yield vars(kind).get("__setitem__"), "unary", "set_item"
        yield getattr(vars(kind).get("T"), "fget", None), "transposed", "matrix_transpose"


def _functions(name: str, composed: Iterable[str]) -> list[tuple[FunctionType, Any, Any]]:
    found = _prepared.get(name)
    if found is None:
        binding = binding_of(name)
        binding.complete()
        found = []
        for qualified_name, bound in binding.bound.items():
            if bound.native is not None:
                function = binding.functions[qualified_name]
                found.append(_prepare(function, "call", qualified_name))
                found.append(_prepare_once(qualified_name))
        for qualified_name in composed:
            function = binding.functions[qualified_name]
            found.append(_prepare(function, "composed", qualified_name))
        for function, how, of in _special_methods(binding):
            # Those of halves call the functions, by what they close over.
            if isinstance(function, FunctionType) and function.__closure__ is None:
                found.append(_prepare(function, how, of))
        _prepared[name] = found
    return found


_public: dict[str, tuple[FunctionType, Any, Any]] = {}


def _prepare_once(name: str) -> tuple[FunctionType, Any, Any]:
    """Prepare the top level's function, which all backends have in common."""
    if name not in _public:
        _public[name] = _prepare(CONTRACTS[name].public, "top_level", name)
    return _public[name]


@contextmanager
def interposed(recorder: Any, name: str) -> Iterator[None]:
    """Have our functions of a backend call a recorder, where this thread calls them."""
    with _lock:
        functions = _functions(name, recorder.engine.COMPOSED)
        _tracing.append(name)
        for function, _, diverted in functions:
            function.__code__ = diverted
    outer, active.recorder = active.recorder, recorder
    try:
        yield
    finally:
        active.recorder = outer
        with _lock:
            _tracing.remove(name)
            if not _tracing:
                for function, own, _ in _every():
                    function.__code__ = own


def _every() -> Iterator[tuple[FunctionType, Any, Any]]:
    for found in _prepared.values():
        yield from found
