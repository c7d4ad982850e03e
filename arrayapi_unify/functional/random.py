"""Contracts of random numbers: a key goes in, numbers come out, and nothing is remembered.

The same key gives the same bits on every backend, on every device, traced or not. A key is an array
of two words of 32 bits. What is drawn with one key is always the same: `split` makes new keys of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

from arrayapi_unify import dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.axes import normalize_axis
from arrayapi_unify.backends._common.creation import shape_tuple
from arrayapi_unify.binding import compositional, primary
from arrayapi_unify.binding.roles import (
    ArrayIn,
    OptionalArray,
    OptionalDevice,
    OptionalDType,
    Out,
    RealOperand,
)
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError, describe, refuse
from arrayapi_unify.functional._bodies import Given, default_float, real
from arrayapi_unify.functional._normal import upper_tail
from arrayapi_unify.functional._normal_quantile import normal_quantile

__all__ = [
    "bernoulli",
    "bits",
    "categorical",
    "choice",
    "exponential",
    "fold_in",
    "integers",
    "key",
    "normal",
    "orthogonal",
    "permutation",
    "split",
    "truncated_normal",
    "uniform",
]

Shape = int | Sequence[int]

# How many random bits a number takes: all that its data type holds exactly below one.
_DIGITS: Final = {dtypes.float32: 24, dtypes.float64: 53}


@primary
def key(seed: int, /, *, device: OptionalDevice = None, out: Out = None) -> Array:
    """Key that belongs to a seed.

    Parameters
    ----------
    seed
        Integer from 0 to ``2**64 - 1``.
    device
        Device of the key, and of what is drawn with it.

    Returns
    -------
    Array of shape ``(2,)`` and data type uint32: the upper and the lower half of the seed.

    Raises
    ------
    UnifyTypeError
        If `seed` isn't an integer.
    UnifyOverflowError
        If `seed` is out of range.

    References
    ----------
    Behaviour 55 (docs/behaviours.md).

    Examples
    --------
    >>> unify.random.key(7)
    unify.array([0, 7], dtype=uint32)
    """


@primary
def fold_in(key: ArrayIn, data: RealOperand, /, *, out: Out = None) -> Array:
    """New key, made of a key and a number: as of the step of a loop.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    data
        Integer from 0 to ``2**32 - 1``, or a 0-d integer array, of which the lower 32 bits count.

    Returns
    -------
    Array of shape ``(2,)`` and data type uint32. For a number below `num` it is that row of
    ``split(key, num)``.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, or `data` no integer.
    UnifyValueError
        If `data` is out of range.

    References
    ----------
    Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC, 2011.

    Examples
    --------
    >>> key = unify.random.key(7)
    >>> unify.all(unify.random.fold_in(key, 1) == unify.random.split(key)[1])
    unify.array(True)
    """


@primary
def bits(
    key: ArrayIn,
    /,
    shape: int | Sequence[int] = (),
    *,
    dtype: OptionalDType = None,
    out: Out = None,
) -> Array:
    """Random bits: unsigned integers of which every value is as likely.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    shape
        Shape of the result.
    dtype
        Unsigned integer data type; uint32 by default.

    Returns
    -------
    Array of that shape and data type. An element depends on the key and on its place in row-major
    order only, so that a longer draw begins with a shorter one.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, or `dtype` isn't unsigned.
    UnifyValueError
        If `shape` has a negative size.

    Notes
    -----
    The generator is Threefry-2x32 with 20 rounds, and the bits are those that ``jax.random.bits``
    gives for the same words.

    References
    ----------
    Behaviour 55 (docs/behaviours.md).

    Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC, 2011.

    Examples
    --------
    >>> unify.random.bits(unify.random.key(0), 2)
    unify.array([4070199207, 4202968722], dtype=uint32)
    """


@compositional
def split(key: ArrayIn, /, num: int = 2, *, out: Out = None) -> Array:
    """Several keys, made of one. What is drawn with them is independent.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    num
        How many.

    Returns
    -------
    Array of shape ``(num, 2)`` and data type uint32: a key in each row.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key.
    UnifyValueError
        If `num` is negative.

    References
    ----------
    Claessen and Palka, "Splittable pseudorandom number generators using cryptographic hashing",
    Haskell, 2013.

    Examples
    --------
    >>> first, second = unify.random.split(unify.random.key(7))
    >>> unify.random.uniform(first) == unify.random.uniform(second)
    unify.array(False)
    """
    xp = key.__array_namespace__()
    words = xp.random.bits(key, num, dtype=xp.uint64)
    halves = [xp.bitwise_right_shift(words, 32), xp.bitwise_and(words, 2**32 - 1)]
    return xp.astype(xp.stack(halves, axis=-1), xp.uint32)


@compositional
def uniform(
    key: ArrayIn,
    /,
    shape: int | Sequence[int] = (),
    *,
    minval: RealOperand = 0.0,
    maxval: RealOperand = 1.0,
    dtype: OptionalDType = None,
    out: Out = None,
) -> Array:
    """Numbers of which each in an interval is as likely.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    shape
        Shape of the result.
    minval
        Lower end of the interval, which belongs to it: a number, or an array that broadcasts to
        the shape.
    maxval
        Upper end, likewise. It doesn't belong to the interval, but where the interval is narrow
        a number may be rounded to it.
    dtype
        Real floating-point data type; the default one by default.

    Returns
    -------
    Array of that shape and data type.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, or `dtype` no real floating-point data type.
    UnifyValueError
        If `shape` has a negative size.

    Notes
    -----
    Between 0 and 1 they are the multiples of ``2**-53``, or of ``2**-24`` in float32.

    References
    ----------
    Behaviour 55 (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.random.uniform(unify.random.key(7), (100, 10), minval=1.0, maxval=3.0)
    >>> x.shape, unify.all((x >= 1.0) & (x < 3.0))
    ((100, 10), unify.array(True))
    """
    xp = key.__array_namespace__()
    dtype = _float("uniform", dtype)
    fractions = _fractions(key, shape, dtype, _DIGITS[dtype])
    if type(minval) is float and type(maxval) is float and (minval, maxval) == (0.0, 1.0):
        return fractions
    low, high = (xp.asarray(end, dtype=dtype, device=key.device) for end in (minval, maxval))
    return _kept("uniform", "minval", fractions * (high - low) + low, fractions)


@compositional
def normal(
    key: ArrayIn,
    /,
    shape: int | Sequence[int] = (),
    *,
    dtype: OptionalDType = None,
    out: Out = None,
) -> Array:
    """Numbers of the standard normal distribution: of mean 0 and variance 1.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    shape
        Shape of the result.
    dtype
        Real floating-point data type; the default one by default.

    Returns
    -------
    Array of that shape and data type.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, or `dtype` no real floating-point data type.
    UnifyValueError
        If `shape` has a negative size.

    Notes
    -----
    Each number is the quantile of a probability. In float32 none is beyond 5.42, in float64 none
    beyond 8.21.

    References
    ----------
    Behaviour 55 (docs/behaviours.md).

    Wichura, "Algorithm AS 241", Applied Statistics 37, 1988.

    Examples
    --------
    >>> x = unify.random.normal(unify.random.key(7), 10_000)
    >>> unify.abs(unify.mean(x)) < 0.05, unify.abs(unify.std(x) - 1) < 0.05
    (unify.array(True), unify.array(True))
    """
    return normal_quantile(_probabilities(key, shape, _float("normal", dtype)))


@compositional
def truncated_normal(
    key: ArrayIn,
    /,
    lower: RealOperand,
    upper: RealOperand,
    shape: int | Sequence[int] = (),
    *,
    dtype: OptionalDType = None,
    out: Out = None,
) -> Array:
    """Numbers of the standard normal distribution that lie between two bounds.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    lower
        Lower bound: a number, or an array that broadcasts to the shape.
    upper
        Upper bound, likewise.
    shape
        Shape of the result.
    dtype
        Real floating-point data type; the default one by default.

    Returns
    -------
    Array of that shape and data type. Where the lower bound is above the upper one it is NaN.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, or `dtype` no real floating-point data type.
    UnifyValueError
        If `shape` has a negative size, or a bound doesn't broadcast to it.

    Notes
    -----
    The bounds may lie far out, on one side: the tail is computed as such.

    References
    ----------
    Behaviour 55 (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.random.truncated_normal(unify.random.key(7), 6.0, 7.0, 1_000)
    >>> unify.all((x >= 6.0) & (x <= 7.0))
    unify.array(True)
    """
    xp = key.__array_namespace__()
    dtype = _float("truncated_normal", dtype)
    p = _probabilities(key, shape, dtype)
    low, high = (xp.asarray(bound, dtype=dtype, device=key.device) for bound in (lower, upper))
    # Above zero the numbers are the negative of those below: probabilities near one have no digits.
    above = low > 0
    first, last = xp.where(above, -high, low), xp.where(above, -low, high)
    start, end = _below(first), _below(last)
    x = normal_quantile(start + p * (end - start))
    x = xp.minimum(xp.maximum(x, first), last)
    x = xp.where(low > high, math.nan, xp.where(above, -x, x))
    return _kept("truncated_normal", "lower", x, p)


@compositional
def integers(
    key: ArrayIn,
    /,
    low: int,
    high: int,
    shape: int | Sequence[int] = (),
    *,
    dtype: OptionalDType = None,
    out: Out = None,
) -> Array:
    """Integers of which each in a range is as likely.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    low
        The smallest one.
    high
        End of the range, which doesn't belong to it.
    shape
        Shape of the result.
    dtype
        Integer data type; the default one by default.

    Returns
    -------
    Array of that shape and data type.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, `low` or `high` no integer, or `dtype` no integer data type.
    UnifyValueError
        If `shape` has a negative size, or the range is empty or doesn't fit into the data type.

    Notes
    -----
    A remainder of 64 bits: for a range of n, no value is likelier than another by more than a part
    of ``n / 2**64``.

    References
    ----------
    Behaviour 55 (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.random.integers(unify.random.key(7), -2, 3, 1_000)
    >>> unify.unique_values(x)
    unify.array([-2, -1,  0,  1,  2])
    """
    xp = key.__array_namespace__()
    dtype = dtypes.default_int() if dtype is None else dtype
    _check_range(low, high, dtype)
    words = xp.random.bits(key, shape, dtype=xp.uint64)
    span = high - low
    if span < 2**64:
        words = xp.remainder(words, span)
    # Sums of words wrap around, and their lowest bits are those of the signed result.
    words = xp.add(words, low % 2**64)
    return xp.astype(words, dtype) if dtype.kind == "u" else _signed(words, dtype)


@compositional
def bernoulli(
    key: ArrayIn,
    /,
    p: RealOperand = 0.5,
    shape: int | Sequence[int] | None = None,
    *,
    out: Out = None,
) -> Array:
    """Truth values, of which each is true with a given probability.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    p
        Probability: a number, or an array that broadcasts to the shape.
    shape
        Shape of the result; that of `p` by default.

    Returns
    -------
    Array of that shape and of bool.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key.
    UnifyValueError
        If `shape` has a negative size, or `p` doesn't broadcast to it.

    Notes
    -----
    Probabilities below 0 count as 0, those above 1 as 1, and NaN gives false.

    References
    ----------
    Behaviour 55 (docs/behaviours.md).

    Examples
    --------
    >>> unify.random.bernoulli(unify.random.key(7), unify.array([0.0, 1.0]))
    unify.array([False,  True])
    """
    shape = tuple(getattr(p, "shape", ())) if shape is None else shape
    fractions = _fractions(key, shape, dtypes.float64, _DIGITS[dtypes.float64])
    return _kept("bernoulli", "p", fractions < p, fractions)


@compositional
def exponential(
    key: ArrayIn,
    /,
    shape: int | Sequence[int] = (),
    *,
    dtype: OptionalDType = None,
    out: Out = None,
) -> Array:
    """Numbers of the exponential distribution of rate 1: waiting times.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    shape
        Shape of the result.
    dtype
        Real floating-point data type; the default one by default.

    Returns
    -------
    Array of that shape and data type.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, or `dtype` no real floating-point data type.
    UnifyValueError
        If `shape` has a negative size.

    References
    ----------
    Behaviour 55 (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.random.exponential(unify.random.key(7), 10_000)
    >>> unify.all(x >= 0), unify.abs(unify.mean(x) - 1) < 0.05
    (unify.array(True), unify.array(True))
    """
    xp = key.__array_namespace__()
    dtype = _float("exponential", dtype)
    return xp.abs(xp.log1p(-_fractions(key, shape, dtype, _DIGITS[dtype])))


@compositional
def categorical(
    key: ArrayIn,
    logits: ArrayIn,
    /,
    *,
    axis: int = -1,
    shape: int | Sequence[int] | None = None,
    out: Out = None,
) -> Array:
    """Numbers of categories, drawn by the logarithms of their probabilities.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    logits
        Logarithms of the probabilities, to which any number may be added: a real array.
    axis
        Axis of `logits` along which the categories lie.
    shape
        Shape of the result, to which the shape of `logits` without that axis broadcasts. By
        default it is just that.

    Returns
    -------
    Array of that shape and of the default integer data type.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, or `logits` is complex.
    UnifyIndexError
        If `axis` is out of bounds.
    UnifyValueError
        If there is no category, or the shapes don't fit.

    References
    ----------
    Gumbel, "Statistical theory of extreme values", 1954: the largest of the logarithms, each with
    noise of that distribution added, is a category with its probability.

    Examples
    --------
    >>> logits = unify.log(unify.array([0.0, 0.25, 0.75]))
    >>> x = unify.random.categorical(unify.random.key(7), logits, shape=10_000)
    >>> unify.abs(unify.mean(unify.astype(x == 2, unify.float64)) - 0.75) < 0.02
    unify.array(True)
    """
    xp = key.__array_namespace__()
    logits = real("random.categorical", "logits", logits)
    axis = normalize_axis("random.categorical", axis, logits.ndim)
    logits = xp.moveaxis(logits, axis, -1)
    if not logits.shape[-1]:
        refuse(
            UnifyValueError, "random.categorical", "logits", "has no category",
            "pass an array with at least one along the axis",
        )  # fmt: skip
    outer = logits.shape[:-1] if shape is None else shape_tuple(shape)
    dtype = logits.dtype
    p = _probabilities(key, (*outer, logits.shape[-1]), dtype)
    noise = -xp.log(-xp.log(p))
    return xp.argmax(_kept("categorical", "logits", logits + noise, noise), axis=-1)


@compositional
def permutation(key: ArrayIn, x: RealOperand, /, *, axis: int = 0, out: Out = None) -> Array:
    """Array in random order along an axis. Every order is as likely.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    x
        Array with at least one axis, or an integer n in place of ``arange(n)``.
    axis
        Axis along which the parts of the array are put in another order; each stays as it is.

    Returns
    -------
    Array of x's shape and data type.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, or `x` neither an array nor an integer.
    UnifyIndexError
        If `axis` is out of bounds.

    Notes
    -----
    Numbers of 63 bits are sorted. Two that are equal, of which one order is likelier, come up with
    a probability of ``n**2 / 2**64``.

    References
    ----------
    Behaviour 55 (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.random.permutation(unify.random.key(7), 5)
    >>> unify.sort(x)
    unify.array([0, 1, 2, 3, 4])
    """
    xp = key.__array_namespace__()
    if not isinstance(x, Array):
        x = xp.arange(_count("permutation", "x", x), device=key.device)
    axis = normalize_axis("random.permutation", axis, x.ndim)
    return xp.take(x, _order(key, x.shape[axis]), axis=axis)


@compositional
def choice(
    key: ArrayIn,
    a: RealOperand,
    /,
    shape: int | Sequence[int] = (),
    *,
    replace: bool = True,
    p: OptionalArray = None,
    axis: int = 0,
    out: Out = None,
) -> Array:
    """Parts of an array, drawn with or without putting them back.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    a
        Array with at least one axis, or an integer n in place of ``arange(n)``.
    shape
        How many to draw, and in which shape.
    replace
        Whether a part may be drawn more than once.
    p
        Probability of each part, of shape ``(n,)``; all are as likely by default. They are divided
        by their sum.
    axis
        Axis of `a` along which its parts lie.

    Returns
    -------
    Array of a's data type, whose shape is that of `a` with `shape` in place of the axis.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, or `a` neither an array nor an integer.
    UnifyIndexError
        If `axis` is out of bounds.
    UnifyValueError
        If there is nothing to draw from, or less than is drawn without putting it back, or the
        shape of `p` doesn't fit.

    References
    ----------
    Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006, for draws with
    probabilities that put nothing back.

    Examples
    --------
    >>> unify.random.choice(unify.random.key(7), unify.array([5.0, 6.0]), 3, p=unify.array([0, 1]))
    unify.array([6., 6., 6.])
    """
    xp = key.__array_namespace__()
    if not isinstance(a, Array):
        a = xp.arange(_count("choice", "a", a), device=key.device)
    axis = normalize_axis("random.choice", axis, a.ndim)
    sizes, n = shape_tuple(shape), a.shape[axis]
    count = math.prod(sizes)
    _check_choice(count, n, replace, p)
    if p is None and replace:
        chosen = xp.random.integers(key, 0, max(n, 1), count, dtype=xp.int64)
    elif p is None:
        chosen = _order(key, n)[:count]
    else:
        chosen = _weighted(key, real("random.choice", "p", p), count, replace)
    taken = xp.take(a, chosen, axis=axis)
    return xp.reshape(taken, (*a.shape[:axis], *sizes, *a.shape[axis + 1 :]))


@compositional
def orthogonal(
    key: ArrayIn,
    /,
    n: int,
    shape: int | Sequence[int] = (),
    *,
    dtype: OptionalDType = None,
    out: Out = None,
) -> Array:
    """Orthogonal matrices, of which every rotation and reflection is as likely.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    n
        Number of rows and columns.
    shape
        Shape of the stack of matrices.
    dtype
        Real floating-point data type; the default one by default.

    Returns
    -------
    Array of shape ``(*shape, n, n)`` and that data type.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, or `dtype` no real floating-point data type.
    UnifyValueError
        If `n` or a size is negative.

    References
    ----------
    Mezzadri, "How to generate random matrices from the classical compact groups", 2007.

    Examples
    --------
    >>> q = unify.random.orthogonal(unify.random.key(7), 3)
    >>> unify.max(unify.abs(q @ q.T - unify.eye(3))) < 1e-14
    unify.array(True)
    """
    xp = key.__array_namespace__()
    dtype = _float("orthogonal", dtype)
    q, r = xp.linalg.qr(xp.random.normal(key, (*shape_tuple(shape), n, n), dtype=dtype))
    diagonal = xp.linalg.diagonal(r)
    return q * xp.expand_dims(xp.where(diagonal < 0, -1.0, 1.0), axis=-2)


# --- what several of them share ---------------------------------------------------------------


def _float(function: str, dtype: DType | None) -> DType:
    """Return the data type of real numbers to draw."""
    dtype = default_float() if dtype is None else dtype
    if dtype not in _DIGITS:
        refuse(
            UnifyTypeError, f"random.{function}", "dtype", f"is {dtype}",
            "pass float32 or float64",
        )  # fmt: skip
    return dtype


def _numbers(key: Given, shape: Shape, digits: int) -> Array:
    """Draw integers of so many bits, which are the highest of 32 or 64 random ones."""
    xp = key.__array_namespace__()
    wide = digits > 32
    words = xp.random.bits(key, shape, dtype=xp.uint64 if wide else xp.uint32)
    shifted = xp.bitwise_right_shift(words, (64 if wide else 32) - digits)
    return xp.astype(shifted, xp.int64)


def _fractions(key: Given, shape: Shape, dtype: DType, digits: int) -> Array:
    """Draw multiples of a power of two in [0, 1), each as likely."""
    xp = key.__array_namespace__()
    return xp.astype(_numbers(key, shape, digits), dtype) * 2.0**-digits


def _probabilities(key: Given, shape: Shape, dtype: DType) -> Array:
    """Draw odd multiples of a power of two in (0, 1): neither end, and as many on either side."""
    xp = key.__array_namespace__()
    digits = _DIGITS[dtype] - 1
    return xp.astype(_numbers(key, shape, digits) * 2 + 1, dtype) * 2.0 ** -(digits + 1)


def _kept(function: str, argument: str, result: Array, drawn: Array) -> Array:
    """Return a result, which must have the shape that was drawn."""
    if tuple(result.shape) != tuple(drawn.shape):
        refuse(
            UnifyValueError, f"random.{function}", argument,
            f"makes the shape {tuple(result.shape)} of {tuple(drawn.shape)}",
            "pass a shape to which it broadcasts",
        )  # fmt: skip
    return result


def _below(x: Array) -> Array:
    """Return the probability that a standard normal is below x."""
    xp = x.__array_namespace__()
    tail = upper_tail(xp.abs(x))
    return xp.where(x < 0, tail, 1 - tail)


def _check_range(low: int, high: int, dtype: DType) -> None:
    if dtype.kind not in "iu":
        refuse(
            UnifyTypeError, "random.integers", "dtype", f"is {dtype}", "pass an integer data type"
        )
    for name, value in (("low", low), ("high", high)):
        if not isinstance(value, int) or isinstance(value, bool):
            refuse(
                UnifyTypeError, "random.integers", name, f"is {describe(value)}",
                "pass a Python integer",
            )  # fmt: skip
    limits = dtypes.iinfo(dtype)
    if not limits.min <= low < high <= limits.max + 1:
        refuse(
            UnifyValueError, "random.integers", "high",
            f"is {high} and low is {low}: no range of {dtype}",
            f"pass a low below high, both from {limits.min} to {limits.max + 1}",
        )  # fmt: skip


def _signed(words: Array, dtype: DType) -> Array:
    """Return the signed integers that have the lowest bits of words of 64 bits."""
    xp = words.__array_namespace__()
    upper = xp.astype(xp.bitwise_right_shift(words, 63), xp.int64)
    lower = xp.astype(xp.bitwise_and(words, 2**63 - 1), xp.int64)
    return xp.astype(lower - upper * (2**63 - 1) - upper, dtype)


def _count(function: str, argument: str, n: Any) -> int:
    if not isinstance(n, int) or isinstance(n, bool):
        refuse(
            UnifyTypeError, f"random.{function}", argument, f"is {describe(n)}",
            "pass an array, or a Python integer n for arange(n)",
        )  # fmt: skip
    return n


def _order(key: Given, n: int) -> Array:
    """Draw an order of n things."""
    xp = key.__array_namespace__()
    return xp.argsort(_numbers(key, n, 63))


def _check_choice(count: int, n: int, replace: bool, p: Given | None) -> None:
    if p is not None and tuple(p.shape) != (n,):
        refuse(
            UnifyValueError, "random.choice", "p", f"has shape {tuple(p.shape)}",
            f"pass a probability for each of the {n} parts",
        )  # fmt: skip
    if count and (not n or (not replace and count > n)):
        refuse(
            UnifyValueError, "random.choice", "shape", f"asks for {count} of {n} parts",
            "draw less, or pass replace=True",
        )  # fmt: skip


def _weighted(key: Given, p: Array, count: int, replace: bool) -> Array:
    """Draw indices by probabilities."""
    xp = key.__array_namespace__()
    if replace:
        sums = xp.cumulative_sum(p)
        u = _fractions(key, count, p.dtype, _DIGITS[p.dtype]) * sums[-1:]
        # To the right of equal sums: what has no probability is never drawn.
        return xp.minimum(xp.searchsorted(sums, u, side="right"), p.shape[0] - 1)
    waits = -xp.log(_probabilities(key, p.shape, p.dtype)) / p
    return xp.argsort(waits)[:count]
