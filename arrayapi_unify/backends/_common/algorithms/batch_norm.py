"""Batch normalization of a training step, in the operations of any namespace."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Sequence
from typing import Any

__all__ = ["for_samples", "has_plain_channels", "renewed", "scaled", "standardized"]


def for_samples(xp: Any, numbers: Any, shape: tuple[Any, ...], axis: int) -> Any:
    """Return numbers of channels for all elements of one sample; None stays None.

    The derivative by a number is then a sum over the batch, and a sum of those: that rounds less
    than one long sum, which TensorFlow adds up element by element. The other axes are one for that,
    as XLA does the same along axes of 16 elements or less.
    """
    if numbers is None or axis == 0 or len(shape) < 3 or None in shape[1:]:
        return numbers
    before, after = math.prod(shape[1:axis]), math.prod(shape[axis + 1 :])
    rows = xp.reshape(numbers, (1, shape[axis], 1))
    return xp.reshape(xp.broadcast_to(rows, (before, shape[axis], after)), (1, *shape[1:]))


def scaled(
    xp: Any, centred: Any, variance: Any, scale: Any, offset: Any, eps: float, axis: int
) -> Any:
    """Return values of variance one, times a scale, plus an offset; either may be None.

    The factor of each channel is computed first: that is one pass less over all values.
    """
    root = xp.sqrt(variance + eps)
    factor = for_samples(xp, 1 / root if scale is None else scale / root, centred.shape, axis)
    output = centred * factor
    return output if offset is None else output + for_samples(xp, offset, centred.shape, axis)


def _mean(xp: Any, x: Any, axes: tuple[int, ...]) -> Any:
    """Return the mean over the batch and other axes: the mean of the samples' means."""
    if len(axes) > 1 and axes[0] == 0:
        x, axes = xp.mean(x, axis=axes[1:], keepdims=True), (0,)
    return xp.mean(x, axis=axes, keepdims=True)


def standardized(
    xp: Any, x: Any, axis: int, scale: Any, offset: Any, eps: float
) -> tuple[Any, Any, Any]:
    """Return x with mean zero and variance one of each channel, its mean, and its variance."""
    axes = tuple(a for a in range(len(x.shape)) if a != axis)
    mean = _mean(xp, x, axes)
    centred = x - for_samples(xp, mean, x.shape, axis)
    variance = _mean(xp, centred * centred, axes)
    return scaled(xp, centred, variance, scale, offset, eps, axis), mean, variance


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
