"""Contracts of the normalizations."""

from __future__ import annotations

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.axes import normalize_axes
from arrayapi_unify.binding import compositional, mixed
from arrayapi_unify.binding.annotations import ArrayIn, OptionalArray, Out
from arrayapi_unify.errors import UnifyValueError, raise_argument_error
from arrayapi_unify.functional._common import check_number, check_real, floating, floating_together

__all__ = ["clip_vector_norm", "l1_normalize", "l2_normalize", "layer_norm", "rms_norm"]


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
    >>> unify.clip_vector_norm(unify.array([3.0, 4.0]), 2.5)
    unify.array([1.5, 2. ])
    >>> unify.clip_vector_norm(unify.array([0.0, 0.0]), 2.5)
    unify.array([0., 0.])
    """
    if max_norm < 0:
        problem, remedy = f"is {max_norm}", "pass a norm that isn't negative"
        raise_argument_error(UnifyValueError, "clip_vector_norm", "max_norm", problem, remedy)
    check_number("clip_vector_norm", "p", p)
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
        raise_argument_error(
            UnifyValueError, function, "eps", f"is {eps}", "pass a positive number"
        )
    xp = x.__array_namespace__()
    norm = xp.linalg.vector_norm
    # The norm of zeros has no gradient: short vectors are replaced before it is taken again.
    short = norm(x, axis=axis, keepdims=True, ord=order) <= eps
    length = norm(xp.where(short, 1.0, x), axis=axis, keepdims=True, ord=order)
    return x / xp.where(short, eps, length)


@compositional
def l1_normalize(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    eps: float = 1e-12,
    out: Out = None,
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
    >>> unify.l1_normalize(unify.array([[-1.0, 3.0], [0.0, 0.0]]), axis=1)
    unify.array([[-0.25,  0.75],
                 [ 0.  ,  0.  ]])
    """
    return _of_length_one("l1_normalize", floating(x), 1, axis, eps)


@mixed
def l2_normalize(
    x: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    eps: float = 1e-12,
    out: Out = None,
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
    >>> unify.l2_normalize(unify.array([[3.0, 4.0], [0.0, 0.0]]), axis=1)
    unify.array([[0.6, 0.8],
                 [0. , 0. ]])
    """
    return _of_length_one("l2_normalize", floating(x), 2, axis, eps)


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
        What is added after that. It broadcasts with `x`.
    eps
        What is added to the variance, to prevent a division by zero.
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
    >>> unify.layer_norm(unify.array([[1.0, 3.0], [-2.0, 2.0]]), -1, eps=0.0, offset=1.0)
    unify.array([[0., 2.],
                 [0., 2.]])
    """
    check_real("layer_norm", "x", x)
    x = floating_together(*(array for array in (x, scale, offset) if array is not None))[0]
    xp = x.__array_namespace__()
    axes = normalize_axes("layer_norm", normalized_idxs, x.ndim, "normalized_idxs")
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
        What is added to the mean of the squares, to prevent a division by zero.

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
    >>> unify.rms_norm(unify.array([[1.0, 7.0], [0.0, 0.0]]), -1, eps=0.0625, scale=2.0)
    unify.array([[0.39950094, 2.79650655],
                 [0.        , 0.        ]])
    """
    check_real("rms_norm", "x", x)
    x = floating_together(*(array for array in (x, scale) if array is not None))[0]
    xp = x.__array_namespace__()
    axes = normalize_axes("rms_norm", normalized_idxs, x.ndim, "normalized_idxs")
    result = x / xp.sqrt(xp.mean(x * x, axis=axes, keepdims=True) + eps)
    return result if scale is None else result * scale
