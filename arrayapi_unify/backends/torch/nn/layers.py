"""PyTorch's own functions of layers."""

from __future__ import annotations

from typing import Final

import torch

from arrayapi_unify import dtypes
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.torch._core import is_compiling
from arrayapi_unify.backends.torch.dtypes import DTYPES, FLOATING, REAL_FLOATING
from arrayapi_unify.backends.torch.indexing import take

Tensor = torch.Tensor


def _one_matrix(x: Tensor, weight: Tensor, /, *, bias: Tensor | None = None) -> bool:
    """Return True if there is one matrix of x's data type; PyTorch doesn't take a stack."""
    return (
        weight.ndim == 2
        and x.ndim > 0
        and x.dtype in FLOATING
        and x.dtype is weight.dtype
        and x.shape[-1] == weight.shape[-1]
        and (bias is None or (bias.shape == weight.shape[:1] and bias.dtype is x.dtype))
    )


@partial_mixed(_one_matrix)
def linear(x: Tensor, weight: Tensor, /, *, bias: Tensor | None = None) -> Tensor:
    """Multiply and add in one kernel."""
    return torch.nn.functional.linear(x, weight, bias)


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
    """Return True if the kernels take the operands as they are: one dtype, one batch, no mask.

    A mask may hide every key from a query; the kernels differ in what they return for it.
    """
    batch = query.shape[:-2]
    return (
        query.dtype in REAL_FLOATING
        and query.dtype is keys.dtype is values.dtype
        and query.ndim > 1
        and query.ndim == keys.ndim == values.ndim
        and batch == keys.shape[:-2] == values.shape[:-2]
        and mask is None
        and query.shape[-1] == keys.shape[-1] > 0
        and keys.shape[-2] == values.shape[-2] > 0
        and (not is_causal or query.shape[-2] <= keys.shape[-2])
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
    """Compute by the fastest of PyTorch's kernels for the device, the data type and the shapes."""
    attention = torch.nn.functional.scaled_dot_product_attention
    if query.ndim > 2:
        return attention(query, keys, values, is_causal=is_causal, scale=scale)
    # Two matrices are a batch of one.
    given = (query[None], keys[None], values[None])
    return attention(*given, is_causal=is_causal, scale=scale)[0]


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
