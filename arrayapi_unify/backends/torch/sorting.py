"""PyTorch's implementations of the sorting functions.

Its stable sort keeps the order of equal elements in descending order too, and puts NaNs last in
ascending order and first in descending order.
"""

from __future__ import annotations

import torch

from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends.torch._unsigned import from_order, to_order
from arrayapi_unify.backends.torch.dtypes import COMPLEX

Tensor = torch.Tensor


def _complex_order(x: Tensor, axis: int, descending: bool) -> Tensor:
    """Sort indices by real and then imaginary part, by stable sorts from the last key to the first.

    The first key is which parts are NaN, so that the order is NumPy's: R + Rj, R + NaN j,
    NaN + Rj, NaN + NaN j.
    """
    missing = torch.isnan(x.real).to(torch.uint8) * 2 + torch.isnan(x.imag).to(torch.uint8)
    order = torch.argsort(x.imag, dim=axis, descending=descending, stable=True)
    for key in (x.real, missing):
        current = torch.gather(key, axis, order)
        step = torch.argsort(current, dim=axis, descending=descending, stable=True)
        order = torch.gather(order, axis, step)
    return order


def argsort(
    x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Tensor:
    """Sort indices."""
    axis = normalize_axis("argsort", axis, x.ndim)
    if x.dtype in COMPLEX:
        return _complex_order(x, axis, descending)
    return torch.argsort(to_order(x), dim=axis, descending=descending, stable=stable)


def sort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """Sort a copy."""
    axis = normalize_axis("sort", axis, x.ndim)
    if x.dtype in COMPLEX:
        return torch.gather(x, axis, _complex_order(x, axis, descending))
    values = torch.sort(to_order(x), dim=axis, descending=descending, stable=stable)[0]
    return from_order(values, x.dtype)
