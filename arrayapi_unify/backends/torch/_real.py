"""Kernels for real numbers where PyTorch departs from the standard or lacks one.

Each calls PyTorch first and looks for values that need more with a pass that costs little beside
the function itself; while tracing and on accelerators, where looking is dear, the formula for all
values is computed.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

from arrayapi_unify.backends._common.checks.arguments import raise_negative_powers_error
from arrayapi_unify.backends.torch._core import (
    all_finite,
    all_positive,
    any_true,
    both_finite,
    is_compiling,
    may_be_differentiated,
)

Tensor = torch.Tensor


# --- floating-point numbers -------------------------------------------------------------------


def sign(x: Tensor) -> Tensor:
    """Compute the sign, NaN of NaN (PyTorch: 0)."""
    result = torch.sign(x)
    return result if all_finite(x) else torch.where(torch.isnan(x), x, result)


def expm1(x: Tensor) -> Tensor:
    """Compute `exp(x) - 1`; PyTorch's derivative, its result plus one, is 0 of -40."""
    if not may_be_differentiated(x):
        return torch.expm1(x)
    far = x < -1
    below = torch.exp(torch.where(far, x, -1.0)) - 1
    return torch.where(far, below, torch.expm1(torch.where(far, -1.0, x)))


def floor_divide(x1: Tensor, x2: Tensor) -> Tensor:
    """Compute `floor(x1 / x2)`, as the standard prefers it where an operand is infinite.

    PyTorch gives NaN for an infinite x1, and its floor_divide has no derivative.
    """
    result = torch.div(x1, x2, rounding_mode="floor")
    if both_finite(result, x2):
        return result
    infinite = torch.isinf(x1) | torch.isinf(x2)
    return torch.where(infinite, torch.floor(torch.div(x1, x2)), result)


def remainder(x1: Tensor, x2: Tensor) -> Tensor:
    """Compute the remainder, whose sign is x2's also where it is zero."""
    result = torch.remainder(x1, x2)
    if all_positive(result):
        return result
    result = _with_sign(result, x2)
    if not x1.is_cpu or all_finite(result):
        return result
    lost = torch.isnan(result) & torch.isfinite(x1) & torch.isfinite(x2) & (x2 != 0)
    if not any_true(lost):
        return result
    near = torch.where(lost, _nearer(x1, x2), x1)
    return _with_sign(torch.remainder(near, x2), x2)


def _with_sign(result: Tensor, x2: Tensor) -> Tensor:
    """Give a remainder that is zero the sign of x2, and leave it the derivative of any other."""
    if not may_be_differentiated(result):
        return result.copysign_(x2)
    # At zero PyTorch's copysign has none. What is subtracted is zero, with the derivative.
    values = result.detach()
    zero = torch.copysign(torch.zeros_like(values), x2.detach())
    return torch.where(values == 0, zero - (values - result), result)


def _nearer(x1: Tensor, x2: Tensor) -> Tensor:
    """Take multiples of x2 from x1, exactly, so that x1 / x2 doesn't overflow.

    Where it does, PyTorch's kernel for vectors gives NaN for the remainder.
    """
    step = 2.0**1000 if x2.dtype is torch.float64 else 2.0**100
    steps = (x2 * step * step, x2 * step)
    for multiple in steps:
        x1 = torch.where(torch.isfinite(multiple), torch.fmod(x1, multiple), x1)
    return x1


def sinh(x: Tensor) -> Tensor:
    """Compute the hyperbolic sine, also where exp(x) overflows and it doesn't."""
    result = torch.sinh(x)
    if not x.is_cpu or all_finite(result):
        return result
    beyond = torch.isinf(result)
    near = torch.sinh(torch.where(beyond, 0, x))  # whose derivative is finite
    return torch.where(beyond, torch.copysign(_half_of_exp(x), x), near)


def cosh(x: Tensor) -> Tensor:
    """Compute the hyperbolic cosine, also where exp(x) overflows and it doesn't."""
    result = torch.cosh(x)
    if not x.is_cpu or all_finite(result):
        return result
    beyond = torch.isinf(result)
    near = torch.cosh(torch.where(beyond, 0, x))
    return torch.where(beyond, _half_of_exp(x), near)


def _half_of_exp(x: Tensor) -> Tensor:
    """Compute exp(abs(x)) / 2, which is sinh and cosh where x is large.

    PyTorch's kernels for several numbers at a time take half of an exponential that is infinite.
    """
    root = torch.exp(torch.abs(x) / 2)
    found = root / 2 * root
    if not may_be_differentiated(x):
        return found
    return torch.where(torch.isinf(found), found.detach(), found)  # there it has no derivative


# --- integers ---------------------------------------------------------------------------------


def _by_zero_is_zero(f: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Let a division of integers by zero give 0, as NumPy does.

    On the CPU PyTorch raises for it, so that it needn't be looked for. Code that inductor compiles
    would crash the process.
    """

    def kernel(x1: Tensor, x2: Tensor) -> Tensor:
        if x2.is_cpu and not is_compiling():
            try:
                return f(x1, x2)
            except RuntimeError as error:
                if "ZeroDivision" not in str(error):
                    raise
        zero = x2 == 0
        return torch.where(zero, 0, f(x1, torch.where(zero, 1, x2))).to(x1.dtype)

    return kernel


exact_floor_divide = _by_zero_is_zero(torch.floor_divide)
exact_remainder = _by_zero_is_zero(torch.remainder)


def exact_pow(x1: Tensor, x2: Tensor) -> Tensor:
    """Compute the power of integers; PyTorch gives 0 or 1 for negative exponents."""
    if x2.is_cpu and not is_compiling() and x1.numel() and any_true(x2 < 0, False):
        raise_negative_powers_error()
    return torch.pow(x1, x2)


def via_int64(f: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Make a kernel for uint16 and uint32 of one for int64, which holds all their values."""
    return lambda x, *others: f(*[y.to(torch.int64) for y in (x, *others)]).to(x.dtype)


# --- uint64 -----------------------------------------------------------------------------------

_MAX = 2**63 - 1


def _shifted_once(x: Tensor) -> Tensor:
    """Halve unsigned numbers that int64 carries; the result is never negative."""
    return (x >> 1) & _MAX


def _divided(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Divide unsigned numbers that int64 carries; by zero gives zeros.

    For y below 2**63, twice the quotient of x/2 is at most one too small (Hacker's Delight, 9-3).
    From there on the quotient is 0 or 1. Remainders compare as unsigned numbers.
    """
    lowest = -_MAX - 1
    large = y < 0
    divisor = torch.where(large | (y == 0), 1, y)
    quotient = torch.floor_divide(_shifted_once(x), divisor) << 1
    quotient = torch.where(large, 0, quotient)
    rest = x - quotient * torch.where(large, y, divisor)
    more = (rest ^ lowest) >= (torch.where(large, y, divisor) ^ lowest)
    quotient = quotient + more
    rest = rest - torch.where(more, torch.where(large, y, divisor), 0)
    zero = y == 0
    return torch.where(zero, 0, quotient), torch.where(zero, 0, rest)


def uint64_floor_divide(x1: Tensor, x2: Tensor) -> Tensor:
    """Divide."""
    return _divided(x1.view(torch.int64), x2.view(torch.int64))[0].view(torch.uint64)


def uint64_remainder(x1: Tensor, x2: Tensor) -> Tensor:
    """Take the remainder."""
    return _divided(x1.view(torch.int64), x2.view(torch.int64))[1].view(torch.uint64)


def uint64_shift_right(x1: Tensor, x2: Tensor) -> Tensor:
    """Shift in zeros where int64 would shift in ones; beyond the width nothing is left.

    What depends on the places alone is computed in their shape, which is mostly that of a number.
    """
    x, places = x1.view(torch.int64), x2.view(torch.int64)
    far = (places < 0) | (places > 63)
    places = torch.where(far, 63, places)
    kept = torch.where(far, 0, ((1 << (63 - places)) << 1) - 1)
    return ((x >> places) & kept).view(torch.uint64)


def uint64_pow(x1: Tensor, x2: Tensor) -> Tensor:
    """Raise to a power: with y = 2h + r, x**y is (x**h)**2 * x**r, and h fits into int64."""
    x, y = x1.view(torch.int64), x2.view(torch.int64)
    root = torch.pow(x, _shifted_once(y))
    return (root * root * torch.where((y & 1) == 1, x, 1)).view(torch.uint64)
