"""JAX's implementation of `segment_sum`."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp

from arrayapi_unify.backends._common.segments import check_segments
from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.jax.dtypes import dtype_of

__all__ = ["segment_sum"]


@functools.partial(jax.jit, static_argnums=2)
def _summed(x: JaxArray, segment_ids: JaxArray, num_segments: int) -> JaxArray:
    # Of uint64 the large ones become negative. JAX leaves out what is out of range.
    return jax.ops.segment_sum(x, segment_ids.astype(jnp.int64), num_segments)


def segment_sum(x: JaxArray, segment_ids: JaxArray, num_segments: int, /) -> JaxArray:
    """Add up at indices, in one kernel."""
    check_segments(x.shape, dtype_of(x), segment_ids.shape, dtype_of(segment_ids), num_segments)
    return _summed(x, segment_ids, num_segments)
