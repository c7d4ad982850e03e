"""Tables of vectors on TensorFlow."""

from __future__ import annotations

from arrayapi_unify.backends._common.algorithms.nn import native_embedding
from arrayapi_unify.backends.tensorflow._core import rank_of
from arrayapi_unify.backends.tensorflow.indexing import take

embedding = native_embedding(
    take, lambda weights, indices: rank_of(weights) > 0 and indices.dtype.is_integer
)
