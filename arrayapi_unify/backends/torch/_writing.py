"""When a write goes into a tensor's memory, and when it has to make another tensor.

A write to memory that autograd has seen would change what it keeps for the derivatives. PyTorch
notices that, and refuses to differentiate. So a tensor that is tracked, or becomes tracked by the
write, is replaced; `array_object.memory` sees to those that share its memory.
"""

from __future__ import annotations

from typing import Any

import torch

__all__ = ["apart", "is_wrapped", "makes_another", "overwrite", "shares"]

Tensor = torch.Tensor

is_compiling = torch.compiler.is_compiling
is_wrapped = torch._C._functorch.is_functorch_wrapped_tensor


def makes_another(x: Tensor, value: Any) -> bool:
    """Whether `x[...] = value` must give another tensor and leave x as it is."""
    if not isinstance(value, Tensor):
        return x.requires_grad and torch.is_grad_enabled()
    if x.requires_grad or value.requires_grad:
        return torch.is_grad_enabled()
    # What torch.func.vmap made more of doesn't fit into memory that was there before.
    return not is_compiling() and is_wrapped(value) and not is_wrapped(x)


def overwrite(target: Tensor, value: Tensor) -> Tensor:
    """Store a value in the memory of a tensor, whoever tracks it; a leaf can't be written to."""
    if target.requires_grad and target.is_leaf and torch.is_grad_enabled():
        return value
    return target.copy_(apart(target, value))


def shares(x: Tensor, y: Tensor) -> bool:
    """Whether two tensors are windows onto one memory; a compiler knows better."""
    if is_compiling():
        return True
    try:
        return bool(x.untyped_storage()._cdata == y.untyped_storage()._cdata)
    except NotImplementedError:  # what torch.func transforms has no memory
        return True


def apart(x: Tensor, y: Any) -> Any:
    """Return y, as a copy where a write to x might change it on the way."""
    separate = y is x or not isinstance(y, Tensor) or is_compiling() or not shares(x, y)
    return y if separate else y.clone()
