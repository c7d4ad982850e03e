"""Contracts of the manipulation category: shapes, axes, and the order of elements."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from typing import Any, Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.axes import normalize_axis
from arrayapi_unify.binding import compositional, primary, standalone
from arrayapi_unify.binding.roles import ArrayIn, Arrays, IntegerOperand, Out
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError, refuse
from arrayapi_unify.functional._bodies import Given
from arrayapi_unify.functional._padding import constants, source, widths

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "pad",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "split",
    "squeeze",
    "stack",
    "tile",
    "unstack",
]


@primary
def broadcast_arrays(*arrays: ArrayIn) -> tuple[Array, ...]:
    """Broadcast arrays against one another.

    The results are views of the inputs. Those that had another shape refuse to be written to, as
    one element may stand in several places: copy one to write to it.

    Parameters
    ----------
    arrays
        Any number of arrays with compatible shapes, none included.

    Returns
    -------
    The arrays in the order given, all of the common shape, each with its own dtype.

    Raises
    ------
    UnifyValueError
        The shapes aren't compatible.

    References
    ----------
    Array API standard 2025.12, ``broadcast_arrays``.

    Examples
    --------
    >>> unify.broadcast_arrays(unify.array([1, 2]), unify.array([[3], [4]]))
    (unify.array([[1, 2],
                 [1, 2]]), unify.array([[3, 3],
                 [4, 4]]))
    """


def _sizes(shape: Any) -> tuple[int | None, ...]:
    """Return a shape as a tuple of integers and None."""
    try:
        given = (shape,) if hasattr(shape, "__index__") else tuple(shape)
        sizes = tuple(None if size is None else operator.index(size) for size in given)
    except TypeError:
        problem = f"holds {shape!r}, which is no shape"
        refuse(UnifyTypeError, "broadcast_shapes", "shapes", problem, "pass tuples of integers")
    if any(size is not None and size < 0 for size in sizes):
        problem = f"holds {sizes}, which has a negative size"
        refuse(UnifyValueError, "broadcast_shapes", "shapes", problem, "use sizes from 0 up")
    return sizes


@standalone
def broadcast_shapes(*shapes: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Broadcast shapes against one another.

    Shapes are aligned at their last axis; a size of 1, or a missing axis, stretches to the size
    that the other shapes have there. No backend is involved.

    Parameters
    ----------
    shapes
        Any number of shapes. ``None`` in one is a size that isn't known; the result has ``None``
        there too.

    Returns
    -------
    The common shape; ``()`` where no shape is given.

    Raises
    ------
    UnifyValueError
        Two sizes on one axis differ and neither is 1, or a size is negative.

    References
    ----------
    Array API standard 2025.12, ``broadcast_shapes``.

    Examples
    --------
    >>> unify.broadcast_shapes((4, 1, 3), (2, 1))
    (4, 2, 3)
    """
    given = [_sizes(shape) for shape in shapes]
    rank = max(map(len, given), default=0)
    aligned = [(1,) * (rank - len(sizes)) + sizes for sizes in given]
    result: list[int | None] = []
    for sizes in zip(*aligned, strict=True):
        fixed = {size for size in sizes if size is not None and size != 1}
        if len(fixed) > 1:
            names = ", ".join(map(str, given))
            refuse(
                UnifyValueError,
                "broadcast_shapes",
                "shapes",
                f"holds {names}, which don't broadcast: axis {len(result) - rank} has the sizes "
                f"{' and '.join(map(str, sorted(fixed)))}",
                "make the sizes of each axis equal or 1",
            )
        result.append(None if None in sizes else fixed.pop() if fixed else 1)
    return tuple(result)


@primary
def broadcast_to(x: ArrayIn, /, shape: tuple[int, ...], *, out: Out = None) -> Array:
    """Broadcast an array to a shape.

    The result is a view of x that refuses to be written to, as one element may stand in several
    places: copy it to write to it.

    Parameters
    ----------
    x
        Array whose shape is compatible with `shape`; it has at most as many axes.
    shape
        Shape of the result.

    Returns
    -------
    Array of the given shape and x's dtype.

    Raises
    ------
    UnifyValueError
        x doesn't broadcast to `shape`.

    References
    ----------
    Array API standard 2025.12, ``broadcast_to``.

    Examples
    --------
    >>> unify.broadcast_to(unify.array([1, 2, 3]), (2, 3))
    unify.array([[1, 2, 3],
                 [1, 2, 3]])
    """


@primary
def concat(
    arrays: Arrays,
    /,
    *,
    axis: int | None = 0,
    out: Out = None,
) -> Array:
    """Join arrays along an axis they have.

    Parameters
    ----------
    arrays
        List or tuple of one or more arrays with at least one axis, of equal shapes except along
        `axis`.
    axis
        Axis to join along; negative values count from the last. None flattens the arrays first
        (row by row), and then takes any shapes, 0-d ones too.

    Returns
    -------
    The joined array, of the dtype to which all inputs promote.

    Raises
    ------
    UnifyValueError
        There are no arrays, or their shapes don't fit.
    UnifyIndexError
        The axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``concat``.

    Examples
    --------
    >>> unify.concat([unify.array([[1, 2]]), unify.array([[3, 4], [5, 6]])])
    unify.array([[1, 2],
                 [3, 4],
                 [5, 6]])
    >>> unify.concat([unify.array([[1, 2]]), unify.array(0.5)], axis=None)
    unify.array([1. , 2. , 0.5])
    """


@primary
def expand_dims(x: ArrayIn, /, axis: int | tuple[int, ...], *, out: Out = None) -> Array:
    """Insert axes of size one.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    axis
        Where the new axis stands in the result; or a tuple of such positions, all different.
        Negative values count from the result's last axis.

    Returns
    -------
    A view of x with the axes inserted and the others in their order.

    Raises
    ------
    UnifyIndexError
        A position is out of the bounds of the result's axes.
    UnifyValueError
        A position is given twice.

    References
    ----------
    Array API standard 2025.12, ``expand_dims``.

    Examples
    --------
    >>> unify.expand_dims(unify.array([1, 2]), -1)
    unify.array([[1],
                 [2]])
    >>> unify.expand_dims(unify.array([1, 2]), (0, 2)).shape
    (1, 2, 1)
    """


@primary
def flip(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    out: Out = None,
) -> Array:
    """Reverse the order of elements along axes.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    axis
        Axis, or tuple of different axes, to reverse; None reverses all, the empty tuple none.

    Returns
    -------
    A view of x, of its shape and dtype.

    Raises
    ------
    UnifyIndexError
        An axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``flip``.

    Examples
    --------
    >>> unify.flip(unify.array([[1, 2], [3, 4]]), axis=0)
    unify.array([[3, 4],
                 [1, 2]])
    """


@primary
def moveaxis(
    x: ArrayIn,
    source: int | tuple[int, ...],
    destination: int | tuple[int, ...],
    /,
    *,
    out: Out = None,
) -> Array:
    """Move axes to other positions; the remaining ones keep their order.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    source
        Axis, or tuple of different axes, to move.
    destination
        Position of each in the result: of as many entries as `source`, all different.

    Returns
    -------
    A view of x with its axes moved.

    Raises
    ------
    UnifyIndexError
        An axis is out of bounds.
    UnifyValueError
        An axis is given twice, or `source` and `destination` differ in length.

    References
    ----------
    Array API standard 2025.12, ``moveaxis``.

    Examples
    --------
    >>> unify.moveaxis(unify.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    >>> unify.moveaxis(unify.zeros((2, 3, 4)), (0, 1), (2, 0)).shape
    (3, 4, 2)
    """


@primary
def permute_dims(x: ArrayIn, /, axes: tuple[int, ...], *, out: Out = None) -> Array:
    """Reorder the axes of an array.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    axes
        Permutation of x's axes: the result's axis ``i`` is x's axis ``axes[i]``. Negative values
        count from the last axis.

    Returns
    -------
    A view of x with its axes reordered.

    Raises
    ------
    UnifyIndexError
        An axis is out of bounds.
    UnifyValueError
        `axes` doesn't name each axis once.

    References
    ----------
    Array API standard 2025.12, ``permute_dims``.

    Examples
    --------
    >>> unify.permute_dims(unify.array([[1, 2, 3], [4, 5, 6]]), (1, 0))
    unify.array([[1, 4],
                 [2, 5],
                 [3, 6]])
    """


@primary
def repeat(
    x: ArrayIn,
    repeats: IntegerOperand,
    /,
    *,
    axis: int | None = None,
    out: Out = None,
) -> Array:
    """Repeat each element a number of times.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    repeats
        How often: an integer, or an integer array of shape ``(1,)`` or ``(n,)`` with one count
        for each of the n elements along the axis. An array makes the result's shape depend on
        data, which on accelerators waits for the device and under jit can't be compiled.
    axis
        Axis along which to repeat slices. None flattens x (row by row) and repeats elements.

    Returns
    -------
    Array of x's dtype and x's shape except along the axis; 1-d where `axis` is None.

    Raises
    ------
    UnifyIndexError
        The axis is out of bounds.
    UnifyTypeError
        The counts aren't integers.
    UnifyValueError
        A count is negative, or their number doesn't fit.

    References
    ----------
    Array API standard 2025.12, ``repeat``.

    Examples
    --------
    >>> unify.repeat(unify.array([1, 2, 3]), 2)
    unify.array([1, 1, 2, 2, 3, 3])
    >>> unify.repeat(unify.array([[1, 2], [3, 4]]), unify.array([0, 2]), axis=1)
    unify.array([[2, 2],
                 [4, 4]])
    """


@primary
def reshape(
    x: ArrayIn,
    /,
    shape: tuple[int, ...],
    *,
    copy: bool | None = None,
    out: Out = None,
) -> Array:
    """Give an array another shape with the same elements in row-major order.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    shape
        New shape; one size may be -1 and follows from the others.
    copy
        True always copies; False never does, and raises where it is necessary; None copies only
        where x's memory isn't in an order that the new shape can view, as NumPy has it.

    Returns
    -------
    Array of the new shape and x's dtype, a view of x unless it is copied.

    Raises
    ------
    UnifyValueError
        The shape holds another number of elements, or ``copy=False`` can't be honoured.

    References
    ----------
    Array API standard 2025.12, ``reshape``.

    Examples
    --------
    >>> unify.reshape(unify.array([1, 2, 3, 4, 5, 6]), (2, -1))
    unify.array([[1, 2, 3],
                 [4, 5, 6]])
    """


@primary
def roll(
    x: ArrayIn,
    /,
    shift: int | tuple[int, ...],
    *,
    axis: int | tuple[int, ...] | None = None,
    out: Out = None,
) -> Array:
    """Shift elements along axes; what leaves at one end comes in at the other.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    shift
        Places to shift by, towards larger indices where positive. A tuple holds one shift for
        each axis in the tuple `axis`; an integer holds for all axes.
    axis
        Axis or axes to shift along. None shifts the flattened array and restores its shape.

    Returns
    -------
    Array of x's shape and dtype.

    Raises
    ------
    UnifyIndexError
        An axis is out of bounds.
    UnifyValueError
        `shift` is a tuple and `axis` isn't a tuple of the same length.

    References
    ----------
    Array API standard 2025.12, ``roll``.

    Examples
    --------
    >>> unify.roll(unify.array([1, 2, 3, 4]), 1)
    unify.array([4, 1, 2, 3])
    >>> unify.roll(unify.array([[1, 2], [3, 4]]), -1, axis=0)
    unify.array([[3, 4],
                 [1, 2]])
    """


@primary
def squeeze(x: ArrayIn, /, axis: int | tuple[int, ...], *, out: Out = None) -> Array:
    """Remove axes of size one.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    axis
        Axis, or tuple of different axes, to remove; the empty tuple removes none.

    Returns
    -------
    A view of x without these axes.

    Raises
    ------
    UnifyValueError
        An axis has another size than one.
    UnifyIndexError
        An axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``squeeze``.

    Examples
    --------
    >>> unify.squeeze(unify.array([[[1, 2]]]), (0, 1))
    unify.array([1, 2])
    """


@primary
def stack(
    arrays: Arrays,
    /,
    *,
    axis: int = 0,
    out: Out = None,
) -> Array:
    """Join arrays along a new axis.

    Parameters
    ----------
    arrays
        List or tuple of one or more arrays of the same shape.
    axis
        Where the new axis stands in the result; -1 makes it the last.

    Returns
    -------
    Array with one axis more than each input, of the dtype to which all inputs promote.

    Raises
    ------
    UnifyValueError
        There are no arrays, or their shapes differ.
    UnifyIndexError
        The axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``stack``.

    Examples
    --------
    >>> unify.stack([unify.array([1, 2]), unify.array([3, 4])], axis=-1)
    unify.array([[1, 3],
                 [2, 4]])
    """


@primary
def tile(x: ArrayIn, repetitions: tuple[int, ...], /, *, out: Out = None) -> Array:
    """Repeat a whole array along its axes.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    repetitions
        How often along each axis. Where it is shorter than x's shape, ones are put before it;
        where it is longer, x gets axes of size one in front.

    Returns
    -------
    Array of x's dtype, whose sizes are those of x times the repetitions.

    References
    ----------
    Array API standard 2025.12, ``tile``.

    Examples
    --------
    >>> unify.tile(unify.array([1, 2]), (2, 2))
    unify.array([[1, 2, 1, 2],
                 [1, 2, 1, 2]])
    """


@primary
def unstack(x: ArrayIn, /, *, axis: int = 0) -> tuple[Array, ...]:
    """Split an array into its slices along an axis, the inverse of `stack`.

    Parameters
    ----------
    x
        Array with at least one axis, of any dtype.
    axis
        Axis to split along; the slices don't have it.

    Returns
    -------
    One array for each index along the axis: views of x, or values where x is 1-d, as ``x[i]`` is.

    Raises
    ------
    UnifyIndexError
        The axis is out of bounds; for a 0-d array every axis is.

    References
    ----------
    Array API standard 2025.12, ``unstack``.

    Examples
    --------
    >>> unify.unstack(unify.array([[1, 2], [3, 4]]), axis=1)
    (unify.array([1, 3]), unify.array([2, 4]))
    """


@compositional
def pad(
    x: ArrayIn,
    pad_width: int | Sequence[int] | Sequence[Sequence[int]],
    /,
    *,
    mode: Literal["constant", "edge", "reflect", "symmetric", "wrap"] = "constant",
    constant_values: Any = 0,
    out: Out = None,
) -> Array:
    """Add elements at the ends of the axes.

    Parameters
    ----------
    x
        Array of any shape and data type.
    pad_width
        How many elements come before and after each axis: one pair for each, one pair for all, or
        one number for everything.
    mode
        What the new elements are: ``"constant"`` has `constant_values`; ``"edge"`` repeats the
        outermost element; ``"reflect"`` mirrors x at its outermost elements, ``"symmetric"`` at its
        edges, so that they occur twice; ``"wrap"`` goes on at the other end.
    constant_values
        Numbers, in the forms that `pad_width` has; they are cast to x's data type.

    Returns
    -------
    Array of x's data type.

    Raises
    ------
    UnifyValueError
        If `pad_width` or `constant_values` don't fit x, a width is negative, there is no such mode,
        or there is no element along an axis for a mode that needs one.

    References
    ----------
    NumPy's `pad`, of which it takes the modes that don't compute.

    Examples
    --------
    >>> unify.pad(unify.array([1, 2, 3]), (2, 1), mode="reflect")
    unify.array([3, 2, 1, 2, 3, 2])
    >>> unify.pad(unify.array([[7]]), ((0, 0), (1, 2)))
    unify.array([[0, 7, 0, 0]])
    """
    xp = x.__array_namespace__()
    each = widths(pad_width, x.ndim)
    fill = constants(constant_values, x.ndim) if mode == "constant" else ()
    result: Given = x
    for axis, (before, after) in enumerate(each):
        if mode != "constant":
            indices = source(mode, result.shape[axis], before, after)
            if before or after:
                places = xp.asarray(indices, dtype=xp.int64, device=result.device)
                result = xp.take(result, places, axis=axis)
            continue
        parts = [result]
        for at, count, value in ((0, before, fill[axis][0]), (2, after, fill[axis][1])):
            if count:
                shape = (*result.shape[:axis], count, *result.shape[axis + 1 :])
                filled = xp.full(shape, value, device=result.device)
                parts.insert(at, xp.astype(filled, result.dtype))
        if len(parts) > 1:
            result = xp.concat(parts, axis=axis)
    return xp.asarray(x, copy=True) if result is x else result


@compositional
def split(
    x: ArrayIn,
    /,
    *,
    num_or_size_splits: int | Sequence[int] | None = None,
    axis: int = 0,
) -> tuple[Array, ...]:
    """Cut an array into parts along an axis.

    Parameters
    ----------
    x
        Array with at least one axis, of any data type.
    num_or_size_splits
        How many parts of one size, or the size of each part; None cuts parts of size one.
    axis
        Axis along which to cut.

    Returns
    -------
    The parts, which keep the axis: views of x.

    Raises
    ------
    UnifyValueError
        If the parts don't make up the whole axis.
    UnifyIndexError
        If the axis is out of bounds.

    Examples
    --------
    >>> unify.split(unify.array([1, 2, 3, 4]), num_or_size_splits=2)
    (unify.array([1, 2]), unify.array([3, 4]))
    >>> unify.split(unify.array([1, 2, 3, 4]), num_or_size_splits=[1, 3])
    (unify.array([1]), unify.array([2, 3, 4]))
    """
    axis = normalize_axis("split", axis, x.ndim)
    size, sizes = x.shape[axis], num_or_size_splits
    if sizes is None:
        sizes = [1] * size
    elif isinstance(sizes, int):
        sizes = [size // sizes] * sizes if sizes > 0 else ()
    if sum(sizes) != size or any(part < 0 for part in sizes):
        refuse(
            UnifyValueError, "split", "num_or_size_splits",
            f"is {num_or_size_splits} for an axis of size {size}",
            "pass a number that divides it, or sizes that add up to it",
        )  # fmt: skip
    ends = list(itertools.accumulate(sizes, initial=0))
    array: Given = x
    before = (slice(None),) * axis
    return tuple(array[(*before, slice(a, b))] for a, b in itertools.pairwise(ends))
