"""Joins and selections that give one block, where Dask's own give many small ones.

A task takes longer than to copy some thousand elements. Blocks of one element each, once made, are
in all that follows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import dask.array as da

from arrayapi_unify.backends.dask._lift import chunk_size, constant, in_one_task, lazily
from arrayapi_unify.backends.dask._natives import DaskArray, NDArray, known, of_blocks

__all__ = ["SMALL_BYTES", "join_small", "take_small", "tile_small"]

SMALL_BYTES: Final = 2**20
"""The bytes of what is joined to one block."""


def join_small(arrays: Sequence[DaskArray], axis: int, new: bool) -> DaskArray:
    """Join arrays of one data type, along a new axis or one that they have.

    Small arrays of one block make one.
    """
    if not all(map(_is_small, arrays)) or (
        sum(x.nbytes for x in arrays) > min(SMALL_BYTES, chunk_size())
    ):
        return da.stack(arrays, axis) if new else da.concatenate(arrays, axis)
    shape = [*arrays[0].shape]
    axis %= len(shape) + new
    if new:
        shape.insert(axis, len(arrays))
    else:
        shape[axis] = sum(x.shape[axis] for x in arrays)
    function = of_blocks("joined_blocks", axis=axis, new=new)
    return in_one_task(function, arrays, tuple(shape), arrays[0].dtype)


def tile_small(x: DaskArray, counts: tuple[int, ...]) -> DaskArray:
    """Repeat an array along each of its axes: a small one within a block, if that holds it."""
    shape = tuple(n * count for n, count in zip(x.shape, counts, strict=True))
    if _is_small(x) and 0 < x.nbytes * math.prod(counts) <= chunk_size():
        return in_one_task(of_blocks("tiled_block", counts=counts), [x], shape, x.dtype)
    for axis, count in enumerate(counts):
        if count == 0:
            x = x[(*[slice(None)] * axis, slice(0, 0))]
        elif count > 1:
            x = da.concatenate([x] * count, axis=axis)
    return x


def _is_small(x: DaskArray) -> bool:
    whole = all(len(sizes) == 1 for sizes in x.chunks)
    return whole and bool(0 < x.nbytes <= SMALL_BYTES)  # NaN isn't


def take_small(x: DaskArray, axis: int, index: NDArray) -> DaskArray:
    """Select at integers along an axis, which nobody else writes to.

    Dask's own blocks are as small as x's, and as many as the integers where x has one element.
    """
    if len(x.chunks[axis]) > 1 or not index.size or not known(x):
        return x[(*[slice(None)] * axis, index)]
    labels = tuple(range(x.ndim))
    own = tuple("taken" if a == axis else a for a in labels)
    pairs = [(constant(index), (axis,)), (x, own)]
    return lazily(of_blocks("taken_of_block", axis=axis), labels, pairs, x.dtype)
