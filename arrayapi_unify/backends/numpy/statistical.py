"""NumPy's implementations of the statistical functions.

They call the ufuncs' reductions: np.sum and its kin take three times as long on small arrays.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, Final, Literal

import numpy as np

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.algorithms.arithmetic import accumulator
from arrayapi_unify.backends._common.algorithms.numpy_dtypes import DTYPES, as_dtype
from arrayapi_unify.backends._common.algorithms.statistical import (
    between,
    native_quantiles,
    native_running_extremes,
    place,
)
from arrayapi_unify.backends._common.checks.arguments import check_cast, check_number
from arrayapi_unify.backends._common.checks.axes import (
    check_axis_of_0d,
    count,
    normalize_axis,
    only_axis,
)
from arrayapi_unify.backends._common.checks.statistical import (
    check_segments,
    counts_numbers,
    raise_negative_numbers_error,
    sums_trapezoids,
)
from arrayapi_unify.backends.kernel import FastKernel, Kernel, partial_mixed
from arrayapi_unify.backends.numpy._core import WHOLE, NDArray, returns_array
from arrayapi_unify.backends.numpy._out import filled_by, reduced_by
from arrayapi_unify.backends.numpy.dtypes import dtype_of

NumPyDType = np.dtype[Any]
Axis = int | tuple[int, ...] | None

_FLOAT64 = np.dtype(np.float64)
_total: Callable[..., Any] = np.add.reduce


@functools.cache
def _accumulator(dtype: NumPyDType, default: str) -> NumPyDType:
    """Return NumPy's dtype in which integers add up."""
    return DTYPES[accumulator(as_dtype(dtype) or dtypes.as_dtype(dtype), dtypes.as_dtype(default))]


def _summed(x: NDArray, dtype: NumPyDType | None = None, **_: Any) -> NumPyDType | None:
    """Return the dtype in which an array adds up; None for complex numbers in a real one."""
    if x.dtype.kind in "fc":
        return x.dtype if dtype is None or dtype == x.dtype else None
    return dtype or _accumulator(x.dtype, dtypes.held_int().value.name)


def _check_complex(name: str, x: NDArray, dtype: NumPyDType) -> None:
    """Refuse to add up complex numbers in a real dtype; NumPy drops their imaginary parts."""
    target = as_dtype(dtype)
    source = as_dtype(x.dtype)
    if source is not None and target is not None:
        check_cast(name, source, target)


def _fold(name: str, ufunc: np.ufunc) -> Callable[..., Any]:
    """Make sum or prod. Floats keep their dtype, so they go the shortest way."""
    reduce: Callable[..., Any] = ufunc.reduce

    def fold(
        x: NDArray, /, *, axis: Axis = None, dtype: NumPyDType | None = None, keepdims: bool = False
    ) -> Any:
        if dtype is None:
            if x.dtype.kind not in "fc":
                dtype = _accumulator(x.dtype, dtypes.held_int().value.name)
        elif x.dtype.kind == "c":
            _check_complex(name, x, dtype)
        if axis is not None and x.ndim == 0:
            check_axis_of_0d(name, axis)
        return reduce(x, axis, dtype, None, keepdims)

    fold.__name__ = fold.__qualname__ = name
    whole = FastKernel(functools.partial(reduce, **WHOLE), argument=np.dtype(np.float64))
    native = returns_array(Kernel(fast_kernel=whole)(fold))
    return reduced_by(reduce, _summed)(native)


def _extreme(name: str, ufunc: np.ufunc) -> Callable[..., Any]:
    """Make max or min. NaNs propagate; NumPy refuses to take them over no elements."""
    reduce: Callable[..., Any] = ufunc.reduce

    def extreme(x: NDArray, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
        if axis is not None and x.ndim == 0:
            check_axis_of_0d(name, axis)
        return reduce(x, axis, None, None, keepdims)

    extreme.__name__ = extreme.__qualname__ = name
    whole = FastKernel(functools.partial(reduce, **WHOLE))
    return reduced_by(reduce)(returns_array(Kernel(fast_kernel=whole)(extreme)))


def _accumulation(name: str, ufunc: np.ufunc) -> Callable[..., NDArray]:
    """Make cumulative_sum or cumulative_prod."""
    accumulate, identity = ufunc.accumulate, ufunc.identity

    def accumulation(
        x: NDArray,
        /,
        *,
        axis: int | None = None,
        dtype: NumPyDType | None = None,
        include_initial: bool = False,
    ) -> NDArray:
        if axis is None or x.ndim == 0:
            axis = only_axis(name, x.ndim, axis)
        if dtype is None:
            if x.dtype.kind not in "fc":
                dtype = _accumulator(x.dtype, dtypes.held_int().value.name)
        elif x.dtype.kind == "c":
            _check_complex(name, x, dtype)
        if not include_initial:
            return accumulate(x, axis, dtype)
        axis = normalize_axis(name, axis, x.ndim)
        before, size, after = x.shape[:axis], x.shape[axis], x.shape[axis + 1 :]
        out = np.empty((*before, size + 1, *after), x.dtype if dtype is None else dtype)
        lead: tuple[Any, ...] = (slice(None),) * axis
        out[(*lead, 0)] = identity
        accumulate(x, axis, out.dtype, out[(*lead, slice(1, None))])
        return out

    def into(x: NDArray, *, out: NDArray, axis: int | None = None, **_: Any) -> None:
        accumulate(x, only_axis(name, x.ndim, axis), out.dtype, out)

    def shape(x: NDArray, include_initial: bool = False, **_: Any) -> Any:
        return None if include_initial else x.shape

    accumulation.__name__ = accumulation.__qualname__ = name
    return filled_by(into, _summed, shape)(accumulation)


def _to_default(result: Any) -> Any:
    """Give float64 results of integers the default floating-point dtype."""
    default = dtypes.default_float()
    return result if default is dtypes.float64 else result.astype(default.name)


def _averaged(x: NDArray, axis: Axis, dtype: Any, out: NDArray, keepdims: bool) -> None:
    _total(x, axis, dtype, out, keepdims)
    out /= count(x.shape, axis) or math.nan


def _floating(x: NDArray, **_: Any) -> NumPyDType | None:
    return x.dtype if x.dtype.kind == "f" else None


@reduced_by(_averaged, _floating)
@returns_array
def mean(x: NDArray, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
    """Sum over count; over no elements NaN, without a warning as nothing is divided by zero."""
    if axis is not None and x.ndim == 0:
        check_axis_of_0d("mean", axis)
    kind = x.dtype.kind
    exact = kind not in "fc"
    total = _total(x, axis, _FLOAT64 if exact else None, None, keepdims)
    size = count(x.shape, axis) or math.nan
    if kind == "c":
        # Apart, so that a NaN or infinity in one component leaves the other alone (the standard).
        total = np.asarray(total)
        total.real /= size
        total.imag /= size
        return total
    return _to_default(total / size) if exact else total / size


@returns_array
def var(
    x: NDArray, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> Any:
    """Mean squared distance from the mean, in two passes as NumPy's.

    np.var gives infinity, not NaN, where the correction exceeds the count, and it warns.
    """
    if axis is not None and x.ndim == 0:
        check_axis_of_0d("var", axis)
    kind = x.dtype.kind
    exact = kind not in "fc"
    total = _total(x, axis, _FLOAT64 if exact else None, None, True)
    size = count(x.shape, axis)
    distance = x - total / (size or 1)
    if kind == "c":
        distance = distance.real**2 + distance.imag**2
    else:
        distance *= distance  # in place: a second large array costs as much as all the rest
    if type(correction) is not float:
        check_number(correction)
    freedom = size - correction
    total = _total(distance, axis, None, None, keepdims)
    result = total / (freedom if freedom > 0 else math.nan)
    return _to_default(result) if exact else result


@returns_array
def std(
    x: NDArray, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> Any:
    """Square root of the variance."""
    return np.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


sum = _fold("sum", np.add)
prod = _fold("prod", np.multiply)
max = _extreme("max", np.maximum)
min = _extreme("min", np.minimum)
cumulative_sum = _accumulation("cumulative_sum", np.add)
cumulative_prod = _accumulation("cumulative_prod", np.multiply)


def segment_sum(x: NDArray, segment_ids: NDArray, num_segments: int, /) -> NDArray:
    """Add up at indices; those that are out of range are left out."""
    check_segments(x.shape, dtype_of(x), segment_ids.shape, dtype_of(segment_ids), num_segments)
    found = np.zeros((num_segments, *x.shape[1:]), x.dtype)
    inside = (segment_ids >= 0) & (segment_ids < num_segments)
    rows = found.reshape(num_segments, math.prod(x.shape[1:]))
    added = x[inside]
    # As rows: of arrays of more than 32 axes, `add.at` ends the process.
    values = added.reshape(added.shape[0], rows.shape[1])
    np.add.at(rows, segment_ids[inside].astype(np.intp), values)
    return found


_COUNTED: Final = frozenset(
    np.dtype(t) for t in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32)
)


@partial_mixed(counts_numbers(_COUNTED))
def bincount(
    x: NDArray, /, *, weights: NDArray | None = None, minlength: int = 0, length: int | None = None
) -> NDArray:
    """Count by NumPy's own function, which says what is negative after the fact."""
    try:
        return np.bincount(x, None, minlength)
    except ValueError:
        raise_negative_numbers_error()


def _are_sequences(x1: NDArray, x2: NDArray, /, mode: str = "full") -> bool:
    """Return True for what NumPy's own function takes; the body says what is wrong with others."""
    alike = x1.dtype == x2.dtype and x1.ndim < 2 and x2.ndim < 2
    return alike and x1.size > 0 and x2.size > 0 and mode in ("full", "same", "valid")


@partial_mixed(_are_sequences)
def convolve(
    x1: NDArray, x2: NDArray, /, mode: Literal["full", "same", "valid"] = "full"
) -> NDArray:
    """Multiply and add up without an array of all products."""
    return np.convolve(x1, x2, mode)


def _nan_extreme(name: str, ufunc: np.ufunc) -> Callable[..., Any]:
    """Make a reduction by the ufunc, which is NaN only where all is: np.nanmax would warn there."""
    reduce: Callable[..., Any] = ufunc.reduce

    def extreme(x: NDArray, /, *, axis: Axis = None, keepdims: bool = False) -> Any:
        return reduce(x, axis, None, None, keepdims)

    extreme.__name__ = extreme.__qualname__ = name
    native = returns_array(extreme)
    return partial_mixed(_is_served)(native)


def _is_served(x: NDArray, /, *, axis: Axis = None, keepdims: bool = False) -> bool:
    """Return True for real floating-point numbers with axes; NumPy refuses empty arrays."""
    return bool(x.dtype.kind == "f" and x.size and x.ndim)


nanmax = _nan_extreme("nanmax", np.fmax)
nanmin = _nan_extreme("nanmin", np.fmin)


def _quantile(x: NDArray, axes: tuple[int, ...], share: float) -> NDArray:
    if len(axes) == x.ndim:
        columns = x.ravel()
    else:
        moved = np.moveaxis(x, axes, range(len(axes)))
        columns = moved.reshape(-1, *moved.shape[len(axes) :])
    ordered = np.sort(columns, axis=0)
    low, high, part = place(len(ordered), share)
    quietly = np.errstate(invalid="ignore", over="ignore")(between)
    found: NDArray = quietly(np, ordered[low], ordered[high], ordered[-1], part)
    return found.astype(x.dtype, copy=False)


quantile, percentile = native_quantiles(_quantile, lambda x: x.dtype.kind == "f", returns_array)


def _is_real(x: NDArray, /, **kwargs: object) -> bool:
    return x.dtype.kind != "c"


cummax, cummin = native_running_extremes(np.maximum.accumulate, np.minimum.accumulate, _is_real)


@partial_mixed(sums_trapezoids(lambda y: y.dtype.kind == "f"))
@returns_array
def trapezoid(y: NDArray, x: NDArray | None = None, /, *, dx: float = 1.0, axis: int = -1) -> Any:
    """Add up the means of neighbours, each times its width."""
    at = normalize_axis("trapezoid", axis, y.ndim)
    rows = y if at == y.ndim - 1 else np.moveaxis(y, at, -1)
    means = (rows[..., 1:] + rows[..., :-1]) / 2
    if x is None:
        return means.sum(-1) * dx
    return (means * (x[1:] - x[:-1])).sum(-1)
