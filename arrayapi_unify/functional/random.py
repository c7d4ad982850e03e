"""Contracts of random numbers: a key goes in, numbers come out, and nothing is remembered.

The same key gives the same bits on every backend, on every device, traced or not. A key is an array
of two words of 32 bits. What is drawn with one key is always the same: `split` makes new keys.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from arrayapi_unify import dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.creation import shape_tuple
from arrayapi_unify.backends._common.algorithms.random import checked_seed
from arrayapi_unify.backends._common.algorithms.special.normal_quantile import normal_quantile
from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends._common.checks.sizes import check_held
from arrayapi_unify.binding import body_namespace, compositional, primary, standalone
from arrayapi_unify.contracts.annotations import (
    ArrayIn,
    OptionalArray,
    OptionalDevice,
    OptionalDType,
    Out,
    RealOperand,
)
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.functional._common import BodyArray, is_number, unchecked
from arrayapi_unify.functional._hidden_state import begin, drawn_key
from arrayapi_unify.functional._rejection import binomials, divided, gammas, log_gammas, poissons
from arrayapi_unify.functional._sampling import (
    Shape,
    broadcast,
    check_choice,
    check_count,
    check_range,
    computing,
    float_dtype,
    fractions,
    given_as,
    integer_dtype,
    key_beside,
    order,
    parameter,
    probabilities,
    remainders,
    rounded,
    shape_of_all,
    signed,
    weighted,
)
from arrayapi_unify.functional._truncated import quantile_between, surely_near


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
    B55: random (docs/behaviours.md).

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
    B55: random (docs/behaviours.md).

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
        Upper end, likewise. It doesn't belong to the interval, but where the interval is narrow,
        or of float16 and bfloat16, a number may be rounded to it.
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
    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.random.uniform(unify.random.key(7), (100, 10), minval=1.0, maxval=3.0)
    >>> x.shape, unify.all((x >= 1.0) & (x < 3.0))
    ((100, 10), unify.array(True))
    """
    return _between("uniform", key, shape, dtype, minval=minval, maxval=maxval)


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
    B55: random (docs/behaviours.md).

    Wichura, "Algorithm AS 241", Applied Statistics 37, 1988.

    Examples
    --------
    >>> x = unify.random.normal(unify.random.key(7), 10_000)
    >>> unify.abs(unify.mean(x)) < 0.05, unify.abs(unify.std(x) - 1) < 0.05
    (unify.array(True), unify.array(True))
    """
    dtype = float_dtype("normal", dtype)
    return rounded(normal_quantile(probabilities(key, shape, dtype)), dtype)


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
    The bounds may lie far out, on one side: the tail is computed as such, from 30 on by its
    logarithm.

    References
    ----------
    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.random.truncated_normal(unify.random.key(7), 6.0, 7.0, 1_000)
    >>> unify.all((x >= 6.0) & (x <= 7.0))
    unify.array(True)
    """
    xp = key.__array_namespace__()
    dtype = float_dtype("truncated_normal", dtype)
    p = probabilities(key, shape, dtype)
    low, high = given_as("truncated_normal", key, p.shape, lower=lower, upper=upper)
    # Above zero the numbers are the negative of those below: probabilities near one have no digits.
    above = low > 0
    first, last = xp.where(above, -high, low), xp.where(above, -low, high)
    x = quantile_between(p, first, last, surely_near(lower, upper))
    x = xp.minimum(xp.maximum(x, first), last)
    x = xp.where(low > high, math.nan, xp.where(above, -x, x))
    return rounded(x, dtype)


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
    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.random.integers(unify.random.key(7), -2, 3, 1_000)
    >>> unify.unique_values(x)
    unify.array([-2, -1,  0,  1,  2])
    """
    xp = key.__array_namespace__()
    dtype = integer_dtype("integers", dtype)
    check_range(low, high, dtype)
    words = remainders(key, shape, high - low)
    if high <= 2**63 and high - low < 2**63:
        return xp.astype(xp.astype(words, dtypes.int64) + low, dtype)
    # Sums of words wrap around, and their lowest bits are those of the signed result.
    words = xp.add(words, low % 2**64)
    return xp.astype(words, dtype) if dtype.kind == "u" else signed(words, dtype)


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
    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> unify.random.bernoulli(unify.random.key(7), unify.array([0.0, 1.0]))
    unify.array([False,  True])
    """
    u = fractions(key, shape_of_all(key, shape, p))
    (p,) = given_as("bernoulli", key, u.shape, p=p)
    return u < p


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
    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.random.exponential(unify.random.key(7), 10_000)
    >>> unify.all(x >= 0), unify.abs(unify.mean(x) - 1) < 0.05
    (unify.array(True), unify.array(True))
    """
    xp = key.__array_namespace__()
    dtype = float_dtype("exponential", dtype)
    u = xp.astype(fractions(key, shape, dtype), dtypes.float64, copy=False)
    # The difference is exact, and never zero.
    return rounded(xp.abs(xp.log(1 - u)), dtype)


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
    >>> logits = unify.log(unify.array([0.05, 0.2, 0.75]))
    >>> x = unify.random.categorical(unify.random.key(7), logits, shape=10_000)
    >>> unify.abs(unify.mean(unify.astype(x == 2, unify.float64)) - 0.75) < 0.02
    unify.array(True)
    """
    xp = key.__array_namespace__()
    given = parameter("categorical", "logits", logits, key)
    axis = normalize_axis("random.categorical", axis, given.ndim)
    given = xp.moveaxis(given, axis, -1)
    if not given.shape[-1]:
        raise_value_error(
            "random.categorical", "logits", "has no category",
            "pass an array with at least one along the axis",
        )  # fmt: skip
    outer = given.shape[:-1] if shape is None else shape_tuple(shape)
    noise = -xp.log(-xp.log(probabilities(key, (*outer, given.shape[-1]))))
    (whole,) = broadcast("categorical", noise.shape, logits=given)
    return xp.argmax(whole + noise, axis=-1)


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
    UnifyValueError
        If `x` is a negative number.
    UnifyIndexError
        If `axis` is out of bounds.

    Notes
    -----
    Numbers of 63 bits are sorted. Two that are equal, of which one order is likelier, come up with
    a probability of ``n**2 / 2**64``.

    References
    ----------
    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.random.permutation(unify.random.key(7), 5)
    >>> unify.sort(x)
    unify.array([0, 1, 2, 3, 4])
    """
    xp = key.__array_namespace__()
    if is_number(x):
        x = xp.arange(check_count("permutation", "x", x), device=key.device)
    key = key_beside(key, x)
    axis = normalize_axis("random.permutation", axis, x.ndim)
    return unchecked(xp.take, x, order(key, x.shape[axis]), axis=axis)


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
        Shape of the draws.
    replace
        If True, a part may be drawn more than once.
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
    if is_number(a):
        a = xp.arange(check_count("choice", "a", a), device=key.device)
    key = key_beside(key, a)
    axis = normalize_axis("random.choice", axis, a.ndim)
    sizes, n = shape_tuple(shape), a.shape[axis]
    count = math.prod(sizes)
    check_choice(count, n, replace, p)
    if p is None and replace:
        chosen = xp.random.integers(key, 0, max(n, 1), count, dtype=xp.int64)
    elif p is None:
        chosen = order(key, n)[:count]
    else:
        chosen = weighted(key, parameter("choice", "p", p, key), count, replace)
    taken = unchecked(xp.take, a, chosen, axis=axis)
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
    dtype = float_dtype("orthogonal", dtype)
    shape = (*shape_tuple(shape), n, n)
    check_held("random.orthogonal", "shape", shape, math.prod(shape[:-2]))
    check_held("random.orthogonal", "n", n, math.prod(shape))
    q, r = xp.linalg.qr(xp.random.normal(key, shape, dtype=computing(dtype)))
    signs = 1 - 2 * xp.astype(xp.linalg.diagonal(r) < 0, q.dtype)
    return rounded(q * xp.expand_dims(signs, axis=-2), dtype)


@compositional
def gamma(
    key: ArrayIn,
    a: RealOperand,
    /,
    shape: int | Sequence[int] | None = None,
    *,
    dtype: OptionalDType = None,
    out: Out = None,
) -> Array:
    """Numbers of the gamma distribution of rate 1.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    a
        Shape of the distribution, above 0: a number, or an array that broadcasts to `shape`.
    shape
        Shape of the result; that of `a` by default.
    dtype
        Real floating-point data type; the default one by default.

    Returns
    -------
    Array of that shape and data type. Where `a` isn't above 0 it is NaN.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, `a` is complex, or `dtype` no real floating-point data type.
    UnifyValueError
        If `shape` has a negative size, or `a` doesn't broadcast to it.

    Notes
    -----
    The result has no derivative with respect to `a`.

    References
    ----------
    Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.

    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.random.gamma(unify.random.key(7), 3.0, 10_000)
    >>> unify.abs(unify.mean(x) - 3) < 0.1, unify.abs(unify.var(x) - 3) < 0.2
    (unify.array(True), unify.array(True))
    """
    dtype = float_dtype("gamma", dtype)
    (a,) = _parameters("gamma", key, shape, a=a)
    return rounded(gammas(key, a), dtype)


@compositional
def beta(
    key: ArrayIn,
    a: RealOperand,
    b: RealOperand,
    /,
    shape: int | Sequence[int] | None = None,
    *,
    dtype: OptionalDType = None,
    out: Out = None,
) -> Array:
    """Numbers of the beta distribution, which lie between 0 and 1.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    a
        First parameter, above 0: a number, or an array that broadcasts to `shape`.
    b
        Second parameter, likewise.
    shape
        Shape of the result; by default that of `a` and `b` together.
    dtype
        Real floating-point data type; the default one by default.

    Returns
    -------
    Array of that shape and data type. Where `a` or `b` isn't above 0 it is NaN.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, a parameter is complex, or `dtype` no real floating-point data type.
    UnifyValueError
        If `shape` has a negative size, or a parameter doesn't broadcast to it.

    Notes
    -----
    A number is the share of one of two gamma numbers, computed by their logarithms: parameters may
    be small. The result has no derivative with respect to them.

    References
    ----------
    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.random.beta(unify.random.key(7), 2.0, 6.0, 10_000)
    >>> unify.all((x >= 0) & (x <= 1)), unify.abs(unify.mean(x) - 0.25) < 0.01
    (unify.array(True), unify.array(True))
    """
    xp = key.__array_namespace__()
    dtype = float_dtype("beta", dtype)
    a, b = _parameters("beta", key, shape, a=a, b=b)
    first, second = xp.random.fold_in(key, 0), xp.random.fold_in(key, 1)
    return rounded(xp.nn.sigmoid(log_gammas(first, a) - log_gammas(second, b)), dtype)


@compositional
def dirichlet(
    key: ArrayIn,
    alpha: ArrayIn,
    /,
    shape: int | Sequence[int] | None = None,
    *,
    dtype: OptionalDType = None,
    out: Out = None,
) -> Array:
    """Rows of positive numbers that add up to 1, of the Dirichlet distribution.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    alpha
        Parameters of the distribution, above 0, along the last axis.
    shape
        Shape of the result without its last axis, to which that of `alpha` broadcasts. By default
        it is just that.
    dtype
        Real floating-point data type; the default one by default.

    Returns
    -------
    Array of shape ``(*shape, alpha.shape[-1])`` and that data type.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, `alpha` is complex, or `dtype` no real floating-point data type.
    UnifyValueError
        If `alpha` has no axis, or no number along its last one; or if `shape` has a negative size,
        or `alpha` doesn't broadcast to it.

    Notes
    -----
    A row is made of gamma numbers, divided by their sum. It has no derivative with respect to
    `alpha`.

    References
    ----------
    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.random.dirichlet(unify.random.key(7), unify.array([1.0, 2.0, 3.0]), 10)
    >>> x.shape, unify.all(unify.abs(unify.sum(x, axis=-1) - 1) < 1e-15)
    ((10, 3), unify.array(True))
    """
    xp = key.__array_namespace__()
    dtype = float_dtype("dirichlet", dtype)
    given = _rows("dirichlet", "alpha", alpha, key)
    outer = given.shape[:-1] if shape is None else shape_tuple(shape)
    (full,) = broadcast("dirichlet", (*outer, given.shape[-1]), alpha=xp.stop_gradient(given))
    return rounded(xp.nn.softmax(log_gammas(key, full), axis=-1), dtype)


@compositional
def poisson(
    key: ArrayIn,
    rate: RealOperand,
    /,
    shape: int | Sequence[int] | None = None,
    *,
    dtype: OptionalDType = None,
    out: Out = None,
) -> Array:
    """Integers of the Poisson distribution: how often something happens.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    rate
        Mean of the distribution, from 0 to ``2**53``: a number, or an array that broadcasts to
        `shape`.
    shape
        Shape of the result; that of `rate` by default.
    dtype
        Integer data type, which must hold the results; the default one by default.

    Returns
    -------
    Array of that shape and data type. Where `rate` is out of range or NaN it is -1.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, `rate` is complex, or `dtype` no integer data type.
    UnifyValueError
        If `shape` has a negative size, or `rate` doesn't broadcast to it.

    References
    ----------
    Hoermann, "The transformed rejection method for generating Poisson random variables", 1993.

    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.random.poisson(unify.random.key(7), 4.0, 10_000)
    >>> unify.abs(unify.mean(unify.astype(x, unify.float64)) - 4) < 0.1
    unify.array(True)
    """
    dtype = integer_dtype("poisson", dtype)
    (rate,) = _parameters("poisson", key, shape, rate=rate)
    return poissons(key, rate).astype(dtype)


@compositional
def binomial(
    key: ArrayIn,
    n: RealOperand,
    p: RealOperand,
    /,
    shape: int | Sequence[int] | None = None,
    *,
    dtype: OptionalDType = None,
    out: Out = None,
) -> Array:
    """Integers of the binomial distribution: how many of n trials succeed.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    n
        Number of trials, from 0 to ``2**53``: a number, or an array that broadcasts to `shape`.
    p
        Probability of success, likewise.
    shape
        Shape of the result; by default that of `n` and `p` together.
    dtype
        Integer data type, which must hold the results; the default one by default.

    Returns
    -------
    Array of that shape and data type. Where `n` or `p` is out of range or NaN it is -1.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, a parameter is complex, or `dtype` no integer data type.
    UnifyValueError
        If `shape` has a negative size, or a parameter doesn't broadcast to it.

    References
    ----------
    Hoermann, "The generation of binomial random variates", 1993.

    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> unify.random.binomial(unify.random.key(7), 5, unify.array([0.0, 1.0]))
    unify.array([0, 5])
    """
    dtype = integer_dtype("binomial", dtype)
    n, p = _parameters("binomial", key, shape, n=n, p=p)
    return binomials(key, n, p).astype(dtype)


@compositional
def multinomial(
    key: ArrayIn,
    n: RealOperand,
    p: ArrayIn,
    /,
    shape: int | Sequence[int] | None = None,
    *,
    dtype: OptionalDType = None,
    out: Out = None,
) -> Array:
    """Draw the number of times that each of several things comes up in n trials.

    Parameters
    ----------
    key
        Key, of shape ``(2,)`` and data type uint32.
    n
        Number of trials, from 0 to ``2**53``: a number, or an array that broadcasts to `shape`.
    p
        Probability of each thing, along the last axis. They are divided by their sum.
    shape
        Shape of the result without its last axis, to which that of `p` broadcasts. By default it is
        that of `n` and `p` together.
    dtype
        Integer data type, which must hold the results; the default one by default.

    Returns
    -------
    Array of shape ``(*shape, p.shape[-1])`` and that data type, whose sums along the last axis are
    `n`.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, a parameter is complex, or `dtype` no integer data type.
    UnifyValueError
        If `p` has no axis, or no number along its last one; or if `shape` has a negative size, or a
        parameter doesn't broadcast to it.

    Notes
    -----
    The trials are divided into those of the first half of the things and those of the second one,
    and so on: each division is binomial.

    References
    ----------
    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> x = unify.random.multinomial(unify.random.key(7), 100, unify.array([0.5, 0.0, 0.5]))
    >>> unify.sum(x), x[1]
    (unify.array(100), unify.array(0))
    """
    dtype = integer_dtype("multinomial", dtype)
    given, trials = _rows("multinomial", "p", p, key), parameter("multinomial", "n", n, key)
    outer = shape_of_all(key, shape, trials, given[..., 0])
    size = given.shape[-1]
    (full,) = broadcast("multinomial", (*outer, size), p=given)
    (counts,) = broadcast("multinomial", outer, n=trials)
    return divided(key, counts, full)[..., :size].astype(dtype)


# --- with hidden state --------------------------------------------------------------------------


@standalone
def seed(seed: int, /) -> None:
    """Begin the hidden state of the functions without a key with a seed.

    The state belongs to the thread or task. A new thread has none, and a new task the one that held
    where it was made; neither changes another's.

    Parameters
    ----------
    seed
        Integer from 0 to ``2**64 - 1``.

    Raises
    ------
    UnifyTypeError
        If `seed` isn't an integer.
    UnifyOverflowError
        If `seed` is out of range.

    References
    ----------
    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> unify.random.seed(0)
    >>> x = unify.random.random_normal(shape=(2, 3))
    >>> unify.random.seed(0)
    >>> unify.all(unify.random.random_normal(shape=(2, 3)) == x)
    unify.array(True)
    """
    begin(checked_seed("random.seed", seed))


@compositional
def next_key(*, device: OptionalDevice = None, out: Out = None) -> Array:
    """Key that the hidden state gives, another one each time.

    Parameters
    ----------
    device
        Device of the key.

    Returns
    -------
    Array of shape ``(2,)`` and data type uint32: of the n-th call since ``seed(s)`` it is
    ``fold_in(key(s), n)``, the first one being number 0.

    Raises
    ------
    UnifyTypeError
        If one run of a function serves several calls or rows, as in `compile` and `vmap`.
    UnifyValueError
        If there is no such device.

    Notes
    -----
    The other functions without a key draw with this one. Where one run serves several calls or rows
    (`compile`, `compile_graph`, `vmap`, loops and branches that are traced) they raise: pass a key.

    References
    ----------
    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> unify.random.seed(7)
    >>> unify.random.next_key()
    unify.array([3625411723, 1954958720], dtype=uint32)
    >>> unify.random.fold_in(unify.random.key(7), 0)
    unify.array([3625411723, 1954958720], dtype=uint32)
    """
    return drawn_key(body_namespace(), device)


@compositional
def random_uniform(
    low: RealOperand = 0.0,
    high: RealOperand = 1.0,
    shape: int | Sequence[int] | None = None,
    *,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    seed: int | None = None,
    out: Out = None,
) -> Array:
    """Numbers of which each in an interval is as likely, drawn with the hidden state.

    Parameters
    ----------
    low
        Lower end of the interval: a number, or an array that broadcasts to `shape`.
    high
        Upper end, likewise.
    shape
        Shape of the result; by default that of `low` and `high` together.
    dtype
        Real floating-point data type; the default one by default.
    device
        Device of the result.
    seed
        Seed of this draw alone, from 0 to ``2**64 - 1``; by default the hidden state goes on.

    Returns
    -------
    Array of that shape and data type.

    Raises
    ------
    UnifyTypeError
        If an end is complex, `dtype` no real floating-point data type, or `seed` no integer.
    UnifyOverflowError
        If `seed` is out of its range.
    UnifyValueError
        If `shape` has a negative size, or an end doesn't broadcast to it.

    References
    ----------
    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> unify.random.seed(7)
    >>> x = unify.random.random_uniform(low=1.0, high=2.0, shape=(2, 3))
    >>> x.shape, unify.all((x >= 1.0) & (x < 2.0))
    ((2, 3), unify.array(True))
    """
    key = drawn_key(body_namespace(), device, seed)
    sizes = shape_of_all(key, shape, low, high)
    return _between("random_uniform", key, sizes, dtype, low=low, high=high)


@compositional
def random_normal(
    mean: RealOperand = 0.0,
    std: RealOperand = 1.0,
    shape: int | Sequence[int] | None = None,
    *,
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    seed: int | None = None,
    out: Out = None,
) -> Array:
    """Numbers of a normal distribution, drawn with the hidden state.

    Parameters
    ----------
    mean
        Mean of the distribution: a number, or an array that broadcasts to `shape`.
    std
        Standard deviation, likewise.
    shape
        Shape of the result; by default that of `mean` and `std` together.
    dtype
        Real floating-point data type; the default one by default.
    device
        Device of the result.
    seed
        Seed of this draw alone, from 0 to ``2**64 - 1``; by default the hidden state goes on.

    Returns
    -------
    Array of that shape and data type.

    Raises
    ------
    UnifyTypeError
        If a parameter is complex, `dtype` no real floating-point data type, or `seed` no integer.
    UnifyOverflowError
        If `seed` is out of its range.
    UnifyValueError
        If `shape` has a negative size, or a parameter doesn't broadcast to it.

    References
    ----------
    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> unify.random.seed(7)
    >>> unify.random.random_normal(mean=5.0, std=0.0, shape=3)
    unify.array([5., 5., 5.])
    """
    key = drawn_key(body_namespace(), device, seed)
    dtype = float_dtype("random_normal", dtype)
    sizes = shape_of_all(key, shape, mean, std)
    x = rounded(normal_quantile(probabilities(key, sizes, dtype)), computing(dtype))
    centre, scale = given_as("random_normal", key, x.shape, x.dtype, mean=mean, std=std)
    return rounded(centre + x * scale, dtype)


@compositional
def randint(
    low: int,
    high: int,
    /,
    *,
    shape: int | Sequence[int] = (),
    dtype: OptionalDType = None,
    device: OptionalDevice = None,
    seed: int | None = None,
    out: Out = None,
) -> Array:
    """Integers of which each in a range is as likely, drawn with the hidden state.

    Parameters
    ----------
    low
        The smallest one.
    high
        End of the range, which doesn't belong to it.
    shape
        Shape of the result.
    dtype
        Integer data type; the default one by default.
    device
        Device of the result.
    seed
        Seed of this draw alone, from 0 to ``2**64 - 1``; by default the hidden state goes on.

    Returns
    -------
    Array of that shape and data type.

    Raises
    ------
    UnifyTypeError
        If `low`, `high` or `seed` is no integer, or `dtype` no integer data type.
    UnifyOverflowError
        If `seed` is out of its range.
    UnifyValueError
        If `shape` has a negative size, or the range is empty or doesn't fit into the data type.

    References
    ----------
    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> unify.random.seed(7)
    >>> unify.random.randint(3, 4, shape=(2,))
    unify.array([3, 3])
    """
    key = drawn_key(body_namespace(), device, seed)
    return key.__array_namespace__().random.integers(key, low, high, shape, dtype=dtype)


@compositional
def shuffle(x: ArrayIn, /, *, axis: int = 0, seed: int | None = None, out: Out = None) -> Array:
    """Array in random order along an axis, drawn with the hidden state.

    Parameters
    ----------
    x
        Array with at least one axis. It stays as it is.
    axis
        Axis along which the parts of the array are put in another order.
    seed
        Seed of this draw alone, from 0 to ``2**64 - 1``; by default the hidden state goes on.

    Returns
    -------
    Array of x's shape and data type.

    Raises
    ------
    UnifyIndexError
        If `axis` is out of bounds.
    UnifyTypeError
        If `seed` is no integer.
    UnifyOverflowError
        If `seed` is out of its range.

    References
    ----------
    B55: random (docs/behaviours.md).

    Examples
    --------
    >>> unify.random.seed(7)
    >>> unify.sort(unify.random.shuffle(unify.array([3, 1, 2])))
    unify.array([1, 2, 3])
    """
    xp = x.__array_namespace__()
    return xp.random.permutation(drawn_key(xp, x.device, seed), x, axis=axis)


# --- what several of them share -----------------------------------------------------------------


def _between(
    function: str, key: BodyArray, shape: Shape, dtype: DType | None, **ends: Any
) -> Array:
    """Draw numbers between two ends, each as likely."""
    dtype = float_dtype(function, dtype)
    x = fractions(key, shape, dtype)
    if any(type(end) is not float for end in ends.values()) or tuple(ends.values()) != (0.0, 1.0):
        low, high = given_as(function, key, x.shape, x.dtype, **ends)
        x = _scaled(x, low, high, [end for end in ends.values() if isinstance(end, int | float)])
    return rounded(x, dtype)


def _scaled(x: BodyArray, low: Array, high: Array, numbers: list[float]) -> Array:
    """Return low + x * (high - low), in two steps where the difference overflows."""
    xp = x.__array_namespace__()
    if len(numbers) == 2 and abs(float(numbers[1]) - float(numbers[0])) <= xp.finfo(x.dtype).max:
        return low + x * (high - low)
    half = x * (high * 0.5 - low * 0.5)
    found: Array = xp.where(xp.isfinite(high - low), low + x * (high - low), low + half + half)
    return found


def _parameters(function: str, key: BodyArray, shape: Shape | None, **given: Any) -> list[Array]:
    """Return the parameters of a distribution in the shape of the result, without derivatives."""
    xp = key.__array_namespace__()
    arrays = {
        name: xp.stop_gradient(parameter(function, name, value, key))
        for name, value in given.items()
    }
    return broadcast(function, shape_of_all(key, shape, *arrays.values()), **arrays)


def _rows(function: str, name: str, given: BodyArray, key: BodyArray) -> Array:
    """Return an array with numbers along its last axis."""
    x = parameter(function, name, given, key)
    if not x.ndim or not x.shape[-1]:
        raise_value_error(
            f"random.{function}", name, f"has shape {tuple(x.shape)}",
            "pass at least one number along the last axis",
        )  # fmt: skip
    return x
