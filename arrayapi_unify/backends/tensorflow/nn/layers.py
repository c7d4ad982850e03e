"""Layers by the fewest of TensorFlow's kernels."""

from __future__ import annotations

import math

import tensorflow as tf

from arrayapi_unify.backends._common.algorithms.nn import native_embedding
from arrayapi_unify.backends._common.checks.nn import attends_to_all
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.tensorflow._core import Tensor, const, ints, rank_of, raw, shape_of
from arrayapi_unify.backends.tensorflow.indexing import take

_FLOATS = frozenset({tf.float32, tf.float64})


def _one_matrix(x: Tensor, weight: Tensor, /, *, bias: Tensor | None = None) -> bool:
    """Return True if there is one matrix of x's data type, and all sizes are known."""
    shape, matrix = shape_of(x), shape_of(weight)
    return (
        x.dtype in _FLOATS
        and x.dtype is weight.dtype
        and len(matrix) == 2
        and shape[-1:] == matrix[1:] != (0,)
        and None not in (*shape, *matrix)
        and (bias is None or (shape_of(bias) == matrix[:1] and bias.dtype is x.dtype))
    )


@partial_mixed(_one_matrix)
def linear(x: Tensor, weight: Tensor, /, *, bias: Tensor | None = None) -> Tensor:
    """Multiply without a copy of the weight; the derivative by a bias has a kernel of its own."""
    *outer, inputs = shape_of(x)
    plain = len(outer) == 1
    rows = x if plain else raw.Reshape(tensor=x, shape=ints((math.prod(outer), inputs)))
    result = raw.MatMul(a=rows, b=weight, transpose_b=True)
    result = result if bias is None else raw.BiasAdd(value=result, bias=bias)
    if plain:
        return result
    return raw.Reshape(tensor=result, shape=ints((*outer, shape_of(weight)[0])))


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


embedding = native_embedding(
    take, lambda weights, indices: rank_of(weights) > 0 and indices.dtype.is_integer
)
