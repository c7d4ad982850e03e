"""Pooling over windows, and to a given size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.convolutions import planned_pool
from arrayapi_unify.binding import mixed
from arrayapi_unify.contracts.annotations import ArrayIn, Out
from arrayapi_unify.functional._common import BodyArray, real
from arrayapi_unify.nn.functional._pooling import adapted, averaged, check_ordered, largest


def _largest(function: str, count: int, x: BodyArray, *options: Any) -> Array:
    check_ordered(function, x)
    return largest(x, planned_pool(function, count, x.shape, *options))


def _averaged(
    function: str, count: int, x: BodyArray, count_padding: bool, window: Any, strides: Any,
    padding: Any, data_format: str,
) -> Array:  # fmt: skip
    x = real(function, "x", x)
    plan = planned_pool(function, count, x.shape, window, strides, padding, 1, data_format)
    return averaged(x, plan, count_padding)


@mixed
def max_pool1d(
    x: ArrayIn,
    window: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int | Sequence[int]] = "VALID",
    dilations: int | Sequence[int] = 1,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Largest element of each window over one spatial axis.

    Parameters
    ----------
    x
        Array of shape ``(batch, size, channels)``, or ``(batch, channels, size)``.
    window
        Size of the window: an integer, or one for each spatial axis.
    strides
        Steps from one window to the next: an integer, or one for each spatial axis. By default they
        are the sizes of the window, so that windows don't overlap.
    padding
        What is added around the spatial axes: ``"VALID"`` for nothing, ``"SAME"`` for so much that
        each stride-th element has a result (of an odd number the end gets one more), or an integer
        or a pair (before, after), alike for all axes or one for each. It is never the largest.
    dilations
        Steps from one element of a window to the next: an integer, or one for each spatial axis.
    data_format
        Position of the channels: the last axis, or the one after the batch.

    Returns
    -------
    Array of x's data type. A window with a NaN gives NaN.

    Raises
    ------
    UnifyTypeError
        If the data type isn't a real number's, or a size isn't an integer.
    UnifyValueError
        If the shapes and numbers don't fit.

    References
    ----------
    PyTorch's ``torch.nn.functional.max_pool1d``. The padding is named as in TensorFlow.

    Examples
    --------
    >>> x = unify.array([[[1.0], [5.0], [2.0], [3.0]]])
    >>> unify.nn.max_pool1d(x, 2)
    unify.array([[[5.],
                  [3.]]])
    """
    return _largest("nn.max_pool1d", 1, x, window, strides, padding, dilations, data_format)


@mixed
def avg_pool1d(
    x: ArrayIn,
    window: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int | Sequence[int]] = "VALID",
    count_padding: bool = False,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Mean of each window over one spatial axis.

    Parameters
    ----------
    x
        Array of shape ``(batch, size, channels)``, or ``(batch, channels, size)``.
    window
        Size of the window: an integer, or one for each spatial axis.
    strides
        Steps from one window to the next: an integer, or one for each spatial axis. By default they
        are the sizes of the window, so that windows don't overlap.
    padding
        What is added around the spatial axes: ``"VALID"`` for nothing, ``"SAME"`` for so much that
        each stride-th element has a result (of an odd number the end gets one more), or an integer
        or a pair (before, after), alike for all axes or one for each.
    count_padding
        If True, the padding counts as zeros; otherwise the mean is that of the elements of x.
    data_format
        Position of the channels: the last axis, or the one after the batch.

    Returns
    -------
    Array of x's floating-point data type; integers give the default one.

    Raises
    ------
    UnifyTypeError
        If x is complex, or a size isn't an integer.
    UnifyValueError
        If the shapes and numbers don't fit.

    References
    ----------
    PyTorch's ``torch.nn.functional.avg_pool1d``. The padding is named as in TensorFlow, and as
    there it doesn't count by default.

    Examples
    --------
    >>> x = unify.array([[[1.0], [5.0], [2.0]]])
    >>> unify.nn.avg_pool1d(x, 2, padding="SAME")
    unify.array([[[3.],
                  [2.]]])
    """
    return _averaged("nn.avg_pool1d", 1, x, count_padding, window, strides, padding, data_format)


@mixed
def max_pool2d(
    x: ArrayIn,
    window: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int | Sequence[int]] = "VALID",
    dilations: int | Sequence[int] = 1,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Largest element of each window over two spatial axes.

    Parameters
    ----------
    x
        Array of shape ``(batch, height, width, channels)``, or
        ``(batch, channels, height, width)``.
    window
        Size of the window: an integer, or one for each spatial axis.
    strides
        Steps from one window to the next: an integer, or one for each spatial axis. By default they
        are the sizes of the window, so that windows don't overlap.
    padding
        What is added around the spatial axes: ``"VALID"`` for nothing, ``"SAME"`` for so much that
        each stride-th element has a result (of an odd number the end gets one more), or an integer
        or a pair (before, after), alike for all axes or one for each. It is never the largest.
    dilations
        Steps from one element of a window to the next: an integer, or one for each spatial axis.
    data_format
        Position of the channels: the last axis, or the one after the batch.

    Returns
    -------
    Array of x's data type. A window with a NaN gives NaN.

    Raises
    ------
    UnifyTypeError
        If the data type isn't a real number's, or a size isn't an integer.
    UnifyValueError
        If the shapes and numbers don't fit.

    References
    ----------
    PyTorch's ``torch.nn.functional.max_pool2d``. The padding is named as in TensorFlow.

    Examples
    --------
    >>> unify.nn.max_pool2d(unify.ones((1, 5, 5, 8)), 3, strides=2, padding=1).shape
    (1, 3, 3, 8)
    """
    return _largest("nn.max_pool2d", 2, x, window, strides, padding, dilations, data_format)


@mixed
def avg_pool2d(
    x: ArrayIn,
    window: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int | Sequence[int]] = "VALID",
    count_padding: bool = False,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Mean of each window over two spatial axes.

    Parameters
    ----------
    x
        Array of shape ``(batch, height, width, channels)``, or
        ``(batch, channels, height, width)``.
    window
        Size of the window: an integer, or one for each spatial axis.
    strides
        Steps from one window to the next: an integer, or one for each spatial axis. By default they
        are the sizes of the window, so that windows don't overlap.
    padding
        What is added around the spatial axes: ``"VALID"`` for nothing, ``"SAME"`` for so much that
        each stride-th element has a result (of an odd number the end gets one more), or an integer
        or a pair (before, after), alike for all axes or one for each.
    count_padding
        If True, the padding counts as zeros; otherwise the mean is that of the elements of x.
    data_format
        Position of the channels: the last axis, or the one after the batch.

    Returns
    -------
    Array of x's floating-point data type; integers give the default one.

    Raises
    ------
    UnifyTypeError
        If x is complex, or a size isn't an integer.
    UnifyValueError
        If the shapes and numbers don't fit.

    References
    ----------
    PyTorch's ``torch.nn.functional.avg_pool2d``. The padding is named as in TensorFlow, and as
    there it doesn't count by default.

    Examples
    --------
    >>> unify.nn.avg_pool2d(unify.ones((1, 5, 5, 8)), 3, strides=2, padding=1).shape
    (1, 3, 3, 8)
    """
    return _averaged("nn.avg_pool2d", 2, x, count_padding, window, strides, padding, data_format)


@mixed
def max_pool3d(
    x: ArrayIn,
    window: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int | Sequence[int]] = "VALID",
    dilations: int | Sequence[int] = 1,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Largest element of each window over three spatial axes.

    Parameters
    ----------
    x
        Array of shape ``(batch, depth, height, width, channels)``, or
        ``(batch, channels, depth, height, width)``.
    window
        Size of the window: an integer, or one for each spatial axis.
    strides
        Steps from one window to the next: an integer, or one for each spatial axis. By default they
        are the sizes of the window, so that windows don't overlap.
    padding
        What is added around the spatial axes: ``"VALID"`` for nothing, ``"SAME"`` for so much that
        each stride-th element has a result (of an odd number the end gets one more), or an integer
        or a pair (before, after), alike for all axes or one for each. It is never the largest.
    dilations
        Steps from one element of a window to the next: an integer, or one for each spatial axis.
    data_format
        Position of the channels: the last axis, or the one after the batch.

    Returns
    -------
    Array of x's data type. A window with a NaN gives NaN.

    Raises
    ------
    UnifyTypeError
        If the data type isn't a real number's, or a size isn't an integer.
    UnifyValueError
        If the shapes and numbers don't fit.

    References
    ----------
    PyTorch's ``torch.nn.functional.max_pool3d``. The padding is named as in TensorFlow.

    Examples
    --------
    >>> unify.nn.max_pool3d(unify.ones((1, 4, 4, 4, 8)), 2).shape
    (1, 2, 2, 2, 8)
    """
    return _largest("nn.max_pool3d", 3, x, window, strides, padding, dilations, data_format)


@mixed
def avg_pool3d(
    x: ArrayIn,
    window: int | Sequence[int],
    /,
    *,
    strides: int | Sequence[int] | None = None,
    padding: str | int | Sequence[int | Sequence[int]] = "VALID",
    count_padding: bool = False,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Mean of each window over three spatial axes.

    Parameters
    ----------
    x
        Array of shape ``(batch, depth, height, width, channels)``, or
        ``(batch, channels, depth, height, width)``.
    window
        Size of the window: an integer, or one for each spatial axis.
    strides
        Steps from one window to the next: an integer, or one for each spatial axis. By default they
        are the sizes of the window, so that windows don't overlap.
    padding
        What is added around the spatial axes: ``"VALID"`` for nothing, ``"SAME"`` for so much that
        each stride-th element has a result (of an odd number the end gets one more), or an integer
        or a pair (before, after), alike for all axes or one for each.
    count_padding
        If True, the padding counts as zeros; otherwise the mean is that of the elements of x.
    data_format
        Position of the channels: the last axis, or the one after the batch.

    Returns
    -------
    Array of x's floating-point data type; integers give the default one.

    Raises
    ------
    UnifyTypeError
        If x is complex, or a size isn't an integer.
    UnifyValueError
        If the shapes and numbers don't fit.

    References
    ----------
    PyTorch's ``torch.nn.functional.avg_pool3d``. The padding is named as in TensorFlow, and as
    there it doesn't count by default.

    Examples
    --------
    >>> unify.nn.avg_pool3d(unify.ones((1, 4, 4, 4, 8)), 2).shape
    (1, 2, 2, 2, 8)
    """
    return _averaged("nn.avg_pool3d", 3, x, count_padding, window, strides, padding, data_format)


@mixed
def adaptive_avg_pool1d(
    x: ArrayIn,
    output_size: int | Sequence[int],
    /,
    *,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Means of windows over one spatial axis, as many as there shall be results.

    Window i of n covers the elements from ``floor(i * size / n)`` to ``ceil((i + 1) * size / n)``.

    Parameters
    ----------
    x
        Array of shape ``(batch, size, channels)``, or ``(batch, channels, size)``.
    output_size
        The sizes of the result's spatial axes: an integer, or one for each.
    data_format
        Position of the channels: the last axis, or the one after the batch.

    Returns
    -------
    Array of x's floating-point data type; integers give the default one.

    Raises
    ------
    UnifyTypeError
        If x is complex, or a size isn't an integer.
    UnifyValueError
        If x has another number of axes, or a size is less than 1.

    References
    ----------
    PyTorch's ``torch.nn.functional.adaptive_avg_pool1d``.

    Examples
    --------
    >>> unify.nn.adaptive_avg_pool1d(unify.array([[[1.0], [2.0], [6.0]]]), 2)
    unify.array([[[1.5],
                  [4. ]]])
    """
    return adapted(
        "nn.adaptive_avg_pool1d",
        1,
        real("nn.adaptive_avg_pool1d", "x", x),
        output_size,
        data_format,
        True,
    )


@mixed
def adaptive_avg_pool2d(
    x: ArrayIn,
    output_size: int | Sequence[int],
    /,
    *,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Means of windows over two spatial axes, as many as there shall be results.

    Window i of n covers the elements from ``floor(i * size / n)`` to ``ceil((i + 1) * size / n)``.

    Parameters
    ----------
    x
        Array of shape ``(batch, height, width, channels)``, or
        ``(batch, channels, height, width)``.
    output_size
        The sizes of the result's spatial axes: an integer, or one for each.
    data_format
        Position of the channels: the last axis, or the one after the batch.

    Returns
    -------
    Array of x's floating-point data type; integers give the default one.

    Raises
    ------
    UnifyTypeError
        If x is complex, or a size isn't an integer.
    UnifyValueError
        If x has another number of axes, or a size is less than 1.

    References
    ----------
    PyTorch's ``torch.nn.functional.adaptive_avg_pool2d``.

    Examples
    --------
    >>> x = unify.ones((2, 7, 7, 3))
    >>> unify.nn.adaptive_avg_pool2d(x, 4).shape
    (2, 4, 4, 3)
    """
    return adapted(
        "nn.adaptive_avg_pool2d",
        2,
        real("nn.adaptive_avg_pool2d", "x", x),
        output_size,
        data_format,
        True,
    )


@mixed
def adaptive_avg_pool3d(
    x: ArrayIn,
    output_size: int | Sequence[int],
    /,
    *,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Means of windows over three spatial axes, as many as there shall be results.

    Window i of n covers the elements from ``floor(i * size / n)`` to ``ceil((i + 1) * size / n)``.

    Parameters
    ----------
    x
        Array of shape ``(batch, depth, height, width, channels)``, or
        ``(batch, channels, depth, height, width)``.
    output_size
        The sizes of the result's spatial axes: an integer, or one for each.
    data_format
        Position of the channels: the last axis, or the one after the batch.

    Returns
    -------
    Array of x's floating-point data type; integers give the default one.

    Raises
    ------
    UnifyTypeError
        If x is complex, or a size isn't an integer.
    UnifyValueError
        If x has another number of axes, or a size is less than 1.

    References
    ----------
    PyTorch's ``torch.nn.functional.adaptive_avg_pool3d``.

    Examples
    --------
    >>> x = unify.ones((2, 7, 7, 7, 3))
    >>> unify.nn.adaptive_avg_pool3d(x, 4).shape
    (2, 4, 4, 4, 3)
    """
    return adapted(
        "nn.adaptive_avg_pool3d",
        3,
        real("nn.adaptive_avg_pool3d", "x", x),
        output_size,
        data_format,
        True,
    )


@mixed
def adaptive_max_pool1d(
    x: ArrayIn,
    output_size: int | Sequence[int],
    /,
    *,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Largest elements of windows over one spatial axis, as many as there shall be results.

    Window i of n covers the elements from ``floor(i * size / n)`` to ``ceil((i + 1) * size / n)``.

    Parameters
    ----------
    x
        Array of shape ``(batch, size, channels)``, or ``(batch, channels, size)``.
    output_size
        The sizes of the result's spatial axes: an integer, or one for each.
    data_format
        Position of the channels: the last axis, or the one after the batch.

    Returns
    -------
    Array of x's data type.

    Raises
    ------
    UnifyTypeError
        If the data type isn't a real number's, or a size isn't an integer.
    UnifyValueError
        If x has another number of axes, or a size is less than 1.

    References
    ----------
    PyTorch's ``torch.nn.functional.adaptive_max_pool1d``.

    Examples
    --------
    >>> unify.nn.adaptive_max_pool1d(unify.array([[[1.0], [2.0], [6.0]]]), 2)
    unify.array([[[2.],
                  [6.]]])
    """
    check_ordered("nn.adaptive_max_pool1d", x)
    return adapted("nn.adaptive_max_pool1d", 1, x, output_size, data_format, False)


@mixed
def adaptive_max_pool2d(
    x: ArrayIn,
    output_size: int | Sequence[int],
    /,
    *,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Largest elements of windows over two spatial axes, as many as there shall be results.

    Window i of n covers the elements from ``floor(i * size / n)`` to ``ceil((i + 1) * size / n)``.

    Parameters
    ----------
    x
        Array of shape ``(batch, height, width, channels)``, or
        ``(batch, channels, height, width)``.
    output_size
        The sizes of the result's spatial axes: an integer, or one for each.
    data_format
        Position of the channels: the last axis, or the one after the batch.

    Returns
    -------
    Array of x's data type.

    Raises
    ------
    UnifyTypeError
        If the data type isn't a real number's, or a size isn't an integer.
    UnifyValueError
        If x has another number of axes, or a size is less than 1.

    References
    ----------
    PyTorch's ``torch.nn.functional.adaptive_max_pool2d``.

    Examples
    --------
    >>> x = unify.ones((2, 7, 7, 3))
    >>> unify.nn.adaptive_max_pool2d(x, 4).shape
    (2, 4, 4, 3)
    """
    check_ordered("nn.adaptive_max_pool2d", x)
    return adapted("nn.adaptive_max_pool2d", 2, x, output_size, data_format, False)


@mixed
def adaptive_max_pool3d(
    x: ArrayIn,
    output_size: int | Sequence[int],
    /,
    *,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Largest elements of windows over three spatial axes, as many as there shall be results.

    Window i of n covers the elements from ``floor(i * size / n)`` to ``ceil((i + 1) * size / n)``.

    Parameters
    ----------
    x
        Array of shape ``(batch, depth, height, width, channels)``, or
        ``(batch, channels, depth, height, width)``.
    output_size
        The sizes of the result's spatial axes: an integer, or one for each.
    data_format
        Position of the channels: the last axis, or the one after the batch.

    Returns
    -------
    Array of x's data type.

    Raises
    ------
    UnifyTypeError
        If the data type isn't a real number's, or a size isn't an integer.
    UnifyValueError
        If x has another number of axes, or a size is less than 1.

    References
    ----------
    PyTorch's ``torch.nn.functional.adaptive_max_pool3d``.

    Examples
    --------
    >>> x = unify.ones((2, 7, 7, 7, 3))
    >>> unify.nn.adaptive_max_pool3d(x, 4).shape
    (2, 4, 4, 4, 3)
    """
    check_ordered("nn.adaptive_max_pool3d", x)
    return adapted("nn.adaptive_max_pool3d", 3, x, output_size, data_format, False)
