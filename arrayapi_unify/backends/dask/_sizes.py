"""Sizes that masks decide: one count of a mask tells those of all arrays that it selected.

An array keeps the mask that selected along each of its axes, through functions of elements, too.
To count a mask takes less than the array does, and is done once: a loop that selects ten arrays by
a mask has one look in place of ten. A mask whose values the graph holds is counted without a look.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

import numpy as np

from arrayapi_unify.backends.dask._natives import DaskArray, held

__all__ = [
    "are_alike", "carried", "chosen", "inherited", "marked", "masks_of", "sizes_found", "sliced",
    "uncounted",
]  # fmt: skip

_MASKS: Final = "_masks"  # in the dictionary of an array: axis -> _Mask
_COUNTS: Final = "_counts"  # in the dictionary of a mask: its name, and counts of its blocks


class _Mask(NamedTuple):
    """A mask, and its name: an assignment by Dask's own subscript changes both in place."""

    x: DaskArray
    name: str

    def counted(self) -> tuple[int, ...] | None:
        """Return how many elements each block selects, if that is known."""
        name, counts = self.x.__dict__.get(_COUNTS, ("", None))
        if name == self.name:
            return cast(tuple[int, ...], counts)
        values = held(self.x) if self.x.name == self.name else None
        return None if values is None else self.store([np.count_nonzero(values)])

    def store(self, counts: Iterable[Any]) -> tuple[int, ...]:
        """Keep the counts of blocks."""
        found = tuple(map(int, counts))
        self.x.__dict__[_COUNTS] = self.name, found
        return found


def chosen(found: DaskArray, x: DaskArray, axis: int, mask: DaskArray) -> DaskArray:
    """Note that a mask selected along an axis of x; return the result, with its size if known."""
    sizes_found(marked(found, {**masks_of(x), axis: _Mask(mask, mask.name)}))
    return found


def masks_of(x: DaskArray) -> Mapping[int, _Mask]:
    """Return the masks by the axes along which they selected."""
    return x.__dict__.get(_MASKS, {})


def marked(x: DaskArray, masks: Mapping[int, _Mask]) -> DaskArray:
    """Note masks; return the array."""
    x.__dict__[_MASKS] = masks
    return x


def carried(found: DaskArray, x: DaskArray, axes: Iterable[int | None] | None = None) -> DaskArray:
    """Take over the masks of x; return the result. Its axes are those of x by number, or new."""
    masks = x.__dict__.get(_MASKS)
    if not masks:
        return found
    places = range(found.ndim) if axes is None else axes
    return marked(found, {i: masks[axis] for i, axis in enumerate(places) if axis in masks})


def sliced(x: DaskArray, key: tuple[Any, ...]) -> DaskArray:
    """Select by a basic key of all axes; those that it leaves whole keep their masks."""
    if not masks_of(x):
        return x[key]
    axes: list[int | None] = []
    number = 0
    for part in key:
        if part is None or isinstance(part, slice):
            axes.append(number if part == slice(None) else None)
        number += part is not None
    return carried(x[key], x, axes)


def inherited(
    found: DaskArray, out: tuple[Any, ...], operands: Sequence[tuple[Any, tuple[Any, ...] | None]]
) -> None:
    """Take over the masks of operands, by the labels of axes.

    Blocks of two masks may broadcast: such an axis has neither's size.
    """
    masks: dict[Any, list[_Mask | None]] = {label: [] for label in out}
    for x, at in operands:
        for axis, label in enumerate(at or ()):
            if label in masks and x.shape[axis] != x.shape[axis]:
                masks[label].append(masks_of(x).get(axis))
    noted = {}
    for axis, label in enumerate(out):
        mask, *others = masks[label] or [None]
        if mask is not None and all(_is_same(mask, other) for other in others):
            noted[axis] = mask
    marked(found, noted)


def are_alike(x: DaskArray, x_axis: int, y: DaskArray, y_axis: int) -> bool:
    """Return True if two axes of unknown sizes have the same ones, block by block."""
    if x.name == y.name and x_axis == y_axis:
        return True
    return _is_same(masks_of(x).get(x_axis), masks_of(y).get(y_axis))


def sizes_found(x: DaskArray) -> bool:
    """Store the sizes that are known by counts of masks; return True if all are known then."""
    masks = masks_of(x)
    for axis, size in enumerate(x.shape):
        if size != size:
            counts = masks[axis].counted() if axis in masks else None
            if counts is None or len(counts) != x.numblocks[axis]:
                return False
            x._chunks = (*x.chunks[:axis], counts, *x.chunks[axis + 1 :])
    return True


def uncounted(x: DaskArray) -> list[_Mask] | None:
    """Return the masks to count to know all sizes, or None if others are needed, too."""
    masks = masks_of(x)
    axes = [axis for axis, size in enumerate(x.shape) if size != size]
    if all(axis in masks and masks[axis].x.name == masks[axis].name for axis in axes):
        return [masks[axis] for axis in axes if masks[axis].counted() is None]
    return None


def _is_same(mask: _Mask | None, other: _Mask | None) -> bool:
    return mask is not None and other is not None and mask.name == other.name
