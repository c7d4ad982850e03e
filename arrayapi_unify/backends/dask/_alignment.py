"""Operands of one function are cut at the same places, where Dask alone warns or refuses."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, TypeAlias

import dask.array as da
import numpy as np

from arrayapi_unify.backends.dask._lazy import known_shape
from arrayapi_unify.backends.dask._natives import DaskArray, known
from arrayapi_unify.backends.dask._sizes import are_alike

__all__ = ["aligned", "dense"]

Pairs: TypeAlias = list[tuple[Any, tuple[int, ...] | None]]
"""Operands with the numbers of their axes; scalars with None."""
Sizes: TypeAlias = tuple[float, ...]
"""The sizes of the blocks along an axis; NaN stands for an unknown one."""


def dense(x: DaskArray) -> DaskArray:
    """Return an array without empty blocks beside others, about which Dask's functions are wrong.

    They come from masks: a block of which nothing is selected has no elements. `da.flip` and
    `da.cumsum` lose elements then, `da.argmax` and `da.repeat` raise.
    """
    for axis, sizes in enumerate(x.chunks):
        if 0 in sizes and len(sizes) > 1:
            kept = [place for place, size in enumerate(sizes) if size] or [0]
            x = x.blocks[(*[slice(None)] * axis, kept)]
    return x


def aligned(pairs: Pairs, out: tuple[int, ...]) -> tuple[Pairs, dict[int, Sizes] | None]:
    """Return operands, and the blocks along each axis if Dask can't align them itself.

    That is so beside an unknown size, where Dask refuses axes of one element that broadcast, and
    takes unknown sizes for different ones; along an axis without elements, where it finds no cut
    that two numbers of empty blocks have in common; and for axes that the result lacks, whose
    blocks are joined, where Dask warns as if each combination of blocks were a block of the result.
    Unknown sizes of several blocks are computed, unless they are the same ones.
    """
    pairs = [(x if at is None else dense(x), at) for x, at in pairs]
    arrays = [(x, at) for x, at in pairs if at is not None]
    if len(arrays) < 2:
        return pairs, None
    labels = {label for _, at in arrays for label in at}
    if labels <= {*out} and all(known(x) and 0 not in x.shape for x, _ in arrays):
        return pairs, None
    if any(_are_unlike(arrays, label) for label in labels):
        for x, _ in arrays:
            known_shape(x)
        return aligned(pairs, out)
    cut = {label: _common([*_along(arrays, label)]) for label in labels}
    return [(x if at is None else _recut(x, at, cut), at) for x, at in pairs], cut


def _along(arrays: list[tuple[Any, tuple[int, ...]]], label: int) -> Iterator[Sizes]:
    """Yield the blocks of each operand along an axis."""
    for x, at in arrays:
        if label in at:
            yield x.chunks[at.index(label)]


def _broad(every: list[Sizes]) -> list[Sizes]:
    """Return the blocks along an axis of operands that don't broadcast."""
    return [sizes for sizes in every if sizes != (1,)] or every


def _are_unlike(arrays: list[tuple[Any, tuple[int, ...]]], label: int) -> bool:
    """Return True if sizes that aren't known are needed, to cut at the same places.

    A single block broadcasts as the whole does; several ones fit if one mask selected them all.
    """
    along = [(x, at.index(label)) for x, at in arrays if label in at]
    along = [(x, axis) for x, axis in along if x.chunks[axis] != (1,)]
    if not any(math.isnan(sum(x.chunks[axis])) for x, axis in along):
        return False
    if {x.numblocks[axis] for x, axis in along} == {1}:
        return False
    return not all(are_alike(*along[0], x, axis) for x, axis in along[1:])


def _common(every: list[Sizes]) -> Sizes:
    """Return the blocks along an axis."""
    cut = _broad(every)
    unknown = [sizes for sizes in cut if math.isnan(sum(sizes))]
    if unknown:
        return next((sizes for sizes in cut if sizes not in unknown), unknown[0])
    found: Sizes = da.core.common_blockdim(cut)
    return found or (0,)


def _recut(x: DaskArray, at: tuple[int, ...], cut: dict[int, Sizes]) -> DaskArray:
    """Cut an operand along its axes of known sizes."""
    changed = {
        axis: cut[label]
        for axis, (label, sizes) in enumerate(zip(at, x.chunks, strict=True))
        if sizes not in ((1,), cut[label]) and not math.isnan(sum(sizes))
    }
    if changed and known(x) and 0 in x.shape:  # Dask leaves such an array as it is
        cuts = tuple(changed.get(axis, sizes) for axis, sizes in enumerate(x.chunks))
        return da.from_array(np.zeros(x.shape, x.dtype), chunks=cuts, name=False)
    return x.rechunk(changed) if changed else x
