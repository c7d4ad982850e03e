"""DLPack and NumPy: what of a tensor's memory others may share."""

from __future__ import annotations

from typing import Any

import torch

from arrayapi_unify.backends._common.interchange import overlaps, refuse_export
from arrayapi_unify.errors import UnifyValueError

__all__ = ["dlpack", "overlapping", "to_numpy"]

Tensor = torch.Tensor


def dlpack(x: Tensor, *, copy: bool | None = None, **options: Any) -> Any:
    """Export a tensor, or a copy of memory that doesn't hold the values or mustn't be written to.

    PyTorch refuses conjugated tensors and those that require a gradient, but exports negated ones
    with the wrong sign, and can't say that expanded ones are read-only.
    """
    problem = _problem(x)
    if problem is not None:
        if copy is False:
            refuse_export(problem)
        x, copy = x.detach().clone(memory_format=torch.contiguous_format), None
        x = x.resolve_conj().resolve_neg()
    return x.__dlpack__(copy=copy, **options)


def _problem(x: Tensor) -> str | None:
    if x.requires_grad:
        return "is tracked by autograd, which a write elsewhere would escape"
    if x.is_conj() or x.is_neg():
        return "is conjugated or negated only when it is read"
    return "is broadcast, and its elements share memory" if overlapping(x) else None


def overlapping(x: Tensor) -> bool:
    """Whether the elements of a tensor share memory, as those of an expanded one do."""
    return not x.is_contiguous() and overlaps(x.shape, x.stride())


def to_numpy(x: Tensor, /, *, copy: bool | None = None) -> Any:
    """Return the values; a view unless they are on another device or lazily conjugated.

    The view is read-only where a write would escape autograd, or change several elements at once.
    """
    if copy is False and (not x.is_cpu or x.is_conj() or x.is_neg()):
        raise UnifyValueError(
            f"to_numpy: argument 'copy' is False, but a tensor on {x.device} "
            f"(conjugated: {x.is_conj()}) shares no memory with NumPy; pass copy=None"
        )
    values = x.detach().cpu().resolve_conj().resolve_neg().numpy()
    if copy:
        return values.copy()
    if x.requires_grad or overlapping(x):
        values.flags.writeable = False
    return values
