"""Normalizations: along axes, and of channels."""

from __future__ import annotations

import math
from typing import NamedTuple

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.batch_norm import (
    for_samples,
    renewed,
    scaled,
    standardized,
)
from arrayapi_unify.backends._common.checks.axes import normalize_axes, normalize_axis
from arrayapi_unify.backends._common.checks.nn import check_batch, check_groups
from arrayapi_unify.binding import compositional, mixed
from arrayapi_unify.contracts.annotations import ArrayIn, OptionalArray, Out
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.functional._common import (
    BodyArray,
    check_number,
    check_real,
    floating,
    floating_together,
    real,
)


@compositional
def clip_vector_norm(
    x: ArrayIn,
    max_norm: float,
    /,
    *,
    p: float = 2.0,
    axis: int | tuple[int, ...] | None = None,
    out: Out = None,
) -> Array:
    """Scale vectors down so that their norm doesn't exceed a limit.

    Vectors whose norm is smaller stay as they are.

    Parameters
    ----------
    x
        Array of any shape and numeric data type.
    max_norm
        The largest norm of a result. It isn't negative.
    p
        Order of the norm: any that `linalg.vector_norm` takes.
    axis
        Axis or axes along which a vector lies. None takes the whole array as one vector.

    Returns
    -------
    Array of x's shape and floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyValueError
        If `max_norm` is negative, or an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    Pascanu, Mikolov and Bengio, "On the Difficulty of Training Recurrent Neural Networks",
    arXiv:1211.5063.

    Examples
    --------
    >>> unify.nn.clip_vector_norm(unify.array([3.0, 4.0]), 2.5)
    unify.array([1.5, 2. ])
    >>> unify.nn.clip_vector_norm(unify.array([0.0, 0.0]), 2.5)
    unify.array([0., 0.])
    """
    if max_norm < 0:
        problem, remedy = f"is {max_norm}", "pass a norm that isn't negative"
        raise_value_error("nn.clip_vector_norm", "max_norm", problem, remedy)
    check_number("nn.clip_vector_norm", "p", p)
    x = floating(x)
    xp = x.__array_namespace__()
    longer = xp.linalg.vector_norm(x, axis=axis, keepdims=True, ord=p) > max_norm
    # The norm of zeros has no gradient: vectors that stay are replaced before it is taken again.
    vectors = xp.where(longer, x, 1.0)
    norm = xp.linalg.vector_norm(vectors, axis=axis, keepdims=True, ord=p)
    return xp.where(longer, x * (max_norm / norm), x)


def _of_length_one(
    function: str, x: Array, order: int, axis: int | tuple[int, ...] | None, eps: float
) -> Array:
    """Divide vectors by their norm; those that are shorter than `eps` by that."""
    if not eps > 0:
        raise_value_error(function, "eps", f"is {eps}", "pass a positive number")
    xp = x.__array_namespace__()
    norm = xp.linalg.vector_norm
    # The norm of zeros has no gradient: short vectors are replaced before it is taken again.
    short = norm(x, axis=axis, keepdims=True, ord=order) <= eps
    length = norm(xp.where(short, 1.0, x), axis=axis, keepdims=True, ord=order)
    return x / xp.where(short, eps, length)


@compositional
def l1_normalize(
    x: ArrayIn, /, *, axis: int | tuple[int, ...] | None = None, eps: float = 1e-12, out: Out = None
) -> Array:
    """Divide vectors by the sum of their absolute values.

    Parameters
    ----------
    x
        Array of any shape and numeric data type.
    axis
        Axis or axes along which a vector lies. None takes the whole array as one vector.
    eps
        Vectors that are shorter are divided by this number. It is positive.

    Returns
    -------
    Array of x's shape and floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyValueError
        If an axis is given twice, or `eps` isn't positive.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    PyTorch's ``normalize``, with ``p=1``.

    Examples
    --------
    >>> unify.nn.l1_normalize(unify.array([[-1.0, 3.0], [0.0, 0.0]]), axis=1)
    unify.array([[-0.25,  0.75],
                 [ 0.  ,  0.  ]])
    """
    return _of_length_one("nn.l1_normalize", floating(x), 1, axis, eps)


@mixed
def l2_normalize(
    x: ArrayIn, /, *, axis: int | tuple[int, ...] | None = None, eps: float = 1e-12, out: Out = None
) -> Array:
    """Divide vectors by their length.

    Parameters
    ----------
    x
        Array of any shape and numeric data type.
    axis
        Axis or axes along which a vector lies. None takes the whole array as one vector.
    eps
        Vectors that are shorter are divided by this number. It is positive.

    Returns
    -------
    Array of x's shape and floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyValueError
        If an axis is given twice, or `eps` isn't positive.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    PyTorch's ``normalize``.

    Examples
    --------
    >>> unify.nn.l2_normalize(unify.array([[3.0, 4.0], [0.0, 0.0]]), axis=1)
    unify.array([[0.6, 0.8],
                 [0. , 0. ]])
    """
    return _of_length_one("nn.l2_normalize", floating(x), 2, axis, eps)


@mixed
def layer_norm(
    x: ArrayIn,
    normalized_idxs: int | tuple[int, ...],
    /,
    *,
    scale: OptionalArray = None,
    offset: OptionalArray = None,
    eps: float = 1e-5,
    new_std: float = 1.0,
    out: Out = None,
) -> Array:
    """Shift and scale values to mean zero and a given standard deviation over some axes.

    Parameters
    ----------
    x
        Array of real data type with at least one axis.
    normalized_idxs
        Axis or axes over which mean and variance are computed.
    scale
        Factor of the normalized values. It broadcasts with `x`.
    offset
        Offset added after that. It broadcasts with `x`.
    eps
        Number added to the variance, to prevent a division by zero.
    new_std
        Standard deviation of the normalized values, before `scale`.

    Returns
    -------
    ``(x - mean) / sqrt(var + eps) * new_std * scale + offset``, of the floating-point data type to
    which the arguments promote; integers give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If the shapes don't broadcast, or an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    Ba, Kiros and Hinton, "Layer Normalization", arXiv:1607.06450.

    Examples
    --------
    >>> unify.nn.layer_norm(unify.array([[1.0, 3.0], [-2.0, 2.0]]), -1, eps=0.0, offset=1.0)
    unify.array([[0., 2.],
                 [0., 2.]])
    """
    check_real("nn.layer_norm", "x", x)
    x = floating_together(*(array for array in (x, scale, offset) if array is not None))[0]
    xp = x.__array_namespace__()
    axes = normalize_axes("nn.layer_norm", normalized_idxs, x.ndim, "normalized_idxs")
    centred = x - xp.mean(x, axis=axes, keepdims=True)
    variance = xp.mean(centred * centred, axis=axes, keepdims=True)
    result = centred / xp.sqrt(variance + eps)
    if new_std != 1:
        result = result * new_std
    if scale is not None:
        result = result * scale
    return result if offset is None else result + offset


@mixed
def rms_norm(
    x: ArrayIn,
    normalized_idxs: int | tuple[int, ...],
    /,
    *,
    scale: OptionalArray = None,
    eps: float = 1e-5,
    out: Out = None,
) -> Array:
    """Divide values by the root of their mean square over some axes.

    Parameters
    ----------
    x
        Array of real data type with at least one axis.
    normalized_idxs
        Axis or axes over which the mean of the squares is taken.
    scale
        Factor of the result. It broadcasts with `x`.
    eps
        Number added to the mean of the squares, to prevent a division by zero.

    Returns
    -------
    ``x / sqrt(mean(x**2) + eps) * scale``, of the floating-point data type to which the arguments
    promote; integers give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyValueError
        If the shapes don't broadcast, or an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    Zhang and Sennrich, "Root Mean Square Layer Normalization", arXiv:1910.07467.

    Examples
    --------
    >>> unify.nn.rms_norm(unify.array([[1.0, 7.0], [0.0, 0.0]]), -1, eps=0.0625, scale=2.0)
    unify.array([[0.39950094, 2.79650655],
                 [0.        , 0.        ]])
    """
    check_real("nn.rms_norm", "x", x)
    x = floating_together(*(array for array in (x, scale) if array is not None))[0]
    xp = x.__array_namespace__()
    axes = normalize_axes("nn.rms_norm", normalized_idxs, x.ndim, "normalized_idxs")
    result = x / xp.sqrt(xp.mean(x * x, axis=axes, keepdims=True) + eps)
    return result if scale is None else result * scale


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
    xp, shape = x.__array_namespace__(), x.shape
    if scale is not None:
        x = x * for_samples(xp, along_channels(function, "scale", scale, shape, axis), shape, axis)
    if offset is not None:
        x = x + for_samples(
            xp, along_channels(function, "offset", offset, shape, axis), shape, axis
        )
    return x


def _check_several(function: str, count: int) -> None:
    """Refuse to normalize single values: what is left of them is zero."""
    if count < 2:
        raise_value_error(
            function, "x", f"has {count} values to take the mean and variance of",
            "pass an array that has two at least",
        )  # fmt: skip


def _normalized(x: Array, axes: tuple[int, ...], eps: float) -> Array:
    """Return x with mean zero and variance one over some axes."""
    xp = x.__array_namespace__()
    centred = x - xp.mean(x, axis=axes, keepdims=True)
    return centred / xp.sqrt(xp.mean(centred * centred, axis=axes, keepdims=True) + eps)


@mixed
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
        Offset added after that, one number for each channel.
    training
        If True, normalize by the mean and variance of this batch, and update the running ones.
    momentum
        Share of the batch in the new running mean and variance.
    eps
        Number added to the variance, to prevent a division by zero.
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
    >>> found = unify.nn.batch_norm(x, mean, variance, training=True, momentum=0.5, eps=0.0)
    >>> found.output
    unify.array([[-1.],
                 [ 1.]])
    >>> found.mean, found.variance
    (unify.array([1.]), unify.array([1.5]))
    """
    name = "nn.batch_norm"
    values, usual, spread, factors, offsets = _together(
        name, x=x, mean=mean, variance=variance, scale=scale, offset=offset
    )
    xp, shape = values.__array_namespace__(), values.shape
    axis = normalize_axis(name, axis, len(shape))
    centre, width, factors, offsets = (
        None if given is None else along_channels(name, argument, given, shape, axis)
        for argument, given in (
            ("mean", usual), ("variance", spread), ("scale", factors), ("offset", offsets)
        )
    )  # fmt: skip
    if not training:
        output = scaled(xp, values - centre, width, factors, offsets, eps, axis)
        usual, spread = (xp.asarray(array, copy=True) for array in (usual, spread))
        return BatchNormResult(output, usual, spread)
    count = math.prod([*shape[:axis], *shape[axis + 1 :]])
    _check_several(name, count)
    output, *found = standardized(xp, values, axis, factors, offsets, eps)
    flat = [xp.reshape(part, usual.shape) for part in found]
    return BatchNormResult(output, *renewed((usual, spread), flat, momentum, count))


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
        Offset added after that, one number for each channel.
    eps
        Number added to the variance, to prevent a division by zero.
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
    >>> unify.nn.group_norm(x, 2, eps=0.0)
    unify.array([[-1.,  1., -1.,  1.]])
    """
    x, scale, offset = _together("nn.group_norm", x=x, scale=scale, offset=offset)
    xp = x.__array_namespace__()
    axis, size = check_groups(x.shape, num_groups, axis)
    moved = xp.moveaxis(x, axis, 1)
    count = size * math.prod(moved.shape[2:])
    _check_several("nn.group_norm", count)
    rows = xp.reshape(moved, (moved.shape[0], num_groups, count))
    output = xp.moveaxis(xp.reshape(_normalized(rows, (2,), eps), moved.shape), 1, axis)
    return _scaled("nn.group_norm", output, scale, offset, axis)


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
        Offset added after that, one number for each channel.
    eps
        Number added to the variance, to prevent a division by zero.
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
    >>> unify.nn.instance_norm(unify.array([[[1.0, 3.0], [10.0, 30.0]]]), eps=0.0)
    unify.array([[[-1.,  1.],
                  [-1.,  1.]]])
    """
    values, factors, offsets = _together("nn.instance_norm", x=x, scale=scale, offset=offset)
    axis = check_batch("nn.instance_norm", values.shape, axis)
    axes = tuple(a for a in range(1, values.ndim) if a != axis)
    _check_several("nn.instance_norm", math.prod([values.shape[a] for a in axes]))
    return _scaled("nn.instance_norm", _normalized(values, axes, eps), factors, offsets, axis)


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
        Number added before the power.
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
    >>> unify.nn.local_response_norm(x, 3, alpha=3.0, beta=0.5, k=0.0)
    unify.array([[1., 0., 1.]])
    """
    if size < 1:
        problem, remedy = f"is {size}", "pass one channel at least"
        raise_value_error("nn.local_response_norm", "size", problem, remedy)
    x = real("nn.local_response_norm", "x", x)
    xp, axis = x.__array_namespace__(), normalize_axis("nn.local_response_norm", axis, x.ndim)
    widths = [(0, 0)] * x.ndim
    widths[axis] = (size // 2, (size - 1) // 2)
    squares = xp.moveaxis(xp.pad(x * x, tuple(widths)), axis, 0)
    channels = x.shape[axis]
    total = squares[:channels, ...]
    for i in range(1, size):
        total = total + squares[i : i + channels, ...]
    return x / (k + (alpha / size) * xp.moveaxis(total, 0, axis)) ** beta


def along_channels(
    function: str, name: str, numbers: BodyArray, shape: tuple[int, ...], axis: int
) -> Array:
    """Give an array of one axis the shape in which it broadcasts along the axis of the channels."""
    axis = normalize_axis(function, axis, len(shape))
    if numbers.shape != (shape[axis],):
        raise_value_error(
            function, name,
            f"has the shape {numbers.shape}, where there are {shape[axis]} channels along axis "
            f"{axis}",
            f"pass an array of shape ({shape[axis]},)",
        )  # fmt: skip
    wanted = (1,) * axis + (-1,) + (1,) * (len(shape) - axis - 1)
    return numbers.__array_namespace__().reshape(numbers, wanted)
