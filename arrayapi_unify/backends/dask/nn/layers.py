"""Tables of vectors on Dask."""

from __future__ import annotations

from arrayapi_unify.backends._common.algorithms.nn import native_embedding
from arrayapi_unify.backends.dask.indexing import take

embedding = native_embedding(
    take, lambda weights, indices: weights.ndim > 0 and indices.dtype.kind in "iu"
)
