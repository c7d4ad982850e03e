"""When a write goes into a tensor's memory, and when it has to make another tensor.

A write to memory that autograd has seen would change what it keeps for the derivatives. PyTorch
notices that, and refuses to differentiate. So a tensor that is tracked is replaced, and one that
becomes tracked by the write is as well, provided that no other tensor shows its memory: nobody could
tell that one.
"""

from __future__ import annotations

from typing import Any

import torch

__all__ = ["apart", "makes_another", "overlap"]

Tensor = torch.Tensor

_is_wrapped = torch._C._functorch.is_functorch_wrapped_tensor
# Set on tensors whose memory other tensors show, and which a write made part of a graph.
_WRITTEN = "_unify_written"


def makes_another(x: Tensor, value: Any) -> bool:
    """Whether `x[...] = value` must give another tensor and leave x as it is."""
    if x.requires_grad:
        return torch.is_grad_enabled() and not hasattr(_root(x), _WRITTEN)
    if not isinstance(value, Tensor) or torch.compiler.is_compiling():
        return False
    tracked = value.requires_grad and torch.is_grad_enabled()
    if not tracked and (not _is_wrapped(value) or _is_wrapped(x)):
        return False
    if _alone(x):
        return True
    if tracked:
        setattr(_root(x), _WRITTEN, True)
    return False


def _root(x: Tensor) -> Tensor:
    return x if x._base is None else x._base


def _alone(x: Tensor) -> bool:
    """Whether no other tensor shows the memory of x."""
    try:
        storage = x.untyped_storage()
    except NotImplementedError:  # what torch.func transforms has no memory
        return True
    return storage.resizable() and torch._C._storage_Use_Count(storage._cdata) == 1  # type: ignore[attr-defined]  # not in the stubs


def overlap(x: Tensor, y: Any) -> bool:
    """Whether two tensors may show the same memory in different ways; tracers take care of it."""
    if y is x or not isinstance(y, Tensor) or torch.compiler.is_compiling():
        return False
    try:
        return x.untyped_storage()._cdata == y.untyped_storage()._cdata
    except NotImplementedError:
        return False


def apart(x: Tensor, y: Any) -> Any:
    """Return y, as a copy where a write to x might change it on the way."""
    return y.clone() if overlap(x, y) else y
