"""Contracts of the normalizations of channels, and by them.

The channels lie along `axis`, the second axis if nothing else is said, and the first axis is that
of the batch.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.axes import normalize_axis
from arrayapi_unify.backends._common.channels import check_batch, check_groups
from arrayapi_unify.binding import compositional, mixed
from arrayapi_unify.binding.annotations import ArrayIn, OptionalArray, Out
from arrayapi_unify.errors import UnifyValueError, raise_argument_error
from arrayapi_unify.functional._channels import along_channels
from arrayapi_unify.functional._common import BodyArray, check_real, floating_together, real

__all__ = ["batch_norm", "group_norm", "instance_norm", "local_response_norm"]


class BatchNormResult(NamedTuple):
    """The result of `batch_norm`."""

    output: Array
    mean: Array
    variance: Array


def _together(function: str, **given: BodyArray) -> list[BodyArray]:
    """Return the arrays in the floating-point data type to which all promote; None stays None."""
    arrays = {name: array for name, array in given.items() if array is not None}
    for name, array in arrays.items():
        check_real(function, name, array)
    converted = dict(zip(arrays, floating_together(*arrays.values()), strict=True))
    return [converted.get(name) for name in given]


def _scaled(function: str, x: Array, scale: BodyArray, offset: BodyArray, axis: int) -> Array:
    """Multiply by the factor of each channel, and add its offset."""
    if scale is not None:
        x = x * along_channels(function, "scale", scale, x.shape, axis)
    if offset is not None:
        x = x + along_channels(function, "offset", offset, x.shape, axis)
    return x


def _check_several(function: str, count: int) -> None:
    """Refuse to normalize single values: what is left of them is zero."""
    if count < 2:
        raise_argument_error(
            UnifyValueError, function, "x", f"has {count} values to take the mean and variance of",
            "pass an array that has two at least",
        )  # fmt: skip


def _normalized(x: Array, axes: tuple[int, ...], eps: float) -> tuple[Array, Array, Array]:
    """Return x with mean zero and variance one over some axes, its mean and its variance."""
    xp = x.__array_namespace__()
    mean = xp.mean(x, axis=axes, keepdims=True)
    centred = x - mean
    variance = xp.mean(centred * centred, axis=axes, keepdims=True)
    return centred / xp.sqrt(variance + eps), mean, variance


@compositional
def batch_norm(
    x: ArrayIn,
    mean: ArrayIn,
    variance: ArrayIn,
    /,
    *,
    scale: OptionalArray = None,
    offset: OptionalArray = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
    axis: int = 1,
) -> BatchNormResult:
    """Normalize each channel by its mean and variance, those of the batch or running ones.

    Nothing is stored: the running mean and variance come in, and go out.

    Parameters
    ----------
    x
        Array of real data type.
    mean
        Running mean of each channel: an array of one axis.
    variance
        Running variance of each channel.
    scale
        Factors of the normalized values: an array of one axis with one for each channel.
    offset
        What is added after that, one number for each channel.
    training
        Whether to normalize by the mean and variance of this batch, and to renew the running ones.
    momentum
        Share of the batch in the new running mean and variance.
    eps
        What is added to the variance, to prevent a division by zero.
    axis
        Axis of the channels.

    Returns
    -------
    A named tuple ``(output, mean, variance)``: the normalized array, and the running mean and
    variance, which are new ones with `training`. They have the floating-point data type to which
    the arguments promote; integers give the default one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If an array doesn't have one number for each channel, or there are fewer than two values of
        each channel with `training`.
    UnifyIndexError
        If `axis` is out of bounds.

    Notes
    -----
    A batch is normalized by its variance, ``sum((x - mean)**2) / n``. To the running one it adds
    the estimate ``sum((x - mean)**2) / (n - 1)``, as in PyTorch.

    References
    ----------
    PyTorch's ``batch_norm``.

    Ioffe and Szegedy, "Batch Normalization", arXiv:1502.03167.

    Examples
    --------
    >>> x, mean, variance = unify.array([[1.0], [3.0]]), unify.zeros(1), unify.ones(1)
    >>> found = unify.batch_norm(x, mean, variance, training=True, momentum=0.5, eps=0.0)
    >>> found.output
    unify.array([[-1.],
                 [ 1.]])
    >>> found.mean, found.variance
    (unify.array([1.]), unify.array([1.5]))
    """
    name = "batch_norm"
    values, usual, spread, factors, offsets = _together(
        name, x=x, mean=mean, variance=variance, scale=scale, offset=offset
    )
    xp, shape = values.__array_namespace__(), values.shape
    axis = normalize_axis(name, axis, len(shape))
    centre = along_channels(name, "mean", usual, shape, axis)
    width = along_channels(name, "variance", spread, shape, axis)
    if training:
        axes = tuple(a for a in range(len(shape)) if a != axis)
        count = math.prod([shape[a] for a in axes])
        _check_several(name, count)
        output, found, variances = _normalized(values, axes, eps)
        usual = (1 - momentum) * usual + momentum * xp.reshape(found, usual.shape)
        estimate = xp.reshape(variances, usual.shape) * (count / (count - 1))
        spread = (1 - momentum) * spread + momentum * estimate
    else:
        output = (values - centre) / xp.sqrt(width + eps)
        usual, spread = (xp.asarray(array, copy=True) for array in (usual, spread))
    return BatchNormResult(_scaled(name, output, factors, offsets, axis), usual, spread)


@mixed
def group_norm(
    x: ArrayIn,
    num_groups: int,
    /,
    *,
    scale: OptionalArray = None,
    offset: OptionalArray = None,
    eps: float = 1e-5,
    axis: int = 1,
    out: Out = None,
) -> Array:
    """Normalize groups of channels of each sample to mean zero and variance one.

    Parameters
    ----------
    x
        Array of real data type. Its first axis is that of the samples.
    num_groups
        Number of groups; it divides the number of channels.
    scale
        Factors of the normalized values: an array of one axis with one for each channel.
    offset
        What is added after that, one number for each channel.
    eps
        What is added to the variance, to prevent a division by zero.
    axis
        Axis of the channels.

    Returns
    -------
    Array of x's shape, of the floating-point data type to which the arguments promote; integers
    give the default one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If `num_groups` doesn't divide the number of channels, an array doesn't have one number for
        each channel, the channels lie along the first axis, or a group has fewer than two values.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    Wu and He, "Group Normalization", arXiv:1803.08494.

    Examples
    --------
    >>> x = unify.array([[1.0, 3.0, 10.0, 30.0]])
    >>> unify.group_norm(x, 2, eps=0.0)
    unify.array([[-1.,  1., -1.,  1.]])
    """
    x, scale, offset = _together("group_norm", x=x, scale=scale, offset=offset)
    xp = x.__array_namespace__()
    axis, size = check_groups(x.shape, num_groups, axis)
    moved = xp.moveaxis(x, axis, 1)
    count = size * math.prod(moved.shape[2:])
    _check_several("group_norm", count)
    rows = xp.reshape(moved, (moved.shape[0], num_groups, count))
    output = xp.moveaxis(xp.reshape(_normalized(rows, (2,), eps)[0], moved.shape), 1, axis)
    return _scaled("group_norm", output, scale, offset, axis)


@mixed
def instance_norm(
    x: ArrayIn,
    /,
    *,
    scale: OptionalArray = None,
    offset: OptionalArray = None,
    eps: float = 1e-5,
    axis: int = 1,
    out: Out = None,
) -> Array:
    """Normalize each channel of each sample to mean zero and variance one.

    Parameters
    ----------
    x
        Array of real data type. Its first axis is that of the samples.
    scale
        Factors of the normalized values: an array of one axis with one for each channel.
    offset
        What is added after that, one number for each channel.
    eps
        What is added to the variance, to prevent a division by zero.
    axis
        Axis of the channels.

    Returns
    -------
    Array of x's shape, of the floating-point data type to which the arguments promote; integers
    give the default one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If an array doesn't have one number for each channel, the channels lie along the first axis,
        or a channel has fewer than two values.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    Ulyanov, Vedaldi and Lempitsky, "Instance Normalization", arXiv:1607.08022.

    Examples
    --------
    >>> unify.instance_norm(unify.array([[[1.0, 3.0], [10.0, 30.0]]]), eps=0.0)
    unify.array([[[-1.,  1.],
                  [-1.,  1.]]])
    """
    values, factors, offsets = _together("instance_norm", x=x, scale=scale, offset=offset)
    axis = check_batch("instance_norm", values.shape, axis)
    axes = tuple(a for a in range(1, values.ndim) if a != axis)
    _check_several("instance_norm", math.prod([values.shape[a] for a in axes]))
    return _scaled("instance_norm", _normalized(values, axes, eps)[0], factors, offsets, axis)


@compositional
def local_response_norm(
    x: ArrayIn,
    size: int,
    /,
    *,
    alpha: float = 1e-4,
    beta: float = 0.75,
    k: float = 1.0,
    axis: int = 1,
    out: Out = None,
) -> Array:
    """Divide by a power of the mean square of the neighbouring channels.

    Parameters
    ----------
    x
        Array of real data type.
    size
        Number of channels whose squares are added up, with ``size // 2`` of them before each one.
        Beyond the ends there are zeros.
    alpha
        Factor of their mean.
    beta
        Exponent.
    k
        What is added before the power is taken.
    axis
        Axis of the channels.

    Returns
    -------
    ``x / (k + alpha * mean)**beta``, an array of x's shape and floating-point data type. Integers
    and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If `size` is less than 1.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    PyTorch's ``local_response_norm``.

    Krizhevsky, Sutskever and Hinton, "ImageNet Classification with Deep Convolutional Neural
    Networks", 2012, section 3.3.

    Examples
    --------
    >>> x = unify.array([[3.0, 0.0, 4.0]])
    >>> unify.local_response_norm(x, 3, alpha=3.0, beta=0.5, k=0.0)
    unify.array([[1., 0., 1.]])
    """
    if size < 1:
        problem, remedy = f"is {size}", "pass one channel at least"
        raise_argument_error(UnifyValueError, "local_response_norm", "size", problem, remedy)
    x = real("local_response_norm", "x", x)
    xp, axis = x.__array_namespace__(), normalize_axis("local_response_norm", axis, x.ndim)
    widths = [(0, 0)] * x.ndim
    widths[axis] = (size // 2, (size - 1) // 2)
    squares = xp.moveaxis(xp.pad(x * x, tuple(widths)), axis, 0)
    channels = x.shape[axis]
    total = squares[:channels, ...]
    for i in range(1, size):
        total = total + squares[i : i + channels, ...]
    return x / (k + (alpha / size) * xp.moveaxis(total, 0, axis)) ** beta
