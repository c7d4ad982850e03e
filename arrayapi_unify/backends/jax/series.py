"""JAX's own running extremes, which take real numbers."""

from __future__ import annotations

from collections.abc import Callable

import jax

from arrayapi_unify.backends._common.axes import normalize_axis, only_axis
from arrayapi_unify.backends.jax._core import Arr

__all__ = ["cummax", "cummin"]


def _accumulation(name: str, accumulate: Callable[[Arr, int], Arr]) -> Callable[..., Arr]:
    compiled = jax.jit(accumulate, static_argnums=1)

    def native(x: Arr, /, *, axis: int | None = None) -> Arr:
        if axis is None or x.ndim == 0:
            axis = only_axis(name, x.ndim, axis)
        return compiled(x, normalize_axis(name, axis, x.ndim))

    native.__name__ = native.__qualname__ = name
    vars(native).update(partial_mixed_handler=_is_served)
    return native


def _is_served(x: Arr, /, **kwargs: object) -> bool:
    return x.dtype.kind in "iuf"


cummax = _accumulation("cummax", jax.lax.cummax)
cummin = _accumulation("cummin", jax.lax.cummin)
