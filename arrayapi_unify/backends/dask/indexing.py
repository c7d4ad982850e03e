"""Indexing functions of the Dask backend, and what `x[key]` and `x[key] = value` go through."""

from __future__ import annotations

import math
from typing import Any

import dask.array as da
import numpy as np

from arrayapi_unify.backends._common.checks.arguments import (
    check_element,
    check_rank_of_indices,
    raise_complex_error,
    raise_indices_error,
    raise_no_axis_error,
    trimmed_shape,
)
from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends._common.checks.indexing import check_bounds, together
from arrayapi_unify.backends.dask._alignment import aligned, dense
from arrayapi_unify.backends.dask._core import at, cast
from arrayapi_unify.backends.dask._keys import is_mask, parse
from arrayapi_unify.backends.dask._lazy import known_shape
from arrayapi_unify.backends.dask._lift import (
    alias,
    by_place,
    constant,
    lazily,
    whole_axes,
)
from arrayapi_unify.backends.dask._merging import take_small
from arrayapi_unify.backends.dask._natives import DaskArray, held, known, of_blocks
from arrayapi_unify.backends.dask._sizes import chosen, sliced
from arrayapi_unify.backends.dask._writes import put
from arrayapi_unify.backends.dask.manipulation import reshape
from arrayapi_unify.backends.dask.searching import where
from arrayapi_unify.backends.dask.statistical import cumulative_sum, sum as total
from arrayapi_unify.backends.numpy.indexing import stored

_INDEX = np.dtype(np.int64)
_WHOLE = slice(None)
_BACKWARD = slice(None, None, -1)
_ENDS = {int, type(None)}


# --- selection --------------------------------------------------------------------------------


def take(x: DaskArray, indices: DaskArray, /, *, axis: int | None = None) -> DaskArray:
    """Select; an index out of bounds raises when its block is computed, if it isn't known yet."""
    if axis is None and x.ndim != 1:
        raise_no_axis_error(x.shape)
    if indices.dtype.kind not in "iu":
        raise_indices_error("take", indices.dtype)
    at_axis = normalize_axis("take", 0 if axis is None else axis, x.ndim)
    values = held(indices)
    if values is not None and values.ndim == 1:
        check_bounds(values, known_shape(x)[at_axis], at_axis)
        return take_small(dense(x), at_axis, values.astype(_INDEX))
    found = _gather(x, (at_axis,), (indices,), "take")
    return _moved(found, indices.ndim, at_axis)


def take_along_axis(x: DaskArray, indices: DaskArray, /, *, axis: int = -1) -> DaskArray:
    """Select along each vector; an index out of bounds raises when its block is computed."""
    check_rank_of_indices(indices.shape, x.shape)
    at_axis = normalize_axis("take_along_axis", axis, x.ndim)
    if indices.dtype.kind not in "iu":
        raise_indices_error("take_along_axis", indices.dtype)
    shapes = [known_shape(v)[:at_axis] + known_shape(v)[at_axis + 1 :] for v in (x, indices)]
    np.broadcast_shapes(*shapes)
    labels = tuple(range(x.ndim))
    of_x = tuple("core" if a == at_axis else a for a in labels)
    x = whole_axes("take_along_axis", x, (at_axis,))
    return lazily(
        of_blocks("take_along_axis", axis=at_axis), labels, [(indices, labels), (x, of_x)], x.dtype
    )


def get_item(x: DaskArray, key: Any, /) -> DaskArray:
    """Select as the subscript does in NumPy."""
    if type(key) is int and x.ndim and -x.shape[0] <= key < x.shape[0]:
        return x[key]
    x = dense(x)
    if _has_slices_alone(key, x.ndim) and known(x):
        return x[key]
    plan = parse(x, key)
    found = sliced(x, plan.basic) if plan.basic else alias(x)
    if plan.mask is not None:
        return _masked(found, *plan.mask)
    if not plan.arrays:
        return found
    if (
        len(plan.arrays) == 1
        and isinstance(plan.arrays[0], np.ndarray)
        and plan.arrays[0].ndim == 1
    ):
        (index,) = plan.arrays
        return take_small(found, plan.axes[0], index.astype(_INDEX))
    found = _gather(found, plan.axes, plan.arrays, "gather")
    rank = len(together([np.shape(index) for index in plan.arrays]))
    return _moved(found, rank, plan.axes[0] if plan.together else 0)


def _has_slices_alone(key: Any, ndim: int) -> bool:
    """Return True for slices of Python's integers, and new axes, which Dask takes as NumPy does."""
    parts = key if type(key) is tuple else (key,)
    if not all(part is None or _is_plain(part) for part in parts):
        return False
    return len(parts) - parts.count(None) <= ndim


def _is_plain(part: Any) -> bool:
    if type(part) is not slice or not all(
        type(end) in _ENDS for end in (part.start, part.stop, part.step)
    ):
        return False
    # Dask clips the bounds of backward slices as those of forward ones.
    return part.step is None or part.step > 0 or part == _BACKWARD


def _moved(x: DaskArray, count: int, to: int) -> DaskArray:
    """Move the first axes to another place."""
    if not to or not count:
        return x
    order = [*range(count, count + to), *range(count), *range(count + to, x.ndim)]
    return da.transpose(x, order)


def _masked(x: DaskArray, axis: int, mask: Any) -> DaskArray:
    """Select by a mask of some axes; how many elements there are is known when it is computed."""
    if isinstance(mask, np.ndarray):
        mask = constant(mask.copy())
    # Dask would cut them alike, and give results of other blocks the same name.
    whole = tuple(range(x.ndim))
    (x, _), (mask, _) = aligned([(x, whole), (mask, whole[axis : axis + mask.ndim])], ())[0]
    if mask.ndim == x.ndim:
        return chosen(x[mask], x, 0, mask)
    if mask.ndim > 1:
        size = math.prod(mask.shape)
        x = reshape(x, (*x.shape[:axis], size, *x.shape[axis + mask.ndim :]))
        mask = reshape(mask, (size,))
    return chosen(x[at(axis, mask)], x, axis, mask)


def _gather(
    x: DaskArray, axes: tuple[int, ...], indices: tuple[Any, ...], function: str
) -> DaskArray:
    """Select at index arrays along axes, which come first in the result, in place of these."""
    arrays = [i if isinstance(i, da.Array) else constant(i.copy()) for i in indices]
    shape = together([known_shape(i) for i in arrays])
    x = whole_axes(function, x, axes)
    rest = tuple(a for a in range(x.ndim) if a not in axes)
    new = tuple(("new", i) for i in range(len(shape)))
    pairs: list[Any] = [(x, tuple(("core", a) if a in axes else a for a in range(x.ndim)))]
    pairs += [(i, new[len(shape) - i.ndim :]) for i in arrays]
    return lazily(of_blocks(function, axes=axes), (*new, *rest), pairs, x.dtype)


# --- assignment -------------------------------------------------------------------------------


def set_item(x: DaskArray, key: Any, value: Any, /) -> DaskArray:
    """Return x with the part replaced; `value` is cast to x's data type."""
    value = _operand(value, x.dtype)
    if value.ndim:
        check_element(value.shape, key, x.ndim)
    x = dense(x)
    mask = _whole_mask(x, key)
    if mask is not None:
        return _put_masked(x, mask, value)
    plan = parse(x, key)
    if plan.mask is not None:
        axis, inner = plan.mask
        return put(x, plan.basic, _put_inside(sliced(x, plan.basic), axis, inner, value))
    if not plan.arrays:
        if not value.ndim and all(part == _WHOLE for part in plan.basic):
            return where(constant(np.array(True)), value, x)  # of any sizes, known or not
        known_shape(x)
        selected = x[plan.basic].shape if plan.basic else x.shape
        return put(x, plan.basic, _spread(value, selected))
    old = x[plan.basic] if plan.basic else x
    return put(x, plan.basic, _scatter(old, plan, value))


def _operand(value: Any, dtype: np.dtype[Any]) -> DaskArray:
    """Return a value as an array of the data type."""
    if not isinstance(value, da.Array):
        return constant(np.array(stored(value, dtype), dtype))
    if value.dtype.kind == "c" and dtype.kind in "iufV":
        raise_complex_error("set_item", "value", dtype)
    return cast(value, dtype)


def _whole_mask(x: DaskArray, key: Any) -> Any:
    """Return a mask of x's leading axes, if the key is that and nothing else, or None."""
    if isinstance(key, tuple) and len(key) == 1:
        key = key[0]
    if not is_mask(key) or key.shape != x.shape[: key.ndim]:
        return None
    return constant(key.copy()) if isinstance(key, np.ndarray) else key


def _put_masked(x: DaskArray, mask: DaskArray, value: DaskArray) -> DaskArray:
    """Assign by a mask of the leading axes: each block finds its values by running numbers."""
    rest = x.ndim - mask.ndim
    trimmed = _trimmed(value, rest + 1)
    if trimmed.ndim <= rest:
        wide = mask[(..., *[None] * rest)]
        return where(wide, da.broadcast_to(trimmed, x.shape[mask.ndim :]) if rest else trimmed, x)
    flat = cast(reshape(mask, (-1,)), _INDEX)
    number = reshape(cumulative_sum(flat, axis=0), mask.shape) - 1
    labels = tuple(range(x.ndim))
    leading = labels[: mask.ndim]
    pairs: list[Any] = [(x, labels), (mask, leading), (number, leading), (total(flat), ())]
    pairs.append((trimmed, ("values", *labels[mask.ndim :])))
    return lazily(of_blocks("put_masked"), labels, pairs, x.dtype)


def _put_inside(x: DaskArray, axis: int, mask: Any, value: DaskArray) -> DaskArray:
    """Assign by a mask of axes that aren't the first ones: they are moved there, and back."""
    mask = constant(mask.copy()) if isinstance(mask, np.ndarray) else mask
    rest = x.ndim - mask.ndim
    value = _trimmed(value, rest + 1)
    if value.ndim > rest - axis:  # it has an axis for the elements of the mask, behind others
        value = value[(*[None] * (rest + 1 - value.ndim), ...)]
        value = da.moveaxis(value, axis, 0)
    here = list(range(axis, axis + mask.ndim))
    front = da.moveaxis(x, here, range(mask.ndim))
    return da.moveaxis(_put_masked(front, mask, value), range(mask.ndim), here)


def _trimmed(value: DaskArray, rank: int) -> DaskArray:
    """Return a value without leading axes of size one beyond a rank."""
    while value.ndim > rank and value.shape[0] == 1:
        value = value[0]
    return value


def _spread(value: DaskArray, shape: tuple[int, ...]) -> DaskArray:
    """Broadcast a value to the part that is assigned to."""
    known = known_shape(value)
    trimmed = reshape(value, trimmed_shape(known, shape)) if value.ndim > len(shape) else value
    return da.broadcast_to(trimmed, shape)


def _scatter(x: DaskArray, plan: Any, value: DaskArray) -> DaskArray:
    """Assign at index arrays along axes; each block takes what lies in it."""
    axes = plan.axes
    arrays = [i if isinstance(i, da.Array) else constant(i.copy()) for i in plan.arrays]
    shape = together([known_shape(i) for i in arrays])
    rest = tuple(a for a in range(x.ndim) if a not in axes)
    sizes = tuple(x.shape[a] for a in rest)
    to = axes[0] if plan.together else 0
    value = _spread(value, (*sizes[:to], *shape, *sizes[to:]))
    order = [*range(to, to + len(shape)), *range(to), *range(to + len(shape), value.ndim)]
    value = da.transpose(value, order)
    value = value.rechunk((*[(n,) for n in shape], *[x.chunks[a] for a in rest]))
    core = tuple(("core", i) for i in range(len(shape)))
    operands: list[Any] = [(x, tuple(range(x.ndim)))]
    operands += [(i.rechunk(-1), core[len(shape) - i.ndim :]) for i in arrays]
    operands.append((value, (*core, *rest)))
    function = of_blocks("scatter", axes=axes, sizes=tuple(x.shape[a] for a in axes))
    return by_place(function, x.chunks, x.dtype, operands)
