"""The meaning of keys of `x[key]` by NumPy's rules, as far as shapes tell.

Errors are built-in ones: binding adds function, arguments and backend to their messages.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from arrayapi_unify.errors import describe


def around_ellipsis(
    parts: Sequence[Any], axes_of: Callable[[Any], int], rank: int
) -> tuple[list[Any], int, list[Any], bool]:
    """Return the parts before the ellipsis, the axes it spans, those behind, and if it is there.

    Without an ellipsis, it is as if one stood at the end. `axes_of` says how many axes of the
    array a part stands for.
    """
    dots = [i for i, part in enumerate(parts) if part is Ellipsis]
    if len(dots) > 1:
        raise IndexError("the key holds more than one ellipsis ('...'); keep one of them")
    at = dots[0] if dots else len(parts)
    before, behind = list(parts[:at]), list(parts[at + 1 :])
    used = sum(map(axes_of, before)) + sum(map(axes_of, behind))
    if used > rank:
        raise IndexError(f"the key stands for {used} axes, but the array has {rank}; drop some")
    return before, rank - used, behind, bool(dots)


def no_index(part: Any) -> IndexError:
    """Return the error for a part of a key that is none."""
    return IndexError(
        f"{describe(part)} is no index; use integers, slices, None, an ellipsis, integer arrays or "
        f"boolean masks"
    )


def no_index_array(dtype: Any) -> IndexError:
    """Return the error for an array in a key that selects nothing by its data type."""
    name = str(dtype).removeprefix("torch.")
    return IndexError(f"an array of {name} is no index; use integers or a mask")


def first_outside(indices: Any, size: int) -> int | None:
    """Return the first index out of the bounds of an axis, as NumPy reads indices; None: there is
    none."""
    values = np.asarray(indices)
    if values.size == 0 or (
        values.max() < size and (values.dtype.kind == "u" or values.min() >= -size)
    ):
        return None
    return int(values[(values < -size) | (values >= size)][0])


def check_bounds(indices: Any, size: int, axis: int) -> None:
    """Raise for indices, as NumPy reads them, out of the bounds of an axis."""
    wrong = first_outside(indices, size)
    if wrong is not None:
        within(wrong, size, axis)


def together(shapes: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the shape to which index arrays broadcast."""
    try:
        return np.broadcast_shapes(*(tuple(shape) for shape in shapes))
    except ValueError:
        listed = ", ".join(str(tuple(shape)) for shape in shapes)
        raise IndexError(
            f"index arrays of the shapes {listed} don't broadcast; use shapes that do"
        ) from None


def within(index: int, size: int, axis: int) -> int:
    """Return an index, which has to be one of an axis of this size."""
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {size}")
    return index


def check_mask(mask: Sequence[int | None], shape: Sequence[int | None], axis: int) -> bool:
    """Raise for a mask that doesn't fit axes of this shape, from `axis` on; say whether it is them.

    The standard: each size of a mask is that of the axis, or 0. None is a size that tf.function
    doesn't know.
    """
    pairs = list(zip(mask, shape, strict=True))
    if any(None not in (m, n) and m not in (n, 0) for m, n in pairs):
        raise IndexError(
            f"a mask of shape {tuple(mask)} stands for the axes from {axis} on, which have shape "
            f"{tuple(shape)}; use a mask of that shape"
        )
    return not any(m == 0 and n != 0 for m, n in pairs)


def check_key(shape: Sequence[int], key: Any) -> None:
    """Refuse a key that selects nothing of an array of this shape; looks at the values of arrays.

    That is for keys that a library has refused.
    """
    parts = [_plain(part) for part in (key if isinstance(key, tuple) else (key,))]
    before, missing, behind, _ = around_ellipsis(parts, _consumed, len(shape))
    axis = 0
    selected: list[tuple[int, ...]] = []
    for part in (*before, *[slice(None)] * missing, *behind):
        axes = _consumed(part)
        if isinstance(part, np.ndarray) and part.dtype.kind == "b":
            check_mask(part.shape, shape[axis : axis + axes], axis)
            selected.append((int(np.count_nonzero(part)),))
        elif isinstance(part, np.ndarray):
            check_bounds(part, shape[axis], axis)
            selected.append(part.shape)
        axis += axes
    together(selected)


def _plain(part: Any) -> Any:
    """Return None, an ellipsis or a slice as it is, anything else as NumPy's array of indices."""
    if part is None or part is Ellipsis or isinstance(part, slice):
        return part
    if not hasattr(part, "dtype") and not isinstance(part, bool | list):
        try:
            return np.asarray(operator.index(part))
        except TypeError:
            raise no_index(part) from None
    values = np.asarray(part)
    if values.dtype.kind not in "biu" and values.size:
        raise no_index_array(values.dtype)
    return values


def _consumed(part: Any) -> int:
    if part is None:
        return 0
    return part.ndim if isinstance(part, np.ndarray) and part.dtype.kind == "b" else 1
