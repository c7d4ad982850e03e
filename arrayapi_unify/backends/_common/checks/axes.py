"""Axes: the checks that libraries leave out, and the resolution that others want done for them.

Everything here works on shapes and numbers of axes, so that it serves every backend and traces.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, Final

from arrayapi_unify import errors
from arrayapi_unify.errors import (
    raise_argument_error,
    raise_type_error,
    raise_value_error,
)

Shape = Sequence[int]

_MOST: Final = 10**6


def check_axis_of_0d(function: str, axis: Any) -> None:
    """Raise for an axis of a zero-dimensional array; the empty tuple names none and passes.

    The standard: valid is [-N, N), which is empty here. NumPy lets 0 and -1 through for old
    code's sake ("let axis={0 or -1} slip through for scalars", numpy/_core/src/umath).
    """
    if not isinstance(axis, tuple) or axis:
        raise_argument_error(
            errors.UnifyAxisError,
            function,
            "axis",
            f"is {axis!r}, but the array is zero-dimensional and has no axis",
            "reshape the array to (1,) first, or leave the axis out where the function allows",
        )


def check_no_bool(function: str, value: Any, argument: str = "axis") -> None:
    """Raise for True and False as an axis or a size, as most of NumPy's functions do."""
    if type(value) is bool or (isinstance(value, tuple | list) and bool in map(type, value)):
        problem, remedy = f"is {value}, and a bool is no integer", "pass 0 or 1"
        raise_type_error(function, argument, problem, remedy)


def whole(function: str, argument: str, value: Any) -> int:
    """Return an integer; a bool is none here, nor is a float."""
    if type(value) is int:
        return value
    check_no_bool(function, value, argument)
    return operator.index(value)


def few(values: Any) -> bool:
    """Return True if a range is short enough for a list of sizes or axes, which takes memory."""
    try:
        return len(values) <= _MOST
    except OverflowError:
        return False


def in_order(values: Any) -> Any:
    """Return what has an order, as a tuple of sizes has; refuse sets, dicts, text and arrays."""
    kind = type(values)
    if kind is tuple or kind is list:
        return values
    text_or_dict = isinstance(values, dict | str | bytes)
    if text_or_dict or not hasattr(kind, "__getitem__") or hasattr(values, "ndim"):
        raise TypeError(f"a {kind.__qualname__} is no sequence of integers")
    if kind is range and not few(values):
        raise TypeError("a range of more than a million numbers is too long")
    return values


def one_or_in_order(values: Any) -> Any:
    """Return one integer, or what has an order."""
    one = hasattr(type(values), "__index__") and not getattr(values, "ndim", 0)
    return values if one else in_order(values)


def normalize_axis(function: str, axis: Any, ndim: int, argument: str = "axis") -> int:
    """Return an axis of an array of `ndim` axes as a number from 0; refuse one out of bounds."""
    if type(axis) is bool:
        check_no_bool(function, axis, argument)
    number = operator.index(axis)
    if -ndim <= number < ndim:
        return number + ndim if number < 0 else number
    if ndim == 0:
        check_axis_of_0d(function, axis)
    raise_argument_error(
        errors.UnifyAxisError,
        function,
        argument,
        # NumPy's words, which people look for, and other libraries' tests, too.
        f"is {axis}, and axis {axis} is out of bounds for array of dimension {ndim}",
        f"use an axis from {-ndim} to {ndim - 1}",
    )


def check_selection(
    function: str, k: Any, axis: Any, mode: str, shape: Sequence[int | None]
) -> tuple[int, int]:
    """Return k and the axis of a selection of the k largest or smallest elements; refuse others."""
    if mode not in ("largest", "smallest"):
        raise_value_error(function, "mode", f"is {mode!r}", "pass 'largest' or 'smallest'")
    axis = normalize_axis(function, axis, len(shape))
    k, size = whole(function, "k", k), shape[axis]
    if k < 0 or (size is not None and k > size):
        problem = f"is {k}, and axis {axis} has {size} elements"
        raise_value_error(function, "k", problem, f"pass a number from 0 to {size}")
    return k, axis


def normalize_axes(function: str, axis: Any, ndim: int, argument: str = "axis") -> tuple[int, ...]:
    """Return one, several or (None) all axes as numbers from 0; refuse one that occurs twice."""
    if axis is None:
        return tuple(range(ndim))
    if not isinstance(axis, tuple | list | range):
        return (normalize_axis(function, axis, ndim, argument),)
    if not few(axis):
        problem = f"names more axes than the {ndim} of the array"
        raise_argument_error(
            errors.UnifyAxisError, function, argument, problem, "name each axis once"
        )
    axes = tuple(normalize_axis(function, one, ndim, argument) for one in axis)
    if len(set(axes)) != len(axes):
        raise_value_error(
            function, argument, f"is {axis}, in which an axis repeats", "name each axis once"
        )
    return axes


def inserted_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """Return the axes of `expand_dims` as numbers from 0 in an array that has them already."""
    axes = one_or_in_order(axis)
    axes = axes if isinstance(axes, tuple | list | range) else (axes,)
    return normalize_axes("expand_dims", axes, ndim + len(axes))


def permutation(axes: Any, ndim: int) -> tuple[int, ...]:
    """Return the axes of `permute_dims` as numbers from 0; refuse any but all of them."""
    order = normalize_axes("permute_dims", tuple(axes), ndim, "axes")
    if len(order) != ndim:
        problem = f"is {axes}, but the array has {ndim} axes"
        raise_value_error("permute_dims", "axes", problem, "name each axis once")
    return order


def moved_axes(source: Any, destination: Any, ndim: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return where `moveaxis` takes axes from and where to, as numbers from 0."""
    here = normalize_axes("moveaxis", source, ndim, "source")
    there = normalize_axes("moveaxis", destination, ndim, "destination")
    if len(here) != len(there):
        problem = f"is {destination}, but source is {source}"
        raise_value_error("moveaxis", "destination", problem, "name as many axes in both")
    return here, there


def count(shape: Shape, axis: int | tuple[int, ...] | None) -> int:
    """Return how many elements a reduction takes together; the axis is known to be valid."""
    if axis is None:
        return math.prod(shape)
    axes = axis if isinstance(axis, tuple) else (axis,)
    return math.prod([shape[a] for a in axes])


def only_axis(function: str, ndim: int, axis: int | None) -> int:
    """Return the axis to accumulate along; it may be left out for one-dimensional arrays only."""
    if ndim == 0:
        problem, remedy = "is zero-dimensional and has no axis", "reshape it to (1,) first"
        raise_value_error(function, "x", problem, remedy)
    if axis is None and ndim != 1:
        problem, remedy = f"is needed for an array of {ndim} axes", "pass axis=..."
        raise_value_error(function, "axis", problem, remedy)
    return 0 if axis is None else axis


def axis_from_end(function: str, shape1: Shape, shape2: Shape, axis: int) -> int:
    """Return `axis` as the negative number that means the same axis of both arrays."""
    ndim1, ndim2 = len(shape1), len(shape2)
    if -min(ndim1, ndim2) <= axis < 0:
        return axis
    check_no_bool(function, axis)
    # The standard has negative axes only; in arrays of equal rank a positive one is clear too.
    if ndim1 == ndim2 and 0 <= axis < ndim1:
        return axis - ndim1
    raise_argument_error(
        errors.UnifyAxisError,
        function,
        "axis",
        f"is {axis}, but the arrays have shapes {tuple(shape1)} and {tuple(shape2)}",
        "count from the last axis, which is -1",
    )


def shifts_of(shift: Any, axis: Any) -> Any:
    """Check that the shifts are integers, and return one for one axis or a tuple for several.

    As in NumPy, several shifts of one axis are added, and a single shift applies to every axis.
    The check is ours, because the libraries skip it for an array without elements.
    """
    for one in shift if isinstance(shift, tuple) else (shift,):
        # Arrays of floating-point numbers have `__index__`, too, which raises.
        kind = getattr(getattr(one, "dtype", None), "kind", "i")
        if not hasattr(one, "__index__") or kind not in "iu" or getattr(one, "ndim", False):
            raise_type_error(
                "roll", "shift", f"is a {type(one).__qualname__}, not an integer",
                "pass an integer, or a tuple of them",
            )  # fmt: skip
    if not isinstance(shift, tuple):
        return shift
    if not isinstance(axis, tuple):
        return sum(shift)
    if len(axis) == len(shift):
        return shift
    if len(shift) == 1:
        return shift * len(axis)
    raise_value_error(
        "roll", "shift", f"is the tuple {shift}, but axis is {axis}",
        "pass a tuple of as many axes, one axis, or one integer as the shift",
    )  # fmt: skip


def check_repetitions(repetitions: Any) -> tuple[int, ...]:
    """Return the counts of `tile` as integers; refuse negative ones, which may look like none."""
    counts = tuple(map(operator.index, in_order(repetitions)))
    if counts and min(counts) < 0:
        problem = f"is {repetitions}, with a negative count"
        raise_value_error("tile", "repetitions", problem, "pass counts of 0 or more")
    return counts


def check_squeezable(shape: Shape, axes: tuple[int, ...]) -> None:
    """Refuse to squeeze axes (numbers from 0) that aren't of size one."""
    for axis in axes:
        if shape[axis] != 1:
            raise_value_error(
                "squeeze", "axis", f"names axis {axis}, which has size {shape[axis]}",
                "squeeze axes of size one only",
            )  # fmt: skip
