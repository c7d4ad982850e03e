"""Formulas for complex numbers, where PyTorch lacks a kernel or departs from the standard."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, TypeAlias

import torch

from arrayapi_unify.backends.kernel import Kernel
from arrayapi_unify.backends.torch._core import (
    all_finite,
    any_true,
    may_be_differentiated,
    no_zero,
    scalar,
)

Tensor = torch.Tensor
Compute: TypeAlias = Callable[[Tensor], Tensor]

# From this |real(z)| on, exp(z) - 1 is as accurate as expm1(z), for complex128 too.
_EXPM1_IS_EXP: Final = 40.0


def parts(x: Tensor) -> Tensor:
    """View complex numbers as pairs of reals; lazily conjugated ones are computed first."""
    return torch.view_as_real(x.resolve_conj())


def by_component(f: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Make a kernel for complex tensors of one that treats both components alike."""

    def kernel(x: Tensor, *others: Tensor) -> Tensor:
        if others and others[0].ndim != x.ndim:
            x, *others = torch.broadcast_tensors(x, *others)  # type: ignore[no-untyped-call]
        return torch.view_as_complex(f(parts(x), *map(parts, others)))

    return kernel


def _careful_at_infinity(f: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Make a kernel of PyTorch's sum or difference.

    It multiplies the second operand by 1 + 0j, whereby infinities beget NaNs.
    """
    slowly = by_component(f)

    @Kernel(agrees_with=f, agrees_if=all_finite)
    def kernel(x1: Tensor, x2: Tensor) -> Tensor:
        result = f(x1, x2)
        return result if all_finite(result) else slowly(x1, x2)

    return kernel


add = _careful_at_infinity(torch.add)
subtract = _careful_at_infinity(torch.sub)


def expm1(x: Tensor) -> Tensor:
    """Compute `exp(x) - 1`; PyTorch's expm1 overflows before the result does.

    Its exp is right, and far from zero expm1 is exp - 1. Adding 0.0 turns a real part of -0 into
    0, as the standard wants.
    """
    a = x.real
    result = torch.expm1(x)
    if all_finite(result) and no_zero(a):
        return result
    near = a.abs() < _EXPM1_IS_EXP
    exp = torch.exp(x)
    result = torch.expm1(torch.where(near, x, 0.0))
    return torch.complex(
        torch.where(near, result.real + 0.0, exp.real - 1.0),
        torch.where(near, result.imag, exp.imag),
    )


def log1p(x: Tensor) -> Tensor:
    """Compute `log(1 + x)`; PyTorch's log1p is accurate, but gives NaN at infinities.

    It also loses signs of zeros: of the real part there is none at 0, and the imaginary part has
    that of x's.
    """
    result = torch.log1p(x)
    if all_finite(result) and no_zero(x.imag):
        return result
    finite = torch.isfinite(x)
    log = torch.log(torch.complex(x.real + 1.0, x.imag))
    result = torch.where(finite, torch.log1p(torch.where(finite, x, 0.0)), log)
    a, b = x.real, x.imag
    # copysign has no derivative at zero. Near this part of the real axis it is b / (1 + a).
    inside = (b == 0) & (a > -1)
    near = b / (1.0 + torch.where(inside, a, 0.0))
    imag = torch.where(inside, near, torch.copysign(result.imag, b))
    return torch.complex(result.real + 0.0, imag)


def sign(x: Tensor) -> Tensor:
    """Compute `x / abs(x)`; an infinite component leaves only itself, NaN makes both NaN.

    PyTorch's sgn gives NaN at infinities, and the sign of a zero depends on its place in memory.
    """
    size = x.abs()
    if all_finite(size) and no_zero(size):
        return torch.view_as_complex(parts(x) / size.unsqueeze(-1))
    zero = size == 0
    a, b = x.real, x.imag
    infinite = torch.isinf(size)
    safe = torch.where(infinite | zero, 1.0, size)
    missing = torch.isnan(a) | torch.isnan(b) | (torch.isinf(a) & torch.isinf(b))

    def component(part: Tensor) -> Tensor:
        whole = torch.where(torch.isinf(part), torch.sign(part), 0.0)
        return torch.where(missing, math.nan, torch.where(infinite | zero, whole, part / safe))

    return torch.complex(component(a), component(b))


def _on_the_right_side(f: Compute, wrong: Callable[[Tensor, Tensor], Tensor]) -> Compute:
    """Make a kernel whose derivative is right on its branch cuts, too.

    PyTorch's formula loses the sign of a zero, which says on which side a number is. Where that is
    the wrong one, the conjugate is on the right one, and so is the derivative of the result's.
    """

    def kernel(x: Tensor) -> Tensor:
        if not may_be_differentiated(x):
            return f(x)
        other = wrong(x.real, x.imag)
        result = f(torch.where(other, x.conj(), x))
        return torch.where(other, result.conj(), result)

    return kernel


def _same_signs(a: Tensor, b: Tensor) -> Tensor:
    return (b == 0) & (a.abs() > 1) & (torch.signbit(a) == torch.signbit(b))


def _acos(x: Tensor) -> Tensor:
    """Compute the inverse cosine, whose imaginary part has the opposite sign of x's.

    PyTorch's complex128 kernel loses the sign of zeros.
    """
    result = torch.acos(x)
    if no_zero(x.imag):
        return result
    a, b = x.real, x.imag
    # copysign has no derivative at zero. Near this part of the real axis it is -b / sqrt(1 - aa).
    inside = (b == 0) & (a.abs() < 1)
    near = -b / torch.sqrt(1.0 - torch.where(inside, a, 0.0).square())
    imag = torch.where(inside, near, torch.copysign(result.imag, -b))
    return torch.complex(result.real, imag)


acos = _on_the_right_side(_acos, _same_signs)
asin = _on_the_right_side(torch.asin, _same_signs)
asinh = _on_the_right_side(
    torch.asinh,
    lambda a, b: (a == 0) & (b.abs() > 1) & (torch.signbit(a) != torch.signbit(b)),
)


def _acosh(x: Tensor) -> Tensor:
    """Compute the inverse hyperbolic cosine, which CUDA loses at 0 + NaN j."""
    result = torch.acosh(x)
    if x.is_cpu or all_finite(x):
        return result
    right_angle = (x.real == 0) & torch.isnan(x.imag)
    return torch.complex(result.real, torch.where(right_angle, math.pi / 2, result.imag))


acosh = _on_the_right_side(_acosh, lambda a, b: (b == 0) & (a.abs() < 1) & torch.signbit(b))


def tanh(x: Tensor) -> Tensor:
    """Compute the hyperbolic tangent.

    The C library takes the sign of the zero in tanh(inf + bj) = 1 + 0j from sin(2b); the standard
    takes it from b. CUDA loses the zero of tanh(0 + infinity j) = 0 + NaN j.
    """
    result = torch.tanh(x)
    if not all_finite(x):
        infinite = torch.isinf(x.real)
        imag = torch.where(infinite, torch.copysign(torch.zeros_like(x.imag), x.imag), result.imag)
        lost = (x.real == 0) & ~torch.isfinite(x.imag)
        return torch.complex(torch.where(lost, x.real, result.real), imag)
    return result


def tan(x: Tensor) -> Tensor:
    """Compute the tangent, as -1j * tanh(x * 1j)."""
    result = torch.tan(x)
    if not all_finite(x):
        infinite = torch.isinf(x.imag)
        real = torch.where(infinite, torch.copysign(torch.zeros_like(x.real), x.real), result.real)
        lost = (x.imag == 0) & ~torch.isfinite(x.real)
        return torch.complex(real, torch.where(lost, x.imag, result.imag))
    return result


def reciprocal(x: Tensor) -> Tensor:
    """Compute `1 / x` as a division, whose special values are right."""
    return torch.div(torch.ones((), dtype=x.dtype, device=x.device), x)


def pow(x1: Tensor, x2: Tensor) -> Tensor:
    """Compute `x1 ** x2`, where x ** 0 is 1 and 0 ** x depends on the sign of real(x)."""
    x1, x2 = torch.broadcast_tensors(x1, x2)  # type: ignore[no-untyped-call]
    no_power = x2 == 0
    zero = (x1 == 0) & ~no_power
    # The formula never sees the special values, so that they spoil no gradient.
    safe = torch.where(zero | no_power, 1.0, x1)
    result = torch.pow(safe, x2)
    # The first power of zero is zero, too, but has a derivative.
    vanishing = torch.where(
        (x2.real > 0),
        torch.where(x2 == 1, x1, torch.zeros((), dtype=x1.dtype, device=x1.device)),
        scalar(complex(math.nan, math.nan), x1.dtype, x1.device),
    )
    result = torch.where(zero, vanishing, result).to(x1.dtype)
    if not any_true(no_power):
        return result
    # One, with the derivative log(x1) by x2.
    regular = no_power & torch.isfinite(x1) & (x1 != 0)
    one = 1.0 + torch.where(regular, x2, 0.0) * torch.log(torch.where(regular, x1, 1.0))
    return torch.where(no_power, one, result).to(x1.dtype)


# --- order: by real part, then by imaginary part, as NumPy's ------------------------------------


def _ordered(strict: Callable[..., Tensor], last: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def kernel(x1: Tensor, x2: Tensor) -> Tensor:
        a, b, c, d = x1.real, x1.imag, x2.real, x2.imag
        comparable = ~(torch.isnan(b) | torch.isnan(d))
        return (strict(a, c) & comparable) | ((a == c) & last(b, d))

    return kernel


less = _ordered(torch.lt, torch.lt)
less_equal = _ordered(torch.lt, torch.le)
greater = _ordered(torch.gt, torch.gt)
greater_equal = _ordered(torch.gt, torch.ge)


def maximum(x1: Tensor, x2: Tensor) -> Tensor:
    """Take the larger number, the first one that is NaN if there is any."""
    return torch.where(torch.isnan(x1) | greater_equal(x1, x2), x1, x2)


def minimum(x1: Tensor, x2: Tensor) -> Tensor:
    """Take the smaller number, the first one that is NaN if there is any."""
    return torch.where(torch.isnan(x1) | less_equal(x1, x2), x1, x2)
