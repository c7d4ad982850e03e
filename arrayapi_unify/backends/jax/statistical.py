"""JAX's implementations of the statistical functions, each one compiled function."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.algorithms.arithmetic import accumulator
from arrayapi_unify.backends._common.algorithms.statistical import (
    native_covariances,
    native_quantiles,
    native_running_extremes,
    place,
)
from arrayapi_unify.backends._common.checks.arguments import check_cast
from arrayapi_unify.backends._common.checks.axes import (
    count,
    normalize_axes,
    normalize_axis,
    only_axis,
)
from arrayapi_unify.backends._common.checks.shapes import raise_no_elements_error
from arrayapi_unify.backends._common.checks.statistical import (
    check_segments,
    sums_trapezoids,
)
from arrayapi_unify.backends.jax._core import FLOAT64, JaxArray, cast, complex_parts
from arrayapi_unify.backends.jax._minmax import extreme_of_complex, through_nan
from arrayapi_unify.backends.jax.dtypes import BY_NAME, DTYPES, dtype_of
from arrayapi_unify.backends.kernel import partial_mixed

Axis = int | tuple[int, ...] | None


def _named(name: str, function: Any) -> Any:
    function.__name__ = function.__qualname__ = name
    return function


def _accumulator(name: str, x: JaxArray, dtype: Any) -> Any:
    """Return the data type in which to add up, the one asked for if there is one."""
    if dtype is None:
        return DTYPES[accumulator(dtype_of(x), dtypes.held_int().value)]
    check_cast(name, dtype_of(x), dtypes.as_dtype(np.dtype(dtype).name))
    return dtype


def _fold(name: str, reduce: Callable[..., JaxArray]) -> Any:
    """Make sum or prod. Floats keep their dtype, so they go the shortest way."""
    whole = jax.jit(lambda x: reduce(x, dtype=x.dtype))

    @functools.partial(jax.jit, static_argnums=(1, 2, 3))
    def along(x: JaxArray, axes: tuple[int, ...], dtype: Any, keepdims: bool) -> JaxArray:
        return reduce(cast(x, dtype), axis=axes, dtype=dtype, keepdims=keepdims)

    def fold(
        x: JaxArray, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False
    ) -> JaxArray:
        if axis is None and dtype is None and not keepdims and x.dtype.kind in "fc":
            return whole(x)
        dtype = _accumulator(name, x, dtype)
        return along(x, normalize_axes(name, axis, x.ndim), dtype, keepdims)

    return _named(name, fold)


def _extreme(name: str, reduce: Callable[..., JaxArray]) -> Any:
    """Make max or min. NaNs propagate."""

    @functools.partial(jax.jit, static_argnums=(1, 2))
    def compiled(x: JaxArray, axes: tuple[int, ...], keepdims: bool) -> JaxArray:
        if x.dtype.kind == "c" and axes and x.size:
            return extreme_of_complex(x, reduce, axes, keepdims)
        return reduce(x, axis=axes, keepdims=keepdims)

    def extreme(x: JaxArray, /, *, axis: Axis = None, keepdims: bool = False) -> JaxArray:
        axes = normalize_axes(name, axis, x.ndim)
        if 0 in x.shape and not count(x.shape, axes):
            raise_no_elements_error(name, x.shape)
        return compiled(x, axes, keepdims)

    return _named(name, extreme)


def _accumulation(name: str, accumulate: Callable[..., JaxArray], identity: int) -> Any:
    """Make cumulative_sum or cumulative_prod."""

    @functools.partial(jax.jit, static_argnums=(1, 2, 3))
    def compiled(x: JaxArray, axis: int, dtype: Any, include_initial: bool) -> JaxArray:
        if dtype.kind == "b":
            # JAX would count; no sum of ones overflows, and no product of ones and zeros.
            result = cast(accumulate(cast(cast(x, dtype), np.dtype(np.int64)), axis), dtype)
        else:
            result = accumulate(cast(x, dtype), axis)
        if not include_initial:
            return result
        shape = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
        return jnp.concatenate([jnp.full(shape, identity, dtype), result], axis)

    def accumulation(
        x: JaxArray, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
    ) -> JaxArray:
        if axis is None or x.ndim == 0:
            axis = only_axis(name, x.ndim, axis)
        dtype = _accumulator(name, x, dtype)
        return compiled(x, normalize_axis(name, axis, x.ndim), dtype, include_initial)

    return _named(name, accumulation)


def _result_dtype(x: JaxArray) -> Any:
    """Return the data type of a mean: x's own if floating-point, else the default float."""
    return x.dtype if x.dtype.kind in "fc" else BY_NAME[dtypes.held_float().value.name]


def _divided(total: JaxArray, size: float) -> JaxArray:
    """Divide by a number, the components apart, so that NaN in one leaves the other alone."""
    if total.dtype.kind == "c":
        return complex_parts(jnp.real(total) / size, jnp.imag(total) / size)
    return total / size


@functools.partial(jax.jit, static_argnums=(1, 2, 3))
def _mean(x: JaxArray, axes: tuple[int, ...], keepdims: bool, dtype: Any) -> JaxArray:
    x = x if x.dtype.kind in "fc" else cast(x, FLOAT64)
    total = jnp.sum(x, axis=axes, keepdims=keepdims)
    return cast(_divided(total, count(x.shape, axes) or math.nan), dtype)


def mean(x: JaxArray, /, *, axis: Axis = None, keepdims: bool = False) -> JaxArray:
    """Sum over count; over no elements NaN."""
    return _mean(x, normalize_axes("mean", axis, x.ndim), keepdims, _result_dtype(x))


@functools.partial(jax.jit, static_argnums=(1, 2, 3))
def _distances(
    x: JaxArray, axes: tuple[int, ...], keepdims: bool, dtype: Any, correction: Any
) -> JaxArray:
    """Compute the variance in two passes; the correction isn't static, it may be any number."""
    x = x if x.dtype.kind in "fc" else cast(x, FLOAT64)
    size = count(x.shape, axes)
    distance = x - _divided(jnp.sum(x, axis=axes, keepdims=True), size or 1)
    if x.dtype.kind == "c":
        distance = jnp.real(distance) ** 2 + jnp.imag(distance) ** 2
    else:
        distance = distance * distance
    freedom = size - correction
    freedom = jnp.where(freedom > 0, freedom, math.nan).astype(distance.dtype)
    return cast(jnp.sum(distance, axis=axes, keepdims=keepdims) / freedom, dtype)


def _variance_dtype(x: JaxArray) -> Any:
    dtype = _result_dtype(x)
    return np.empty(0, dtype).real.dtype if dtype.kind == "c" else dtype


def var(
    x: JaxArray, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> JaxArray:
    """Mean squared distance from the mean."""
    axes = normalize_axes("var", axis, x.ndim)
    return _distances(x, axes, keepdims, _variance_dtype(x), correction)


def std(
    x: JaxArray, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> JaxArray:
    """Square root of the variance."""
    axes = normalize_axes("std", axis, x.ndim)
    return jnp.sqrt(_distances(x, axes, keepdims, _variance_dtype(x), correction))


sum = _fold("sum", jnp.sum)
prod = _fold("prod", jnp.prod)
max = _extreme("max", through_nan(jnp.max))
min = _extreme("min", through_nan(jnp.min))
cumulative_sum = _accumulation("cumulative_sum", jnp.cumsum, 0)
cumulative_prod = _accumulation("cumulative_prod", jnp.cumprod, 1)


cov, corrcoef = native_covariances(
    jax.jit(lambda x, correction: jnp.cov(x, ddof=correction), static_argnums=1),
    jax.jit(jnp.corrcoef),
    lambda x: x.dtype.kind == "f",
)


@functools.partial(jax.jit, static_argnums=2)
def _summed(x: JaxArray, segment_ids: JaxArray, num_segments: int) -> JaxArray:
    # Large uint64 numbers become negative. JAX omits numbers that are out of range.
    return jax.ops.segment_sum(x, segment_ids.astype(jnp.int64), num_segments)


def segment_sum(x: JaxArray, segment_ids: JaxArray, num_segments: int, /) -> JaxArray:
    """Add up at indices, in one kernel."""
    check_segments(x.shape, dtype_of(x), segment_ids.shape, dtype_of(segment_ids), num_segments)
    return _summed(x, segment_ids, num_segments)


def _skips_nan(
    x: JaxArray, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False
) -> bool:
    """Return True if elements of real x are reduced in its own data type.

    JAX refuses minima and maxima of no elements.
    """
    return bool(x.dtype.kind == "f" and x.size and x.ndim and axis != () and dtype is None)


def _reduction(name: str, function: Callable[..., JaxArray]) -> Callable[..., JaxArray]:
    @functools.partial(jax.jit, static_argnums=(1, 2))
    def reduced(x: JaxArray, axes: tuple[int, ...], keepdims: bool) -> JaxArray:
        return function(x, axes, keepdims=keepdims)

    def native(x: JaxArray, /, *, axis: Axis = None, keepdims: bool = False) -> JaxArray:
        return reduced(x, tuple(normalize_axes(name, axis, x.ndim)), keepdims)

    native.__name__ = native.__qualname__ = name
    return partial_mixed(_skips_nan)(native)


def _with_dtype(native: Callable[..., JaxArray]) -> Callable[..., JaxArray]:
    """Give a reduction the parameter `dtype`, which `_skips_nan` wants to be None."""

    @functools.wraps(native)
    def whole(
        x: JaxArray, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False
    ) -> JaxArray:
        return native(x, axis=axis, keepdims=keepdims)

    del whole.__wrapped__  # its signature isn't that of `native`
    return whole


nanmax = _reduction("nanmax", jnp.nanmax)
nanmean = _with_dtype(_reduction("nanmean", jnp.nanmean))
nanmin = _reduction("nanmin", jnp.nanmin)
nanprod = _with_dtype(_reduction("nanprod", jnp.nanprod))
nansum = _with_dtype(_reduction("nansum", jnp.nansum))


def _spread(name: str, function: Callable[..., JaxArray]) -> Callable[..., JaxArray]:
    @functools.partial(jax.jit, static_argnums=(1, 3))
    def reduced(x: JaxArray, axes: tuple[int, ...], correction: Any, keepdims: bool) -> JaxArray:
        return function(x, axes, ddof=correction, keepdims=keepdims)

    def native(
        x: JaxArray,
        /,
        *,
        axis: Axis = None,
        dtype: Any = None,
        correction: float = 0.0,
        keepdims: bool = False,
    ) -> JaxArray:
        return reduced(x, tuple(normalize_axes(name, axis, x.ndim)), correction, keepdims)

    def is_served(
        x: JaxArray,
        /,
        *,
        axis: Axis = None,
        dtype: Any = None,
        correction: Any = 0.0,
        **options: Any,
    ) -> bool:
        return type(correction) in (int, float) and _skips_nan(x, axis=axis, dtype=dtype)

    native.__name__ = native.__qualname__ = name
    return partial_mixed(is_served)(native)


nanstd = _spread("nanstd", jnp.nanstd)
nanvar = _spread("nanvar", jnp.nanvar)


def _is_real(x: JaxArray, /, **options: object) -> bool:
    return bool(x.dtype.kind == "f")


@partial_mixed(_is_real)
def nan_to_num(
    x: JaxArray, /, *, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None
) -> JaxArray:
    """Replace in one kernel."""
    return jnp.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)


@functools.partial(jax.jit, static_argnums=(1, 2))
def _median(x: JaxArray, axes: tuple[int, ...], keepdims: bool) -> JaxArray:
    # The median of x / 2, because the sum of two elements of x may overflow.
    return 2 * jnp.median(x / 2, axes, keepdims=keepdims)


def _has_order(x: JaxArray, /, *, axis: Axis = None, keepdims: bool = False) -> bool:
    """Return True if x is real floating-point and an axis is reduced; JAX refuses empty x."""
    return bool(x.dtype.kind == "f" and x.size and x.ndim and axis != ())


@partial_mixed(_has_order)
def median(x: JaxArray, /, *, axis: Axis = None, keepdims: bool = False) -> JaxArray:
    """Compute in one kernel."""
    return _median(x, tuple(normalize_axes("median", axis, x.ndim)), keepdims)


@functools.partial(jax.jit, static_argnums=1)
def _between(x: JaxArray, axes: tuple[int, ...], low: Any, high: Any, given: Any) -> JaxArray:
    moved = jnp.moveaxis(x, axes, range(len(axes)))
    ordered = jnp.sort(jnp.reshape(moved, (-1, *moved.shape[len(axes) :])), axis=0)
    first = lax.dynamic_index_in_dim(ordered, low, 0, keepdims=False)
    second = lax.dynamic_index_in_dim(ordered, high, 0, keepdims=False)
    step, share = second - first, jnp.asarray(given, x.dtype)
    near = jnp.where(share < 0.5, first + step * share, second - step * (1 - share))
    # For a step that isn't finite: nothing cancels in this sum, unless infinities do.
    found = jnp.where(jnp.isfinite(step), near, first * (1 - share) + second * share)
    found = jnp.where(share == 0, first, found)
    return jnp.where(jnp.isnan(ordered[-1]), math.nan, found)


def _quantile(x: JaxArray, axes: tuple[int, ...], share: float) -> JaxArray:
    # The position is no constant of the kernel, which serves all shares.
    count = math.prod([x.shape[a] for a in axes])
    return _between(x, axes, *place(count, share))


quantile, percentile = native_quantiles(_quantile, lambda x: x.dtype.kind == "f")


def _is_ordered(x: JaxArray, /, **kwargs: object) -> bool:
    return x.dtype.kind in "iuf"


cummax, cummin = native_running_extremes(
    jax.jit(lax.cummax, static_argnums=1), jax.jit(lax.cummin, static_argnums=1), _is_ordered
)


@functools.partial(jax.jit, static_argnums=3)
def _trapezoid(y: JaxArray, x: JaxArray | None, dx: float, axis: int) -> JaxArray:
    rows = jnp.moveaxis(y, axis, -1)
    means = (rows[..., 1:] + rows[..., :-1]) / 2
    if x is None:
        return jnp.sum(means, -1) * dx
    return jnp.sum(means * (x[1:] - x[:-1]), -1)


@partial_mixed(sums_trapezoids(lambda y: y.dtype.kind == "f"))
def trapezoid(
    y: JaxArray, x: JaxArray | None = None, /, *, dx: float = 1.0, axis: int = -1
) -> JaxArray:
    """Add up the means of neighbours, each times its width, in one kernel."""
    return _trapezoid(y, x, dx, normalize_axis("trapezoid", axis, y.ndim))
