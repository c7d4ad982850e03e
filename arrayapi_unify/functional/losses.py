"""Contracts of the loss functions."""

from __future__ import annotations

from typing import Literal

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.axes import normalize_axes
from arrayapi_unify.binding import compositional
from arrayapi_unify.binding.roles import ArrayIn, OptionalReal, Out
from arrayapi_unify.errors import UnifyValueError, refuse
from arrayapi_unify.functional._bodies import Given, check_real, floating_together

__all__ = ["binary_cross_entropy", "cross_entropy"]


def _check_reduction(function: str, reduction: str) -> None:
    if reduction not in ("mean", "sum", "none"):
        refuse(
            UnifyValueError, function, "reduction", f"is {reduction!r}",
            "pass 'mean', 'sum' or 'none'",
        )  # fmt: skip


def _together(function: str, **given: Given) -> list[Given]:
    """Return arrays in the real floating-point data type to which they promote, numbers as such."""
    arrays = {name: value for name, value in given.items() if isinstance(value, Array)}
    for name, array in arrays.items():
        check_real(function, name, array)
    converted = dict(zip(arrays, floating_together(*arrays.values()), strict=True))
    return [converted.get(name, value) for name, value in given.items()]


def _reduced(
    function: str, loss: Array, reduction: str, axis: int | tuple[int, ...] | None
) -> Array:
    xp = loss.__array_namespace__()
    if reduction == "none":
        normalize_axes(function, axis, loss.ndim)
        return loss
    reduce = xp.sum if reduction == "sum" else xp.mean
    return reduce(loss, axis=axis)


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
    Behaviour 5 (docs/behaviours.md).

    Goodfellow, Bengio and Courville, "Deep Learning", 2016, section 3.13.

    Examples
    --------
    >>> true, logits = unify.array([1.0, 0.0]), unify.array([1000.0, 1000.0])
    >>> unify.binary_cross_entropy(true, logits, from_logits=True, reduction="none")
    unify.array([   0., 1000.])
    """
    _check_reduction("binary_cross_entropy", reduction)
    weight = 1.0 if pos_weight is None else pos_weight
    t, p, weight = _together("binary_cross_entropy", true=true, pred=pred, pos_weight=weight)
    xp = p.__array_namespace__()
    if from_logits:
        # -log(sigmoid(x)) is softplus(-x), -log(1 - sigmoid(x)) is softplus(x).
        loss = weight * t * xp.softplus(-p) + (1 - t) * xp.softplus(p)
    else:
        p = xp.clip(p, epsilon, 1 - epsilon)
        loss = -(weight * t * xp.log(p) + (1 - t) * xp.log1p(-p))
    return _reduced("binary_cross_entropy", loss, reduction, axis)


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
    Behaviour 5 (docs/behaviours.md).

    Goodfellow, Bengio and Courville, "Deep Learning", 2016, section 3.13.

    Examples
    --------
    >>> true, pred = unify.array([0.0, 1.0]), unify.array([0.5, 0.5])
    >>> unify.cross_entropy(true, pred, reduction="sum") / unify.log(unify.array(2.0))
    unify.array(1.)
    """
    _check_reduction("cross_entropy", reduction)
    true, pred = _together("cross_entropy", true=true, pred=pred)
    xp = pred.__array_namespace__()
    loss = -(true * xp.log(xp.clip(pred, epsilon, 1 - epsilon)))
    return _reduced("cross_entropy", loss, reduction, axis)
