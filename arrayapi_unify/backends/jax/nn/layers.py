"""Attention as one program, in which XLA joins the steps between the products."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp

from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.kernel import partial_mixed


@jax.jit
def _attended(query: JaxArray, keys: JaxArray, values: JaxArray, scale: float) -> JaxArray:
    scores = jnp.matmul(query * scale, jnp.matrix_transpose(keys))
    return jnp.matmul(jax.nn.softmax(scores), values)


def _plain(
    query: JaxArray,
    keys: JaxArray,
    values: JaxArray,
    /,
    *,
    mask: JaxArray | None = None,
    is_causal: bool = False,
    **kwargs: object,
) -> bool:
    """Return True if every query attends to every key, in one batch of one data type."""
    shapes = query.shape, keys.shape, values.shape
    dtype, batch = query.dtype, query.shape[:-2]
    return bool(
        dtype.kind == "f"
        and dtype == keys.dtype == values.dtype
        and mask is None
        and not is_causal
        and query.ndim > 1
        and batch == shapes[1][:-2] == shapes[2][:-2]
        and all(size for shape in shapes for size in shape)
        and shapes[0][-1] == shapes[1][-1]
        and shapes[1][-2] == shapes[2][-2]
    )


@partial_mixed(_plain)
def scaled_dot_product_attention(
    query: JaxArray,
    keys: JaxArray,
    values: JaxArray,
    /,
    *,
    scale: float | None = None,
    mask: JaxArray | None = None,
    is_causal: bool = False,
) -> JaxArray:
    """Attend to all keys."""
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    return _attended(query, keys, values, scale)
