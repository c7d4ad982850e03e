"""Contracts of the manipulation category: shapes, axes, and the order of elements."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import name_of
from arrayapi_unify.backends._common.checks.axes import in_order, normalize_axes, normalize_axis
from arrayapi_unify.binding import compositional, mixed, primary, standalone
from arrayapi_unify.contracts import DataDependent
from arrayapi_unify.contracts.annotations import (
    ArrayIn,
    ArrayLike,
    Arrays,
    IntegerOperand,
    OptionalDType,
    Out,
)
from arrayapi_unify.errors import (
    UnifyIndexError,
    describe,
    raise_argument_error,
    raise_type_error,
    raise_value_error,
)
from arrayapi_unify.functional._common import BodyArray, is_number, unchecked
from arrayapi_unify.functional._padding import padded
from arrayapi_unify.views.emulation import layout_of


@primary
def broadcast_arrays(*arrays: ArrayIn) -> tuple[Array, ...]:
    """Broadcast arrays against one another.

    The results are views. Those whose shape changed are read-only, because one element in memory
    may stand in several places: copy one to write to it.

    Parameters
    ----------
    arrays
        Any number of arrays, none included.

    Returns
    -------
    The arrays in the order given. All have the common shape; each keeps its data type.

    Raises
    ------
    UnifyValueError
        If the shapes don't broadcast.

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
        given = (shape,) if hasattr(shape, "__index__") else in_order(shape)
        sizes = tuple(None if size is None else operator.index(size) for size in given)
    except TypeError:
        problem = f"holds a {type(shape).__qualname__} that is no shape"
        raise_type_error("broadcast_shapes", "shapes", problem, "pass tuples of integers")
    if any(size is not None and size < 0 for size in sizes):
        problem = f"holds {sizes}, which has a negative size"
        raise_value_error("broadcast_shapes", "shapes", problem, "use sizes from 0 up")
    return sizes


@standalone(overridable=True)
def broadcast_shapes(*shapes: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Broadcast shapes against one another.

    Shapes are aligned at their last axis. A size of 1, or a missing axis, takes the size that the
    other shapes have there. No backend is involved.

    Parameters
    ----------
    shapes
        Any number of shapes. ``None`` stands for a size that isn't known, and the result has
        ``None`` there too.

    Returns
    -------
    The common shape. Without any shape it is ``()``.

    Raises
    ------
    UnifyValueError
        If two sizes of one axis differ and neither is 1, or a size is negative.

    References
    ----------
    Array API standard 2025.12, ``broadcast_shapes``.

    Examples
    --------
    >>> unify.broadcast_shapes((4, 1, 3), (2, 1))
    (4, 2, 3)
    """
    given = [_sizes(shape) for shape in shapes]
    rank = max([0, *map(len, given)])
    aligned = [(1,) * (rank - len(sizes)) + sizes for sizes in given]
    result: list[int | None] = []
    for sizes in zip(*aligned, strict=True):
        fixed = {size for size in sizes if size is not None and size != 1}
        if len(fixed) > 1:
            names = ", ".join(map(str, given))
            raise_value_error(
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

    The result is a read-only view, because one element in memory may stand in several places: copy
    it to write to it.

    Parameters
    ----------
    x
        Array with at most as many axes as `shape`.
    shape
        Shape of the result.

    Returns
    -------
    Array of that shape and of x's data type.

    Raises
    ------
    UnifyValueError
        If `x` doesn't broadcast to `shape`.

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
def concat(arrays: Arrays, /, *, axis: int | None = 0, out: Out = None) -> Array:
    """Join arrays along an axis that they have.

    Parameters
    ----------
    arrays
        List or tuple of at least one array. Their shapes are equal except along `axis`.
    axis
        Axis along which to join; negative values count from the last. None flattens the arrays
        first, row by row, and takes arrays of any shapes.

    Returns
    -------
    The joined array, of the data type to which all of them promote.

    Raises
    ------
    UnifyValueError
        If there is no array, or the shapes don't fit.
    UnifyIndexError
        If `axis` is out of bounds.

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
        Array of any shape and data type.
    axis
        Position of the new axis in the result, or a tuple of different positions. Negative values
        count from the result's last axis.

    Returns
    -------
    A view of `x` with the new axes. The others keep their order.

    Raises
    ------
    UnifyValueError
        If a position is given twice.
    UnifyIndexError
        If a position is out of bounds in the result.

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
def flip(x: ArrayIn, /, *, axis: int | tuple[int, ...] | None = None, out: Out = None) -> Array:
    """Reverse the order of elements along axes.

    Parameters
    ----------
    x
        Array of any shape and data type.
    axis
        Axis, or tuple of different axes, to reverse. None reverses all, the empty tuple none.

    Returns
    -------
    A view of `x`, of the same shape and data type.

    Raises
    ------
    UnifyValueError
        If an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

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
    """Move axes to other positions.

    The other axes keep their order.

    Parameters
    ----------
    x
        Array of any shape and data type.
    source
        Axis, or tuple of different axes, to move.
    destination
        Position of each of them in the result: an integer, or a tuple of as many different
        positions.

    Returns
    -------
    A view of `x` with its axes moved.

    Raises
    ------
    UnifyValueError
        If an axis is given twice, or `source` and `destination` differ in length.
    UnifyIndexError
        If an axis is out of bounds.

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
        Array of any shape and data type.
    axes
        Permutation of x's axes: axis i of the result is axis ``axes[i]`` of `x`. Negative values
        count from the last axis.

    Returns
    -------
    A view of `x` with its axes in another order.

    Raises
    ------
    UnifyValueError
        If `axes` doesn't name each axis once.
    UnifyIndexError
        If an axis is out of bounds.

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


_COUNTS: Final = DataDependent(
    "an array of counts", lambda x, repeats, /, **options: name_of(repeats) is not None
)


@primary(data_dependent=_COUNTS)
def repeat(
    x: ArrayIn, repeats: IntegerOperand, /, *, axis: int | None = None, out: Out = None
) -> Array:
    """Repeat each element a number of times.

    Parameters
    ----------
    x
        Array of any shape and data type.
    repeats
        Number of repetitions: an integer for all elements, or an integer array of shape ``(n,)``
        with one count for each of the n elements along the axis. An array of shape ``(1,)`` counts
        as an integer.
    axis
        Axis along which to repeat slices. None flattens `x` first, row by row.

    Returns
    -------
    Array of x's data type. Its shape is that of `x`, except along the axis; it is one-dimensional
    if `axis` is None.

    Raises
    ------
    UnifyTypeError
        If the counts aren't integers.
    UnifyValueError
        If a count is negative, or the number of counts doesn't fit.
    UnifyIndexError
        If `axis` is out of bounds.

    Notes
    -----
    With an array of counts, the shape of the result depends on data. Such a call waits for an
    accelerator, and jit can't compile it.

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
    x: ArrayIn, /, shape: tuple[int, ...], *, copy: bool | None = None, out: Out = None
) -> Array:
    """Give an array another shape.

    The elements keep their row-major order.

    Parameters
    ----------
    x
        Array of any shape and data type.
    shape
        New shape. One of the sizes may be -1, and follows from the others.
    copy
        True always copies. False never copies, and raises where a copy is necessary. None copies
        only where the new shape can't be a view of x's memory, as in NumPy.

    Returns
    -------
    Array of the new shape and of x's data type: a view of `x`, unless it is a copy.

    Raises
    ------
    UnifyValueError
        If the new shape holds another number of elements, or `copy` is False and a copy is
        necessary.

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
    """Shift elements along axes.

    Elements that leave at one end come in at the other.

    Parameters
    ----------
    x
        Array of any shape and data type.
    shift
        Number of places. Positive numbers shift towards larger indices. A tuple has one number for
        each axis in the tuple `axis`; an integer holds for all axes.
    axis
        Axis or axes to shift along. None shifts the flattened array, and gives the result x's shape
        again.

    Returns
    -------
    Array of x's shape and data type.

    Raises
    ------
    UnifyValueError
        If `shift` is a tuple and `axis` isn't one of the same length.
    UnifyIndexError
        If an axis is out of bounds.

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
        Array of any shape and data type.
    axis
        Axis, or tuple of different axes, to remove. The empty tuple removes none.

    Returns
    -------
    A view of `x` without these axes.

    Raises
    ------
    UnifyValueError
        If an axis has another size than one, or is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    Array API standard 2025.12, ``squeeze``.

    Examples
    --------
    >>> unify.squeeze(unify.array([[[1, 2]]]), (0, 1))
    unify.array([1, 2])
    """


@primary
def stack(arrays: Arrays, /, *, axis: int = 0, out: Out = None) -> Array:
    """Join arrays along a new axis.

    Parameters
    ----------
    arrays
        List or tuple of at least one array, all of the same shape.
    axis
        Position of the new axis in the result; -1 makes it the last one.

    Returns
    -------
    Array with one more axis, of the data type to which all of them promote.

    Raises
    ------
    UnifyValueError
        If there is no array, or the shapes differ.
    UnifyIndexError
        If `axis` is out of bounds.

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
        Array of any shape and data type.
    repetitions
        Number of repetitions for each axis. If there are fewer numbers than axes, ones are put in
        front of them. If there are more, `x` gets axes of size one in front.

    Returns
    -------
    Array of x's data type. Its sizes are those of `x`, times the repetitions.

    Raises
    ------
    UnifyValueError
        If a number is negative.

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
    """Split an array into its slices along an axis.

    This is the inverse of `stack`.

    Parameters
    ----------
    x
        Array with at least one axis, of any data type.
    axis
        Axis to split along. The slices don't have it.

    Returns
    -------
    One array for each index along the axis. They are views of `x`; the slices of a one-dimensional
    array are values, as ``x[i]`` is.

    Raises
    ------
    UnifyIndexError
        If `axis` is out of bounds. A zero-dimensional array has no axis.

    References
    ----------
    Array API standard 2025.12, ``unstack``.

    Examples
    --------
    >>> unify.unstack(unify.array([[1, 2], [3, 4]]), axis=1)
    (unify.array([1, 3]), unify.array([2, 4]))
    """


@mixed
def pad(
    x: ArrayIn,
    /,
    pad_width: int | Sequence[int] | Sequence[Sequence[int]],
    *,
    mode: Literal[
        "constant",
        "edge",
        "empty",
        "linear_ramp",
        "maximum",
        "mean",
        "median",
        "minimum",
        "reflect",
        "symmetric",
        "wrap",
    ] = "constant",
    constant_values: Any = 0,
    out: Out = None,
) -> Array:
    """Add elements at the ends of the axes.

    Parameters
    ----------
    x
        Array of any shape and data type.
    pad_width
        Number of elements before and after each axis: a pair for each axis, one pair for all
        axes, or one number for everything; a dict has the pairs of some axes.
    mode
        Rule of the new elements. ``"constant"``: the `constant_values`. ``"edge"``: the outermost
        element, repeated. ``"reflect"``: the mirror image of `x`, without the outermost element.
        ``"symmetric"``: the mirror image with it. ``"wrap"``: the elements from the other end.
        ``"maximum"``, ``"mean"``, ``"median"``, ``"minimum"``: that of the elements along the axis.
        ``"linear_ramp"``: steps from the outermost element to 0. ``"empty"``: zeros.
    constant_values
        The new elements in the mode ``"constant"``, in one of the forms that `pad_width` has. They
        are cast to x's data type.

    Returns
    -------
    Array of x's data type.

    Raises
    ------
    UnifyTypeError
        If a constant value is complex and `x` isn't.
    UnifyValueError
        If `pad_width` or `constant_values` don't fit `x`, a width is negative, there is no such
        mode, or an axis is empty and the mode needs an element.

    References
    ----------
    NumPy's ``pad``; its `stat_length`, `end_values` and `reflect_type` are taken by keyword.

    Examples
    --------
    >>> unify.pad(unify.array([1, 2, 3]), (2, 1), mode="reflect")
    unify.array([3, 2, 1, 2, 3, 2])
    >>> unify.pad(unify.array([[7]]), ((0, 0), (1, 2)))
    unify.array([[0, 7, 0, 0]])
    """
    xp = x.__array_namespace__()
    return padded(xp, x, pad_width, mode, {"constant_values": constant_values})


@primary
def split(
    x: ArrayIn, /, *, num_or_size_splits: int | Sequence[int] | None = None, axis: int = 0
) -> tuple[Array, ...]:
    """Cut an array into parts along an axis.

    Parameters
    ----------
    x
        Array with at least one axis, of any data type.
    num_or_size_splits
        Number of parts of equal size, or the size of each part. None makes all parts have size one.
    axis
        Axis along which to cut.

    Returns
    -------
    The parts, which are views of `x`. They keep the axis.

    Raises
    ------
    UnifyValueError
        If the parts don't make up the whole axis.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    TensorFlow's ``tf.split``.

    Examples
    --------
    >>> unify.split(unify.array([1, 2, 3, 4]), num_or_size_splits=2)
    (unify.array([1, 2]), unify.array([3, 4]))
    >>> unify.split(unify.array([1, 2, 3, 4]), num_or_size_splits=[1, 3])
    (unify.array([1]), unify.array([2, 3, 4]))
    """


# --- NumPy's names ---------------------------------------------------------------------------


@compositional
def swapaxes(x: ArrayIn, /, axis1: int, axis2: int, *, out: Out = None) -> Array:
    """Exchange two axes.

    Parameters
    ----------
    x
        Array of any data type.
    axis1
        First axis.
    axis2
        Second axis.

    Returns
    -------
    A view of `x`.

    Raises
    ------
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``swapaxes``.

    Examples
    --------
    >>> unify.swapaxes(unify.zeros((2, 3, 4)), 0, -1).shape
    (4, 3, 2)
    """
    xp = x.__array_namespace__()
    first = normalize_axis("swapaxes", axis1, x.ndim, "axis1")
    second = normalize_axis("swapaxes", axis2, x.ndim, "axis2")
    order = list(range(x.ndim))
    order[first], order[second] = second, first
    return xp.permute_dims(x, tuple(order))


@compositional
def transpose(x: ArrayIn, /, axes: tuple[int, ...] | None = None, *, out: Out = None) -> Array:
    """Reorder the axes of an array; by default reverse their order.

    Parameters
    ----------
    x
        Array of any shape and data type.
    axes
        Permutation of x's axes, as in `permute_dims`. None reverses their order.

    Returns
    -------
    A view of `x` with its axes in another order.

    Raises
    ------
    UnifyValueError
        If `axes` isn't a permutation.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``transpose``.

    Examples
    --------
    >>> unify.transpose(unify.zeros((2, 3, 4))).shape
    (4, 3, 2)
    """
    xp = x.__array_namespace__()
    return xp.permute_dims(x, tuple(range(x.ndim - 1, -1, -1)) if axes is None else axes)


@mixed
def ravel(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Elements of an array along one axis, row by row.

    Parameters
    ----------
    x
        Array of any shape and data type.

    Returns
    -------
    A view of `x` if its elements lie one behind the other in memory; otherwise a copy, as of
    ``x[::2]``.

    References
    ----------
    NumPy's ``ravel``.

    Examples
    --------
    >>> unify.ravel(unify.array([[1, 2], [3, 4]]))
    unify.array([1, 2, 3, 4])
    """
    xp = x.__array_namespace__()
    array: BodyArray = x
    flags = getattr(layout_of(array), "flags", None)  # other libraries have none
    apart = flags is not None and not flags.c_contiguous
    return xp.reshape(x, (-1,), copy=True if apart else None)


def _each(arrays: tuple[BodyArray, ...], convert: Callable[[BodyArray], Array]) -> Any:
    """Return one result, or a tuple of them."""
    found = tuple(convert(x) for x in arrays)
    return found[0] if len(found) == 1 else found


@compositional
def atleast_1d(*arrays: ArrayIn) -> Any:
    """Add an axis to arrays without axes.

    Parameters
    ----------
    arrays
        Any number of arrays.

    Returns
    -------
    A view of one array, or a tuple of views. 0-d arrays get the shape (1,), others keep theirs.

    References
    ----------
    NumPy's ``atleast_1d``.

    Examples
    --------
    >>> unify.atleast_1d(unify.array(3), unify.array([1, 2]))
    (unify.array([3]), unify.array([1, 2]))
    """

    def convert(x: BodyArray) -> Array:
        return x[...] if x.ndim else x[None]

    return _each(arrays, convert)


@compositional
def atleast_2d(*arrays: ArrayIn) -> Any:
    """Add axes in front to arrays of fewer than two axes.

    Parameters
    ----------
    arrays
        Any number of arrays.

    Returns
    -------
    A view of one array, or a tuple of views.

    References
    ----------
    NumPy's ``atleast_2d``.

    Examples
    --------
    >>> unify.atleast_2d(unify.array([1, 2]))
    unify.array([[1, 2]])
    """

    def convert(x: BodyArray) -> Array:
        return x[(None,) * (2 - min(x.ndim, 2)) + (...,)]

    return _each(arrays, convert)


@compositional
def atleast_3d(*arrays: ArrayIn) -> Any:
    """Add axes to arrays of fewer than three axes.

    Parameters
    ----------
    arrays
        Any number of arrays.

    Returns
    -------
    A view of one array, or a tuple of views. The shape (N,) becomes (1, N, 1), and (M, N) becomes
    (M, N, 1).

    References
    ----------
    NumPy's ``atleast_3d``.

    Examples
    --------
    >>> unify.atleast_3d(unify.array([1, 2])).shape
    (1, 2, 1)
    """
    keys = {0: (None, None, None), 1: (None, slice(None), None), 2: (..., None)}

    def convert(x: BodyArray) -> Array:
        return x[keys.get(x.ndim, ...)]

    return _each(arrays, convert)


@compositional
def flipud(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Reverse the order of elements along the first axis.

    Parameters
    ----------
    x
        Array with at least one axis, of any data type.

    Returns
    -------
    A view of `x`.

    Raises
    ------
    UnifyValueError
        If `x` has no axis.

    References
    ----------
    NumPy's ``flipud``.

    Examples
    --------
    >>> unify.flipud(unify.array([[1, 2], [3, 4]]))
    unify.array([[3, 4],
                 [1, 2]])
    """
    return _flipped("flipud", x, 0)


@compositional
def fliplr(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Reverse the order of elements along the second axis.

    Parameters
    ----------
    x
        Array with at least two axes, of any data type.

    Returns
    -------
    A view of `x`.

    Raises
    ------
    UnifyValueError
        If `x` has fewer than two axes.

    References
    ----------
    NumPy's ``fliplr``.

    Examples
    --------
    >>> unify.fliplr(unify.array([[1, 2], [3, 4]]))
    unify.array([[2, 1],
                 [4, 3]])
    """
    return _flipped("fliplr", x, 1)


def _flipped(function: str, x: BodyArray, axis: int) -> Array:
    xp = x.__array_namespace__()
    _check_axes(function, x, axis + 1)
    return xp.flip(x, axis=axis)


def _check_axes(function: str, x: BodyArray, least: int) -> None:
    """Raise for an array of fewer axes."""
    if x.ndim < least:
        problem, remedy = f"has shape {x.shape}", f"pass an array with at least {least} axes"
        raise_value_error(function, "x", problem, remedy)


@compositional
def rot90(x: ArrayIn, /, k: int = 1, axes: tuple[int, ...] = (0, 1), *, out: Out = None) -> Array:
    """Rotate an array by right angles, in the plane of two axes.

    Parameters
    ----------
    x
        Array with at least two axes, of any data type.
    k
        Number of right angles; a negative one rotates in the other direction.
    axes
        Two different axes. The rotation is from the first towards the second one.

    Returns
    -------
    A view of `x`.

    Raises
    ------
    UnifyValueError
        If `axes` aren't two different axes.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``rot90``.

    Examples
    --------
    >>> unify.rot90(unify.array([[1, 2], [3, 4]]))
    unify.array([[2, 4],
                 [1, 3]])
    """
    xp = x.__array_namespace__()
    if len(axes) != 2:
        raise_value_error("rot90", "axes", f"is {axes}", "pass two different axes")
    first, second = normalize_axes("rot90", axes, x.ndim, "axes")
    turns = k % 4
    if turns == 0:
        return xp.get_item(x, ...)
    if turns == 2:
        return xp.flip(x, axis=(first, second))
    return xp.flip(xp.swapaxes(x, first, second), axis=first if turns == 1 else second)


def _cut(x: BodyArray, sections: Any, axis: int) -> tuple[Array, ...]:
    """Cut at places, or into so many parts of nearly the same size."""
    if isinstance(sections, tuple):
        places = [None, *sections, None]
    else:
        least, more = divmod(x.shape[axis], sections)
        places = [least * i + min(i, more) for i in range(sections + 1)]
    before = (slice(None),) * axis
    pairs = itertools.pairwise(places)
    return tuple(x[(*before, slice(begin, end))] for begin, end in pairs)


@compositional
def array_split(
    x: ArrayIn, /, indices_or_sections: int | tuple[int, ...], axis: int = 0
) -> tuple[Array, ...]:
    """Cut an array into parts along an axis, which may be of different sizes.

    Parameters
    ----------
    x
        Array with at least one axis, of any data type.
    indices_or_sections
        Number of parts of nearly equal size, of which the first ones are larger by one; or the
        places of the cuts.
    axis
        Axis along which to cut.

    Returns
    -------
    The parts, which are views of `x`.

    Raises
    ------
    UnifyValueError
        If the number of parts isn't positive.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    NumPy's ``array_split``.

    Examples
    --------
    >>> unify.array_split(unify.array([1, 2, 3]), 2)
    (unify.array([1, 2]), unify.array([3]))
    """
    axis = normalize_axis("array_split", axis, x.ndim)
    _check_sections("array_split", indices_or_sections)
    return _cut(x, indices_or_sections, axis)


def _check_sections(function: str, sections: Any) -> None:
    if not isinstance(sections, tuple) and sections <= 0:
        problem, remedy = f"is {sections}", "pass a positive number of parts"
        raise_value_error(function, "indices_or_sections", problem, remedy)


def _split_equally(function: str, x: BodyArray, sections: Any, axis: int, least: int) -> Any:
    _check_axes(function, x, least)
    _check_sections(function, sections)
    if not isinstance(sections, tuple) and x.shape[axis] % sections:
        problem = f"is {sections}, but the axis has size {x.shape[axis]}"
        remedy = "pass a divisor, or use array_split"
        raise_value_error(function, "indices_or_sections", problem, remedy)
    return _cut(x, sections, axis)


@compositional
def hsplit(x: ArrayIn, /, indices_or_sections: int | tuple[int, ...]) -> tuple[Array, ...]:
    """Cut an array into parts along the second axis, or the only one.

    Parameters
    ----------
    x
        Array with at least one axis, of any data type.
    indices_or_sections
        Number of parts of equal size, or the places of the cuts.

    Returns
    -------
    The parts, which are views of `x`.

    Raises
    ------
    UnifyValueError
        If `x` has too few axes, or the parts don't have equal sizes.

    References
    ----------
    NumPy's ``hsplit``.

    Examples
    --------
    >>> unify.hsplit(unify.array([1, 2, 3, 4]), 2)
    (unify.array([1, 2]), unify.array([3, 4]))
    """
    return _split_equally("hsplit", x, indices_or_sections, min(x.ndim - 1, 1), 1)


@compositional
def vsplit(x: ArrayIn, /, indices_or_sections: int | tuple[int, ...]) -> tuple[Array, ...]:
    """Cut an array into parts along the first axis.

    Parameters
    ----------
    x
        Array with at least two axes, of any data type.
    indices_or_sections
        Number of parts of equal size, or the places of the cuts.

    Returns
    -------
    The parts, which are views of `x`.

    Raises
    ------
    UnifyValueError
        If `x` has too few axes, or the parts don't have equal sizes.

    References
    ----------
    NumPy's ``vsplit``.

    Examples
    --------
    >>> unify.vsplit(unify.array([[1, 2], [3, 4]]), 2)
    (unify.array([[1, 2]]), unify.array([[3, 4]]))
    """
    return _split_equally("vsplit", x, indices_or_sections, 0, 2)


@compositional
def dsplit(x: ArrayIn, /, indices_or_sections: int | tuple[int, ...]) -> tuple[Array, ...]:
    """Cut an array into parts along the third axis.

    Parameters
    ----------
    x
        Array with at least three axes, of any data type.
    indices_or_sections
        Number of parts of equal size, or the places of the cuts.

    Returns
    -------
    The parts, which are views of `x`.

    Raises
    ------
    UnifyValueError
        If `x` has too few axes, or the parts don't have equal sizes.

    References
    ----------
    NumPy's ``dsplit``.

    Examples
    --------
    >>> unify.dsplit(unify.array([[[1, 2]]]), 2)
    (unify.array([[[1]]]), unify.array([[[2]]]))
    """
    return _split_equally("dsplit", x, indices_or_sections, 2, 3)


@compositional
def vstack(arrays: Arrays, /, *, dtype: OptionalDType = None, out: Out = None) -> Array:
    """Join arrays along the first axis; vectors are rows.

    Parameters
    ----------
    arrays
        List or tuple of at least one array. Their shapes are equal except along the first axis.
    dtype
        Data type of the result; by default the one to which all arrays promote.

    Returns
    -------
    The joined array, of at least two axes.

    Raises
    ------
    UnifyValueError
        If there is no array, or the shapes don't fit.

    References
    ----------
    NumPy's ``vstack``.

    Examples
    --------
    >>> unify.vstack([unify.array([1, 2]), unify.array([3, 4])])
    unify.array([[1, 2],
                 [3, 4]])
    """
    return _joined([_with_axes(x, 2) for x in arrays], 0, dtype)


@compositional
def hstack(arrays: Arrays, /, *, dtype: OptionalDType = None, out: Out = None) -> Array:
    """Join arrays along the second axis, or vectors along their only one.

    Parameters
    ----------
    arrays
        List or tuple of at least one array. Their shapes are equal except along that axis.
    dtype
        Data type of the result; by default the one to which all arrays promote.

    Returns
    -------
    The joined array.

    Raises
    ------
    UnifyValueError
        If there is no array, or the shapes don't fit.

    References
    ----------
    NumPy's ``hstack``.

    Examples
    --------
    >>> unify.hstack([unify.array([1, 2]), unify.array([3])])
    unify.array([1, 2, 3])
    """
    parts = [_with_axes(x, 1) for x in arrays]
    return _joined(parts, 0 if parts[0].ndim == 1 else 1, dtype)


@compositional
def dstack(arrays: Arrays, /, *, out: Out = None) -> Array:
    """Join arrays along the third axis, which vectors and matrices get.

    Parameters
    ----------
    arrays
        List or tuple of at least one array. Their shapes are equal except along the third axis.

    Returns
    -------
    The joined array, of at least three axes.

    Raises
    ------
    UnifyValueError
        If there is no array, or the shapes don't fit.

    References
    ----------
    NumPy's ``dstack``.

    Examples
    --------
    >>> unify.dstack([unify.array([1, 2]), unify.array([3, 4])])
    unify.array([[[1, 3],
                  [2, 4]]])
    """
    xp = arrays[0].__array_namespace__()
    return _joined([xp.atleast_3d(x) for x in arrays], 2)


@compositional
def column_stack(arrays: Arrays, /, *, out: Out = None) -> Array:
    """Join arrays along the second axis; vectors are columns.

    Parameters
    ----------
    arrays
        List or tuple of at least one array. Their shapes are equal except along the second axis.

    Returns
    -------
    The joined array, of at least two axes.

    Raises
    ------
    UnifyValueError
        If there is no array, or the shapes don't fit.

    References
    ----------
    NumPy's ``column_stack``.

    Examples
    --------
    >>> unify.column_stack([unify.array([1, 2]), unify.array([3, 4])])
    unify.array([[1, 3],
                 [2, 4]])
    """
    return _joined([x if x.ndim > 1 else _with_axes(x, 1)[:, None] for x in arrays], 1)


def _with_axes(x: BodyArray, ndim: int) -> BodyArray:
    """Return an array with axes in front, of at least so many axes."""
    return x[(None,) * (ndim - min(x.ndim, ndim)) + (...,)]


def _joined(arrays: Sequence[BodyArray], axis: int, dtype: Any = None) -> Array:
    xp = arrays[0].__array_namespace__()
    found = xp.concat(arrays, axis=axis)
    return found if dtype is None else xp.astype(found, dtype, copy=False)


@compositional
def append(x: ArrayIn, /, values: ArrayIn, axis: int | None = None, *, out: Out = None) -> Array:
    """Join an array and values; this copies.

    Parameters
    ----------
    x
        Array of any shape and data type.
    values
        Array to append. Its shape is equal except along `axis`.
    axis
        Axis along which to join. None flattens both arrays first.

    Returns
    -------
    The joined array, of the data type to which both promote.

    Raises
    ------
    UnifyValueError
        If the shapes don't fit.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    NumPy's ``append``.

    Examples
    --------
    >>> unify.append(unify.array([[1, 2]]), unify.array([3]))
    unify.array([1, 2, 3])
    """
    xp = x.__array_namespace__()
    return xp.concat([x, values], axis=axis)


def _along(function: str, x: BodyArray, axis: int | None) -> tuple[BodyArray, int]:
    """Return an array and an axis of it; without one the flattened array."""
    xp = x.__array_namespace__()
    if axis is None:
        return xp.reshape(x, (-1,)), 0
    return x, normalize_axis(function, axis, x.ndim)


def _known(x: BodyArray, obj: Any) -> Any:
    """Return the values of an index: a slice, an integer, or a list of integers or bools."""
    if hasattr(obj, "__ivy_array_function__") and not isinstance(obj, Array):
        return obj.__array_namespace__().to_list(obj)
    if isinstance(obj, slice) or name_of(obj) is None:
        return list(obj) if isinstance(obj, tuple | range) else obj
    return x.__array_namespace__().asarray(obj).tolist()


def _indices(function: str, obj: Any, size: int, beyond: int) -> list[int]:
    """Return the places that an index selects on an axis: from 0, and below `beyond`."""
    if isinstance(obj, slice):
        return list(range(*obj.indices(size)))
    given = obj if isinstance(obj, list) else [obj]
    while given and all(isinstance(part, list) for part in given):  # NumPy flattens indices
        given = [place for part in given for place in part]
    if given and all(isinstance(place, bool) for place in given):
        if len(given) != size:
            problem = f"is a mask of {len(given)} elements, but the axis has size {size}"
            raise_value_error(function, "obj", problem, "pass a mask of the axis's size")
        return [place for place, chosen in enumerate(given) if chosen]
    if not all(hasattr(place, "__index__") for place in given):
        remedy = "pass integers, bools or a slice"
        raise_type_error(function, "obj", f"is {describe(obj)}", remedy)
    return [_place(function, operator.index(place), size, beyond) for place in given]


def _place(function: str, place: int, size: int, beyond: int) -> int:
    if not -size <= place < beyond:
        raise_argument_error(
            UnifyIndexError, function, "obj",
            f"has the index {place}, which is out of bounds for an axis of size {size}",
            f"use indices from {-size} to {beyond - 1}",
        )  # fmt: skip
    return place + size if place < 0 else place


_PLACES: Final = DataDependent(
    "an array of places", lambda x, /, obj, *args, **options: name_of(obj) is not None
)


@compositional(data_dependent=_PLACES)
def delete(x: ArrayIn, /, obj: Any, axis: int | None = None, *, out: Out = None) -> Array:
    """Copy of an array without some elements along an axis.

    Parameters
    ----------
    x
        Array of any shape and data type.
    obj
        An integer, several integers, a mask or a slice: the places to leave out. Their values have
        to be known, so that they can't be traced.
    axis
        Axis along which to delete. None flattens the array first.

    Returns
    -------
    Array of x's data type.

    Raises
    ------
    UnifyTypeError
        If `obj` isn't of integers or bools.
    UnifyValueError
        If a mask doesn't have the axis's size.
    UnifyIndexError
        If an index or `axis` is out of bounds.

    References
    ----------
    NumPy's ``delete``.

    Examples
    --------
    >>> unify.delete(unify.array([1, 2, 3]), 1)
    unify.array([1, 3])
    """
    xp = x.__array_namespace__()
    array, axis = _along("delete", x, axis)
    size = array.shape[axis]
    gone = set(_indices("delete", _known(x, obj), size, size))
    return _taken(xp, array, [i for i in range(size) if i not in gone], axis)


def _taken(xp: Any, x: BodyArray, places: list[int], axis: int) -> Array:
    return unchecked(xp.take, x, xp.asarray(places, dtype=xp.int64, device=x.device), axis=axis)


@compositional(data_dependent=_PLACES)
def insert(
    x: ArrayIn, /, obj: Any, values: ArrayIn, axis: int | None = None, *, out: Out = None
) -> Array:
    """Copy of an array with values inserted along an axis.

    Parameters
    ----------
    x
        Array of any shape and data type.
    obj
        An integer, several integers, a mask or a slice: the places before which to insert. Their
        values have to be known, so that they can't be traced.
    values
        Values to insert, which are cast to x's data type. They broadcast to as many as there are
        places. One place takes any number of them.
    axis
        Axis along which to insert. None flattens the array first.

    Returns
    -------
    Array of x's data type.

    Raises
    ------
    UnifyTypeError
        If `obj` isn't of integers or bools, or the values can't be cast.
    UnifyValueError
        If a mask doesn't have the axis's size, or the values don't broadcast.
    UnifyIndexError
        If an index or `axis` is out of bounds.

    References
    ----------
    NumPy's ``insert``.

    Examples
    --------
    >>> unify.insert(unify.array([1, 2, 3]), 1, 7)
    unify.array([1, 7, 2, 3])
    >>> unify.insert(unify.array([1, 2, 3]), [0, 2], [7, 8])
    unify.array([7, 1, 2, 8, 3])
    """
    xp = x.__array_namespace__()
    array, axis = _along("insert", x, axis)
    size = array.shape[axis]
    obj = _known(x, obj)
    places = _indices("insert", obj, size, size + 1)
    new = xp.astype(xp.asarray(values, device=array.device), array.dtype)
    if len(places) == 1:
        new = _with_axes(new, array.ndim)
        if not isinstance(obj, slice | list):
            new = xp.moveaxis(new, 0, axis)  # as in an assignment to x[..., obj, ...]
        places *= new.shape[axis]
    sides = list(array.shape)
    sides[axis] = len(places)
    new = xp.broadcast_to(new, tuple(sides))
    # Stable: of values for one place the first comes first.
    order = sorted(range(len(places)), key=places.__getitem__)
    taken = list(range(size))
    for number, which in enumerate(order):
        taken.insert(places[which] + number, size + which)
    return _taken(xp, xp.concat([array, new], axis=axis), taken, axis)


@compositional
def block(arrays: ArrayLike, /, *, out: Out = None) -> Array:
    """Join nested lists of blocks: the innermost ones along the last axis, and so on.

    Parameters
    ----------
    arrays
        Array, number or list, whose items are lists of the same depth, arrays or numbers.

    Returns
    -------
    The joined array, of the data type to which all blocks promote.

    Raises
    ------
    UnifyValueError
        If a list is empty, the depths differ, or the shapes don't fit.

    References
    ----------
    NumPy's ``block``.

    Examples
    --------
    >>> x = unify.array([[1, 2], [3, 4]])
    >>> unify.block([[x, unify.zeros((2, 1), dtype=x.dtype)]])
    unify.array([[1, 2, 0],
                 [3, 4, 0]])
    """
    depth, leaves = _depth(arrays), [x for x in _leaves(arrays) if not is_number(x)]
    xp = leaves[0].__array_namespace__()
    ndim = max(depth, *(x.ndim for x in leaves))

    def joined(part: Any, level: int) -> BodyArray:
        if not isinstance(part, list):
            return _with_axes(xp.asarray(part) if is_number(part) else part, ndim)
        return xp.concat([joined(item, level + 1) for item in part], axis=level - depth)

    return joined(arrays, 0) if depth else xp.asarray(arrays, copy=True)


def _leaves(part: Any) -> Iterator[Any]:
    if isinstance(part, list):
        for item in part:
            yield from _leaves(item)
    else:
        yield part


def _depth(part: Any) -> int:
    """Return the depth of lists; raise for different ones, and empty lists."""
    if not isinstance(part, list):
        return 0
    depths = {_depth(item) for item in part}
    if len(depths) != 1:
        problem = "holds lists of different depths" if depths else "holds an empty list"
        raise_value_error("block", "arrays", problem, "nest all blocks equally deep")
    return depths.pop() + 1
