"""Convolutions by XLA's own operation."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from arrayapi_unify.backends._common.algorithms.convolutions import (
    Plan,
    native_convolutions,
    native_transposes,
)
from arrayapi_unify.backends.jax._core import JaxArray


def is_real_floating(
    x: JaxArray, filters: JaxArray, /, *, bias: JaxArray | None = None, **options: Any
) -> bool:
    """Return True if all arrays have one real floating-point data type."""
    dtype = x.dtype
    return bool(
        dtype.kind == "f" and filters.dtype == dtype and (bias is None or bias.dtype == dtype)
    )


def shape_of(x: JaxArray) -> tuple[int, ...]:
    """Return the shape."""
    return x.shape


def axes_of(plan: Plan) -> tuple[str, str, str]:
    """Name the axes of x, of the filters and of the result, as XLA wants it."""
    spatial = "012"[: len(plan.window)]
    images = f"NC{spatial}" if plan.first else f"N{spatial}C"
    return images, f"{spatial}IO", images


def biased(x: JaxArray, bias: JaxArray | None, plan: Plan) -> JaxArray:
    """Add a bias to the channels."""
    if bias is None:
        return x
    return x + (bias.reshape(-1, *(1,) * len(plan.window)) if plan.first else bias)


@functools.partial(jax.jit, static_argnums=3)
def _kernel(x: JaxArray, filters: JaxArray, bias: JaxArray | None, plan: Plan) -> JaxArray:
    found = lax.conv_general_dilated(
        x, filters, plan.strides, plan.pads, rhs_dilation=plan.dilations,
        dimension_numbers=axes_of(plan), feature_group_count=plan.groups,
    )  # fmt: skip
    return biased(found, bias, plan)


conv1d, conv2d, conv3d = native_convolutions(_kernel, shape_of, is_real_floating)


@functools.partial(jax.jit, static_argnums=3)
def _transposing_kernel(
    x: JaxArray, filters: JaxArray, bias: JaxArray | None, plan: Plan
) -> JaxArray:
    count, groups, (taken, given) = len(plan.window), plan.groups, filters.shape[-2:]
    kernels = jnp.flip(filters, tuple(range(count)))
    if groups > 1:  # XLA counts the groups along the channels that come out
        kernels = kernels.reshape(*plan.window, groups, taken // groups, given)
        kernels = jnp.moveaxis(kernels, count, -2).reshape(*plan.window, taken // groups, -1)
    ends = zip(plan.spans, plan.pads, strict=True)
    pads = [(span - 1 - low, span - 1 - high) for span, (low, high) in ends]
    found = lax.conv_general_dilated(
        x, kernels, (1,) * count, pads, lhs_dilation=plan.strides, rhs_dilation=plan.dilations,
        dimension_numbers=axes_of(plan), feature_group_count=groups,
    )  # fmt: skip
    return biased(found, bias, plan)


conv1d_transpose, conv2d_transpose, conv3d_transpose = native_transposes(
    _transposing_kernel, shape_of, is_real_floating
)
