"""Compilation by `torch.compile`."""

from __future__ import annotations

import functools
import importlib
import itertools
import sys
import threading
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import torch

from arrayapi_unify._core.locks import new_lock
from arrayapi_unify.backends.torch._core import (
    is_compiling,
    is_wrapped,
    modes,
    transforming as transforming,  # of the protocol
)
from arrayapi_unify.backends.torch._inductor import inductor
from arrayapi_unify.backends.torch._saved import twice
from arrayapi_unify.backends.torch.gradients import calls
from arrayapi_unify.errors import BackendError, UnifyError

WHOLE: Final = True
TRACKED: Final = "requires_grad"

_OURS: Final = "_UnifyError"  # what all functions that binding makes have among their names
_PACKAGE: Final = __name__.partition(".")[0]
_FOLDER: Final = str(Path(__file__).parents[2])
_RECOVERING: Final = ("recover", "failed")  # where binding handles an exception
# The places where PyTorch finds our modules, and the built-in functions.
_MODULES: Final = (f"G['__import_{_PACKAGE}_dot_", "G['__builtins_dict_")


def _kept(guards: Sequence[Any]) -> list[bool]:
    """Say which guards are checked before each call.

    PyTorch watches every global name that it met. Those of our own functions never change, and
    looking at them takes as long as a small function does.
    """
    for guard in guards:
        if isinstance(guard.value, torch.Tensor):
            # PyTorch makes the guards again, and compares temporary tensors by `==`: tensors
            # of NumPy's arrays, and attributes such as `x.mT`.
            guard.orig_guard.obj_weakref = None
    scopes = [
        guard.name
        for guard in guards
        if isinstance(guard.value, dict) and guard.value.get(_OURS) is UnifyError
    ]
    return [not _is_ours(guard, (*_MODULES, *scopes)) for guard in guards]


def _is_ours(guard: Any, places: Sequence[str]) -> bool:
    """Return True if a guard checks what never changes: our modules, functions or defaults."""
    default = ".__kwdefaults__[" in guard.name
    if default and type(guard.value).__module__.partition(".")[0] == _PACKAGE:
        return True
    return any(place in guard.name for place in places)


def compiled(
    function: Callable[..., Any], dynamic: bool | None, **options: Any
) -> Callable[..., Any]:
    """Compile by inductor, which needs a compiler of C++ on processors."""
    _check_import_order()
    if options.keys().isdisjoint(("mode", "options")):
        options = {"backend": inductor, "options": {"guard_filter_fn": _kept}, **options}
    program = torch.compile(function, dynamic=dynamic, **options)
    program = _reporting(function, program) if options.get("fullgraph") else program

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if is_compiling() or not twice.get():
            return program(*args, **kwargs)
        # The compiler's derivatives have none, and say so in some calls alone.
        return function(*args, **kwargs)

    return call


def _check_import_order() -> None:
    """Refuse to compile where the compiler's import of triton would end the process.

    `backends/_triton_first.py` prevents it, unless TensorFlow was imported before anything of ours.
    """
    if "tensorflow" in sys.modules and "triton" not in sys.modules and find_spec("triton"):
        raise BackendError(
            "compile: the compiler of the torch backend imports triton, which ends the process "
            "where TensorFlow was imported before it, as here; import triton, or "
            "arrayapi_unify.tensorflow, before tensorflow"
        )


def _reporting(function: Callable[..., Any], program: Callable[..., Any]) -> Callable[..., Any]:
    """Return a program that raises what the function raises.

    Of a graph that has to be whole, PyTorch says that an exception was in the way.
    """
    exceptions: Any = importlib.import_module("torch._dynamo.exc")

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return program(*args, **kwargs)
        except exceptions.Unsupported as error:
            if not _tells_of_exception(error, exceptions.ObservedException):
                raise
            unsupported = error
        try:
            function(*args, **kwargs)
            raise unsupported
        finally:
            del unsupported

    return call


def _tells_of_exception(error: Any, observed: type[Exception]) -> bool:
    """Return True where the tracer met an exception, or code of ours that makes an error of one."""
    if isinstance(error.__cause__ or error.__context__, (observed, TypeError)):
        return True
    return any(
        frame.filename.startswith(_FOLDER) and frame.name in _RECOVERING
        for frame in error.real_stack
    )


def refusal(function: str, error: Exception) -> BackendError | None:
    """Return an error of ours for what PyTorch's compiler can't compile; None for other errors."""
    exceptions: Any = importlib.import_module("torch._dynamo.exc")
    kinds = (exceptions.BackendCompilerFailed, exceptions.UncapturedHigherOrderOpError)
    if not isinstance(error, kinds):
        return None
    lines = [line for line in str(error).splitlines() if line.strip()]
    return BackendError(
        f"compile: PyTorch's compiler can't compile {function}: {' '.join(lines[:3])}; "
        f"call the function uncompiled, or compile parts of it"
    )


# --- arguments that share memory ----------------------------------------------------------------


def relation(natives: Sequence[Any]) -> tuple[Hashable, bool] | None:
    """Return the overlap of tensors, and True if the compiler sees it; None without one.

    A compiled program that writes has the offsets of overlapping tensors in it, and the sizes of
    their memory. Tensors of two data types, or of NumPy's arrays, it takes for separate.
    """
    if not overlap(*natives):
        return None
    places, end, last = set[int](), 0, 0
    for start, stop, i in sorted((*_span(x), i) for i, x in enumerate(natives)):
        if start < min(end, stop):
            places |= {last, i}
        if stop > end:
            end, last = stop, i
    if not places:
        return None
    found = {i: natives[i] for i in sorted(places)}
    memories = {x.untyped_storage()._cdata: x for x in found.values()}
    order = list(memories)  # addresses say which are the same, and aren't kept
    key = [(i, order.index(x.untyped_storage()._cdata), *_place(x)) for i, x in found.items()]
    types = {(x.untyped_storage()._cdata, x.dtype) for x in found.values()}
    # The compiler builds arguments that share memory from their base, if they lie there as a whole.
    whole = all(x.is_contiguous() for x in found.values())
    seen = whole and len(types) == len(memories) and not overlap(*memories.values())
    return tuple(key), seen


def _span(x: Any) -> tuple[int, int]:
    start = x.data_ptr()
    steps = sum((n - 1) * step for n, step in zip(x.shape, x.stride(), strict=True))
    return start, start + x.element_size() * (1 + steps) if x.numel() else start


def _place(x: Any) -> tuple[Any, ...]:
    nbytes = x.untyped_storage().nbytes()
    return nbytes, x.storage_offset(), x.dtype, tuple(x.shape), x.stride()


def versions(natives: Sequence[Any]) -> Any:
    """Return PyTorch's counts of the writes to tensors; what is unlike itself where it has none."""
    try:
        return [x._version for x in natives]
    except RuntimeError:  # for inference only
        return object()


def overlap(*natives: Any) -> bool:
    """Return False only if no two tensors lie in one memory, or that can't be known."""
    if is_compiling() or modes():
        return False
    try:
        if len(natives) == 2:
            x, y = natives[0].untyped_storage(), natives[1].untyped_storage()
            start, other = x.data_ptr(), y.data_ptr()
            return bool(start < other + y.nbytes() and other < start + x.nbytes())
        memories = [x.untyped_storage() for x in natives]
        spans = sorted([(memory.data_ptr(), memory.nbytes()) for memory in memories])
    except RuntimeError:  # tensors that torch.func transforms have no storage
        return False
    return any(x + size > y for (x, size), (y, _) in itertools.pairwise(spans))


# --- functions with derivatives -----------------------------------------------------------------

_one_at_a_time: Final = new_lock()


def derivatives() -> int:
    """Return how many derivatives this thread has computed outside of what was compiled."""
    return calls.unseen


def traceable(natives: Sequence[Any]) -> bool:
    """Return True if all are plain tensors, and none is tracked, mapped or traced."""
    if is_compiling() or modes():
        return False
    return not any(type(x) is not torch.Tensor or x.requires_grad or is_wrapped(x) for x in natives)


def traced(function: Callable[..., Any], natives: Sequence[Any], **options: Any) -> Any:
    """Compile what a function does to tensors of these shapes, derivatives and all.

    torch.compile reads Python's code, and doesn't follow it into a derivative. Here Python runs,
    with tensors that have no values, and what is done to them is compiled. A tensor from elsewhere
    is refused: it would be part of the program, though others may write to it.
    """
    _check_import_order()
    tensors: Any = importlib.import_module("torch.fx.experimental.proxy_tensor")
    with _one_at_a_time, _compiling():
        graph = tensors.make_fx(function, tracing_mode="fake")(*natives)
    return compiled(graph, False, **options)


class _Here:
    """Is true in this thread alone, and where a dispatch mode watches, as make_fx does.

    PyTorch's flag is that of the process: other threads would take what they compute for traced.
    Autograd computes derivatives in threads of its own, and hands the modes on to them.
    """

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    def __bool__(self) -> bool:
        return threading.get_ident() == self._thread or modes() > 0


@contextmanager
def _compiling() -> Iterator[None]:
    """Mark this thread as compiling, so that no function reads values."""
    compiler: Any = torch.compiler
    before = compiler._is_compiling_flag
    compiler._is_compiling_flag = _Here()
    try:
        yield
    finally:
        compiler._is_compiling_flag = before
