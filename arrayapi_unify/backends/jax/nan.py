"""JAX's own functions that deal with NaN, which take real floating-point arrays."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from arrayapi_unify.backends._common.axes import normalize_axes
from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.kernel import partial_mixed

__all__ = ["nan_to_num", "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar"]

Axis = int | tuple[int, ...] | None


def _is_served(
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
    return partial_mixed(_is_served)(native)


def _with_dtype(native: Callable[..., JaxArray]) -> Callable[..., JaxArray]:
    """Give a reduction the parameter `dtype`, which `_is_served` wants to be None."""

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
        return type(correction) in (int, float) and _is_served(x, axis=axis, dtype=dtype)

    native.__name__ = native.__qualname__ = name
    return partial_mixed(is_served)(native)


nanstd = _spread("nanstd", jnp.nanstd)
nanvar = _spread("nanvar", jnp.nanvar)


def _is_real(x: JaxArray, /, **options: object) -> bool:
    return bool(x.dtype.kind == "f")


@partial_mixed(_is_real)
def nan_to_num(
    x: JaxArray,
    /,
    *,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> JaxArray:
    """Replace in one kernel."""
    return jnp.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)
