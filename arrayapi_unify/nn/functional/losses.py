"""Loss functions: of classes and of numbers."""

from __future__ import annotations

import math
from typing import Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.checks.axes import normalize_axes, normalize_axis
from arrayapi_unify.binding import compositional, mixed
from arrayapi_unify.contracts.annotations import ArrayIn, OptionalReal, Out
from arrayapi_unify.errors import (
    raise_type_error,
    raise_value_error,
)
from arrayapi_unify.functional._common import (
    BodyArray,
    check_real,
    floating_together,
    is_number,
    real,
    unchecked,
)


@compositional
def binary_cross_entropy(
    true: ArrayIn,
    pred: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    epsilon: float = 1e-7,
    from_logits: bool = False,
    pos_weight: OptionalReal = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    out: Out = None,
) -> Array:
    """Binary cross entropy, ``-(true * log(pred) + (1 - true) * log(1 - pred))``.

    Parameters
    ----------
    true
        Array of the true probabilities, which lie between 0 and 1.
    pred
        Array of the predicted probabilities, or of their logits with `from_logits`. It broadcasts
        with `true`.
    axis
        Axis or axes to reduce. None reduces all.
    epsilon
        Probabilities are clipped to ``[epsilon, 1 - epsilon]``. Logits aren't clipped: their
        formula takes no logarithm of a small number.
    from_logits
        If True, `pred` contains logits.
    pos_weight
        Factor of the term with `true`.
    reduction
        ``"mean"`` or ``"sum"`` of the terms over `axis`, or ``"none"`` for the terms themselves.

    Returns
    -------
    Array of the floating-point data type to which the arguments promote; integers give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't broadcast, an axis is given twice, or `reduction` is something else.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    B5: compositional functions (docs/behaviours.md).

    Goodfellow, Bengio and Courville, "Deep Learning", 2016, section 3.13.

    Examples
    --------
    >>> true, logits = unify.array([1.0, 0.0]), unify.array([1000.0, 1000.0])
    >>> unify.nn.binary_cross_entropy(true, logits, from_logits=True, reduction="none")
    unify.array([   0., 1000.])
    """
    check_reduction("nn.binary_cross_entropy", reduction)
    weight = 1.0 if pos_weight is None else pos_weight
    t, p, weight = together("nn.binary_cross_entropy", true=true, pred=pred, pos_weight=weight)
    xp = p.__array_namespace__()
    if from_logits:
        # -log(sigmoid(x)) is softplus(-x), -log(1 - sigmoid(x)) is softplus(x).
        loss = weight * t * xp.nn.softplus(-p) + (1 - t) * xp.nn.softplus(p)
    else:
        p = xp.clip(p, epsilon, 1 - epsilon)
        loss = -(weight * t * xp.log(p) + (1 - t) * xp.log1p(-p))
    return reduced("nn.binary_cross_entropy", loss, reduction, axis)


@compositional
def cross_entropy(
    true: ArrayIn,
    pred: ArrayIn,
    /,
    *,
    axis: int = -1,
    epsilon: float = 1e-7,
    reduction: Literal["mean", "sum", "none"] = "mean",
    out: Out = None,
) -> Array:
    """Cross entropy of predicted and true probabilities, ``-true * log(pred)``.

    Parameters
    ----------
    true
        Array of the true probabilities.
    pred
        Array of the predicted probabilities; it broadcasts with `true`.
    axis
        Axis of the classes, which is reduced.
    epsilon
        `pred` is clipped to ``[epsilon, 1 - epsilon]``.
    reduction
        ``"mean"`` or ``"sum"`` of the terms along `axis`, or ``"none"`` for the terms themselves.

    Returns
    -------
    Array of the floating-point data type to which the arguments promote; integers give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't broadcast, or `reduction` is something else.
    UnifyIndexError
        If `axis` is out of bounds.

    References
    ----------
    B5: compositional functions (docs/behaviours.md).

    Goodfellow, Bengio and Courville, "Deep Learning", 2016, section 3.13.

    Examples
    --------
    >>> true, pred = unify.array([0.0, 1.0]), unify.array([0.5, 0.5])
    >>> unify.nn.cross_entropy(true, pred, reduction="sum") / unify.log(unify.array(2.0))
    unify.array(1.)
    """
    check_reduction("nn.cross_entropy", reduction)
    true, pred = together("nn.cross_entropy", true=true, pred=pred)
    xp = pred.__array_namespace__()
    loss = -(true * xp.log(xp.clip(pred, epsilon, 1 - epsilon)))
    return reduced("nn.cross_entropy", loss, reduction, axis)


@compositional
def hinge(
    true: ArrayIn,
    pred: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    out: Out = None,
) -> Array:
    """Hinge loss, ``max(0, 1 - true * pred)``.

    Parameters
    ----------
    true
        Array of the true classes, which are -1 and 1.
    pred
        Array of the predictions; it broadcasts with `true`.
    axis
        Axis or axes to reduce. None reduces all.
    reduction
        ``"mean"`` or ``"sum"`` of the terms over `axis`, or ``"none"`` for the terms themselves.

    Returns
    -------
    Array of the floating-point data type to which the arguments promote; integers give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't broadcast, an axis is given twice, or `reduction` is something else.
    UnifyIndexError
        If an axis is out of bounds.

    Notes
    -----
    The derivative where ``true * pred`` is 1 is zero.

    References
    ----------
    TensorFlow's ``tf.keras.losses.hinge``, which takes 0 for -1, too.

    Examples
    --------
    >>> true, pred = unify.array([1, -1, 1]), unify.array([2.0, 0.5, 0.25])
    >>> unify.nn.hinge(true, pred, reduction="none")
    unify.array([0.  , 1.5 , 0.75])
    """
    check_reduction("nn.hinge", reduction)
    t, p = together("nn.hinge", true=true, pred=pred)
    gap = 1 - t * p
    loss = gap.__array_namespace__().where(gap <= 0, 0.0, gap)
    return reduced("nn.hinge", loss, reduction, axis)


@compositional
def kl_div(
    true: ArrayIn,
    pred: ArrayIn,
    /,
    *,
    log_target: bool = False,
    axis: int | tuple[int, ...] | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    out: Out = None,
) -> Array:
    """Kullback-Leibler divergence, ``true * (log(true) - pred)``.

    The predictions are logarithms, as `log_softmax` gives them.

    Parameters
    ----------
    true
        Array of the true probabilities.
    pred
        Array of the logarithms of the predicted probabilities; it broadcasts with `true`.
    log_target
        If True, `true` contains logarithms as well.
    axis
        Axis or axes to reduce. None reduces all.
    reduction
        ``"mean"`` or ``"sum"`` of the terms over `axis`, or ``"none"`` for the terms themselves.

    Returns
    -------
    Array of the floating-point data type to which the arguments promote; integers give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't broadcast, an axis is given twice, or `reduction` is something else.
    UnifyIndexError
        If an axis is out of bounds.

    Notes
    -----
    A true probability of zero gives zero, whatever is predicted. The divergence of a batch of
    distributions is the ``"sum"`` over the axis of the classes; the mean of all terms divides by
    the number of classes, too.

    References
    ----------
    PyTorch's ``kl_div``, which takes the predictions first.

    Kullback and Leibler, "On Information and Sufficiency", 1951.

    Examples
    --------
    >>> true, pred = unify.array([0.0, 1.0]), unify.log(unify.array([0.5, 0.5]))
    >>> unify.nn.kl_div(true, pred, reduction="sum") / unify.log(unify.array(2.0))
    unify.array(1.)
    """
    check_reduction("nn.kl_div", reduction)
    t, p = together("nn.kl_div", true=true, pred=pred)
    xp = p.__array_namespace__()
    # Unselected elements are finite numbers, and so are their derivatives.
    none = t == (-math.inf if log_target else 0)
    filled = xp.where(none, 0.0 if log_target else 1.0, t)
    weight, logarithm = (xp.exp(filled), filled) if log_target else (filled, xp.log(filled))
    none = none & xp.logical_not(xp.isnan(p))
    loss = xp.where(none, 0.0, weight * (logarithm - p))
    return reduced("nn.kl_div", loss, reduction, axis)


@compositional
def sparse_cross_entropy(
    true: ArrayIn,
    pred: ArrayIn,
    /,
    *,
    axis: int = -1,
    epsilon: float = 1e-7,
    from_logits: bool = False,
    reduction: Literal["mean", "sum", "none"] = "mean",
    out: Out = None,
) -> Array:
    """Cross entropy of predictions and true classes: minus the logarithm of that class's share.

    Each sample gives one term. (`cross_entropy`, which takes probabilities, has one for each class,
    over which its mean is taken, too.)

    Parameters
    ----------
    true
        Array of integers, the true class of each sample. It has the shape of `pred` without the
        axis of the classes.
    pred
        Array of the predicted probabilities, or of their logits with `from_logits`.
    axis
        Axis of `pred` along which the classes lie.
    epsilon
        Probabilities are clipped to ``[epsilon, 1 - epsilon]``. Logits aren't clipped: the
        logarithm of their softmax is exact.
    from_logits
        If True, `pred` contains logits.
    reduction
        ``"mean"`` or ``"sum"`` of the terms of all samples, or ``"none"`` for the terms themselves.

    Returns
    -------
    Array of pred's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `true` isn't of an integer data type, or `pred` is complex.
    UnifyValueError
        If the shapes don't fit, there is no class, or `reduction` is something else.
    UnifyIndexError
        If `axis` is out of bounds.

    Notes
    -----
    A number that is no class, also a negative one, gives NaN.

    References
    ----------
    B5: compositional functions (docs/behaviours.md).

    Goodfellow, Bengio and Courville, "Deep Learning", 2016, section 6.2.

    Examples
    --------
    >>> true, logits = unify.array([1, 0]), unify.array([[0.0, 1000.0], [0.0, 1000.0]])
    >>> unify.nn.sparse_cross_entropy(true, logits, from_logits=True, reduction="none")
    unify.array([   0., 1000.])
    """
    name = "nn.sparse_cross_entropy"
    check_reduction(name, reduction)
    if true.dtype.kind not in "iu":
        problem = f"has data type {true.dtype}"
        remedy = "pass the class labels, an array of integers, as the first argument"
        raise_type_error(name, "true", problem, remedy)
    pred, axis = real(name, "pred", pred), normalize_axis(name, axis, pred.ndim)
    xp, classes = pred.__array_namespace__(), pred.shape[axis]
    samples = pred.shape[:axis] + pred.shape[axis + 1 :]
    if true.shape != samples or not classes:
        raise_value_error(
            name, "true", f"has the shape {true.shape}, but predictions have {pred.shape}",
            f"pass one class for each sample, of shape {samples}, and at least one class to choose",
        )  # fmt: skip
    if from_logits:
        pred = xp.nn.log_softmax(pred, axis=axis)
    wanted = xp.astype(true, xp.int64)
    place = xp.expand_dims(xp.clip(wanted, 0, classes - 1), axis=axis)
    share = xp.squeeze(unchecked(xp.take_along_axis, pred, place, axis=axis), axis=axis)
    logs = share if from_logits else xp.log(xp.clip(share, epsilon, 1 - epsilon))
    # A difference, so that the loss of a sure prediction is no negative zero.
    known = xp.logical_and(xp.greater_equal(wanted, 0), xp.less(wanted, classes))
    terms = xp.where(known, 0 - logs, math.nan)
    return reduced(name, terms, reduction, None)


@compositional
def cosine_similarity(
    x1: ArrayIn, x2: ArrayIn, /, *, axis: int = -1, epsilon: float = 1e-8, out: Out = None
) -> Array:
    """Cosine of the angle between vectors: their product, divided by their lengths.

    Parameters
    ----------
    x1
        Array of real data type with at least one axis.
    x2
        Array that broadcasts with `x1`.
    axis
        Axis along which a vector lies, counted in the shape to which both broadcast.
    epsilon
        Lengths that are smaller are taken for this one, to prevent a division by zero.

    Returns
    -------
    Array without the axis, of the floating-point data type to which the arguments promote; integers
    give the default one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyIndexError
        If `axis` is out of bounds.

    Notes
    -----
    As in `linalg.vecdot`, the last axis is the usual one; PyTorch's is the second.

    References
    ----------
    PyTorch's ``cosine_similarity``.

    Examples
    --------
    >>> unify.nn.cosine_similarity(unify.array([[3.0, 4.0], [0.0, 0.0]]), unify.array([3.0, -4.0]))
    unify.array([-0.28,  0.  ])
    """
    first, second = together("nn.cosine_similarity", x1=x1, x2=x2)
    xp = first.__array_namespace__()
    product = first * second
    axis = normalize_axis("nn.cosine_similarity", axis, product.ndim) - product.ndim

    def length(x: Array) -> Array:
        # The root of zero has no derivative: short vectors are replaced before it is taken.
        squares = xp.sum(xp.broadcast_to(x * x, product.shape), axis=axis)
        return xp.sqrt(xp.where(squares <= epsilon * epsilon, epsilon * epsilon, squares))

    return xp.sum(product, axis=axis) / (length(first) * length(second))


@mixed
def huber(
    true: ArrayIn,
    pred: ArrayIn,
    /,
    *,
    delta: float = 1.0,
    axis: int | tuple[int, ...] | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    out: Out = None,
) -> Array:
    """Loss of Huber: half the squared difference, a straight line beyond `delta`.

    Parameters
    ----------
    true
        Array of the true values.
    pred
        Array of the predictions; it broadcasts with `true`.
    delta
        Differences above this count as ``delta * (abs(true - pred) - delta / 2)``. It is positive.
    axis
        Axis or axes to reduce. None reduces all.
    reduction
        ``"mean"`` or ``"sum"`` of the terms over `axis`, or ``"none"`` for the terms themselves.

    Returns
    -------
    Array of the floating-point data type to which the arguments promote; integers give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't broadcast, an axis is given twice, `reduction` is something else, or
        `delta` isn't positive.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    PyTorch's ``huber_loss``.

    Huber, "Robust Estimation of a Location Parameter", 1964.

    Examples
    --------
    >>> true, pred = unify.array([1.0, 2.0]), unify.array([1.5, -2.0])
    >>> unify.nn.huber(true, pred, reduction="none")
    unify.array([0.125, 3.5  ])
    """
    check_reduction("nn.huber", reduction)
    if not 0 < delta < math.inf:
        problem, remedy = f"is {delta}", "pass a positive number"
        raise_value_error("nn.huber", "delta", problem, remedy)
    t, p = together("nn.huber", true=true, pred=pred)
    loss = _rounded_off(t - p, delta) * delta
    return reduced("nn.huber", loss, reduction, axis)


@mixed
def mae(
    true: ArrayIn,
    pred: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    out: Out = None,
) -> Array:
    """Mean absolute error: differences without their sign.

    Parameters
    ----------
    true
        Array of the true values.
    pred
        Array of the predictions; it broadcasts with `true`.
    axis
        Axis or axes to reduce. None reduces all.
    reduction
        ``"mean"`` or ``"sum"`` of the terms over `axis`, or ``"none"`` for the terms themselves.

    Returns
    -------
    Array of the floating-point data type to which the arguments promote; integers give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't broadcast, an axis is given twice, or `reduction` is something else.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    PyTorch's ``l1_loss``.

    Examples
    --------
    >>> true, pred = unify.array([1.0, 2.0]), unify.array([1.5, -2.0])
    >>> unify.nn.mae(true, pred, reduction="none")
    unify.array([0.5, 4. ])
    """
    check_reduction("nn.mae", reduction)
    t, p = together("nn.mae", true=true, pred=pred)
    loss = _absolute(t - p)
    return reduced("nn.mae", loss, reduction, axis)


@mixed
def mse(
    true: ArrayIn,
    pred: ArrayIn,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    out: Out = None,
) -> Array:
    """Mean squared error: the squares of the differences.

    Parameters
    ----------
    true
        Array of the true values.
    pred
        Array of the predictions; it broadcasts with `true`.
    axis
        Axis or axes to reduce. None reduces all.
    reduction
        ``"mean"`` or ``"sum"`` of the terms over `axis`, or ``"none"`` for the terms themselves.

    Returns
    -------
    Array of the floating-point data type to which the arguments promote; integers give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't broadcast, an axis is given twice, or `reduction` is something else.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    PyTorch's ``mse_loss``.

    Examples
    --------
    >>> true, pred = unify.array([1.0, 2.0]), unify.array([1.5, -2.0])
    >>> unify.nn.mse(true, pred, reduction="none")
    unify.array([ 0.25, 16.  ])
    """
    check_reduction("nn.mse", reduction)
    t, p = together("nn.mse", true=true, pred=pred)
    loss = t.__array_namespace__().square(t - p)
    return reduced("nn.mse", loss, reduction, axis)


@mixed
def poisson_nll(
    true: ArrayIn,
    pred: ArrayIn,
    /,
    *,
    log_input: bool = True,
    full: bool = False,
    epsilon: float = 1e-8,
    axis: int | tuple[int, ...] | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    out: Out = None,
) -> Array:
    """Negative logarithm of the likelihood of counts under Poisson distributions.

    Parameters
    ----------
    true
        Array of the true values.
    pred
        Array of the predictions; it broadcasts with `true`.
    log_input
        If True, `pred` contains logarithms of the expected counts, for which the loss is
        ``exp(pred) - true * pred``, or the counts, for which it is
        ``pred - true * log(pred + epsilon)``.
    full
        If True, add Stirling's approximation of ``log(true!)``, for counts above 1.
    epsilon
        Number added to expected counts, to prevent the logarithm of zero.
    axis
        Axis or axes to reduce. None reduces all.
    reduction
        ``"mean"`` or ``"sum"`` of the terms over `axis`, or ``"none"`` for the terms themselves.

    Returns
    -------
    Array of the floating-point data type to which the arguments promote; integers give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't broadcast, an axis is given twice, or `reduction` is something else.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    PyTorch's ``poisson_nll_loss``.

    Examples
    --------
    >>> true, pred = unify.array([1.0, 3.0]), unify.array([1.0, 2.0])
    >>> loss = unify.nn.poisson_nll(true, pred, log_input=False, reduction="none")
    >>> unify.round(loss * 1e6)
    unify.array([1000000.,  -79442.])
    """
    check_reduction("nn.poisson_nll", reduction)
    t, p = together("nn.poisson_nll", true=true, pred=pred)
    xp = p.__array_namespace__()
    loss = xp.exp(p) - t * p if log_input else p - t * xp.log(p + epsilon)
    if full:
        many = t > 1
        count = xp.where(many, t, 1.0)
        stirling = count * xp.log(count) - count + xp.log(2 * math.pi * count) / 2
        loss = loss + xp.where(many, stirling, 0.0)
    return reduced("nn.poisson_nll", loss, reduction, axis)


def _absolute(difference: Array) -> Array:
    """Return the absolute difference; its derivative at zero is zero, which JAX's isn't."""
    xp = difference.__array_namespace__()
    return xp.where(difference == 0, 0.0, xp.abs(difference))


def _rounded_off(difference: Array, width: float) -> Array:
    """Return the absolute difference, less half of the width, with a parabola within it."""
    xp = difference.__array_namespace__()
    size = xp.abs(difference)
    near = size <= width
    bowl = xp.where(near, difference, 0.0)
    return xp.where(near, bowl * bowl / (2 * width), size - width / 2)


@mixed
def smooth_l1(
    true: ArrayIn,
    pred: ArrayIn,
    /,
    *,
    beta: float = 1.0,
    axis: int | tuple[int, ...] | None = None,
    reduction: Literal["mean", "sum", "none"] = "mean",
    out: Out = None,
) -> Array:
    """Absolute difference, with a parabola in place of the bend at zero.

    Parameters
    ----------
    true
        Array of the true values.
    pred
        Array of the predictions; it broadcasts with `true`.
    beta
        Differences below this count as ``(true - pred)**2 / (2 * beta)``, larger ones as
        ``abs(true - pred) - beta / 2``. It isn't negative; zero gives the absolute difference.
    axis
        Axis or axes to reduce. None reduces all.
    reduction
        ``"mean"`` or ``"sum"`` of the terms over `axis`, or ``"none"`` for the terms themselves.

    Returns
    -------
    Array of the floating-point data type to which the arguments promote; integers give the default
    one.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't broadcast, an axis is given twice, `reduction` is something else, or
        `beta` is negative.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    PyTorch's ``smooth_l1_loss``.

    Examples
    --------
    >>> true, pred = unify.array([1.0, 2.0]), unify.array([1.5, -2.0])
    >>> unify.nn.smooth_l1(true, pred, reduction="none")
    unify.array([0.125, 3.5  ])
    """
    check_reduction("nn.smooth_l1", reduction)
    if not 0 <= beta < math.inf:
        problem, remedy = f"is {beta}", "pass zero or a positive number"
        raise_value_error("nn.smooth_l1", "beta", problem, remedy)
    t, p = together("nn.smooth_l1", true=true, pred=pred)
    difference = t - p
    loss = _rounded_off(difference, beta) if beta else _absolute(difference)
    return reduced("nn.smooth_l1", loss, reduction, axis)


def check_reduction(function: str, reduction: str) -> None:
    """Raise for a word that names no reduction."""
    if reduction not in ("mean", "sum", "none"):
        raise_value_error(
            function, "reduction", f"is {reduction!r}", "pass 'mean', 'sum' or 'none'"
        )


def together(function: str, **given: BodyArray) -> list[BodyArray]:
    """Return arrays in the real floating-point data type to which they promote, numbers as such."""
    arrays = {name: value for name, value in given.items() if not is_number(value)}
    for name, array in arrays.items():
        check_real(function, name, array)
    converted = dict(zip(arrays, floating_together(*arrays.values()), strict=True))
    return [converted.get(name, value) for name, value in given.items()]


def reduced(
    function: str, loss: Array, reduction: str, axis: int | tuple[int, ...] | None
) -> Array:
    """Reduce the terms of a loss over axes, as a word says."""
    xp = loss.__array_namespace__()
    if reduction == "none":
        normalize_axes(function, axis, loss.ndim)
        return loss
    reduce = xp.sum if reduction == "sum" else xp.mean
    return reduce(loss, axis=axis)
