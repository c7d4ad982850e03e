"""PyTorch's implementations of the statistical functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import torch

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.accumulation import accumulator
from arrayapi_unify.backends._common.axes import normalize_axes, normalize_axis, only_axis
from arrayapi_unify.backends._common.checks import check_cast
from arrayapi_unify.backends._common.shape_checks import raise_no_elements_error
from arrayapi_unify.backends.kernel import FastKernel, Kernel
from arrayapi_unify.backends.torch import _complex
from arrayapi_unify.backends.torch._core import cast
from arrayapi_unify.backends.torch._defaults import default_float, default_int
from arrayapi_unify.backends.torch._minmax import extreme_of_complex
from arrayapi_unify.backends.torch._reductions import along_one_axis
from arrayapi_unify.backends.torch._unsigned import SIGNED, reinterprets_ordered
from arrayapi_unify.backends.torch.dtypes import (
    COMPLEX,
    DTYPES,
    FLOATING,
    REAL_FLOATING,
    as_dtype,
    dtype_of,
)

__all__ = [
    "cumulative_prod",
    "cumulative_sum",
    "max",
    "mean",
    "min",
    "prod",
    "std",
    "sum",
    "var",
]

Tensor = torch.Tensor
Axis = int | tuple[int, ...] | None

_ACCUMULATORS: Final = {
    (DTYPES[d], DTYPES[default]): DTYPES[accumulator(d, default)]
    for d in dtypes.ALL
    for default in dtypes.KINDS["integral"]
}
_SIGNED: Final = frozenset({torch.bool, torch.int8, torch.int16, torch.int32, torch.int64})


def _accumulated(
    name: str, x: Tensor, dtype: torch.dtype | None
) -> tuple[Tensor, torch.dtype, torch.dtype]:
    """Return what to add up, in which data type, and that of the result."""
    if dtype is None:
        target = x.dtype if x.dtype in FLOATING else _ACCUMULATORS[x.dtype, default_int()]
    else:
        target = dtype
        if x.dtype in COMPLEX and target not in COMPLEX:
            check_cast(name, dtype_of(x), as_dtype(target) or dtypes.float64)
    if target is torch.bool:
        return cast(x, target), torch.int64, target
    # Sums and products of unsigned integers wrap around to the same bits as signed ones.
    carrier = SIGNED.get(target, target)
    return (x.to(target).view(carrier) if target in SIGNED else x.to(target)), carrier, target


def _finished(result: Tensor, target: torch.dtype) -> Tensor:
    if target in SIGNED:
        return result.view(target)
    return result if result.dtype is target else cast(result, target)


_sum: Callable[..., Tensor] = torch.sum
_mean: Callable[..., Tensor] = torch.mean


def _sums_alike(dtype: torch.dtype) -> bool:
    """Return True if PyTorch sums in the standard's data type; it sums integers in int64."""
    return dtype in FLOATING or (dtype in _SIGNED and default_int() is torch.int64)


def _fix_up_sum(total: Tensor, x: Tensor) -> Tensor:
    return total if _sums_alike(x.dtype) else sum(x)


@Kernel(fast_kernel=FastKernel(_sum, torch.float64, _fix_up_sum))
def sum(
    x: Tensor, /, *, axis: Axis = None, dtype: torch.dtype | None = None, keepdims: bool = False
) -> Tensor:
    """Add up; what PyTorch does alike goes the shortest way."""
    if type(axis) is int and dtype is None and x.dtype in FLOATING and x.ndim:
        return _sum(x, axis, keepdims)
    if dtype is None and _sums_alike(x.dtype):
        if axis is None:
            return _sum(x, None, keepdims)
        if type(axis) is int and x.ndim:
            return _sum(x, axis, keepdims)
    axes = normalize_axes("sum", axis, x.ndim)
    x, carrier, target = _accumulated("sum", x, dtype)
    # No axes mean all axes to PyTorch.
    total = torch.sum(x, axes, keepdims, dtype=carrier) if axes else x.to(carrier, copy=True)
    return _finished(total, target)


def prod(
    x: Tensor, /, *, axis: Axis = None, dtype: torch.dtype | None = None, keepdims: bool = False
) -> Tensor:
    """Multiply; PyTorch takes one axis only."""
    axes = normalize_axes("prod", axis, x.ndim)
    x, carrier, target = _accumulated("prod", x, dtype)
    result = torch.clone(x.to(carrier))
    for one in sorted(axes, reverse=True):
        result = torch.prod(result, one, keepdims, dtype=carrier)
    return _finished(result, target)


def _extreme(
    name: str, reduce: Callable[..., Tensor], first: Callable[[Tensor, Tensor], Tensor]
) -> Callable[..., Tensor]:
    """Make max or min. NaNs propagate."""

    @along_one_axis(reduce)
    @reinterprets_ordered
    def extreme(x: Tensor, /, axis: Axis, keepdims: bool) -> Tensor:
        axes = normalize_axes(name, axis, x.ndim)
        if not axes:
            return x.clone()
        if math.prod([x.shape[a] for a in axes]) == 0 and x.numel() == 0:
            _check_not_empty(name, x, axes)
        if x.dtype in COMPLEX:
            return extreme_of_complex(x, axes, keepdims, reduce)
        return reduce(x, axes, keepdims)

    extreme.__name__ = extreme.__qualname__ = name
    return extreme  # type: ignore[no-any-return]


def _check_not_empty(name: str, x: Tensor, axes: tuple[int, ...]) -> None:
    if any(x.shape[a] == 0 for a in axes):
        raise_no_elements_error(name, x.shape)


max = _extreme("max", torch.amax, _complex.maximum)
min = _extreme("min", torch.amin, _complex.minimum)


def _accumulation(name: str, function: Callable[..., Tensor], identity: int) -> Any:
    """Make cumulative_sum or cumulative_prod."""

    def accumulation(
        x: Tensor,
        /,
        *,
        axis: int | None = None,
        dtype: torch.dtype | None = None,
        include_initial: bool = False,
    ) -> Tensor:
        axis = normalize_axis(name, only_axis(name, x.ndim, axis), x.ndim)
        x, carrier, target = _accumulated(name, x, dtype)
        result = function(x, axis, dtype=carrier)
        if include_initial:
            shape = list(x.shape)
            shape[axis] = 1
            start = torch.full(shape, identity, dtype=carrier, device=x.device)
            result = torch.cat([start, result], axis)
        return _finished(result, target)

    accumulation.__name__ = accumulation.__qualname__ = name
    return accumulation


cumulative_sum = _accumulation("cumulative_sum", torch.cumsum, 0)
cumulative_prod = _accumulation("cumulative_prod", torch.cumprod, 1)


def _floats(x: Tensor) -> Tensor:
    return x if x.dtype in FLOATING else x.to(torch.float64)


def _to_default(result: Tensor, x: Tensor) -> Tensor:
    """Give float64 results of integers the default floating-point data type."""
    return result if x.dtype in FLOATING else result.to(default_float())


def _fix_up_mean(average: Tensor, x: Tensor) -> Tensor:
    return average if x.dtype in REAL_FLOATING else mean(x)


@Kernel(fast_kernel=FastKernel(_mean, torch.float64, _fix_up_mean))
@along_one_axis(_mean, of_nothing=True)
def mean(x: Tensor, axis: Axis, keepdims: bool) -> Tensor:
    """Average; of complex numbers by component, so that NaN in one leaves the other alone."""
    axes = normalize_axes("mean", axis, x.ndim)
    if not axes:
        return _to_default(_floats(x), x).clone()
    if x.dtype in COMPLEX:
        parts = _complex.parts(x)
        return torch.view_as_complex(torch.mean(parts, axes, keepdims))
    return _to_default(_mean(_floats(x), axes, keepdims), x)


def var(
    x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> Tensor:
    """Average the squared distances; NaN where the correction leaves no freedom."""
    axes = normalize_axes("var", axis, x.ndim)
    values = _floats(x)
    if not axes:
        values = values.unsqueeze(-1)
        axes, keepdims = (x.ndim,), False
    count = math.prod([values.shape[a] for a in axes])
    if count > correction and x.numel():
        result = torch.var(values, axes, correction=correction, keepdim=keepdims)
    else:
        # PyTorch warns, and gives infinity or the variance of a smaller correction.
        result = torch.sum(values.abs(), axes, keepdims) * math.nan
    return _to_default(result, x)


def std(
    x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> Tensor:
    """Take the square root of the variance."""
    return torch.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))
