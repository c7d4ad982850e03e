"""Patching: our functions call the recorder while a thread traces, through every entry point.

The functions' code objects are replaced while a trace runs, so there is no overhead before and
after it. References to the functions, in modules, classes or the user's own names, need no change.
Other threads meanwhile check if they trace, and call the function's own code.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import FunctionType
from typing import Any, Final

from arrayapi_unify._core.locks import after_fork, new_lock
from arrayapi_unify.array_object.operators import ARITHMETIC, COMPARISON, UNARY
from arrayapi_unify.binding import binding_of
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.rendering.functions import rendered

__all__ = ["active", "patched", "go_back"]


class _Trace:
    """A trace that runs, inside of another one of its thread."""

    __slots__ = ("outer", "recorder", "thread")

    def __init__(self, recorder: Any, outer: _Trace | None) -> None:
        self.recorder = recorder
        self.outer = outer
        self.thread = threading.get_ident()


class _Active(threading.local):
    trace: _Trace | None = None


active: Final = _Active()
"""The innermost trace of this thread."""

_lock: Final = new_lock()
_tracing: Final[set[_Trace]] = set()
# The functions of each backend, with their code while a trace runs.
_patches: Final[dict[str, list[tuple[FunctionType, Any, Any]]]] = {}
_public: Final[dict[str, tuple[FunctionType, Any, Any]]] = {}


def _trampoline(*args: Any, **kwargs: Any) -> Any:
    return _graph_call(args, kwargs)  # type: ignore[name-defined]  # noqa: F821  # a global name of the function whose code this becomes


def _copy(function: FunctionType) -> FunctionType:
    made = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _make_patch(function: Any, how: str, name: str) -> tuple[FunctionType, Any, Any]:
    """Add the call of the recorder to a function's global names; each function has its own."""
    own = _copy(rendered(function))

    def call(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        trace = active.trace
        if trace is None:
            if not _tracing:
                _restore()
            return own(*args, **kwargs)
        recorder = trace.recorder
        if recorder.inside:
            return own(*args, **kwargs)
        return getattr(recorder, how)(name, own, args, kwargs)

    function.__globals__["_graph_call"] = call
    return function, function.__code__, _trampoline.__code__


def _special_methods(binding: Any) -> Iterator[tuple[Any, str, str]]:
    """Yield the special members of the array classes, their recorder methods and functions."""
    for kind in binding.classes:
        for names, how in ((COMPARISON, "operator"), (UNARY, "unary"), (ARITHMETIC, "operator")):
            for operator, function in names.items():
                yield vars(kind).get(f"__{operator}__"), how, function
        for operator, function in ARITHMETIC.items():
            yield vars(kind).get(f"__r{operator}__"), "reflected", function
            yield vars(kind).get(f"__i{operator}__"), "in_place", function
        yield vars(kind).get("__getitem__"), "unary", "get_item"
        yield vars(kind).get("__setitem__"), "unary", "set_item"
        yield getattr(vars(kind).get("T"), "fget", None), "transposed", "matrix_transpose"


def _functions(name: str) -> list[tuple[FunctionType, Any, Any]]:
    """Return the prepared functions of a backend; the caller holds the lock."""
    found = _patches.get(name)
    if found is None:
        binding = binding_of(name)
        found = []
        for qualified_name, bound in list(binding.bound.items()):
            if bound.native is not None:
                function = binding.functions[qualified_name]
                found.append(_make_patch(function, "call", qualified_name))
                found.append(_make_public_patch(qualified_name))
        for function, how, of in _special_methods(binding):
            # Those for float16 and bfloat16 call these by closures, or as methods. A function of
            # a module shares its global names with others, and so can't be patched.
            own = isinstance(function, FunctionType) and "__spec__" not in function.__globals__
            if own and function.__closure__ is None:
                found.append(_make_patch(function, how, of))
        _patches[name] = found
    return found


def _make_public_patch(name: str) -> tuple[FunctionType, Any, Any]:
    """Prepare the top-level function, which all backends share."""
    if name not in _public:
        _public[name] = _make_patch(CONTRACTS[name].public, "top_level", name)
    return _public[name]


class patched:
    """Makes our functions of a backend call a recorder in this thread."""

    __slots__ = ("_before", "_name", "_recorder")

    def __init__(self, recorder: Any, name: str) -> None:
        """Get ready."""
        self._recorder, self._name = recorder, name
        self._before = active.trace

    def __enter__(self) -> None:
        """Begin the trace."""
        try:
            if self._name not in _patches:
                binding_of(self._name).complete()  # modules are imported without the lock
            trace = active.trace = _Trace(self._recorder, self._before)
            with _lock:
                functions = _functions(self._name)
                _tracing.add(trace)
                for function, _, trampoline in functions:
                    function.__code__ = trampoline
        except BaseException:  # an interrupt, after which `__exit__` isn't called
            go_back(self._before)
            raise

    def __exit__(self, *exc: object) -> None:
        """End the trace."""
        go_back(self._before)


def go_back(before: _Trace | None) -> None:
    """Restore the previous innermost trace of this thread, or none.

    An interrupt may end this, too, so starting a trace calls it once more.
    """
    trace = active.trace
    while trace is not None and trace is not before:
        _tracing.discard(trace)
        trace = trace.outer
    active.trace = before
    if not _tracing:
        _restore()


def _restore() -> None:
    """Restore the functions' own code, unless a thread traces."""
    with _lock:
        if not _tracing:
            for function, own, _ in _every():
                if function.__code__ is not own:
                    function.__code__ = own


def _every() -> Iterator[tuple[FunctionType, Any, Any]]:
    for found in _patches.values():
        yield from found


@after_fork
def _alone() -> None:
    """Drop the traces of threads that don't exist in a forked child."""
    here = threading.get_ident()
    _tracing.difference_update([trace for trace in _tracing if trace.thread != here])
    if _patches and not _tracing:
        _restore()
