"""Transposed convolutions: convolutions of x with zeros between its elements."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
from jax import lax

from arrayapi_unify.backends._common.convolutions import Plan, native_transposes
from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.jax.convolutions import axes_of, biased, is_real_floating, shape_of

__all__ = ["conv1d_transpose", "conv2d_transpose", "conv3d_transpose"]


@functools.partial(jax.jit, static_argnums=3)
def _kernel(x: JaxArray, filters: JaxArray, bias: JaxArray | None, plan: Plan) -> JaxArray:
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
    _kernel, shape_of, is_real_floating
)
