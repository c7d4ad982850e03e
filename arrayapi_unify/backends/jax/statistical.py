"""JAX's implementations of the statistical functions, each one compiled function."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.accumulation import accumulator
from arrayapi_unify.backends._common.axes import count, normalize_axes, normalize_axis, only_axis
from arrayapi_unify.backends._common.checks import check_cast
from arrayapi_unify.backends._common.shape_checks import raise_no_elements_error
from arrayapi_unify.backends.jax._core import FLOAT64, JaxArray, cast, complex_parts
from arrayapi_unify.backends.jax._minmax import extreme_of_complex, through_nan
from arrayapi_unify.backends.jax.dtypes import DTYPES, dtype_of

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
        x: JaxArray,
        /,
        *,
        axis: int | None = None,
        dtype: Any = None,
        include_initial: bool = False,
    ) -> JaxArray:
        if axis is None or x.ndim == 0:
            axis = only_axis(name, x.ndim, axis)
        dtype = _accumulator(name, x, dtype)
        return compiled(x, normalize_axis(name, axis, x.ndim), dtype, include_initial)

    return _named(name, accumulation)


def _result_dtype(x: JaxArray) -> Any:
    """Return the data type of a mean: x's own if floating-point, else the default float."""
    return x.dtype if x.dtype.kind in "fc" else DTYPES[dtypes.held_float().value]


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
