"""Contracts of the losses of probabilities and classes.

There is no `ctc`: NumPy and JAX have none, and those of PyTorch and TensorFlow differ.
"""

from __future__ import annotations

import math
from typing import Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.axes import normalize_axis
from arrayapi_unify.binding import compositional
from arrayapi_unify.binding.annotations import ArrayIn, OptionalReal, Out
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError, raise_argument_error
from arrayapi_unify.functional._common import real
from arrayapi_unify.functional._losses import check_reduction, reduced, together

__all__ = ["binary_cross_entropy", "cross_entropy", "hinge", "kl_div", "sparse_cross_entropy"]


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
        Whether `pred` holds logits.
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
    >>> unify.binary_cross_entropy(true, logits, from_logits=True, reduction="none")
    unify.array([   0., 1000.])
    """
    check_reduction("binary_cross_entropy", reduction)
    weight = 1.0 if pos_weight is None else pos_weight
    t, p, weight = together("binary_cross_entropy", true=true, pred=pred, pos_weight=weight)
    xp = p.__array_namespace__()
    if from_logits:
        # -log(sigmoid(x)) is softplus(-x), -log(1 - sigmoid(x)) is softplus(x).
        loss = weight * t * xp.softplus(-p) + (1 - t) * xp.softplus(p)
    else:
        p = xp.clip(p, epsilon, 1 - epsilon)
        loss = -(weight * t * xp.log(p) + (1 - t) * xp.log1p(-p))
    return reduced("binary_cross_entropy", loss, reduction, axis)


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
    >>> unify.cross_entropy(true, pred, reduction="sum") / unify.log(unify.array(2.0))
    unify.array(1.)
    """
    check_reduction("cross_entropy", reduction)
    true, pred = together("cross_entropy", true=true, pred=pred)
    xp = pred.__array_namespace__()
    loss = -(true * xp.log(xp.clip(pred, epsilon, 1 - epsilon)))
    return reduced("cross_entropy", loss, reduction, axis)


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
    >>> unify.hinge(true, pred, reduction="none")
    unify.array([0.  , 1.5 , 0.75])
    """
    check_reduction("hinge", reduction)
    t, p = together("hinge", true=true, pred=pred)
    gap = 1 - t * p
    loss = gap.__array_namespace__().where(gap <= 0, 0.0, gap)
    return reduced("hinge", loss, reduction, axis)


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
        Whether `true` holds logarithms as well.
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
    >>> unify.kl_div(true, pred, reduction="sum") / unify.log(unify.array(2.0))
    unify.array(1.)
    """
    check_reduction("kl_div", reduction)
    t, p = together("kl_div", true=true, pred=pred)
    xp = p.__array_namespace__()
    # Unselected elements are finite numbers, and so are their derivatives.
    none = t == (-math.inf if log_target else 0)
    filled = xp.where(none, 0.0 if log_target else 1.0, t)
    weight, logarithm = (xp.exp(filled), filled) if log_target else (filled, xp.log(filled))
    none = none & xp.logical_not(xp.isnan(p))
    loss = xp.where(none, 0.0, weight * (logarithm - p))
    return reduced("kl_div", loss, reduction, axis)


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
        Whether `pred` holds logits.
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
    >>> unify.sparse_cross_entropy(true, logits, from_logits=True, reduction="none")
    unify.array([   0., 1000.])
    """
    name = "sparse_cross_entropy"
    check_reduction(name, reduction)
    if true.dtype.kind not in "iu":
        problem, remedy = f"has data type {true.dtype}", "pass an array of integers"
        raise_argument_error(UnifyTypeError, name, "true", problem, remedy)
    pred, axis = real(name, "pred", pred), normalize_axis(name, axis, pred.ndim)
    xp, classes = pred.__array_namespace__(), pred.shape[axis]
    samples = pred.shape[:axis] + pred.shape[axis + 1 :]
    if true.shape != samples or not classes:
        raise_argument_error(
            UnifyValueError, name, "true",
            f"has the shape {true.shape} beside predictions of shape {pred.shape}",
            f"pass one class for each sample, of shape {samples}, and at least one class to choose",
        )  # fmt: skip
    if from_logits:
        pred = xp.log_softmax(pred, axis=axis)
    wanted = xp.astype(true, xp.int64)
    place = xp.expand_dims(xp.clip(wanted, 0, classes - 1), axis=axis)
    share = xp.squeeze(xp.take_along_axis(pred, place, axis=axis), axis=axis)
    logs = share if from_logits else xp.log(xp.clip(share, epsilon, 1 - epsilon))
    # A difference, so that the loss of a sure prediction is no negative zero.
    known = xp.logical_and(xp.greater_equal(wanted, 0), xp.less(wanted, classes))
    terms = xp.where(known, 0 - logs, math.nan)
    return reduced(name, terms, reduction, None)
