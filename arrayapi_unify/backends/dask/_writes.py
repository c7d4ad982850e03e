"""Writes by basic keys: the part that is replaced, between those that stay."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np

from arrayapi_unify.backends.dask._alignment import dense
from arrayapi_unify.backends.dask._core import at
from arrayapi_unify.backends.dask._lift import constant
from arrayapi_unify.backends.dask._merging import join_small
from arrayapi_unify.backends.dask._natives import DaskArray
from arrayapi_unify.backends.dask.searching import where

_ALL = slice(None)


def put(x: DaskArray, key: tuple[Any, ...], value: DaskArray) -> DaskArray:
    """Return x with the part at a key of integers, slices and None replaced by all of a value.

    The blocks are those of x.
    """
    places = [part for part in key if part is not None]
    ranges = [_range(part, n) for part, n in zip(places, x.shape, strict=False)]
    ranges += [range(n) for n in x.shape[len(places) :]]
    value = dense(value)[tuple(_back(part) for part in key)]
    found = _put(x, [r if r.step > 0 else r[::-1] for r in ranges], value, 0)
    return found if found.chunks == x.chunks else found.rechunk(x.chunks)


def _range(part: Any, size: int) -> range:
    return range(size)[part] if isinstance(part, slice) else range(part % size, part % size + 1)


def _back(part: Any) -> Any:
    """Return the key that makes the axes of x of those of a value."""
    if isinstance(part, slice):
        return slice(None, None, -1) if (part.step or 1) < 0 else _ALL
    return 0 if part is None else None


def _put(x: DaskArray, ranges: list[range], value: DaskArray, axis: int) -> DaskArray:
    if axis == x.ndim:
        return value
    places = ranges[axis]
    if not places:
        return x
    if len(places) == x.shape[axis]:
        return _put(x, ranges, value, axis + 1)
    start, stop = places[0], places[-1] + 1
    step = places.step if len(places) > 1 else 1
    inner = _put(x[at(axis, slice(start, stop, step))], ranges, value, axis + 1)
    if step > 1:
        inner = _between(x[at(axis, slice(start, stop))], inner, step, axis)
    parts = [x[at(axis, slice(None, start))], inner, x[at(axis, slice(stop, None))]]
    return join_small([part for part in parts if part.shape[axis]], axis, new=False)


def _between(x: DaskArray, value: DaskArray, step: int, axis: int) -> DaskArray:
    """Return x with each element that is a number of steps away from the first one replaced."""
    size = x.shape[axis]
    spread = da.repeat(value, step, axis=axis)[at(axis, slice(0, size))]
    taken = constant(np.arange(size) % step == 0)
    return where(taken[(..., *[None] * (x.ndim - 1 - axis))], spread, x)
