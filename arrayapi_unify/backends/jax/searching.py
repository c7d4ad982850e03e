"""JAX's implementations of the searching functions."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Literal

import jax
import jax.numpy as jnp
import numpy as np

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.checks.arguments import check_search
from arrayapi_unify.backends._common.checks.axes import count, normalize_axes, normalize_axis
from arrayapi_unify.backends._common.checks.shapes import (
    raise_no_elements_error,
    raise_zero_dimensional_error,
)
from arrayapi_unify.backends.jax._core import JaxArray, promoted, scalar_beside
from arrayapi_unify.backends.jax._minmax import position_of_complex
from arrayapi_unify.backends.jax.dtypes import DTYPES, dtype_of

Scalar = complex | bool


def _position(name: str, find: Callable[..., JaxArray], extreme: Callable[..., JaxArray]) -> Any:
    """Make argmax or argmin."""

    @functools.partial(jax.jit, static_argnums=(1, 2))
    def compiled(x: JaxArray, axis: int | None, keepdims: bool) -> JaxArray:
        if x.dtype.kind == "c":
            return position_of_complex(x, extreme, axis, keepdims)
        return find(x, axis=axis, keepdims=keepdims)

    def position(x: JaxArray, /, *, axis: int | None = None, keepdims: bool = False) -> JaxArray:
        axis = None if axis is None else normalize_axis(name, axis, x.ndim)
        if 0 in x.shape and not count(x.shape, axis):
            raise_no_elements_error(name, x.shape)
        return compiled(x, axis, keepdims)

    position.__name__ = position.__qualname__ = name
    return position


argmax = _position("argmax", jnp.argmax, jnp.max)
argmin = _position("argmin", jnp.argmin, jnp.min)


@functools.partial(jax.jit, static_argnums=(1, 2))
def _count_nonzero(x: JaxArray, axes: tuple[int, ...], keepdims: bool) -> JaxArray:
    return jnp.sum(x != 0, axis=axes, keepdims=keepdims, dtype=DTYPES[dtypes.int64])


def count_nonzero(
    x: JaxArray, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
) -> JaxArray:
    """Count."""
    return _count_nonzero(x, normalize_axes("count_nonzero", axis, x.ndim), keepdims)


def nonzero(x: JaxArray, /) -> tuple[JaxArray, ...]:
    """Find the elements that aren't zero; their number depends on the data."""
    if x.ndim == 0:
        raise_zero_dimensional_error("nonzero")
    return tuple(jnp.nonzero(x))


def _beside(scalar: Scalar, other: Any) -> Any:
    """Make an array of a scalar, of the dtype that promotion with `other` gives.

    Two scalars: the default dtype of the higher kind.
    """
    if isinstance(other, jax.Array):
        return scalar_beside(scalar, other)
    return np.asarray(scalar, dtype=DTYPES[dtypes.of_scalars((scalar, other))])


@functools.partial(jax.jit, static_argnums=2)
def _searchsorted(x1: JaxArray, x2: JaxArray, side: str, sorter: JaxArray | None) -> JaxArray:
    x1, x2 = promoted(x1, x2)
    if sorter is not None:
        x1 = x1[sorter]
    return jnp.searchsorted(x1, x2, side=side).astype(DTYPES[dtypes.int64])


def searchsorted(
    x1: JaxArray,
    x2: JaxArray | float,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: JaxArray | None = None,
) -> Any:
    """Search."""
    if x1.ndim != 1 or sorter is not None:
        check_search(x1.shape, side, None if sorter is None else (dtype_of(sorter), sorter.shape))
    return _searchsorted(x1, x2 if isinstance(x2, jax.Array) else _beside(x2, x1), side, sorter)


@jax.jit
def _where(condition: JaxArray, x1: JaxArray, x2: JaxArray) -> JaxArray:
    return jnp.where(condition, *promoted(x1, x2))


def where(condition: JaxArray, x1: JaxArray | Scalar, x2: JaxArray | Scalar, /) -> JaxArray:
    """Choose; scalars become arrays first, see `_beside`."""
    first = x1 if isinstance(x1, jax.Array) else _beside(x1, x2)
    second = x2 if isinstance(x2, jax.Array) else _beside(x2, x1)
    return _where(condition, first, second)
