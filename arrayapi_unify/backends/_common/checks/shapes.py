"""Refusals of shapes that several backends share, by the rules of `_common.checks.arguments`.

Shapes may hold None for a size that tf.function doesn't know.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from arrayapi_unify.backends._common.checks.axes import check_no_bool
from arrayapi_unify.errors import raise_value_error

Shape = Sequence[int | None]


def check_sizes(function: str, argument: str, shape: Any) -> None:
    """Raise for negative sizes, and those that are no integers."""
    check_no_bool(function, shape, argument)
    sizes = shape if isinstance(shape, list | tuple) else (shape,)
    if any(operator.index(size) < 0 for size in sizes):
        problem = f"is {shape}, with a negative size"
        raise_value_error(function, argument, problem, "pass sizes of 0 or more")


def check_broadcast(shape: Shape, target: Shape) -> None:
    """Refuse to broadcast to a shape that isn't made by it."""
    check_sizes("broadcast_to", "shape", target)
    pairs = zip(reversed(shape), reversed(target), strict=False)
    if len(shape) > len(target) or any(a not in (1, b, None) for a, b in pairs):
        problem = f"is {tuple(target)}, to which x of shape {tuple(shape)} doesn't broadcast"
        remedy = "let each size of x be 1 or that of the shape's end"
        raise_value_error("broadcast_to", "shape", problem, remedy)


def resolved_shape(shape: Sequence[int], target: Any) -> tuple[int, ...]:
    """Return the shape to `reshape` to, with -1 resolved; refuse one of another size."""
    one = isinstance(target, int) or not isinstance(target, list | tuple)
    sizes = [operator.index(size) for size in ((target,) if one else target)]
    known = math.prod(size for size in sizes if size != -1)
    total = math.prod(shape)
    if sizes.count(-1) == 1 and known > 0 and total % known == 0:
        sizes[sizes.index(-1)] = total // known
    if min(sizes, default=0) < 0 or math.prod(sizes) != total:
        shown = (target,) if one else tuple(target)
        problem = f"is {shown}, but x has shape {tuple(shape)}, which is {total} elements"
        raise_value_error("reshape", "shape", problem, "pass a shape of as many elements")
    return tuple(sizes)


def check_joined(function: str, shapes: Sequence[Shape], axis: int | None) -> None:
    """Raise for arrays whose shapes differ; `axis` is the one along which they may, if there is."""
    if shapes[0] and shapes.count(shapes[0]) == len(shapes):
        return
    remedy = "pass arrays of one shape" + (f" but for axis {axis}" if axis is not None else "")
    if axis is not None and any(not shape for shape in shapes):
        problem, remedy = "holds a zero-dimensional array", "pass axis=None, or use stack"
    elif all(alike(shape, shapes[0], axis) for shape in shapes):
        return
    else:
        problem = "holds arrays of the shapes " + ", ".join(str(tuple(shape)) for shape in shapes)
    raise_value_error(function, "arrays", problem, remedy)


def check_joinable(argument: str, part: Shape, shape: Shape, axis: int) -> None:
    """Raise for what `diff` can't join to an array before it takes differences."""
    if not alike(part, shape, axis):
        problem = f"has shape {tuple(part)}, but x has shape {tuple(shape)}"
        raise_value_error("diff", argument, problem, f"differ from x along axis {axis} only")


def alike(shape: Shape, other: Shape, axis: int | None) -> bool:
    """Return True if two shapes are equal but for an axis; an unknown size equals any."""
    return len(shape) == len(other) and all(
        i == axis or a == b or a is None or b is None
        for i, (a, b) in enumerate(zip(shape, other, strict=True))
    )


def check_together(shapes: Sequence[Shape]) -> None:
    """Raise for arrays of which `broadcast_arrays` can make none of one shape."""
    try:
        np.broadcast_shapes(*(tuple(shape) for shape in shapes))  # type: ignore[arg-type]  # known
    except ValueError:
        named = ", ".join(str(tuple(shape)) for shape in shapes)
        problem = f"holds arrays of the shapes {named}, which could not be broadcast together"
        remedy = "let sizes differ only where one of them is 1"
        raise_value_error("broadcast_arrays", "arrays", problem, remedy)


class UnfitShapesError(ValueError):
    """Operands whose shapes don't broadcast, in our words."""


def check_operands(shapes: Mapping[str, Shape]) -> None:
    """Raise for operands, given by name, whose shapes don't broadcast."""
    before: dict[str, Shape] = {}
    together: tuple[int, ...] = ()
    for name, shape in shapes.items():
        try:
            known = tuple(shape)
            together = np.broadcast_shapes(together, known)  # type: ignore[arg-type]  # known
        except ValueError:
            others = " and ".join(f"{n} of shape {tuple(s)}" for n, s in before.items())
            raise UnfitShapesError(
                f"{name} of shape {tuple(shape)} could not be broadcast together with {others}; "
                f"let sizes differ only where one of them is 1"
            ) from None
        before[name] = shape


def check_nesting(obj: Any) -> None:
    """Raise for nested lists of which rows differ in length."""
    if not isinstance(obj, list | tuple):
        return
    lengths = {len(part) if isinstance(part, list | tuple) else None for part in obj}
    if len(lengths) > 1:
        problem = "is, or holds, a list whose parts differ in length"
        raise_value_error("asarray", "obj", problem, "pass lists of one length, or pad them")
    for part in obj:
        check_nesting(part)


def raise_zero_dimensional_error(function: str) -> NoReturn:
    """Raise for an array of no axes where there has to be one."""
    raise_value_error(function, "x", "is zero-dimensional", "reshape it to (1,) first")


def raise_out_error(function: str, shape: Shape, wanted: Shape) -> NoReturn:
    """Raise for an `out` of another shape than the result's."""
    problem = f"has shape {tuple(shape)}, the result has {tuple(wanted)}"
    raise_value_error(function, "out", problem, "pass an array of the result's shape")


def raise_no_elements_error(function: str, shape: Shape) -> NoReturn:
    """Refuse to choose among no elements."""
    problem = f"has shape {tuple(shape)}, so there is nothing to choose"
    raise_value_error(function, "x", problem, "pass an array with elements along the axis")


def raise_many_error(shape: Shape) -> NoReturn:
    """Refuse to make a scalar of more or fewer elements than one."""
    raise_value_error(
        "to_scalar", "x", f"has shape {tuple(shape)}, not exactly one element",
        "pick an element, or reduce the array with any, all, sum, ...",
    )  # fmt: skip
