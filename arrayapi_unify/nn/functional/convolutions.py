"""Convolutions, transposed convolutions, and resizing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.convolutions import (
    channels_axis_first,
    one_for_each,
    planned,
    planned_transpose,
)
from arrayapi_unify.backends._common.checks.sizes import check_held
from arrayapi_unify.binding import compositional, mixed
from arrayapi_unify.contracts.annotations import ArrayIn, OptionalArray, Out
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.functional._common import BodyArray, real, unchecked
from arrayapi_unify.nn.functional._convolution import TAPS, convolved, floats, shapes_of, transposed


def _convolve(
    function: str, count: int, arrays: tuple[BodyArray, BodyArray, BodyArray | None], strides: Any,
    padding: Any, dilations: Any, groups: int, data_format: str,
) -> Array:  # fmt: skip
    shapes = shapes_of(*arrays)
    plan = planned(function, count, shapes, strides, padding, dilations, groups, data_format)
    return convolved(*floats(function, *arrays), plan)


@mixed
def conv1d(
    x: ArrayIn,
    filters: ArrayIn,
    /,
    *,
    bias: OptionalArray = None,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int | Sequence[int]] = "VALID",
    dilations: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Convolve over one spatial axis: weigh all windows of x by each filter.

    As in all libraries of neural networks, the filters aren't reversed.

    Parameters
    ----------
    x
        Array of shape ``(batch, size, channels)``, or ``(batch, channels, size)``.
    filters
        Array of shape ``(k, in, out)``: the window, the channels that go in, and those that
        come out. Of several groups, ``in`` are the channels of one.
    bias
        Array of shape ``(out,)``, which is added to the result; none by default.
    strides
        Steps from one window to the next: an integer, or one for each spatial axis.
    padding
        Zeros around the spatial axes: ``"VALID"`` for none, ``"SAME"`` for as many that each
        stride-th element has a result (of an odd number the end gets one more), or an integer or
        a pair (before, after), alike for all axes or one for each.
    dilations
        Steps from one element of a window to the next: an integer, or one for each spatial axis.
    groups
        In how many groups the channels are parted, those that go in and those that come out.
    data_format
        Position of the channels of x and of the result: the last axis, or the one after the batch.

    Returns
    -------
    Array with the ``out`` channels, of the floating-point data type to which the arrays promote;
    integers give the default one.

    Raises
    ------
    UnifyTypeError
        If an array is complex, or a size isn't an integer.
    UnifyValueError
        If the shapes and numbers don't fit.

    References
    ----------
    PyTorch's ``torch.nn.functional.conv1d``. The padding is named as in TensorFlow.

    Examples
    --------
    >>> x = unify.array([[[1.0], [2.0], [3.0]]])  # a batch of one, three elements, one channel
    >>> unify.nn.conv1d(x, unify.array([[[1.0]], [[10.0]]]))
    unify.array([[[21.],
                  [32.]]])
    """
    arrays = x, filters, bias
    return _convolve("nn.conv1d", 1, arrays, strides, padding, dilations, groups, data_format)


@mixed
def conv2d(
    x: ArrayIn,
    filters: ArrayIn,
    /,
    *,
    bias: OptionalArray = None,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int | Sequence[int]] = "VALID",
    dilations: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Convolve over two spatial axes: weigh all windows of x by each filter.

    As in all libraries of neural networks, the filters aren't reversed.

    Parameters
    ----------
    x
        Array of shape ``(batch, height, width, channels)``, or
        ``(batch, channels, height, width)``.
    filters
        Array of shape ``(k, k, in, out)``: the window, the channels that go in, and those that
        come out. Of several groups, ``in`` are the channels of one.
    bias
        Array of shape ``(out,)``, which is added to the result; none by default.
    strides
        Steps from one window to the next: an integer, or one for each spatial axis.
    padding
        Zeros around the spatial axes: ``"VALID"`` for none, ``"SAME"`` for as many that each
        stride-th element has a result (of an odd number the end gets one more), or an integer or
        a pair (before, after), alike for all axes or one for each.
    dilations
        Steps from one element of a window to the next: an integer, or one for each spatial axis.
    groups
        In how many groups the channels are parted, those that go in and those that come out.
    data_format
        Position of the channels of x and of the result: the last axis, or the one after the batch.

    Returns
    -------
    Array with the ``out`` channels, of the floating-point data type to which the arrays promote;
    integers give the default one.

    Raises
    ------
    UnifyTypeError
        If an array is complex, or a size isn't an integer.
    UnifyValueError
        If the shapes and numbers don't fit.

    References
    ----------
    PyTorch's ``torch.nn.functional.conv2d``. The padding is named as in TensorFlow.

    Examples
    --------
    >>> x = unify.reshape(unify.arange(9.0), (1, 3, 3, 1))
    >>> sums = unify.nn.conv2d(x, unify.ones((2, 2, 1, 1)))
    >>> unify.reshape(sums, (2, 2))
    unify.array([[ 8., 12.],
                 [20., 24.]])
    >>> unify.nn.conv2d(x, unify.ones((3, 3, 1, 8)), strides=2, padding="SAME").shape
    (1, 2, 2, 8)
    """
    arrays = x, filters, bias
    return _convolve("nn.conv2d", 2, arrays, strides, padding, dilations, groups, data_format)


@mixed
def conv3d(
    x: ArrayIn,
    filters: ArrayIn,
    /,
    *,
    bias: OptionalArray = None,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int | Sequence[int]] = "VALID",
    dilations: int | Sequence[int] = 1,
    groups: int = 1,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Convolve over three spatial axes: weigh all windows of x by each filter.

    As in all libraries of neural networks, the filters aren't reversed.

    Parameters
    ----------
    x
        Array of shape ``(batch, depth, height, width, channels)``, or
        ``(batch, channels, depth, height, width)``.
    filters
        Array of shape ``(k, k, k, in, out)``: the window, the channels that go in, and those that
        come out. Of several groups, ``in`` are the channels of one.
    bias
        Array of shape ``(out,)``, which is added to the result; none by default.
    strides
        Steps from one window to the next: an integer, or one for each spatial axis.
    padding
        Zeros around the spatial axes: ``"VALID"`` for none, ``"SAME"`` for as many that each
        stride-th element has a result (of an odd number the end gets one more), or an integer or
        a pair (before, after), alike for all axes or one for each.
    dilations
        Steps from one element of a window to the next: an integer, or one for each spatial axis.
    groups
        In how many groups the channels are parted, those that go in and those that come out.
    data_format
        Position of the channels of x and of the result: the last axis, or the one after the batch.

    Returns
    -------
    Array with the ``out`` channels, of the floating-point data type to which the arrays promote;
    integers give the default one.

    Raises
    ------
    UnifyTypeError
        If an array is complex, or a size isn't an integer.
    UnifyValueError
        If the shapes and numbers don't fit.

    References
    ----------
    PyTorch's ``torch.nn.functional.conv3d``. The padding is named as in TensorFlow.

    Examples
    --------
    >>> x = unify.ones((1, 2, 3, 3, 4))
    >>> unify.nn.conv3d(x, unify.ones((2, 2, 2, 4, 5))).shape
    (1, 1, 2, 2, 5)
    """
    arrays = x, filters, bias
    return _convolve("nn.conv3d", 3, arrays, strides, padding, dilations, groups, data_format)


@compositional
def depthwise_conv(
    x: ArrayIn,
    filters: ArrayIn,
    /,
    *,
    bias: OptionalArray = None,
    strides: int | Sequence[int] = 1,
    padding: str | int | Sequence[int | Sequence[int]] = "VALID",
    dilations: int | Sequence[int] = 1,
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Convolve each channel for itself, over one, two or three spatial axes.

    Parameters
    ----------
    x
        Array of shape ``(batch, *spatial, channels)``, or ``(batch, channels, *spatial)``.
    filters
        Array of shape ``(*window, channels, multiplier)``: so many filters for each channel.
    bias
        Array of shape ``(channels * multiplier,)``, which is added to the result; none by default.
    strides
        Steps from one window to the next: an integer, or one for each spatial axis.
    padding
        Zeros around the spatial axes: ``"VALID"`` for none, ``"SAME"`` for as many that each
        stride-th element has a result (of an odd number the end gets one more), or an integer or
        a pair (before, after), alike for all axes or one for each.
    dilations
        Steps from one element of a window to the next: an integer, or one for each spatial axis.
    data_format
        Position of the channels of x and of the result: the last axis, or the one after the batch.

    Returns
    -------
    Array with ``channels * multiplier`` channels, those of the first channel first, of the
    floating-point data type to which the arrays promote; integers give the default one.

    Raises
    ------
    UnifyTypeError
        If an array is complex, or a size isn't an integer.
    UnifyValueError
        If the shapes and numbers don't fit.

    References
    ----------
    TensorFlow's ``tf.nn.depthwise_conv2d``.

    Examples
    --------
    >>> x = unify.array([[[1.0, 100.0], [2.0, 200.0]]])  # two channels
    >>> unify.nn.depthwise_conv(x, unify.ones((2, 2, 1)))
    unify.array([[[  3., 300.]]])
    """
    xp, count = x.__array_namespace__(), x.ndim - 2
    first = channels_axis_first("nn.depthwise_conv", data_format)
    if count not in (1, 2, 3):
        raise_value_error(
            "nn.depthwise_conv", "x", f"has shape {x.shape}",
            "pass an array of one, two or three axes in addition to the batch and the channels",
        )  # fmt: skip
    channels = x.shape[1 if first else -1]
    if filters.ndim != x.ndim or filters.shape[-2] != channels:
        raise_value_error(
            "nn.depthwise_conv", "filters",
            f"has shape {filters.shape}, with {channels} channels of x",
            "pass filters of shape (*window, channels, multiplier)",
        )  # fmt: skip
    window, results = filters.shape[:-2], filters.shape[-2] * filters.shape[-1]
    convolve = (xp.nn.conv1d, xp.nn.conv2d, xp.nn.conv3d)[count - 1]
    return convolve(
        x, xp.reshape(filters, (*window, 1, results)), bias=bias, strides=strides,
        padding=padding, dilations=dilations, groups=channels, data_format=data_format,
    )  # fmt: skip


def _transpose(
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
        Position of the channels of x and of the result: the last axis, or the one after the batch.

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
    >>> spread = unify.nn.conv1d_transpose(x, unify.array([[[1.0]], [[10.0]]]), strides=2)
    >>> unify.reshape(spread, (4,))
    unify.array([ 1., 10.,  2., 20.])
    """
    return _transpose(
        "nn.conv1d_transpose", 1, (x, filters, bias), strides, padding, output_padding, dilations,
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
        Position of the channels of x and of the result: the last axis, or the one after the batch.

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
    >>> unify.nn.conv2d_transpose(x, unify.ones((3, 3, 8, 4)), strides=2, padding="SAME").shape
    (1, 10, 10, 4)
    >>> unify.nn.conv2d_transpose(x, unify.ones((3, 3, 8, 4)), strides=2, padding=1).shape
    (1, 9, 9, 4)
    """
    return _transpose(
        "nn.conv2d_transpose", 2, (x, filters, bias), strides, padding, output_padding, dilations,
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
        Position of the channels of x and of the result: the last axis, or the one after the batch.

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
    >>> unify.nn.conv3d_transpose(x, unify.ones((2, 2, 2, 4, 5))).shape
    (1, 3, 4, 4, 5)
    """
    return _transpose(
        "nn.conv3d_transpose", 3, (x, filters, bias), strides, padding, output_padding, dilations,
        groups, data_format,
    )  # fmt: skip


@compositional
def interpolate(
    x: ArrayIn,
    size: int | Sequence[int],
    /,
    *,
    mode: Literal["nearest", "linear", "cubic"] = "linear",
    data_format: Literal["channels_last", "channels_first"] = "channels_last",
    out: Out = None,
) -> Array:
    """Resize the spatial axes: take values between the elements.

    The elements are areas, whose outer edges stay where they are; so the centres of the first
    elements don't coincide. Nothing is smoothed before an axis gets smaller.

    Parameters
    ----------
    x
        Array of shape ``(batch, *spatial, channels)``, or ``(batch, channels, *spatial)``, with one
        to three spatial axes.
    size
        The new sizes of the spatial axes: an integer, or one for each.
    mode
        Whether the nearest element counts, the nearest two along each axis, or four, which a cubic
        convolution weighs. Beyond the ends of an axis its last element goes on.
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
        If x has another number of axes, a size is less than 1, or the mode is another one.

    References
    ----------
    PyTorch's ``torch.nn.functional.interpolate``, with ``align_corners=False``.

    Keys, "Cubic Convolution Interpolation for Digital Image Processing", 1981.

    Examples
    --------
    >>> x = unify.array([[[0.0], [4.0]]])
    >>> unify.reshape(unify.nn.interpolate(x, 4), (4,))
    unify.array([0., 1., 3., 4.])
    """
    x = real("nn.interpolate", "x", x)
    count, first = x.ndim - 2, channels_axis_first("nn.interpolate", data_format)
    if count not in (1, 2, 3) or 0 in x.shape[1:]:
        raise_value_error(
            "nn.interpolate", "x", f"has shape {x.shape}",
            "pass one to three axes in addition to the batch and the channels; only the batch may "
            "be 0",
        )  # fmt: skip
    if mode not in TAPS:
        raise_value_error(
            "nn.interpolate", "mode", f"is {mode!r}", "pass 'nearest', 'linear' or 'cubic'"
        )
    wanted = one_for_each("nn.interpolate", "size", size, count)
    check_held("nn.interpolate", "size", size, math.prod(wanted), _TAP)
    for axis, length in enumerate(wanted, 2 if first else 1):
        x = _resized(x, axis, length, mode)
    return +x


# The bytes of a place and its weight in lists of Python.
_TAP: Final = 100


def _resized(x: Array, axis: int, wanted: int, mode: str) -> Array:
    xp, size = x.__array_namespace__(), x.shape[axis]
    if size == wanted:
        return x
    total: Any = None
    for places, weights in TAPS[mode](size, wanted):
        part = unchecked(xp.take, x, xp.asarray(places, device=x.device), axis=axis)
        if mode != "nearest":
            weight = xp.asarray(weights, dtype=x.dtype, device=x.device)
            part = part * xp.reshape(weight, (wanted, *(1,) * (x.ndim - 1 - axis)))
        total = part if total is None else total + part
    return total
