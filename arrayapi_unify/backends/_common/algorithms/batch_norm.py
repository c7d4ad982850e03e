"""Batch normalization of a training step, in the operations of any namespace."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Sequence
from typing import Any

__all__ = ["has_plain_channels", "renewed", "scaled", "standardized"]


def scaled(xp: Any, centred: Any, variance: Any, scale: Any, offset: Any, eps: float) -> Any:
    """Return values of variance one, times a scale, plus an offset; either may be None.

    The factor of each channel is computed first: that is one pass less over all values.
    """
    root = xp.sqrt(variance + eps)
    output = centred * (1 / root if scale is None else scale / root)
    return output if offset is None else output + offset


def standardized(
    xp: Any, x: Any, axes: tuple[int, ...], scale: Any, offset: Any, eps: float
) -> tuple[Any, Any, Any]:
    """Return x with mean zero and variance one over some axes, its mean, and its variance."""
    mean = xp.mean(x, axis=axes, keepdims=True)
    centred = x - mean
    variance = xp.mean(centred * centred, axis=axes, keepdims=True)
    return scaled(xp, centred, variance, scale, offset, eps), mean, variance


def renewed(
    before: Sequence[Any], found: Sequence[Any], momentum: float, count: int
) -> tuple[Any, Any]:
    """Return the running mean and variance after those of `count` values of each channel."""
    share, (mean, variance) = 1 - momentum, found
    estimate = variance * (count / (count - 1))
    return share * before[0] + momentum * mean, share * before[1] + momentum * estimate


def has_plain_channels(floats: Container[Any]) -> Callable[..., bool]:
    """Return the test for a training step whose parameters have x's data type.

    They have one number for each channel, and each channel has several values.
    """

    def fits(
        x: Any, mean: Any, variance: Any, /, *, scale: Any = None, offset: Any = None,
        training: bool = False, axis: int = 1, **options: object,
    ) -> bool:  # fmt: skip
        if not training or x.dtype not in floats or not -x.ndim <= axis < x.ndim:
            return False
        shape = (x.shape[axis],)
        given = [p for p in (mean, variance, scale, offset) if p is not None]
        alike = all(tuple(p.shape) == shape and p.dtype == x.dtype for p in given)
        return alike and math.prod(x.shape) > shape[0]

    return fits
