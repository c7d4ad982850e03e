"""Our functions call the recorder while a thread traces, whichever entry point is called.

Until then nothing is in their way, and nothing is left in it: the functions' code is exchanged
while a trace runs. So it doesn't matter who holds them: a module, a class, or the user's own names.
Other threads meanwhile ask whether they trace, and call the function's own code.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any, Final

from arrayapi_unify.array_object.operators import ARITHMETIC, COMPARISON, UNARY
from arrayapi_unify.binding import CONTRACTS, binding_of
from arrayapi_unify.binding.functions import rendered
from arrayapi_unify.locks import after_fork, new_lock

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
# Of each backend, the functions with what they do while a trace runs.
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
    """Put the way to the recorder among a function's global names; each function has its own."""
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
    """Return the functions of a backend, prepared; the lock is held."""
    found = _patches.get(name)
    if found is None:
        binding = binding_of(name)
        found = []
        for qualified_name, bound in list(binding.bound.items()):
            if bound.native is not None:
                function = binding.functions[qualified_name]
                found.append(_make_patch(function, "call", qualified_name))
                found.append(_make_public_patch(qualified_name))
        for qualified_name in composed:
            function = binding.functions[qualified_name]
            found.append(_make_patch(function, "composed", qualified_name))
        for function, how, of in _special_methods(binding):
            # Those of float16 and bfloat16 call the functions, by what they close over.
            if isinstance(function, FunctionType) and function.__closure__ is None:
                found.append(_make_patch(function, how, of))
        _patches[name] = found
    return found


def _make_public_patch(name: str) -> tuple[FunctionType, Any, Any]:
    """Prepare the top level's function, which all backends have in common."""
    if name not in _public:
        _public[name] = _make_patch(CONTRACTS[name].public, "top_level", name)
    return _public[name]


class patched:
    """Have our functions of a backend call a recorder, where this thread calls them."""

    __slots__ = ("_before", "_name", "_recorder")

    def __init__(self, recorder: Any, name: str) -> None:
        """Get ready."""
        self._recorder, self._name = recorder, name
        self._before = active.trace

    def __enter__(self) -> None:
        """Begin the trace."""
        try:
            if self._name not in _patches:
                binding_of(self._name).complete()  # no lock is held while modules are imported
            trace = active.trace = _Trace(self._recorder, self._before)
            with _lock:
                functions = _functions(self._name, self._recorder.engine.COMPOSED)
                _tracing.add(trace)
                for function, _, trampoline in functions:
                    function.__code__ = trampoline
        except BaseException:  # an interrupt, after which nobody leaves
            go_back(self._before)
            raise

    def __exit__(self, *exc: object) -> None:
        """End the trace."""
        go_back(self._before)


def go_back(before: _Trace | None) -> None:
    """Go back to the trace that was the innermost one of this thread, or to none.

    An interrupt may end this, too: who begins a trace calls it once more.
    """
    trace = active.trace
    while trace is not None and trace is not before:
        _tracing.discard(trace)
        trace = trace.outer
    active.trace = before
    if not _tracing:
        _restore()


def _restore() -> None:
    """Let the functions have their own code, unless somebody traces."""
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
    """Forget the traces of threads that a forked child doesn't have."""
    here = threading.get_ident()
    _tracing.difference_update([trace for trace in _tracing if trace.thread != here])
    if _patches and not _tracing:
        _restore()
