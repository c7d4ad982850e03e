"""Tables of vectors on PyTorch."""

from __future__ import annotations

from typing import Final

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.embeddings import native_embedding
from arrayapi_unify.backends.torch.dtypes import DTYPES
from arrayapi_unify.backends.torch.indexing import take

__all__ = ["embedding"]

_INTEGERS: Final = frozenset(DTYPES[d] for d in dtypes.KINDS["integral"])

embedding = native_embedding(
    take, lambda weights, indices: weights.ndim > 0 and indices.dtype in _INTEGERS
)
