"""PyTorch's implementations of what counts and adds up by numbers."""

from __future__ import annotations

from typing import Final

import torch

from arrayapi_unify.backends._common.segments import (
    check_segments,
    counts_numbers,
    raise_negative_numbers_error,
)
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.torch._unsigned import bits, from_bits
from arrayapi_unify.backends.torch.dtypes import dtype_of

__all__ = ["bincount", "segment_sum"]

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


_COUNTED: Final = frozenset({torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8})


@partial_mixed(counts_numbers(_COUNTED))
def bincount(
    x: Tensor, /, *, weights: Tensor | None = None, minlength: int = 0, length: int | None = None
) -> Tensor:
    """Count by PyTorch's own function, which says what is negative after the fact."""
    try:
        return torch.bincount(x, None, minlength)
    except RuntimeError:
        raise_negative_numbers_error()
