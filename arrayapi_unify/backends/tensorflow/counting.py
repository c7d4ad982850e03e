"""TensorFlow's implementation of `segment_sum`."""

from __future__ import annotations

import tensorflow as tf

from arrayapi_unify.backends._common.segments import check_segments
from arrayapi_unify.backends.tensorflow._core import Tensor, cast, const, raw, shape_of
from arrayapi_unify.backends.tensorflow.dtypes import dtype_of

__all__ = ["segment_sum"]


def segment_sum(x: Tensor, segment_ids: Tensor, num_segments: int, /) -> Tensor:
    """Add up at indices; the kernel leaves negative ones out, and so all that are out of range."""
    check_segments(
        shape_of(x), dtype_of(x), shape_of(segment_ids), dtype_of(segment_ids), num_segments
    )
    # Of uint64 the large ones become negative.
    places = cast(segment_ids, tf.int64)
    outside = raw.GreaterEqual(x=places, y=const(num_segments, tf.int64))
    places = raw.SelectV2(condition=outside, t=const(-1, tf.int64), e=places)
    return raw.UnsortedSegmentSum(
        data=x, segment_ids=places, num_segments=const(num_segments, tf.int32)
    )
