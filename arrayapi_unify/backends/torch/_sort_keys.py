"""Integers in the order of any elements, where PyTorch's searches know too few data types.

NaNs come last, as in sorting, and all alike.
"""

from __future__ import annotations

import torch

from arrayapi_unify.backends.torch._unsigned import to_order
from arrayapi_unify.backends.torch.dtypes import COMPLEX, FLOATING
from arrayapi_unify.backends.torch.sorting import argsort

Tensor = torch.Tensor

_CARRIERS = {torch.float32: torch.int32, torch.float64: torch.int64}


def float_keys(x: Tensor) -> Tensor:
    """Map real floating-point numbers to integers in the same order.

    The bits of a positive float are ordered as an integer; those of a negative one the other way
    round, up to the sign.
    """
    carrier = _CARRIERS[x.dtype]
    x = torch.where(torch.isnan(x), float("nan"), x + 0.0)  # one NaN, and one zero
    i = x.detach().contiguous().view(carrier)
    return torch.where(i < 0, i ^ torch.iinfo(carrier).max, i)


def comparable(x1: Tensor, x2: Tensor) -> tuple[Tensor, Tensor]:
    """Map elements of one data type to integers that PyTorch compares in the elements' order."""
    if x1.dtype in COMPLEX:
        return _ranks(x1, x2)
    if x1.dtype in FLOATING:
        return float_keys(x1), float_keys(x2)
    if x1.dtype is torch.bool:
        return x1.to(torch.uint8), x2.to(torch.uint8)
    return to_order(x1), to_order(x2)


def _ranks(x1: Tensor, x2: Tensor) -> tuple[Tensor, Tensor]:
    """Number the different values of two complex tensors together, in their order."""
    flat = torch.cat([x1.reshape(-1), x2.reshape(-1)])
    a, b = float_keys(flat.real), float_keys(flat.imag)
    order = argsort(flat)
    a, b = a[order], b[order]
    new = torch.ones_like(a, dtype=torch.bool)
    new[1:] = (a[1:] != a[:-1]) | (b[1:] != b[:-1])
    ranks = torch.empty_like(order)
    ranks[order] = torch.cumsum(new, 0)
    return ranks[: x1.numel()].reshape(x1.shape), ranks[x1.numel() :].reshape(x2.shape)
