"""Plain tensors that autograd has saved for a derivative, and that are about to be written to.

Autograd keeps the tensors themselves, and refuses to differentiate when one was written to since.
So a write to such a tensor makes another one, as a write to a tracked tensor does. Nobody looks but
while a derivative may be asked for: until then the fastest writes ask nothing.
"""

from __future__ import annotations

import importlib
import threading
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from typing import Any, Final

import torch

from arrayapi_unify.backends._common.checks.arguments import TrackedError
from arrayapi_unify.backends.torch._core import all_rows, is_compiling, is_wrapped, transforming
from arrayapi_unify.backends.torch._scattered import check_follows

Tensor = torch.Tensor

_writing: Final[list[dict[str, Any]]] = []
_uses: Final[Any] = torch._C._storage_Use_Count
_lock: Final = threading.RLock()  # a tape may end while another begins
_GUARDED: Final = torch.float64
tapes = 0
# The number of nested functions that autograd is differentiating.
depth: ContextVar[int] = ContextVar("arrayapi_unify_torch_gradients", default=0)
# True while a function is called whose derivative may be differentiated.
twice: ContextVar[bool] = ContextVar("arrayapi_unify_torch_second_gradients", default=False)


def guard_writes(names: dict[str, Any]) -> None:
    """Keep the global names of the fast path of a writing function, which guards a data type."""
    with _lock:
        _writing.append(names)
        names["_guard_dtype"] = None if tapes else _GUARDED


class Tape:
    """A derivative that may be asked for as long as this lives."""

    __slots__ = ()

    def __init__(self) -> None:
        """Have writes look at what is saved."""
        global tapes
        with _lock:
            tapes += 1
            if tapes == 1:
                for names in _writing:
                    names["_guard_dtype"] = None

    def __del__(self) -> None:
        global tapes
        if _lock is None:  # when Python ends
            return
        with _lock:
            tapes -= 1
            if not tapes:
                for names in _writing:
                    names["_guard_dtype"] = _GUARDED


def is_saved(x: Any) -> bool:  # PyTorch has no types for its counters
    """Return True if autograd may need the value that a plain tensor has now.

    A saved tensor has an owner other than Python. Each view owns its source, too; the count of
    the storage tells these apart.
    """
    if not tapes or x.requires_grad or is_wrapped(x):
        return False
    try:
        root = x._base
        if root is not None and x._use_count() > 1:
            return True
        whole = x if root is None else root
        return bool(whole._use_count() > _uses(x.untyped_storage()._cdata) - 1)
    except (RuntimeError, NotImplementedError, AttributeError):  # transformed by torch.func
        return False


def check_untracked(x: Tensor) -> None:
    """Refuse to make a constant of a tensor that a derivative is being computed by.

    Callers ask for `tapes` and `x.requires_grad` first, which takes no time.
    """
    if depth.get() or is_wrapped(x):
        raise TrackedError("autograd tracks the tensor")


def is_tracked_whole(x: Tensor) -> bool:
    """Return True if autograd tracks the rows of a mapped tensor that is no view of another one.

    A write to a view has to reach the other one, and goes to its memory.
    """
    rows = all_rows(x)
    return rows.requires_grad and not rows._is_view()


def unsaved(x: Tensor) -> Tensor:
    """Return a plain tensor to write to: a copy, if autograd may ask for this one's values."""
    if type(x) is not Tensor:
        check_follows(x)
    if not tapes or is_compiling():
        return x
    if is_wrapped(x):  # its counters are those of the wrapper
        return x.clone() if is_tracked_whole(x) else x
    if not is_saved(x):
        return x
    with _outside():
        return x.clone()


def _outside() -> AbstractContextManager[Any]:
    """Leave the transformations of torch.func, as what is computed in them may not outlive them."""
    if not transforming():
        return nullcontext()
    module: Any = importlib.import_module("torch._functorch.pyfunctorch")
    return module.temporarily_clear_interpreter_stack()
