"""Computation on uint16, uint32 and uint64 by way of signed integers.

PyTorch has few kernels for these types. A tensor of them can be viewed as signed integers of the
same width without a copy. There are three ways to compute on such a view, and each function names
the one that it takes:

- *bits*, if only the bits count: moved elements, and sums, differences and products, which wrap
  around to the same bits in two's complement.
- *order*, if elements are compared: with the highest bit flipped, the signed order is the unsigned
  one.
- *value*, if the numbers themselves count, as in a division: int64 holds all of the narrower types;
  uint64 has formulas of its own (`_uint64`).

These work the same for all three types, on every device, and trace.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec

import torch

from arrayapi_unify.backends.kernel import Kernel

Tensor = torch.Tensor
P = ParamSpec("P")

SIGNED: Final = {
    torch.uint16: torch.int16,
    torch.uint32: torch.int32,
    torch.uint64: torch.int64,
}
_HIGHEST_BIT: Final = {d: torch.iinfo(SIGNED[d]).min for d in SIGNED}


def bits(x: Tensor) -> Tensor:
    """View unsigned integers as signed ones; other tensors pass."""
    signed = SIGNED.get(x.dtype)
    return x if signed is None else x.view(signed)


def from_bits(x: Tensor, dtype: torch.dtype) -> Tensor:
    """View back what `bits` made of a tensor of `dtype`.

    Other tensors must pass untouched: a view of the same data type has no gradient either.
    """
    return x if x.dtype is dtype else x.view(dtype)


def to_order(x: Tensor) -> Tensor:
    """Map unsigned integers to signed ones in the same order; other tensors pass."""
    signed = SIGNED.get(x.dtype)
    return x if signed is None else x.view(signed) ^ _HIGHEST_BIT[x.dtype]


def from_order(x: Tensor, dtype: torch.dtype) -> Tensor:
    """Map back what `to_order` made of a tensor of `dtype`."""
    return (x ^ _HIGHEST_BIT[dtype]).view(dtype) if dtype in SIGNED else x


def via_signed(f: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Make a kernel for unsigned integers of one for signed ones: same data type out as in."""

    # PyTorch's own kernel for unsigned integers, if it has one, wraps around, too.
    @Kernel(agrees_with=f)
    def kernel(x: Tensor, *others: Tensor) -> Tensor:
        return f(bits(x), *map(bits, others)).view(x.dtype)

    return kernel


def compare_via_signed(f: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Make a kernel for unsigned integers of one for signed ones whose result is bool."""
    return lambda *xs: f(*map(bits, xs))


def via_ordered(f: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Make a kernel for unsigned integers of one that chooses among signed ones."""

    def kernel(x: Tensor, *others: Tensor) -> Tensor:
        return from_order(f(to_order(x), *map(to_order, others)), x.dtype)

    return kernel


def compare_via_ordered(f: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Make a kernel for unsigned integers of one that compares signed ones."""
    return lambda *xs: f(*map(to_order, xs))


def reinterprets(f: Callable[Concatenate[Tensor, P], Any]) -> Callable[Concatenate[Tensor, P], Any]:
    """Let a native function that only moves the elements of its argument take unsigned ones."""

    @functools.wraps(f)
    def native(x: Tensor, /, *args: P.args, **kwargs: P.kwargs) -> Any:
        signed = SIGNED.get(x.dtype)
        if signed is None:
            return f(x, *args, **kwargs)
        result = f(x.view(signed), *args, **kwargs)
        if isinstance(result, tuple):
            return tuple(part.view(x.dtype) for part in result)
        return result.view(x.dtype)

    return native


def reinterprets_ordered(
    f: Callable[Concatenate[Tensor, P], Any],
) -> Callable[Concatenate[Tensor, P], Any]:
    """Let a native function that picks the result from its first argument take unsigned ones."""

    @functools.wraps(f)
    def native(x: Tensor, /, *args: P.args, **kwargs: P.kwargs) -> Any:
        if x.dtype not in SIGNED:
            return f(x, *args, **kwargs)
        return from_order(f(to_order(x), *args, **kwargs), x.dtype)

    return native
