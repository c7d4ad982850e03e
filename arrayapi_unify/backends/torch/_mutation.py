"""When a write goes into a tensor's memory, and when it has to make another tensor.

A write to memory that autograd has seen would change what it keeps for the derivatives. PyTorch
notices that, and refuses to differentiate. So a tensor that is tracked, or becomes tracked by the
write, is replaced; `views.memory` sees to those that share its memory.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import torch

from arrayapi_unify.backends._common.algorithms.memory import each
from arrayapi_unify.backends._common.protocols.interchange import overlaps
from arrayapi_unify.backends.kernel import Kernel
from arrayapi_unify.backends.torch._core import is_compiling, is_wrapped
from arrayapi_unify.backends.torch._saved import is_saved, is_tracked_whole, unsaved

Tensor = torch.Tensor


def makes_another(x: Tensor, value: Any) -> bool:
    """Return True if `x[...] = value` must return another tensor and leave x as it is."""
    if x.requires_grad or (isinstance(value, Tensor) and value.requires_grad):
        return torch.is_grad_enabled()
    if not is_compiling() and is_wrapped(x) and is_tracked_whole(x):
        return torch.is_grad_enabled()
    if not isinstance(value, Tensor):
        return False
    # A value that torch.func.vmap batched doesn't fit into memory allocated outside of it.
    return not is_compiling() and is_wrapped(value) and not is_wrapped(x)


def _write_unaliased(target: Tensor, value: Tensor) -> Tensor:
    """Store what was just computed: it has memory of its own."""
    tracked = target.requires_grad or value.requires_grad
    if tracked or is_compiling() or is_wrapped(value):
        return write(target, value)
    return unsaved(target).copy_(value)


@Kernel(unaliased=_write_unaliased)
def write(target: Tensor, value: Tensor) -> Tensor:
    """Store `value` in the memory of `target`, unless that must not be written to."""
    if makes_another(target, value):
        return value.to(target.dtype, copy=True)
    try:
        return unsaved(target).copy_(copied_if_shared(target, value))
    except RuntimeError:
        if not is_wrapped(value):
            raise
        return value.to(target.dtype, copy=True)  # it depends on more rows than the target


def copied_beside(x: Tensor, *others: Any) -> Tensor:
    """Return a copy of x to which the others can be written, which torch.vmap may have batched."""
    # torch.compile doesn't follow the question, and meets no tensors of torch.vmap.
    following = torch.compiler.is_dynamo_compiling()
    batched = [y for y in others if not following and isinstance(y, Tensor) and is_wrapped(y)]
    if not batched:
        return x.clone()
    none = functools.reduce(
        torch.logical_or, [torch.zeros_like(y, dtype=torch.bool).any() for y in (x, *batched)]
    )
    return none.new_empty(x.shape, dtype=x.dtype, device=x.device).copy_(x)


def write_through(target: Tensor, value: Tensor) -> Tensor:
    """Store a value in the memory of a tensor, also a tracked one; leaves can't be written to."""
    if target.requires_grad and target.is_leaf and torch.is_grad_enabled():
        return value
    if makes_another(target, value) and not value.requires_grad:
        return value
    return target.copy_(copied_if_shared(target, value))


def write_all(targets: Sequence[Tensor], values: Sequence[Tensor]) -> bool:
    """Store values in the memory of tensors, if that is what a write to each of them does."""
    tracked = torch.is_grad_enabled() and any(x.requires_grad for x in (*targets, *values))
    if tracked or (not is_compiling() and any(map(is_saved, targets))):
        return False
    if any(not x.is_contiguous() and overlaps_itself(x) for x in targets):
        return False
    if not is_compiling() and not _take(targets, values):
        return False
    if is_compiling():
        for target, value in zip(targets, values, strict=True):
            target.copy_(value)
    else:
        each(Tensor.copy_, targets, values)
    return True


def overlaps_itself(x: Tensor) -> bool:
    """Return True if two elements of a tensor share memory."""
    return overlaps(x.shape, x.stride())


def _take(targets: Sequence[Tensor], values: Sequence[Tensor]) -> bool:
    """Return True if the targets can be written to and can hold the values.

    Inference tensors are sealed outside of inference mode. Values that torch.func wraps need
    wrapped targets.
    """
    sealed = not torch.is_inference_mode_enabled() and any(x.is_inference() for x in targets)
    wrapped = any(map(is_wrapped, values)) and not all(map(is_wrapped, targets))
    return not sealed and not wrapped


def shares_memory(x: Tensor, y: Tensor) -> bool:
    """Return True if two tensors may share memory; while compiling, always."""
    if is_compiling():
        return True
    try:
        mine, others = x.untyped_storage(), y.untyped_storage()
        if mine._cdata == others._cdata:
            return True
        # Tensors made of NumPy arrays have different storages even where their memory overlaps.
        start, other = mine.data_ptr(), others.data_ptr()
        return bool(start < other + others.nbytes() and other < start + mine.nbytes())
    except RuntimeError:  # tensors that torch.func transforms have no storage
        return True


def copied_if_shared(x: Tensor, y: Any) -> Any:
    """Return y, as a copy where an elementwise write to x might change it on the way."""
    return y if y is x else elsewhere(x, y)


def elsewhere(x: Tensor, y: Any) -> Any:
    """Return y, as a copy where any write to x might change it on the way."""
    separate = not isinstance(y, Tensor) or is_compiling() or not shares_memory(x, y)
    return y if separate else y.clone()
