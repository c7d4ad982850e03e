"""Pooling by XLA's own operation for windows."""

from __future__ import annotations

import functools
import math
from typing import Any

import jax
import numpy as np
from jax import lax

from arrayapi_unify.backends._common.algorithms.convolutions import Plan
from arrayapi_unify.backends._common.algorithms.nn import native_averages, native_maxima
from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.jax.nn.convolutions import shape_of


def _has_no_holes(x: JaxArray, window: Any, /, *, dilations: Any = 1, **options: Any) -> bool:
    """Return True if x is real and not dilated; JAX has no derivative of dilated windows."""
    return bool(x.dtype.kind == "f" and dilations == 1)


def _is_plain(x: JaxArray, window: Any, /, *, padding: Any = "VALID", **options: Any) -> bool:
    return bool(x.dtype.kind == "f" and padding == "VALID")


def _over_windows(x: JaxArray, start: float, function: Any, plan: Plan) -> JaxArray:
    def everywhere(spatial: Any, other: Any) -> tuple[Any, ...]:
        return (other, other, *spatial) if plan.first else (other, *spatial, other)

    pads = everywhere(plan.pads, (0, 0))
    return lax.reduce_window(
        x, np.asarray(start, x.dtype), function, everywhere(plan.window, 1),
        everywhere(plan.strides, 1), pads,
    )  # fmt: skip


@functools.partial(jax.jit, static_argnums=1)
def _largest(x: JaxArray, plan: Plan) -> JaxArray:
    return _over_windows(x, -math.inf, lax.max, plan)


@functools.partial(jax.jit, static_argnums=(1, 2))
def _averaged(x: JaxArray, plan: Plan, count_padding: bool) -> JaxArray:
    return _over_windows(x, 0.0, lax.add, plan) / math.prod(plan.window)


max_pool1d, max_pool2d, max_pool3d = native_maxima(_largest, shape_of, _has_no_holes)
avg_pool1d, avg_pool2d, avg_pool3d = native_averages(_averaged, shape_of, _is_plain)
