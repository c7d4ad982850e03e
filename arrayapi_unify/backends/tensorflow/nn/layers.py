"""Attention by the fewest of TensorFlow's kernels."""

from __future__ import annotations

import math

import tensorflow as tf

from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.tensorflow._core import Tensor, const, raw, shape_of

_FLOATS = frozenset({tf.float32, tf.float64})


def _plain(
    query: Tensor,
    keys: Tensor,
    values: Tensor,
    /,
    *,
    mask: Tensor | None = None,
    is_causal: bool = False,
    **kwargs: object,
) -> bool:
    """Return True if all queries attend to all keys, in one batch, data type, and known sizes."""
    shapes = shape_of(query), shape_of(keys), shape_of(values)
    dtype, batch = query.dtype, shapes[0][:-2]
    return (
        dtype in _FLOATS
        and dtype is keys.dtype is values.dtype
        and mask is None
        and not is_causal
        and len(shapes[0]) > 1
        and batch == shapes[1][:-2] == shapes[2][:-2]
        and all(size for shape in shapes for size in shape)
        and shapes[0][-1] == shapes[1][-1]
        and shapes[1][-2] == shapes[2][-2]
    )


@partial_mixed(_plain)
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
