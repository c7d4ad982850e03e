"""PyTorch's implementations of the set functions.

Values are found by a stable sort: torch.unique gives neither first indices nor complex numbers.
"""

from __future__ import annotations

from typing import Any

import torch

from arrayapi_unify.backends.torch._core import beside, fits, promoted
from arrayapi_unify.backends.torch._sort_keys import comparable
from arrayapi_unify.backends.torch._unsigned import bits, from_bits
from arrayapi_unify.backends.torch.dtypes import COMPLEX, INTEGERS
from arrayapi_unify.backends.torch.sorting import argsort

Tensor = torch.Tensor


def _of_scalar(value: Any, other: Tensor) -> Tensor:
    """Make a tensor of a scalar; an integer with others keeps its own dtype, none overflows."""
    if type(value) is int and (other.dtype in INTEGERS or other.dtype is torch.bool):
        dtype = torch.int64 if fits(value, torch.int64) else torch.uint64
        return torch.tensor(value, dtype=dtype, device=other.device)
    return beside(value, other)


def _same_integers(x1: Tensor, x2: Tensor) -> tuple[Tensor, Tensor]:
    """Bring int64 and uint64 together: numbers that only one holds are in no other tensor."""
    first = x1.dtype is torch.uint64
    x2 = x2.reshape(-1)
    y = x2.view(torch.int64) if not first else x2.to(torch.int64)
    # Each non-negative int64 has the bits of the same uint64; others can't be in both.
    y = y[y >= 0]
    x = x1.view(torch.int64) if first else x1.to(torch.int64)
    return x, y


def isin(x1: Tensor | int, x2: Tensor | int, /, *, invert: bool = False) -> Tensor:
    """Test for membership, exactly also between int64 and uint64."""
    first = x1 if isinstance(x1, Tensor) else _of_scalar(x1, x2)  # type: ignore[arg-type]
    second = x2 if isinstance(x2, Tensor) else _of_scalar(x2, first)
    dtype = promoted(first, second)
    missing = None
    if dtype is torch.float64 and first.dtype in INTEGERS and second.dtype in INTEGERS:
        first, second = _same_integers(first, second)
    else:
        first, second = bits(first.to(dtype)), bits(second.to(dtype)).reshape(-1)
        if dtype in COMPLEX:
            missing = torch.isnan(first)
            first, second = comparable(first, second)
        elif dtype is torch.bool:
            first, second = first.to(torch.uint8), second.to(torch.uint8)
    found = torch.isin(first, second)
    if missing is not None:
        found = found & ~missing
    return ~found if invert else found


def _runs(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the order that sorts the flattened tensor, where runs start in it, and their number
    for each element in that order."""
    flat = x.reshape(-1)
    order = argsort(flat)
    values = bits(flat)[order]
    new = torch.ones(values.shape, dtype=torch.bool, device=x.device)
    new[1:] = values[1:] != values[:-1]
    return order, torch.nonzero(new).reshape(-1), torch.cumsum(new, 0) - 1


def _values(x: Tensor, order: Tensor, starts: Tensor) -> Tensor:
    return from_bits(bits(x.reshape(-1))[order[starts]], x.dtype)


def _inverse(x: Tensor, order: Tensor, numbers: Tensor) -> Tensor:
    inverse = torch.empty_like(order)
    inverse[order] = numbers
    return inverse.reshape(x.shape)


def _counts(x: Tensor, starts: Tensor) -> Tensor:
    end = torch.full((1,), x.numel(), dtype=torch.int64, device=x.device)
    return torch.diff(starts, append=end)


def unique_all(x: Tensor, /) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Values, first indices, inverse in x's shape, counts."""
    order, starts, numbers = _runs(x)
    return (
        _values(x, order, starts),
        order[starts],
        _inverse(x, order, numbers),
        _counts(x, starts),
    )


def unique_counts(x: Tensor, /) -> tuple[Tensor, Tensor]:
    """Values and counts."""
    order, starts, _ = _runs(x)
    return _values(x, order, starts), _counts(x, starts)


def unique_inverse(x: Tensor, /) -> tuple[Tensor, Tensor]:
    """Values, and inverse in x's shape."""
    order, starts, numbers = _runs(x)
    return _values(x, order, starts), _inverse(x, order, numbers)


def unique_values(x: Tensor, /) -> Tensor:
    """Values."""
    order, starts, _ = _runs(x)
    return _values(x, order, starts)
