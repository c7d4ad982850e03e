"""Helpers for every category: casts, promotion, Python scalars as 0-d tensors.

Also checks of values. Tracing must not read values, so they then give the answer that is always
safe.
"""

from __future__ import annotations

import cmath
import math
from itertools import chain
from typing import Any, Final, TypeAlias

import torch
from torch.autograd import forward_ad

from arrayapi_unify import dtypes, limits
from arrayapi_unify.backends._common.algorithms.arithmetic import CUT, LAST
from arrayapi_unify.backends._common.checks.arguments import raise_integer_error
from arrayapi_unify.backends.torch.dtypes import (
    BEFORE_SCALAR,
    COMPLEX,
    DTYPES,
    FLOATING,
    INTEGERS,
    as_dtype,
    dtype_of,
)

Tensor = torch.Tensor
Operand: TypeAlias = "Tensor | bool | int | float | complex"

_LIMITS: Final = {d: (torch.iinfo(d).min, torch.iinfo(d).max) for d in INTEGERS}
# Beyond this torch.scalar_tensor raises, where rounding to float32 gives it or infinity.
_LARGEST_FLOAT32: Final = torch.finfo(torch.float32).max
_ABOVE_FLOAT32: Final = 2.0**128 - 2.0**103
# Data types to which PyTorch's own cast isn't right from all others.
FORMED: Final = frozenset({torch.bool, torch.float16})
# From this size on, the memory that a pass reads costs more than the calls that start it.
_LARGE: Final = 8192
# Up to here, Python adds numbers up in less time than a call into PyTorch takes.
_FEW: Final = 16

is_compiling = torch.compiler.is_compiling
# True for a tensor that torch.func wraps: to differentiate it, or as one of many in vmap.
is_wrapped = torch._C._functorch.is_functorch_wrapped_tensor
modes = torch._C._len_torch_dispatch_stack
_function_modes: Final = torch._C._len_torch_function_stack
# The transformations of torch.func that are active; None outside.
transforms = torch._C._functorch.peek_interpreter_stack


def fits(value: Any, dtype: torch.dtype) -> bool:
    """Return True if an integer data type holds a Python integer, or for other data types."""
    limits = _LIMITS.get(dtype)
    return limits is None or limits[0] <= value <= limits[1]


def may_be_differentiated(x: Tensor) -> bool:
    """Return True if a derivative may be computed of results of a tensor."""
    tracked = x.requires_grad or is_compiling() or is_wrapped(x)
    return tracked or forward_ad._current_level >= 0


def transforming() -> bool:
    """Return True inside a transformation of torch.func, whose tensors say nothing of autograd."""
    return transforms() is not None


def is_transformed() -> bool:
    """Return True if a transformation or a tracer has to see each operation."""
    followed = transforms() is not None or modes() or _function_modes()
    return bool(followed) or forward_ad._current_level >= 0


def _rounded(value: float) -> float:
    if abs(value) <= _LARGEST_FLOAT32 or value != value:
        return value
    return math.copysign(math.inf if abs(value) >= _ABOVE_FLOAT32 else _LARGEST_FLOAT32, value)


def scalar(value: Any, dtype: torch.dtype, device: torch.device) -> Tensor:
    """Make a 0-d tensor of a Python scalar, with NumPy's error where it doesn't fit."""
    if dtype in FLOATING:
        if isinstance(value, int):
            value = float(value)
        if dtype is torch.float32:
            value = _rounded(value)
        elif dtype is torch.float16:
            value = limits.rounded(value, dtypes.float16)
        elif dtype is torch.complex64:
            value = complex(_rounded(value.real), _rounded(value.imag))
    elif not fits(value, dtype):
        raise_integer_error(value, as_dtype(dtype))
    if dtype in COMPLEX:
        if value - value != 0:  # not finite, which torch.compile would write as `nanj`
            part = torch.float32 if dtype is torch.complex64 else torch.float64
            parts = (scalar(v, part, device) for v in (value.real, value.imag))
            return torch.complex(*parts)
        # torch.scalar_tensor drops the sign of an imaginary zero.
        return torch.tensor(value, dtype=dtype, device=device)
    return torch.scalar_tensor(value, dtype=dtype, device=device)


def beside(value: Any, other: Tensor) -> Tensor:
    """Make a 0-d tensor of a Python scalar, of its data type in operations with a tensor."""
    return scalar(value, BEFORE_SCALAR[other.dtype, type(value)], other.device)


def all_rows(x: Tensor) -> Tensor:
    """Return the values of a tensor: inside transformations of torch.func, those of all rows."""
    while is_wrapped(x):
        x = torch._C._functorch.get_unwrapped(x)
    return x


def any_true(mask: Tensor, unknown: bool = True) -> bool:
    """Return True if any element is true, in any row, so that rare values need their formula.

    Where reading values would break tracing or wait for an accelerator, the answer is `unknown`:
    the formula is right for all values, but a check must not fail.
    """
    if is_compiling() or not mask.is_cpu:
        return unknown
    try:
        return bool(mask.any())
    except RuntimeError:  # inside vmap a tensor has no single truth value, and while tracing none
        try:
            return bool(all_rows(mask).any())
        except RuntimeError:
            return unknown


def all_finite(x: Tensor) -> bool:
    """Return True only if no element is infinite or NaN, which a sum shows in one cheap pass.

    For up to 16 elements Python's sum is faster still. It isn't used while a dispatch mode is
    active, as in make_fx, because the mode doesn't see operations on a list.

    Where reading values would break tracing or wait for an accelerator, and where the sum itself
    overflows, the answer is False.
    """
    if is_compiling() or not x.is_cpu:
        return False
    try:
        count = x.numel()
        if count <= _FEW and not modes():
            return cmath.isfinite(_total(x.tolist(), x.ndim))
        if x.requires_grad:
            x = x.detach()
        if count >= _LARGE and _squares_finite(x):
            return True
        return cmath.isfinite(torch.sum(x).item())
    except RuntimeError:  # inside vmap
        return False


def _total(numbers: Any, rank: int) -> Any:
    """Add up what a tensor's `tolist` returned."""
    if not rank:
        return numbers
    for _ in range(rank - 1):
        numbers = chain.from_iterable(numbers)
    return sum(numbers)


def both_finite(x: Tensor, y: Tensor) -> bool:
    """Return True only if no element of two real tensors is infinite or NaN.

    For two 1-d tensors of one length, the sum of their products shows it in one pass.
    """
    if is_compiling() or not x.is_cpu:
        return False
    try:
        if x.ndim == 1:
            if x.numel() <= _FEW and not modes():
                others: Any = y.tolist()
                others = sum(others) if type(others) is list else others
                return math.isfinite(sum(x.tolist(), others))
            if y.ndim == 1 and x.numel() == y.numel():
                return math.isfinite(x.dot(y).item())
    except RuntimeError:  # inside vmap
        return False
    return all_finite(x) and all_finite(y)


def _squares_finite(x: Tensor) -> bool:
    """Return True if the sum of a tensor's squares is finite; it takes half a sum's time."""
    if not x.is_contiguous() or x.is_conj():
        return False
    row = x.view(-1)
    return cmath.isfinite(torch.vdot(row, row).item())


def all_positive(x: Tensor) -> bool:
    """Return True only if all elements of a large tensor are positive.

    Where reading values would break tracing or wait for an accelerator, the answer is False, and
    for less than 8192 elements, too: little can be gained there.
    """
    if is_compiling() or not x.is_cpu or x.numel() < _LARGE:
        return False
    try:
        return bool(torch.amin(x.detach()) > 0)
    except RuntimeError:  # inside vmap
        return False


def no_zero(x: Tensor) -> bool:
    """Return True only if no element is zero; False where reading would break tracing."""
    if is_compiling() or not x.is_cpu:
        return False
    try:
        return int(torch.count_nonzero(x.detach())) == x.numel()
    except RuntimeError:  # inside vmap
        return False


def cast(x: Tensor, dtype: torch.dtype) -> Tensor:
    """Cast, without a copy where the data type is right already.

    PyTorch drops imaginary parts on the way to bool, and rounds twice on the way to float16.
    """
    if dtype in FORMED:
        if dtype is torch.bool:
            return x if x.dtype is torch.bool else x != 0
        if x.dtype is torch.float64:
            return _float16(x)
    return x.to(dtype)


def _float16(x: Tensor) -> Tensor:
    """Round float64 once; autograd follows the plain cast, and no bits."""
    bits = x.detach().resolve_neg().view(torch.int64)
    cut = bits & CUT
    odd = ((bits ^ cut) | torch.where(cut == 0, 0, LAST)).view(torch.float64).to(torch.float32)
    if not may_be_differentiated(x):
        return odd.to(torch.float16)
    single = x.to(torch.float32)
    plain = single.detach()
    # A difference, not a sum: -0.0 stays what it is.
    return (single - torch.where(plain - plain == 0, plain - odd, 0)).to(torch.float16)


def promoted(*xs: Tensor) -> torch.dtype:
    """Return the data type to which those of the tensors promote."""
    first = xs[0].dtype
    if all(x.dtype is first for x in xs):
        return first
    return DTYPES[dtypes.promote(*(dtype_of(x) for x in xs))]
