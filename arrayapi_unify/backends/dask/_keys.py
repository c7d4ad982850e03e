"""Index keys by NumPy's rules, taken apart into a basic key, and index arrays along axes."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

import dask.array as da
import numpy as np

from arrayapi_unify.backends._common.checks.indexing import (
    around_ellipsis,
    check_bounds,
    check_mask,
    no_index,
    no_index_array,
    within,
)
from arrayapi_unify.backends.dask._lazy import known_shape, values_of
from arrayapi_unify.backends.dask._natives import DaskArray, held

_ARRAYS = (da.Array, np.ndarray)


class Parsed(NamedTuple):
    """A key: `x[basic]`, of which `arrays` select along axes.

    `mask` is the axis along which a mask selects, and the mask; then there are no arrays. Where
    `together` isn't set, the axes of the arrays come first in the result.
    """

    basic: tuple[Any, ...]
    axes: tuple[int, ...]
    arrays: tuple[Any, ...]
    together: bool
    mask: Any


def is_mask(part: Any) -> bool:
    """Return True for an array of bools."""
    return isinstance(part, _ARRAYS) and part.dtype.kind == "b"


def is_bool(part: Any) -> bool:
    """Return True for a Python or NumPy bool."""
    return isinstance(part, bool | np.bool_)


def consumed(part: Any) -> int:
    """Return how many axes a part of a key stands for."""
    if part is None or is_bool(part):
        return 0
    return int(part.ndim) if is_mask(part) else 1


def selects(part: Any) -> bool:
    """Return True if a part selects as an array does."""
    return isinstance(part, _ARRAYS) or is_bool(part)


def parse(x: DaskArray, key: Any) -> Parsed:
    """Take a key apart; masks beside other arrays are computed."""
    parts = list(key) if type(key) is tuple else [key]
    advanced = [p for p in parts if selects(p)]
    lone = len(advanced) == 1 and is_mask(advanced[0]) and not any(map(_is_integer, parts))
    before, missing, behind, dots = around_ellipsis(parts, consumed, x.ndim)
    fill: list[Any] = [slice(None)] * missing
    if dots and not fill:
        fill = [Ellipsis]  # an ellipsis of no axes still stands between index arrays
    return _Parser(x, bool(advanced), lone).parse([*before, *fill, *behind])


class _Parser:
    """The parts of a key one after the other."""

    def __init__(self, x: DaskArray, advanced: bool, lone: bool) -> None:
        self.x, self.advanced, self.lone = x, advanced, lone
        self.axis = 0
        self.basic: list[Any] = []
        self.arrays: list[tuple[int, Any]] = []  # with the places in the basic result
        self.runs: list[int] = []  # places of the parts that select, the ellipsis included
        self.mask: Any = None
        self.rank = 0

    def parse(self, parts: list[Any]) -> Parsed:
        """Go through all parts."""
        for number, part in enumerate(parts):
            self._add(number, part)
        spread = self.runs[-1] - self.runs[0] + 1 if self.runs else 0
        return Parsed(
            tuple(self.basic),
            tuple(axis for axis, _ in self.arrays),
            tuple(array for _, array in self.arrays),
            spread == len(self.runs),
            self.mask,
        )

    def _add(self, number: int, part: Any) -> None:
        if part is Ellipsis:
            return
        if part is None:
            self._keep(None)
        elif isinstance(part, slice):
            part = slice(*(None if v is None else operator.index(v) for v in _ends(part)))
            if part != slice(None):
                part = _within(part, self._size())
            self._keep(part)
            self.axis += 1
        elif is_bool(part) or (is_mask(part) and part.ndim == 0):
            self.runs.append(number)
            self._select_new(part)
        elif is_mask(part):
            self.runs.append(number)
            self._select_mask(part)
        elif isinstance(part, _ARRAYS) or self.advanced:
            self.runs.append(number)
            self._select(part)
        else:
            self.basic.append(within(_integer(part), self._size(), self.axis))
            self.axis += 1

    def _size(self) -> int:
        """Return the size of the axis; one that isn't known is computed."""
        size = self.x.shape[self.axis]
        return int(size if size == size else known_shape(self.x)[self.axis])

    def _keep(self, part: Any) -> None:
        self.basic.append(part)
        self.rank += 1

    def _select(self, part: Any) -> None:
        size = self._size()
        if not isinstance(part, _ARRAYS):
            part = np.asarray(within(_integer(part), size, self.axis))
        if part.dtype.kind not in "iu":
            raise no_index_array(part.dtype)
        values = held(part) if isinstance(part, da.Array) else part
        if values is not None:
            part = values
            check_bounds(part, size, self.axis)
        self.arrays.append((self.rank, part))
        self._keep(slice(None))
        self.axis += 1

    def _select_new(self, part: Any) -> None:
        """A mask without axes: a new axis, and an index array into it."""
        if self.lone:
            self.mask = self.rank, part[None]
        else:
            true = bool(values_of(part)) if isinstance(part, da.Array) else bool(part)
            self.arrays.append((self.rank, np.zeros(int(true), np.int64)))
        self._keep(None)

    def _select_mask(self, part: Any) -> None:
        whole = known_shape(self.x)[self.axis : self.axis + part.ndim]
        fits = check_mask(
            known_shape(part) if isinstance(part, da.Array) else part.shape, whole, self.axis
        )
        if self.lone and fits:
            self.mask = self.rank, part
            for _ in range(part.ndim):
                self._keep(slice(None))
        else:
            values = values_of(part) if isinstance(part, da.Array) else part
            found = values.nonzero() if fits else [np.zeros(0, np.int64)] * part.ndim
            for index in found:
                self.arrays.append((self.rank, index))
                self._keep(slice(None))
        self.axis += part.ndim


def _within(part: slice, size: int) -> slice:
    """Return a backward slice with bounds inside of the axis; Dask clips others as forward ones."""
    if part.step is None or part.step > 0:
        return part
    found = range(size)[part]
    if not found:
        return slice(0, 0)
    return slice(found.start, found.stop if found.stop >= 0 else None, found.step)


def _ends(part: slice) -> tuple[Any, Any, Any]:
    return part.start, part.stop, part.step


def _is_integer(part: Any) -> bool:
    return (
        part is not None
        and part is not Ellipsis
        and not isinstance(part, slice)
        and not selects(part)
    )


def _integer(part: Any) -> int:
    try:
        return operator.index(part)
    except TypeError:
        raise no_index(part) from None
