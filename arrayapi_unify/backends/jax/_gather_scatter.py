"""The computation of `x[key]` and of its assignment, by the plans of `_keys`.

`select` and `assign` are compiled once for each plan, shape and data type. JAX's own subscript
processes its key anew in each call. For a traced array they run uncompiled, with constant starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from arrayapi_unify.backends._common.checks.arguments import raise_complex_error, trimmed_shape
from arrayapi_unify.backends._common.checks.indexing import together as shape_together
from arrayapi_unify.backends.jax._core import JaxArray, cast, is_traced
from arrayapi_unify.backends.jax._keys import APART, ARRAY, FULL, INTEGER, NEW, NEW_ARRAY, Plan


class _Window:
    """The part of an array that the integers and slices of a plan select, before any array does."""

    def __init__(self, plan: Plan, shape: tuple[int, ...], starts: Sequence[Any]) -> None:
        """Go through the parts; the axes behind the last of them are taken whole."""
        self.starts: list[Any] = []
        self.counts: list[int] = []  # of the elements along each axis of the array
        self.steps: list[int] = []
        self.shape: list[int] = []  # that the key makes of them
        self.places: list[int] = []  # the axes of that shape along which arrays select
        given = iter(starts)
        for code in plan:
            if code == APART:
                continue
            if code in (ARRAY, NEW_ARRAY):
                self.places.append(len(self.shape))
            if code in (NEW, NEW_ARRAY):
                self.shape.append(1)
            elif code in (FULL, ARRAY):
                self._add(0, shape[len(self.counts)], 1)
            elif code == INTEGER:
                self._add(next(given), 1, 1)
                self.shape.pop()
            else:
                self._add(next(given), *(code if isinstance(code, tuple) else (code, 1)))
        for size in shape[len(self.counts) :]:
            self._add(0, size, 1)
        self.sizes = tuple(
            (n - 1) * abs(step) + 1 if n else 0
            for n, step in zip(self.counts, self.steps, strict=True)
        )
        self.backwards = [axis for axis, step in enumerate(self.steps) if step < 0]
        self.stepped = any(step != 1 for step in self.steps)

    def _add(self, start: Any, count: int, step: int) -> None:
        self.starts.append(start)
        self.counts.append(count)
        self.steps.append(step)
        self.shape.append(count)

    def of(self, x: JaxArray) -> JaxArray:
        """Return the part that is selected, in the key's shape."""
        part = self._whole(x)
        if self.stepped:
            part = lax.slice(part, (0,) * x.ndim, part.shape, [abs(step) for step in self.steps])
            part = lax.rev(part, self.backwards)
        return part.reshape(self.shape)

    def _whole(self, x: JaxArray) -> JaxArray:
        """Return what stands between the first and the last of the elements."""
        if self.sizes == x.shape:
            return x
        if all(isinstance(start, int) for start in self.starts):
            ends = [a + size for a, size in zip(self.starts, self.sizes, strict=True)]
            return lax.slice(x, self.starts, ends)
        return lax.dynamic_slice(x, self.starts, self.sizes)

    def put(self, x: JaxArray, part: JaxArray) -> JaxArray:
        """Return x with the part replaced by another one in the key's shape."""
        part = part.reshape(self.counts)
        if self.stepped:
            between = [(0, 0, abs(step) - 1) for step in self.steps]
            part = lax.pad(lax.rev(part, self.backwards), np.zeros((), x.dtype), between)
            taken = lax.pad(np.ones(self.counts, np.bool_), np.bool_(False), between)
            part = lax.select(taken, part, self._whole(x))
        if self.sizes == x.shape:
            return part
        return lax.dynamic_update_slice(x, part, self.starts)


class _Gather:
    """The elements that index arrays select from a `_Window`."""

    def __init__(self, plan: Plan, window: _Window, arrays: Sequence[Any]) -> None:
        """Make JAX's key of the index arrays, and note how to move their axes afterwards."""
        places = window.places
        key: list[Any] = [slice(None)] * len(window.shape)
        for place, index in zip(places, arrays, strict=True):
            # JAX wraps negative indices in the index's own data type, which may be too narrow.
            key[place] = index if isinstance(index, int) else index.astype(np.int64)
        self.key = tuple(key)
        count = len(shape_together([np.shape(index) for index in arrays]))
        # The axes of adjacent arrays stay in position, those of separated arrays come first. JAX
        # ignores an ellipsis of no axes, which separates arrays in NumPy.
        together = APART in plan and places[-1] - places[0] == len(places) - 1
        self.moved = range(places[0], places[0] + count) if together else range(0)

    def of(self, part: JaxArray) -> JaxArray:
        """Return the elements that are selected."""
        return jnp.moveaxis(part[self.key], self.moved, range(len(self.moved)))

    def put(self, part: JaxArray, value: JaxArray) -> JaxArray:
        """Return the window with these elements replaced."""
        value = jnp.moveaxis(value, range(len(self.moved)), self.moved)
        return part.at[self.key].set(value)


def _select(plan: Plan, x: JaxArray, starts: Sequence[Any], arrays: Sequence[Any]) -> JaxArray:
    window = _Window(plan, x.shape, starts)
    part = window.of(x)
    return _Gather(plan, window, arrays).of(part) if arrays else part


def _assign(
    plan: Plan, x: JaxArray, value: JaxArray, starts: Sequence[Any], arrays: Sequence[Any]
) -> JaxArray:
    value = assignable(value, x.dtype)
    window = _Window(plan, x.shape, starts)
    if not arrays:
        return window.put(x, _spread(value, tuple(window.shape)))
    gather, part = _Gather(plan, window, arrays), window.of(x)
    selected = jax.eval_shape(gather.of, part).shape
    return window.put(x, gather.put(part, _spread(value, selected)))


def _assign_where(mask: JaxArray, value: JaxArray, x: JaxArray) -> JaxArray:
    mask = mask.reshape(mask.shape + (1,) * (x.ndim - mask.ndim))
    return jnp.where(mask, assignable(value, x.dtype), x)


def assignable(value: JaxArray, dtype: Any) -> JaxArray:
    """Cast as `astype` does."""
    if value.dtype.kind == "c" and dtype.kind in "iufV":
        raise_complex_error("set_item", "value", dtype)
    return cast(value, dtype)


def _spread(value: JaxArray, selected: tuple[int, ...]) -> JaxArray:
    return jnp.broadcast_to(value.reshape(trimmed_shape(value.shape, selected)), selected)


_compiled_select = jax.jit(_select, static_argnums=0)
_compiled_assign = jax.jit(_assign, static_argnums=0)
assign_where = jax.jit(_assign_where)


def select(plan: Plan, x: JaxArray, starts: Sequence[int], arrays: Sequence[Any]) -> JaxArray:
    """Return the elements that a key selects."""
    return (_select if is_traced(x) else _compiled_select)(plan, x, starts, arrays)


def assign(
    plan: Plan, x: JaxArray, value: Any, starts: Sequence[int], arrays: Sequence[Any]
) -> JaxArray:
    """Return x with the elements that a key selects replaced."""
    return (_assign if is_traced(x) else _compiled_assign)(plan, x, value, starts, arrays)
