"""PyTorch's implementation of `segment_sum`."""

from __future__ import annotations

import torch

from arrayapi_unify.backends._common.segments import check_segments
from arrayapi_unify.backends.torch._unsigned import bits, from_bits
from arrayapi_unify.backends.torch.dtypes import dtype_of

__all__ = ["segment_sum"]

Tensor = torch.Tensor


def segment_sum(x: Tensor, segment_ids: Tensor, num_segments: int, /) -> Tensor:
    """Add up at indices; those that are out of range go to a sum that is dropped."""
    check_segments(x.shape, dtype_of(x), segment_ids.shape, dtype_of(segment_ids), num_segments)
    # Of uint64 the large ones become negative.
    places = segment_ids.to(torch.int64)
    outside = (places < 0) | (places >= num_segments)
    places = places.masked_fill(outside, num_segments)
    values = bits(x)
    found = values.new_zeros((num_segments + 1, *x.shape[1:])).index_add(0, places, values)
    return from_bits(found[:num_segments].clone(), x.dtype)
