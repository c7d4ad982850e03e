"""Extremes: of complex numbers by real, then by imaginary part; NaN wherever there is one."""

from __future__ import annotations

from collections.abc import Callable

import jax.numpy as jnp

from arrayapi_unify.backends.jax._core import JaxArray


def through_nan(extreme: Callable[..., JaxArray]) -> Callable[..., JaxArray]:
    """Make a jnp.max or jnp.min that gives NaN where there is one.

    XLA's reduction of a thousand elements and more loses it.
    """

    def reduce(
        x: JaxArray, *, axis: int | tuple[int, ...] | None, keepdims: bool = False
    ) -> JaxArray:
        result = extreme(x, axis=axis, keepdims=keepdims)
        if x.dtype.kind != "f":
            return result
        missing = jnp.any(jnp.isnan(x), axis=axis, keepdims=keepdims)
        return jnp.where(missing, jnp.nan, result)

    return reduce


def position_of_complex(
    x: JaxArray, extreme: Callable[..., JaxArray], axis: int | None, keepdims: bool
) -> JaxArray:
    """Find where the extreme is; `extreme` is jnp.max or jnp.min, which needn't know NaN."""
    missing = jnp.isnan(x)
    best = x == extreme(x, axis=axis, keepdims=True)
    found = jnp.where(jnp.any(missing, axis=axis, keepdims=True), missing, best)
    return jnp.argmax(found, axis=axis, keepdims=keepdims)


def extreme_of_complex(
    x: JaxArray, extreme: Callable[..., JaxArray], axes: tuple[int, ...], keepdims: bool
) -> JaxArray:
    """Take what is there."""
    kept = [a for a in range(x.ndim) if a not in axes]
    shape = [x.shape[a] for a in kept]
    flat = x.transpose([*kept, *sorted(axes)]).reshape(*shape, -1)
    result = jnp.take_along_axis(flat, position_of_complex(flat, extreme, -1, True), -1)
    if keepdims:
        return result.reshape([1 if a in axes else n for a, n in enumerate(x.shape)])
    return result.reshape(shape)
