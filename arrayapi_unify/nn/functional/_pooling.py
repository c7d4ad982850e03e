"""Pooling of Arrays: position after position of all windows at once."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, Final

from arrayapi_unify import limits
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.convolutions import (
    Plan,
    channels_axis_first,
    one_for_each,
    positions,
)
from arrayapi_unify.backends._common.checks.sizes import check_held
from arrayapi_unify.errors import raise_type_error, raise_value_error
from arrayapi_unify.functional._common import BodyArray, unchecked
from arrayapi_unify.nn.functional._convolution import cut_or_padded, window_slices


def check_ordered(function: str, x: BodyArray) -> None:
    """Raise for what isn't a real number."""
    if x.dtype.kind not in "iuf":
        raise_type_error(function, "x", f"has data type {x.dtype}", "pass real numbers")


def _padded(x: Array, plan: Plan, value: Any) -> Array:
    xp = x.__array_namespace__()
    return cut_or_padded(xp.moveaxis(x, 1, -1) if plan.first else x, plan.pads, value)


def _finished(found: Any, plan: Plan) -> Array:
    result: Array = found
    return result.__array_namespace__().moveaxis(result, -1, 1) if plan.first else result


def largest(x: Array, plan: Plan) -> Array:
    """Return the largest element of each window."""
    xp = x.__array_namespace__()
    lowest = -math.inf if x.dtype.kind == "f" else limits.iinfo(x.dtype).min
    x = _padded(x, plan, lowest)
    if _is_divided(x, plan):
        return _finished(xp.astype(_largest_parts(x, plan), x.dtype), plan)
    first, *others = positions(plan.window)
    found = x[window_slices(first, plan)]
    for place in others:
        found = xp.maximum(found, x[window_slices(place, plan)])
    return _finished(xp.astype(found, x.dtype), plan)


def _is_divided(x: Array, plan: Plan) -> bool:
    """Return True if windows don't overlap or leave gaps, and at most one size is unknown."""
    apart = plan.strides == plan.window and all(d == 1 for d in plan.dilations)
    return apart and 0 not in x.shape and x.shape.count(None) < 2 and None not in plan.sizes


def _largest_parts(x: Array, plan: Plan) -> Array:
    """Split each axis into windows, and compare the parts, one axis after the other.

    The last axis comes first: so of equal elements the first one gets the derivative, in the order
    of the elements.
    """
    xp = x.__array_namespace__()
    for axis in range(len(plan.window), 0, -1):
        count, size = plan.sizes[axis - 1], plan.window[axis - 1]
        if x.shape[axis] != count * size:
            x = x[(*(slice(None),) * axis, slice(count * size), ...)]
        known = [-1 if n is None else n for n in x.shape]
        known[axis : axis + 1] = [count, size]
        x = functools.reduce(xp.maximum, xp.unstack(xp.reshape(x, tuple(known)), axis=axis + 1))
    return x


def averaged(x: Array, plan: Plan, count_padding: bool) -> Array:
    """Return the mean of each window."""
    xp, spatial, total = x.__array_namespace__(), x.shape[2:] if plan.first else x.shape[1:-1], None
    padded = _padded(x, plan, 0)
    for place in positions(plan.window):
        part = padded[window_slices(place, plan)]
        total = part if total is None else total + part
    found: Any = total
    if count_padding or not any(map(any, plan.pads)):
        return _finished(found / math.prod(plan.window), plan)
    for axis, ends in enumerate(zip(spatial, plan.window, plan.strides, plan.pads, strict=True), 1):
        counts = xp.asarray(_counts(*ends), dtype=x.dtype, device=x.device)
        found = found / xp.reshape(counts, (-1, *(1,) * (x.ndim - 1 - axis)))
    return _finished(found, plan)


def _counts(size: int, window: int, stride: int, pads: tuple[int, int]) -> list[float]:
    """Return how many elements of x each window along an axis has."""
    starts = range(-pads[0], size + pads[1] - window + 1, stride)
    return [float(min(start + window, size) - max(start, 0)) for start in starts]


# --- adaptive -----------------------------------------------------------------------------------


# The bytes of a window in lists of Python.
_WINDOW: Final = 100


def adapted(
    function: str, count: int, x: BodyArray, output_size: Any, data_format: str, means: bool
) -> Array:
    """Return the means, or the largest, of as many windows as there shall be results."""
    first = channels_axis_first(function, data_format)
    if x.ndim != count + 2 or 0 in x.shape[1:]:
        raise_value_error(
            function, "x", f"has shape {x.shape}",
            f"pass an array of {count + 2} axes, of which the batch alone may be 0",
        )  # fmt: skip
    wanted = one_for_each(function, "output_size", output_size, count)
    check_held(function, "output_size", output_size, math.prod(wanted), _WINDOW)
    for axis, size in enumerate(wanted, 2 if first else 1):
        x = (_means if means else _extremes)(x, axis, size)
    return x


def _bounds(size: int, wanted: int) -> list[tuple[int, int]]:
    return [(i * size // wanted, -(-(i + 1) * size // wanted)) for i in range(wanted)]


def _in_parts(x: Array, axis: int, wanted: int) -> Array:
    """Split an axis into as many equal parts."""
    shape = (*x.shape[:axis], wanted, x.shape[axis] // wanted, *x.shape[axis + 1 :])
    return x.__array_namespace__().reshape(x, shape)


def _means(x: Array, axis: int, wanted: int) -> Array:
    xp, size = x.__array_namespace__(), x.shape[axis]
    if size % wanted == 0:
        return xp.mean(_in_parts(x, axis, wanted), axis=axis + 1)
    rows = [[1.0 if a <= i < b else 0.0 for i in range(size)] for a, b in _bounds(size, wanted)]
    lengths = [float(b - a) for a, b in _bounds(size, wanted)]
    sums = xp.matmul(xp.moveaxis(x, axis, -1), _like(x, rows, (wanted, size)))
    return xp.moveaxis(sums / xp.asarray(lengths, dtype=x.dtype, device=x.device), -1, axis)


def _like(x: Array, rows: Sequence[Sequence[float]], shape: tuple[int, int]) -> Any:
    xp = x.__array_namespace__()
    return xp.matrix_transpose(xp.asarray(rows, dtype=x.dtype, device=x.device))


def _extremes(x: Array, axis: int, wanted: int) -> Array:
    xp, size = x.__array_namespace__(), x.shape[axis]
    if size % wanted == 0:
        return xp.max(_in_parts(x, axis, wanted), axis=axis + 1)
    bounds = _bounds(size, wanted)
    longest = max(b - a for a, b in bounds)
    # A window that is shorter has its last element twice.
    places = [min(a + i, b - 1) for a, b in bounds for i in range(longest)]
    taken = unchecked(xp.take, x, xp.asarray(places, device=x.device), axis=axis)
    return xp.max(_in_parts(taken, axis, wanted), axis=axis + 1)
