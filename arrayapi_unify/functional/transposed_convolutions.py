"""Contracts of transposed convolutions, which spread each element of an array over a window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.convolutions import planned_transpose
from arrayapi_unify.binding import mixed
from arrayapi_unify.binding.annotations import ArrayIn, OptionalArray, Out
from arrayapi_unify.functional._common import BodyArray
from arrayapi_unify.functional._convolution import floats, shapes_of, transposed

__all__ = ["conv1d_transpose", "conv2d_transpose", "conv3d_transpose"]


def _convolve(
    function: str, count: int, arrays: tuple[BodyArray, BodyArray, BodyArray | None], *options: Any
) -> Array:
    plan = planned_transpose(function, count, shapes_of(*arrays), *options)
    return transposed(*floats(function, *arrays), plan)


@mixed
def conv1d_transpose(
    x: ArrayIn,
    filters: ArrayIn,
    /,
    *,
    bias: OptionalArray = None,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int | Sequence[int]] = "VALID",
    output_padding: int | Sequence[int] = 0,
    dilations: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Spread each element over a window of one spatial axis, weighted by the filters, and add up.

    It is the derivative of `conv1d` with the same strides, padding and dilations by its input.

    Parameters
    ----------
    x
        Array of shape ``(batch, size, channels)``, or ``(batch, channels, size)``.
    filters
        Array of shape ``(k, in, out)``: the window, the channels that go in, and those that
        come out. Of several groups, ``out`` are the channels of one.
    bias
        Array of shape ``(out * groups,)``, which is added to the result; none by default.
    strides
        Steps from one window of the result to the next: an integer, or one for each spatial axis.
    padding
        What is cut off at the ends of the spatial axes: ``"VALID"`` for nothing, ``"SAME"`` for so
        much that the sizes are those of x times the strides, or an integer or a pair (before,
        after), alike for all axes or one for each.
    output_padding
        Elements that the result has more at the end of each spatial axis.
    dilations
        Steps from one element of a window to the next: an integer, or one for each spatial axis.
    groups
        In how many groups the channels are parted, those that go in and those that come out.
    data_format
        Whether the channels of x and of the result are the last axis, or the one after the batch.

    Returns
    -------
    Array of the floating-point data type to which the arrays promote; integers give the default
    one. A spatial axis of n elements becomes one of ``(n - 1) * stride + dilation * (k - 1) + 1``,
    without what is cut off.

    Raises
    ------
    UnifyTypeError
        If an array is complex, or a size isn't an integer.
    UnifyValueError
        If the shapes and numbers don't fit.

    References
    ----------
    PyTorch's ``torch.nn.functional.conv_transpose1d``. The padding is named as in TensorFlow.

    Examples
    --------
    >>> x = unify.array([[[1.0], [2.0]]])  # a batch of one, two elements, one channel
    >>> spread = unify.conv1d_transpose(x, unify.array([[[1.0]], [[10.0]]]), strides=2)
    >>> unify.reshape(spread, (4,))
    unify.array([ 1., 10.,  2., 20.])
    """
    return _convolve(
        "conv1d_transpose", 1, (x, filters, bias), strides, padding, output_padding, dilations,
        groups, data_format,
    )  # fmt: skip


@mixed
def conv2d_transpose(
    x: ArrayIn,
    filters: ArrayIn,
    /,
    *,
    bias: OptionalArray = None,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int | Sequence[int]] = "VALID",
    output_padding: int | Sequence[int] = 0,
    dilations: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Spread each element over a window of two spatial axes, weighted by the filters, and add up.

    It is the derivative of `conv2d` with the same strides, padding and dilations by its input.

    Parameters
    ----------
    x
        Array of shape ``(batch, height, width, channels)``, or
        ``(batch, channels, height, width)``.
    filters
        Array of shape ``(k, k, in, out)``: the window, the channels that go in, and those that
        come out. Of several groups, ``out`` are the channels of one.
    bias
        Array of shape ``(out * groups,)``, which is added to the result; none by default.
    strides
        Steps from one window of the result to the next: an integer, or one for each spatial axis.
    padding
        What is cut off at the ends of the spatial axes: ``"VALID"`` for nothing, ``"SAME"`` for so
        much that the sizes are those of x times the strides, or an integer or a pair (before,
        after), alike for all axes or one for each.
    output_padding
        Elements that the result has more at the end of each spatial axis.
    dilations
        Steps from one element of a window to the next: an integer, or one for each spatial axis.
    groups
        In how many groups the channels are parted, those that go in and those that come out.
    data_format
        Whether the channels of x and of the result are the last axis, or the one after the batch.

    Returns
    -------
    Array of the floating-point data type to which the arrays promote; integers give the default
    one. A spatial axis of n elements becomes one of ``(n - 1) * stride + dilation * (k - 1) + 1``,
    without what is cut off.

    Raises
    ------
    UnifyTypeError
        If an array is complex, or a size isn't an integer.
    UnifyValueError
        If the shapes and numbers don't fit.

    References
    ----------
    PyTorch's ``torch.nn.functional.conv_transpose2d``. The padding is named as in TensorFlow.

    Examples
    --------
    >>> x = unify.ones((1, 5, 5, 8))
    >>> unify.conv2d_transpose(x, unify.ones((3, 3, 8, 4)), strides=2, padding="SAME").shape
    (1, 10, 10, 4)
    >>> unify.conv2d_transpose(x, unify.ones((3, 3, 8, 4)), strides=2, padding=1).shape
    (1, 9, 9, 4)
    """
    return _convolve(
        "conv2d_transpose", 2, (x, filters, bias), strides, padding, output_padding, dilations,
        groups, data_format,
    )  # fmt: skip


@mixed
def conv3d_transpose(
    x: ArrayIn,
    filters: ArrayIn,
    /,
    *,
    bias: OptionalArray = None,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int | Sequence[int]] = "VALID",
    output_padding: int | Sequence[int] = 0,
    dilations: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Spread each element over a window of three spatial axes, weighted by the filters, and add up.

    It is the derivative of `conv3d` with the same strides, padding and dilations by its input.

    Parameters
    ----------
    x
        Array of shape ``(batch, depth, height, width, channels)``, or
        ``(batch, channels, depth, height, width)``.
    filters
        Array of shape ``(k, k, k, in, out)``: the window, the channels that go in, and those that
        come out. Of several groups, ``out`` are the channels of one.
    bias
        Array of shape ``(out * groups,)``, which is added to the result; none by default.
    strides
        Steps from one window of the result to the next: an integer, or one for each spatial axis.
    padding
        What is cut off at the ends of the spatial axes: ``"VALID"`` for nothing, ``"SAME"`` for so
        much that the sizes are those of x times the strides, or an integer or a pair (before,
        after), alike for all axes or one for each.
    output_padding
        Elements that the result has more at the end of each spatial axis.
    dilations
        Steps from one element of a window to the next: an integer, or one for each spatial axis.
    groups
        In how many groups the channels are parted, those that go in and those that come out.
    data_format
        Whether the channels of x and of the result are the last axis, or the one after the batch.

    Returns
    -------
    Array of the floating-point data type to which the arrays promote; integers give the default
    one. A spatial axis of n elements becomes one of ``(n - 1) * stride + dilation * (k - 1) + 1``,
    without what is cut off.

    Raises
    ------
    UnifyTypeError
        If an array is complex, or a size isn't an integer.
    UnifyValueError
        If the shapes and numbers don't fit.

    References
    ----------
    PyTorch's ``torch.nn.functional.conv_transpose3d``. The padding is named as in TensorFlow.

    Examples
    --------
    >>> x = unify.ones((1, 2, 3, 3, 4))
    >>> unify.conv3d_transpose(x, unify.ones((2, 2, 2, 4, 5))).shape
    (1, 3, 4, 4, 5)
    """
    return _convolve(
        "conv3d_transpose", 3, (x, filters, bias), strides, padding, output_padding, dilations,
        groups, data_format,
    )  # fmt: skip
