"""Tables of vectors on PyTorch."""

from __future__ import annotations

from typing import Final

import torch

from arrayapi_unify import dtypes
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.torch._core import is_compiling
from arrayapi_unify.backends.torch.dtypes import DTYPES
from arrayapi_unify.backends.torch.indexing import take

Tensor = torch.Tensor
_INTEGERS: Final = frozenset(DTYPES[d] for d in dtypes.KINDS["integral"])
# The data types of indices in PyTorch's own function.
_INDICES: Final = frozenset({torch.int32, torch.int64})


def _has_rows(weights: Tensor, indices: Tensor, /) -> bool:
    return weights.ndim > 0 and indices.dtype in _INTEGERS


@partial_mixed(_has_rows)
def embedding(weights: Tensor, indices: Tensor, /) -> Tensor:
    """Select rows of a matrix in one kernel, which on a CPU refuses negative numbers.

    Autograd has no rule of it for complex numbers.
    """
    looks = weights.is_cpu and not is_compiling() and not weights.is_complex()
    if looks and weights.ndim == 2 and indices.dtype in _INDICES:
        try:
            return torch.embedding(weights, indices)
        except IndexError:
            pass
    return take(weights, indices, axis=0)
