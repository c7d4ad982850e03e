"""PyTorch's implementations of the sorting functions.

Its stable sort keeps the order of equal elements in descending order too, and puts NaNs last in
ascending order and first in descending order.
"""

from __future__ import annotations

import torch

from arrayapi_unify.backends._common.checks.axes import check_selection, normalize_axis
from arrayapi_unify.backends.torch._unsigned import bits, from_bits, from_order, to_order
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


def _is_before(x: Tensor, y: Tensor, descending: bool) -> Tensor:
    """Tell which real elements come before others; NaN is the largest."""
    if descending:
        return (x > y) | (torch.isnan(x) & ~torch.isnan(y))
    return (x < y) | (torch.isnan(y) & ~torch.isnan(x))


def _first(x: Tensor, k: int, axis: int, descending: bool) -> Tensor:
    """Return the first k indices of the stable order, without sorting all.

    `torch.topk` leaves open the indices of equal elements: its values alone are taken, and the
    first elements that are as large as its last value.
    """
    x = x.detach()
    if x.dtype in COMPLEX or not 0 < k < x.shape[axis] // 8:
        return argsort(x, axis=axis, descending=descending).narrow(axis, 0, k)
    keys = x.to(torch.uint8) if x.dtype is torch.bool else to_order(x)
    last = torch.topk(keys, k, axis, largest=descending)[0].narrow(axis, k - 1, 1)
    chosen = _is_before(keys, last, descending)
    alike = ~(chosen | _is_before(last, keys, descending))
    left = k - chosen.sum(axis, keepdim=True)
    chosen = chosen | (alike & (alike.cumsum(axis) <= left))
    # The place of each chosen element among them; all others go to a place behind.
    places = torch.where(chosen, chosen.cumsum(axis) - 1, k)
    numbers = torch.arange(x.shape[axis], device=x.device).reshape([-1] + [1] * (x.ndim - 1 - axis))
    shape = [*x.shape[:axis], k + 1, *x.shape[axis + 1 :]]
    indices = torch.zeros(shape, dtype=torch.int64, device=x.device)
    indices = indices.scatter(axis, places, numbers.expand_as(x)).narrow(axis, 0, k)
    order = torch.argsort(
        torch.gather(keys, axis, indices), dim=axis, descending=descending, stable=True
    )
    return torch.gather(indices, axis, order)


def top_k(x: Tensor, k: int, /, *, axis: int = -1, mode: str = "largest") -> tuple[Tensor, Tensor]:
    """Select by `torch.topk`."""
    k, axis = check_selection("top_k", k, axis, mode, x.shape)
    indices = _first(x, k, axis, mode == "largest")
    return from_bits(torch.gather(bits(x), axis, indices), x.dtype), indices


def sort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """Sort a copy."""
    axis = normalize_axis("sort", axis, x.ndim)
    if x.dtype in COMPLEX:
        return torch.gather(x, axis, _complex_order(x, axis, descending))
    values = torch.sort(to_order(x), dim=axis, descending=descending, stable=stable)[0]
    return from_order(values, x.dtype)
