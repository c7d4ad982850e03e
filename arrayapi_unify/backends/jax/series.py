"""JAX's own running extremes, which take real numbers, and areas below series."""

from __future__ import annotations

import functools
from collections.abc import Callable

import jax
import jax.numpy as jnp

from arrayapi_unify.backends._common.axes import normalize_axis, only_axis
from arrayapi_unify.backends._common.series import sums_trapezoids
from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.kernel import partial_mixed

__all__ = ["cummax", "cummin", "trapezoid"]


def _accumulation(
    name: str, accumulate: Callable[[JaxArray, int], JaxArray]
) -> Callable[..., JaxArray]:
    compiled = jax.jit(accumulate, static_argnums=1)

    def native(x: JaxArray, /, *, axis: int | None = None) -> JaxArray:
        if axis is None or x.ndim == 0:
            axis = only_axis(name, x.ndim, axis)
        return compiled(x, normalize_axis(name, axis, x.ndim))

    native.__name__ = native.__qualname__ = name
    return partial_mixed(_is_served)(native)


def _is_served(x: JaxArray, /, **kwargs: object) -> bool:
    return x.dtype.kind in "iuf"


cummax = _accumulation("cummax", jax.lax.cummax)
cummin = _accumulation("cummin", jax.lax.cummin)


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
