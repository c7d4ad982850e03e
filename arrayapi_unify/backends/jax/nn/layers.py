"""Attention as one program, in which XLA joins the steps between products; tables of vectors."""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np

from arrayapi_unify.backends._common.algorithms.nn import native_embedding
from arrayapi_unify.backends._common.checks.nn import attends_to_all
from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.jax.indexing import take
from arrayapi_unify.backends.kernel import partial_mixed

_FLOATS = frozenset(map(np.dtype, ("float16", "float32", "float64")))


@jax.jit
def _attended(query: JaxArray, keys: JaxArray, values: JaxArray, scale: float) -> JaxArray:
    scores = jnp.matmul(query * scale, jnp.matrix_transpose(keys))
    return jnp.matmul(jax.nn.softmax(scores), values)


@partial_mixed(
    attends_to_all(
        lambda x: x.shape,
        frozenset({np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64)}),
    )
)
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


embedding = native_embedding(
    take, lambda weights, indices: weights.ndim > 0 and indices.dtype.kind in "iu"
)
