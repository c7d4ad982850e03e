"""Attention by the fewest of TensorFlow's kernels."""

from __future__ import annotations

import math

import tensorflow as tf

from arrayapi_unify.backends._common.checks.nn import attends_to_all
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.tensorflow._core import Tensor, const, raw, shape_of

_FLOATS = frozenset({tf.float32, tf.float64})


@partial_mixed(attends_to_all(shape_of, _FLOATS))
def scaled_dot_product_attention(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    /,
    *,
    scale: float | None = None,
    mask: Tensor | None = None,
    is_causal: bool = False,
) -> Tensor:
    """Attend to all keys. A NaN makes all of a query's results NaN, so the softmax may be any."""
    scale = 1 / math.sqrt(shape_of(query)[-1]) if scale is None else scale
    # The query has fewer elements than the products.
    scaled = raw.Mul(x=query, y=const(scale, query.dtype))
    scores = raw.BatchMatMulV2(x=scaled, y=keys, adj_y=True)
    return raw.BatchMatMulV2(x=tf.nn.softmax(scores), y=values)
