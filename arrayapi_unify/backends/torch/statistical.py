"""PyTorch's implementations of the statistical functions."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any, Final

import torch

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.algorithms.arithmetic import accumulator
from arrayapi_unify.backends._common.algorithms.out import plain
from arrayapi_unify.backends._common.algorithms.statistical import (
    between,
    native_covariances,
    native_quantiles,
    native_running_extremes,
    place,
)
from arrayapi_unify.backends._common.checks.arguments import check_cast
from arrayapi_unify.backends._common.checks.axes import (
    normalize_axes,
    normalize_axis,
    only_axis,
)
from arrayapi_unify.backends._common.checks.shapes import raise_no_elements_error
from arrayapi_unify.backends._common.checks.statistical import (
    check_segments,
    counts_numbers,
    raise_negative_numbers_error,
    sums_trapezoids,
)
from arrayapi_unify.backends.kernel import FastKernel, Kernel, partial_mixed
from arrayapi_unify.backends.torch import _complex
from arrayapi_unify.backends.torch._core import cast, is_compiling
from arrayapi_unify.backends.torch._defaults import default_float, default_int
from arrayapi_unify.backends.torch._minmax import extreme_of_complex
from arrayapi_unify.backends.torch._out import filled_by, reduced_by
from arrayapi_unify.backends.torch._reductions import along_one_axis
from arrayapi_unify.backends.torch._unsigned import (
    SIGNED,
    bits,
    from_bits,
    from_order,
    reinterprets_ordered,
    to_order,
)
from arrayapi_unify.backends.torch.dtypes import (
    COMPLEX,
    DTYPES,
    FLOATING,
    REAL_FLOATING,
    as_dtype,
    dtype_of,
)

Tensor = torch.Tensor
Axis = int | tuple[int, ...] | None

_ACCUMULATORS: Final = {
    (DTYPES[d], DTYPES[default]): DTYPES[accumulator(d, default)]
    for d in dtypes.ALL
    for default in dtypes.KINDS["integral"]
}
# Data types that PyTorch adds up in themselves, and averages.
_SUMMED: Final = {dtype: dtype for dtype in (*FLOATING, torch.int64)}
_REAL: Final = {dtype: dtype for dtype in REAL_FLOATING}
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
    return total if _sums_alike(x.dtype) else plain(sum)(x)


@reduced_by(_sum, _SUMMED)
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


# PyTorch multiplies along one axis; it takes a second one for an option, and raises.
@reduced_by(lambda x, axes, **options: torch.prod(x, *axes, **options), _SUMMED)
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
    # PyTorch refuses what it has no kernel for: complex and most unsigned numbers, and no elements.
    return reduced_by(reduce)(Kernel(fast_kernel=FastKernel(reduce))(extreme))


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

    def along_the_only_axis(x: Tensor) -> Tensor:
        if x.ndim != 1:
            only_axis(name, x.ndim, None)
        return function(x, -1)

    accumulation.__name__ = accumulation.__qualname__ = name
    usual = FastKernel(along_the_only_axis, argument=torch.float64)

    def shape(x: Tensor, axis: Any = None, dtype: Any = None, include_initial: bool = False) -> Any:
        usual = not include_initial and dtype in (None, x.dtype)
        return x.shape if usual and (x.ndim == 1 or (x.ndim and axis is not None)) else None

    def into(x: Tensor, *, out: Tensor, axis: int | None = None, **_: Any) -> None:
        function(x, -1 if axis is None else axis, out=out)

    return filled_by(into, shape, _SUMMED)(Kernel(fast_kernel=usual)(accumulation))


cumulative_sum = _accumulation("cumulative_sum", torch.cumsum, 0)
cumulative_prod = _accumulation("cumulative_prod", torch.cumprod, 1)


def _floats(x: Tensor) -> Tensor:
    return x if x.dtype in FLOATING else x.to(torch.float64)


def _to_default(result: Tensor, x: Tensor) -> Tensor:
    """Give float64 results of integers the default floating-point data type."""
    return result if x.dtype in FLOATING else result.to(default_float())


def _fix_up_mean(average: Tensor, x: Tensor) -> Tensor:
    return average if x.dtype in REAL_FLOATING else plain(mean)(x)


@reduced_by(_mean, _REAL)
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


@reduced_by(
    lambda x, axes, correction=0.0, **options: torch.var(x, axes, correction=correction, **options),
    _REAL,
)
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


_var = plain(var)


@reduced_by(
    lambda x, axes, correction=0.0, **options: torch.var(
        x, axes, correction=correction, **options
    ).sqrt_(),
    _REAL,
)
def std(
    x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> Tensor:
    """Take the square root of the variance."""
    return torch.sqrt(_var(x, axis=axis, correction=correction, keepdims=keepdims))


def _correlates(x: Tensor) -> bool:
    """Return True if PyTorch's functions take x; they read values, which can't be traced."""
    return x.dtype in REAL_FLOATING and not is_compiling()


cov, corrcoef = native_covariances(
    lambda x, correction: torch.cov(x, correction=correction), torch.corrcoef, _correlates
)


def segment_sum(x: Tensor, segment_ids: Tensor, num_segments: int, /) -> Tensor:
    """Add up at indices; those that are out of range go to a sum that is dropped."""
    check_segments(x.shape, dtype_of(x), segment_ids.shape, dtype_of(segment_ids), num_segments)
    # Large uint64 numbers become negative.
    places = segment_ids.to(torch.int64)
    outside = (places < 0) | (places >= num_segments)
    places = places.masked_fill(outside, num_segments)
    values = bits(x)
    found = values.new_zeros((num_segments + 1, *x.shape[1:])).index_add(0, places, values)
    return from_bits(found[:num_segments].clone(), x.dtype)


_COUNTED: Final = frozenset({torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8})


@partial_mixed(counts_numbers(_COUNTED))
def bincount(
    x: Tensor, /, *, weights: Tensor | None = None, minlength: int = 0, length: int | None = None
) -> Tensor:
    """Count by PyTorch's own function, which says what is negative after the fact."""
    try:
        return torch.bincount(x, None, minlength)
    except RuntimeError:
        raise_negative_numbers_error()


def _is_floating(x: Tensor, /, **options: object) -> bool:
    return x.is_floating_point()


@partial_mixed(_is_floating)
def nan_to_num(
    x: Tensor, /, *, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> Tensor:
    """Replace in one kernel."""
    return torch.nan_to_num(x, nan, posinf, neginf)


def _skips_nan(x: Tensor, /, *, axis: Axis = None, dtype: Any = None, **options: Any) -> bool:
    """Return True if x keeps its data type and an axis is reduced; PyTorch takes `()` as all."""
    usual = axis is None or type(axis) is int or (type(axis) is tuple and len(axis) > 0)
    return x.is_floating_point() and dtype is None and usual and x.ndim > 0


@partial_mixed(_skips_nan)
def nansum(x: Tensor, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """Add up by PyTorch's own function."""
    return torch.nansum(x, axis, keepdims)


@partial_mixed(_skips_nan)
def nanmean(
    x: Tensor, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False
) -> Tensor:
    """Average by PyTorch's own function."""
    return torch.nanmean(x, axis, keepdims)


def _quantile(x: Tensor, axes: tuple[int, ...], share: float) -> Tensor:
    if len(axes) == x.ndim:
        columns = x.reshape(-1)
    else:
        columns = x.movedim(axes, tuple(range(len(axes)))).flatten(0, len(axes) - 1)
    ordered = torch.sort(columns, 0)[0]
    low, high, part = place(len(ordered), share)
    return between(torch, ordered[low], ordered[high], ordered[-1], part)


quantile, percentile = native_quantiles(_quantile, lambda x: x.dtype in REAL_FLOATING)


def _is_real(x: Tensor, /, **kwargs: object) -> bool:
    """Return True if x is real and not empty: the kernel refuses some empty shapes."""
    return x.dtype not in COMPLEX and x.numel() > 0


cummax, cummin = native_running_extremes(
    lambda x, axis: from_order(torch.cummax(to_order(x), axis)[0], x.dtype),
    lambda x, axis: from_order(torch.cummin(to_order(x), axis)[0], x.dtype),
    _is_real,
)


@partial_mixed(sums_trapezoids(lambda y: y.dtype in REAL_FLOATING))
def trapezoid(y: Tensor, x: Tensor | None = None, /, *, dx: float = 1.0, axis: int = -1) -> Tensor:
    """Integrate by PyTorch's own function where there are places, else by two sums."""
    at = normalize_axis("trapezoid", axis, y.ndim)
    if x is not None:
        return torch.trapezoid(y, x, dim=at)
    # PyTorch's own takes half of the ends off the sum of all: NaN, where one is infinite.
    count = builtins.max(y.shape[at] - 1, 0)
    left = y.narrow(at, 0, count).sum(at)
    right = y.narrow(at, y.shape[at] - count, count).sum(at)
    return (left + right) * (dx / 2)
