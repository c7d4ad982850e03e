"""JAX's implementations of the utility functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from arrayapi_unify.backends._common.checks.arguments import raise_times_error
from arrayapi_unify.backends._common.checks.axes import normalize_axes, normalize_axis
from arrayapi_unify.backends.jax._core import JaxArray, promoted, scalar_beside
from arrayapi_unify.backends.kernel import partial_mixed


def _test(name: str, reduce: Callable[..., JaxArray]) -> Any:
    """Make all or any."""
    compiled = jax.jit(
        lambda x, axes, keepdims: reduce(x != 0, axis=axes, keepdims=keepdims),
        static_argnums=(1, 2),
    )

    def test(
        x: JaxArray, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
    ) -> JaxArray:
        return compiled(x, normalize_axes(name, axis, x.ndim), keepdims)

    test.__name__ = test.__qualname__ = name
    return test


all = _test("all", jnp.all)
any = _test("any", jnp.any)


def _joinable(part: Any, x: JaxArray, axis: int) -> JaxArray:
    """Return what diff joins to x; a scalar or 0-d array stands for one slice."""
    if isinstance(part, bool | int | float | complex):
        part = scalar_beside(part, x)
    if np.ndim(part):
        return part
    return jnp.broadcast_to(part, (*x.shape[:axis], 1, *x.shape[axis + 1 :]))


def diff(
    x: JaxArray,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: JaxArray | None = None,
    append: JaxArray | None = None,
) -> JaxArray:
    """Difference; of bool, whether neighbours differ."""
    if n < 0:
        raise_times_error(n)
    axis = normalize_axis("diff", axis, x.ndim)
    if prepend is not None or append is not None:
        parts = [_joinable(p, x, axis) for p in (prepend, x, append) if p is not None]
        x = jnp.concatenate(promoted(*parts), axis)
    if type(n) is int:
        n = min(n, x.shape[axis])
    return jnp.diff(x, n, axis) if n else x


def _are_floats(x1: JaxArray, x2: JaxArray, /, **options: object) -> bool:
    """Return True if both have one real floating-point data type."""
    return bool(x1.dtype.kind == "f" and x1.dtype == x2.dtype)


@partial_mixed(_are_floats)
def isclose(
    x1: JaxArray,
    x2: JaxArray,
    /,
    *,
    rtol: float = 1e-5,
    atol: float = 1e-8,
    equal_nan: bool = False,
) -> JaxArray:
    """Compare in one kernel."""
    return jnp.isclose(x1, x2, rtol, atol, bool(equal_nan))
