"""Contracts of pooling to sizes that are given: the windows adapt to the size of the array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import mixed
from arrayapi_unify.binding.annotations import ArrayIn, Out
from arrayapi_unify.functional._common import real
from arrayapi_unify.functional._pooling import adapted, check_ordered

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
]


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
        Whether the channels are the last axis, or the one after the batch.

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
    >>> unify.adaptive_avg_pool1d(unify.array([[[1.0], [2.0], [6.0]]]), 2)
    unify.array([[[1.5],
                  [4. ]]])
    """
    return adapted(
        "adaptive_avg_pool1d",
        1,
        real("adaptive_avg_pool1d", "x", x),
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
        Whether the channels are the last axis, or the one after the batch.

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
    >>> unify.adaptive_avg_pool2d(x, 4).shape
    (2, 4, 4, 3)
    """
    return adapted(
        "adaptive_avg_pool2d",
        2,
        real("adaptive_avg_pool2d", "x", x),
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
        Whether the channels are the last axis, or the one after the batch.

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
    >>> unify.adaptive_avg_pool3d(x, 4).shape
    (2, 4, 4, 4, 3)
    """
    return adapted(
        "adaptive_avg_pool3d",
        3,
        real("adaptive_avg_pool3d", "x", x),
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
        Whether the channels are the last axis, or the one after the batch.

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
    >>> unify.adaptive_max_pool1d(unify.array([[[1.0], [2.0], [6.0]]]), 2)
    unify.array([[[2.],
                  [6.]]])
    """
    check_ordered("adaptive_max_pool1d", x)
    return adapted("adaptive_max_pool1d", 1, x, output_size, data_format, False)


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
        Whether the channels are the last axis, or the one after the batch.

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
    >>> unify.adaptive_max_pool2d(x, 4).shape
    (2, 4, 4, 3)
    """
    check_ordered("adaptive_max_pool2d", x)
    return adapted("adaptive_max_pool2d", 2, x, output_size, data_format, False)


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
        Whether the channels are the last axis, or the one after the batch.

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
    >>> unify.adaptive_max_pool3d(x, 4).shape
    (2, 4, 4, 4, 3)
    """
    check_ordered("adaptive_max_pool3d", x)
    return adapted("adaptive_max_pool3d", 3, x, output_size, data_format, False)
