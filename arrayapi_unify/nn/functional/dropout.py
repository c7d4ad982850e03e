"""Contracts of noise by which models are trained."""

from __future__ import annotations

from collections.abc import Sequence

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional
from arrayapi_unify.contracts.annotations import ArrayIn, Out
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.functional._common import check_number, floating


@compositional
def dropout(
    x: ArrayIn,
    key: ArrayIn,
    /,
    rate: float = 0.5,
    *,
    noise_shape: Sequence[int] | None = None,
    training: bool = True,
    out: Out = None,
) -> Array:
    """Make some elements zero, and scale the others so that the mean stays what it is.

    Nothing is remembered: the same key drops the same elements, on every backend.

    Parameters
    ----------
    x
        Array of any shape.
    key
        Key of `random.key`, of which `random.split` makes others for other calls.
    rate
        Probability that an element becomes zero.
    noise_shape
        Shape of what is decided, which broadcasts to that of x: of ``(batch, 1, channels)``, whole
        channels are dropped. By default it is decided for each element.
    training
        If False, the result is x.

    Returns
    -------
    Array of x's shape and floating-point data type; integers give the default one.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, or the rate no number.
    UnifyValueError
        If the rate isn't between 0 and 1, or `noise_shape` doesn't broadcast to the shape of x.

    References
    ----------
    Srivastava et al., "Dropout: A Simple Way to Prevent Neural Networks from Overfitting", 2014.

    Examples
    --------
    >>> unify.nn.dropout(unify.ones(6), unify.random.key(7), 0.5)
    unify.array([0., 2., 2., 2., 2., 0.])
    """
    xp = x.__array_namespace__()
    check_number("nn.dropout", "rate", rate)
    if not 0 <= rate <= 1:
        raise_value_error("nn.dropout", "rate", f"is {rate}", "pass a number from 0 to 1")
    shape = x.shape if noise_shape is None else tuple(noise_shape)
    if len(shape) != x.ndim or any(a not in (1, b) for a, b in zip(shape, x.shape, strict=True)):
        raise_value_error(
            "nn.dropout", "noise_shape", f"is {shape}, x has shape {x.shape}",
            "pass the sizes of x, or 1 where they are to be alike",
        )  # fmt: skip
    x = floating(x)
    kept = xp.random.bernoulli(key, 1 - rate, shape)
    if not training:
        return +x
    return xp.where(kept, x if rate == 1 else x / (1 - rate), 0.0)
