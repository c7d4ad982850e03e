"""Contracts of the extension `special`: the functions of scipy.special, with its defaults."""

from __future__ import annotations

from typing import Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.checks.axes import normalize_axes
from arrayapi_unify.binding import compositional, mixed
from arrayapi_unify.contracts.annotations import (
    ArrayIn,
    ArrayOrArrays,
    OptionalArray,
    Out,
    RealOperand,
)
from arrayapi_unify.functional._common import (
    BodyArray,
    check_real,
    floating_together,
    real,
)
from arrayapi_unify.functional._custom_gradients import refuse_derivative
from arrayapi_unify.functional._special import of_one, of_operands, operands


def _log_sum(x: Array, axes: tuple[int, ...]) -> tuple[Any, Any]:
    """Return a shift, and the logarithm of the sum of ``exp(x - shift)``, with axes of size one.

    The largest elements contribute 1 each. Next to these, small summands remain visible:
    ``log1p`` gets the sum without the first 1, which ``expm1`` leaves out without an effect on
    derivatives of any order.
    """
    xp = x.__array_namespace__()
    if 0 in x.shape:
        return 0.0, xp.log(xp.sum(xp.exp(x), axis=axes, keepdims=True))
    largest = xp.max(x, axis=axes, keepdims=True)
    shift = xp.where(xp.isfinite(largest), largest, 0.0)
    top, shifted = x == largest, x - shift
    rest = xp.sum(xp.where(top, xp.expm1(shifted), xp.exp(shifted)), axis=axes, keepdims=True)
    more = xp.sum(xp.astype(top, x.dtype), axis=axes, keepdims=True) - 1
    # NaN is equal to nothing, so that no summand of its slice is left out.
    return shift, xp.log1p(rest + xp.where(more < 0, 0.0, more))


@mixed
def beta(a: RealOperand, b: RealOperand, /, *, out: Out = None) -> Array:
    """Beta function, ``gamma(a) * gamma(b) / gamma(a + b)``, without overflow on the way.

    Shapes broadcast.

    Parameters
    ----------
    a
        Real-valued array or Python number.
    b
        Real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is the default
    floating-point data type for bool and integers.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    Notes
    -----
    Of negative numbers, which aren't integers, it is the quotient of gamma functions that defines
    it. Nonpositive integers give infinity, or the limit for a positive integer as the other
    operand, if that exists.

    References
    ----------
    Olver et al., "NIST Handbook of Mathematical Functions", 2010, section 5.12.

    Examples
    --------
    >>> unify.special.beta(unify.array([0.5, 1.0, 300.0]), unify.array([0.5, 4.0, 200.0]))
    unify.array([3.14159265e+000, 2.50000000e-001, 1.64854916e-147])
    """
    _, a, b = operands("special.beta", a=a, b=b)
    return of_operands("beta", a, b)


@mixed
def betainc(a: RealOperand, b: RealOperand, x: RealOperand, /, *, out: Out = None) -> Array:
    """Regularized incomplete beta function, a distribution function.

    Shapes broadcast.

    Parameters
    ----------
    a
        First shape parameter: real-valued array or Python number.
    b
        Second shape parameter: real-valued array or Python number.
    x
        Upper limit of the integral, from 0 to 1: real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is the default
    floating-point data type for bool and integers. It is NaN outside of the domain, and where both
    parameters are zero or infinite.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast, or if it is differentiated by `a` or `b`.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    Notes
    -----
    In double precision it is right to 1e-13, relative to the result, for parameters from 1e-3 to
    1e5 and results above 1e-200. ``betainc(b, a, 1 - x)`` is the upper tail.

    References
    ----------
    Olver et al., "NIST Handbook of Mathematical Functions", 2010, section 8.17.

    Examples
    --------
    >>> unify.special.betainc(unify.array([0.5, 3.0, 1000.0]), 3.0, unify.array([0.1, 0.5, 0.99]))
    unify.array([0.55458444, 0.5       , 0.0026356 ])
    """
    _, a, b, x = operands("special.betainc", a=a, b=b, x=x)
    a, b = (refuse_derivative("special.betainc", n, v) for n, v in (("a", a), ("b", b)))
    return of_operands("betainc", a, b, x)


@mixed
def betaln(a: RealOperand, b: RealOperand, /, *, out: Out = None) -> Array:
    """Logarithm of the absolute value of the beta function.

    Shapes broadcast.

    Parameters
    ----------
    a
        Real-valued array or Python number.
    b
        Real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is the default
    floating-point data type for bool and integers.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    Notes
    -----
    Of negative numbers, which aren't integers, it is the quotient of gamma functions that defines
    it. Nonpositive integers give infinity, or the limit for a positive integer as the other
    operand, if that exists.

    References
    ----------
    Didonato and Morris, "Algorithm 708", 1992.

    Examples
    --------
    >>> unify.special.betaln(unify.array([0.5, 1.0, 3e5]), unify.array([0.5, 4.0, 2e5]))
    unify.array([ 1.14472989e+00, -1.38629436e+00, -3.36510762e+05])
    """
    _, a, b = operands("special.betaln", a=a, b=b)
    return of_operands("betaln", a, b)


@mixed
def digamma(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Derivative of `gammaln`.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one. It is NaN
    for negative integers, and infinity of the other sign at the zeros.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Olver et al., "NIST Handbook of Mathematical Functions", 2010, section 5.2.

    Examples
    --------
    >>> unify.special.digamma(unify.array([0.5, 1.0, 10.0]))
    unify.array([-1.96351003, -0.57721566,  2.25175259])
    """
    return of_one("digamma", x)


@compositional
def entr(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Entropy of one probability, ``-x * log(x)``.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one. It is 0 for 0,
    and minus infinity for negative numbers.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    Notes
    -----
    The derivative at 0 is that at the smallest normal number, instead of infinity.

    References
    ----------
    Boyd and Vandenberghe, "Convex Optimization", 2004, section 3.1.5.

    Examples
    --------
    >>> unify.special.entr(unify.array([-1.0, 0.0, 0.5]))
    unify.array([      -inf, 0.        , 0.34657359])
    """
    x = real("special.entr", "x", x)
    xp = x.__array_namespace__()
    positive = xp.where(x <= 0, xp.finfo(x.dtype).smallest_normal, x)
    return xp.where(x < 0, -xp.inf, 0.0 - x * xp.log(positive))


@mixed
def erf(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Error function, ``2 / sqrt(pi)`` times the integral of ``exp(-t**2)`` from 0 to `x`.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964, 7.1.1.

    Examples
    --------
    >>> unify.special.erf(unify.array([-unify.inf, 0.0, 0.5]))
    unify.array([-1.        ,  0.        ,  0.52049988])
    """
    return of_one("erf", x)


@mixed
def erfc(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Complementary error function, ``1 - erf(x)``.

    It keeps its digits where that cancels.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964, 7.1.2.

    Examples
    --------
    >>> unify.special.erfc(unify.array([-unify.inf, 0.0, 10.0]))
    unify.array([2.00000000e+00, 1.00000000e+00, 2.08848758e-45])
    """
    return of_one("erfc", x)


@mixed
def erfcx(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Scaled complementary error function, ``exp(x**2) * erfc(x)``.

    It doesn't underflow for large `x`.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964, 7.1.2.

    Examples
    --------
    >>> unify.special.erfcx(unify.array([-1.0, 0.0, 100.0]))
    unify.array([5.00898008, 1.        , 0.00564161])
    """
    return of_one("erfcx", x)


@mixed
def erfinv(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Inverse of the error function `erf`.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one. It is
    infinite for -1 and 1, and NaN outside of the interval between them.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", 1988.

    Examples
    --------
    >>> unify.special.erfinv(unify.array([-1.0, 0.0, 0.5]))
    unify.array([      -inf, 0.        , 0.47693628])
    """
    return of_one("erfinv", x)


@compositional
def expit(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Logistic function, ``1 / (1 + exp(-x))``: the inverse of `logit`.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Goodfellow, Bengio and Courville, "Deep Learning", 2016, section 3.10.

    Examples
    --------
    >>> unify.special.expit(unify.array([-1000.0, 0.0, 1000.0]))
    unify.array([0. , 0.5, 1. ])
    """
    x = real("special.expit", "x", x)
    return x.__array_namespace__().nn.sigmoid(x)


@mixed
def gamma(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Gamma function, which is the factorial of ``x - 1`` for positive integers.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one. It is NaN
    for negative integers, and infinity of the same sign at the zeros.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Olver et al., "NIST Handbook of Mathematical Functions", 2010, section 5.2.

    Examples
    --------
    >>> unify.special.gamma(unify.array([0.5, 1.0, 5.0]))
    unify.array([ 1.77245385,  1.        , 24.        ])
    """
    return of_one("gamma", x)


@mixed
def gammainc(a: RealOperand, x: RealOperand, /, *, out: Out = None) -> Array:
    """Regularized lower incomplete gamma function P(a, x), a distribution function.

    Shapes broadcast.

    Parameters
    ----------
    a
        Shape parameter: real-valued array or Python number.
    x
        Upper limit of the integral: real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is the default
    floating-point data type for bool and integers. It is NaN for negative numbers, and where both
    are zero or infinite.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    Notes
    -----
    It has derivatives in both arguments.

    References
    ----------
    Temme, "The Asymptotic Expansion of the Incomplete Gamma Functions", 1979.

    Examples
    --------
    >>> unify.special.gammainc(unify.array([0.5, 3.0, 1000.0]), unify.array([0.5, 3.0, 1000.0]))
    unify.array([0.68268949, 0.57680992, 0.50420524])
    """
    _, a, x = operands("special.gammainc", a=a, x=x)
    return of_operands("gammainc", a, x)


@mixed
def gammaincc(a: RealOperand, x: RealOperand, /, *, out: Out = None) -> Array:
    """Regularized upper incomplete gamma function Q(a, x), which is 1 - P(a, x).

    Shapes broadcast.

    Parameters
    ----------
    a
        Shape parameter: real-valued array or Python number.
    x
        Lower limit of the integral: real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is the default
    floating-point data type for bool and integers. It is NaN for negative numbers, and where both
    are zero or infinite.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    Notes
    -----
    It has derivatives in both arguments.

    References
    ----------
    Temme, "The Asymptotic Expansion of the Incomplete Gamma Functions", 1979.

    Examples
    --------
    >>> unify.special.gammaincc(unify.array([0.5, 3.0, 1000.0]), unify.array([0.5, 3.0, 1000.0]))
    unify.array([0.31731051, 0.42319008, 0.49579476])
    """
    _, a, x = operands("special.gammaincc", a=a, x=x)
    return of_operands("gammaincc", a, x)


@mixed
def gammaln(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Logarithm of the absolute value of the gamma function.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one. It is
    infinity for zero and negative integers, and minus infinity for minus infinity, as in SciPy.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Olver et al., "NIST Handbook of Mathematical Functions", 2010, section 5.2.

    Examples
    --------
    >>> unify.special.gammaln(unify.array([0.5, 1.0, 1000.0]))
    unify.array([5.72364943e-01, 0.00000000e+00, 5.90522042e+03])
    """
    return of_one("gammaln", x)


@mixed
def i0(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Modified Bessel function of order 0.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    Notes
    -----
    An infinite `x` gives an infinity, SciPy's ``i0`` NaN.

    References
    ----------
    Olver et al., "NIST Handbook of Mathematical Functions", 2010, section 10.25.

    Examples
    --------
    >>> unify.special.i0(unify.array([0.0, 1.0, 10.0]))
    unify.array([1.00000000e+00, 1.26606588e+00, 2.81571663e+03])
    """
    return of_one("i0", x)


@mixed
def i0e(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Modified Bessel function of order 0, divided by ``exp(abs(x))``.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one. It
    doesn't overflow.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Olver et al., "NIST Handbook of Mathematical Functions", 2010, section 10.25.

    Examples
    --------
    >>> unify.special.i0e(unify.array([0.0, 1.0, 1000.0]))
    unify.array([1.        , 0.46575961, 0.01261724])
    """
    return of_one("i0e", x)


@mixed
def i1(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Modified Bessel function of order 1.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    Notes
    -----
    An infinite `x` gives an infinity of its sign, SciPy's ``i1`` NaN.

    References
    ----------
    Olver et al., "NIST Handbook of Mathematical Functions", 2010, section 10.25.

    Examples
    --------
    >>> unify.special.i1(unify.array([0.0, 1.0, 10.0]))
    unify.array([0.00000000e+00, 5.65159104e-01, 2.67098830e+03])
    """
    return of_one("i1", x)


@mixed
def i1e(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Modified Bessel function of order 1, divided by ``exp(abs(x))``.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one. It
    doesn't overflow.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Olver et al., "NIST Handbook of Mathematical Functions", 2010, section 10.25.

    Examples
    --------
    >>> unify.special.i1e(unify.array([0.0, 1.0, 1000.0]))
    unify.array([0.        , 0.20791042, 0.01261093])
    """
    return of_one("i1e", x)


@compositional
def kl_div(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Elementwise Kullback-Leibler divergence, ``x1 * log(x1 / x2) - x1 + x2``.

    Shapes broadcast. Unlike the loss `unify.nn.kl_div`, it takes no mean, and neither argument is a
    logarithm.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is the default
    floating-point data type for bool and integers. It is `x2` if `x1` is zero and `x2` isn't
    negative, and infinity outside of the domain.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    Notes
    -----
    For a difference of at most a quarter of `x2`, a series replaces the formula, in which all
    digits would cancel.

    References
    ----------
    Boyd and Vandenberghe, "Convex Optimization", 2004, section 3.2.6.

    Examples
    --------
    >>> unify.special.kl_div(unify.array([0.0, 1.0, 2.0]), 1.0)
    unify.array([1.        , 0.        , 0.38629436])
    """
    xp, x, y = operands("special.kl_div", x1=x1, x2=x2)
    inside = xp.logical_and(x > 0, y > 0)
    p, q = xp.where(inside, x, 1.0), xp.where(inside, y, 1.0)
    near = xp.abs(p - q) <= q / 4
    change = xp.where(near, p - q, 0.0) / q
    z = change / (2 + change)
    square = z * z
    series = 1 / 21 + 0 * z
    for k in range(19, 1, -2):
        series = 1 / k + square * series
    small = q * (2 * square * (1 + (1 + z) * z * series) / (1 - z))
    found = xp.where(near, small, p * _log_ratio(xp, p, q) - p + q)
    return _with_edges(xp, x, y, inside, found, y)


@mixed
def lgamma(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Logarithm of the absolute value of the gamma function: `gammaln` under the name of C.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one. It is
    infinity for zero and negative integers, and minus infinity for minus infinity, as in SciPy.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Olver et al., "NIST Handbook of Mathematical Functions", 2010, section 5.2.

    Examples
    --------
    >>> unify.special.lgamma(unify.array([0.5, 1.0, 1000.0]))
    unify.array([5.72364943e-01, 0.00000000e+00, 5.90522042e+03])
    """
    return of_one("lgamma", x)


@mixed
def log_ndtr(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Logarithm of the distribution function of the standard normal distribution, `ndtr`.

    It is exact even where that underflows, or is nearly 1.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964, 26.2.

    Examples
    --------
    >>> unify.special.log_ndtr(unify.array([-100.0, 0.0, 10.0]))
    unify.array([-5.00552421e+03, -6.93147181e-01, -7.61985302e-24])
    """
    return of_one("log_ndtr", x)


@compositional
def log_softmax(
    x: ArrayIn, /, axis: int | tuple[int, ...] | None = None, *, out: Out = None
) -> Array:
    """Logarithm of `softmax`, exact even where that underflows.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    axis
        Axis or axes along which the exponentials of the results add up to one. None normalizes the
        whole array; `unify.nn.log_softmax` takes the last axis.

    Returns
    -------
    Array of x's shape and floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyIndexError
        If an axis is out of bounds.
    UnifyValueError
        If an axis is given twice.

    References
    ----------
    Goodfellow, Bengio and Courville, "Deep Learning", 2016, section 4.1.

    Examples
    --------
    >>> unify.special.log_softmax(unify.array([0.0, 1000.0]))
    unify.array([-1000.,     0.])
    """
    x = real("special.log_softmax", "x", x)
    shift, logarithm = _log_sum(x, normalize_axes("special.log_softmax", axis, x.ndim))
    return x - shift - logarithm


@compositional
def logit(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Logarithm of the odds of a probability, ``log(x / (1 - x))``: the inverse of `expit`.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one. It is NaN
    outside of the interval from 0 to 1.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Berkson, "Application of the Logistic Function to Bio-Assay", 1944.

    Examples
    --------
    >>> unify.special.logit(unify.array([0.0, 0.5, 0.75]))
    unify.array([      -inf, 0.        , 1.09861229])
    """
    x = real("special.logit", "x", x)
    xp = x.__array_namespace__()
    # Both logarithms are near log(2) there, and cancel; 2x - 1 has no rounding error.
    near = xp.abs(x - 0.5) < 0.15
    s = xp.where(near, 2 * x - 1, 0.0)
    far = xp.where(near, 0.25, x)
    middle = xp.log1p(s) - xp.log1p(-s)
    # One logarithm: of two, each would be a part of the derivative where the other has none.
    return xp.where(near, middle, xp.log(far / (1 - far)))


@compositional
def logsumexp(
    x: ArrayIn,
    /,
    axis: int | tuple[int, ...] | None = None,
    b: OptionalArray = None,
    keepdims: bool = False,
    return_sign: bool = False,
) -> ArrayOrArrays:
    """Logarithm of the sum of exponentials, ``log(sum(b * exp(x)))``.

    It neither overflows nor underflows on the way to the result.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    axis
        Axis or axes to reduce. None reduces all.
    b
        Factors of the exponentials: array of real data type, whose shape broadcasts with x's. None
        multiplies by nothing.
    keepdims
        If True, the reduced axes remain, with size one.
    return_sign
        If True, the sign of the sum is returned, too, and the logarithm is that of its absolute
        value.

    Returns
    -------
    Array of the floating-point data type to which `x` and `b` promote; integers give the default
    one. It is minus infinity if there are no elements, and NaN for a negative sum. With
    `return_sign`, a tuple of it and of the signs, which are -1, 0 or 1.

    Raises
    ------
    UnifyTypeError
        If `x` or `b` is complex.
    UnifyValueError
        If the shapes don't broadcast, or an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    Blanchard, Higham and Higham, "Accurately Computing the Log-Sum-Exp and
    Softmax Functions", 2021.

    Examples
    --------
    >>> unify.special.logsumexp(unify.array([1000.0, 1000.0]))
    unify.array(1000.69314718)
    """
    values: BodyArray = real("special.logsumexp", "x", x)
    xp = values.__array_namespace__()
    if b is None:
        axes = normalize_axes("special.logsumexp", axis, values.ndim)
        shift, logarithm = _log_sum(values, axes)
        sign = xp.astype(logarithm > -xp.inf, logarithm.dtype)
        sign = xp.where(xp.isnan(logarithm), logarithm, sign)
    else:
        check_real("special.logsumexp", "b", b)
        values, b = xp.broadcast_arrays(*floating_together(values, b))
        axes = normalize_axes("special.logsumexp", axis, values.ndim)
        values = xp.where(b == 0, -xp.inf, values)
        shift = _finite_maximum(values, axes)
        total = xp.sum(b * xp.exp(values - shift), axis=axes, keepdims=True)
        sign = xp.sign(total)
        logarithm = xp.log(xp.abs(total) if return_sign else total)
    found = logarithm + shift
    if not keepdims:
        found, sign = xp.squeeze(found, axis=axes), xp.squeeze(sign, axis=axes)
    return (found, sign) if return_sign else found


def _finite_maximum(x: BodyArray, axes: tuple[int, ...]) -> Any:
    """Return the maximum along axes, which remain; 0 in place of an infinite one."""
    xp = x.__array_namespace__()
    if 0 in x.shape:
        return 0.0
    largest = xp.max(x, axis=axes, keepdims=True)
    return xp.where(xp.isfinite(largest), largest, 0.0)


@mixed
def ndtr(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Distribution function of the standard normal distribution.

    It is the probability that a normal variable of mean 0 and variance 1 is below `x`.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964, 26.2.2.

    Examples
    --------
    >>> unify.special.ndtr(unify.array([-10.0, 0.0, 1.0]))
    unify.array([7.61985302e-24, 5.00000000e-01, 8.41344746e-01])
    """
    return of_one("ndtr", x)


@mixed
def ndtri(x: ArrayIn, /, *, out: Out = None) -> Array:
    """Inverse of `ndtr`: the number below which a standard normal variable is with probability `x`.

    Parameters
    ----------
    x
        Array of any shape and real data type.

    Returns
    -------
    Array of x's floating-point data type. Integers and bools give the default one. It is
    infinite for 0 and 1, and NaN outside of the interval between them.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.

    References
    ----------
    Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", 1988.

    Examples
    --------
    >>> unify.special.ndtri(unify.array([0.0, 0.5, 0.975]))
    unify.array([      -inf, 0.        , 1.95996398])
    """
    return of_one("ndtri", x)


@mixed
def polygamma(n: RealOperand, x: RealOperand, /, *, out: Out = None) -> Array:
    """Derivative of the order `n` of `digamma`, which itself has the order 0.

    Shapes broadcast.

    Parameters
    ----------
    n
        Order of the derivative: real-valued array or Python number.
    x
        Real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is the default
    floating-point data type for bool and integers. It is NaN for an order that is negative, above
    169, or no whole number.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast, or if it is differentiated by `n`.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    References
    ----------
    Olver et al., "NIST Handbook of Mathematical Functions", 2010, section 5.15.

    Examples
    --------
    >>> unify.special.polygamma(1, unify.array([0.5, 1.0, 10.0]))
    unify.array([4.9348022 , 1.64493407, 0.10516634])
    """
    _, n, x = operands("special.polygamma", n=n, x=x)
    return of_operands("polygamma", refuse_derivative("special.polygamma", "n", n), x)


@compositional
def rel_entr(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Elementwise relative entropy, ``x1 * log(x1 / x2)``.

    Shapes broadcast.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is the default
    floating-point data type for bool and integers. It is 0 if `x1` is zero and `x2` isn't negative,
    and infinity outside of the domain.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    References
    ----------
    Boyd and Vandenberghe, "Convex Optimization", 2004, section 3.2.6.

    Examples
    --------
    >>> unify.special.rel_entr(unify.array([0.0, 1.0, 2.0]), 1.0)
    unify.array([0.        , 0.        , 1.38629436])
    """
    xp, x, y = operands("special.rel_entr", x1=x1, x2=x2)
    inside = xp.logical_and(x > 0, y > 0)
    p, q = xp.where(inside, x, 1.0), xp.where(inside, y, 1.0)
    return _with_edges(xp, x, y, inside, p * _log_ratio(xp, p, q), 0.0)


def _log_ratio(xp: Any, p: BodyArray, q: BodyArray) -> BodyArray:
    """Return ``log(p / q)`` of positive numbers without cancellation, overflow and underflow."""
    ratio = p / q
    near = xp.logical_and(ratio > 0.5, ratio < 2)
    tiny = xp.finfo(ratio.dtype).smallest_normal
    usual = xp.logical_and(ratio >= tiny, ratio < xp.inf)
    close = xp.log1p(xp.where(near, p - q, 0.0) / q)
    far = xp.where(usual, xp.log(xp.where(usual, ratio, 1.0)), xp.log(p) - xp.log(q))
    return xp.where(near, close, far)


def _with_edges(
    xp: Any, x1: BodyArray, x2: BodyArray, inside: BodyArray, found: BodyArray, at_zero: Any
) -> Array:
    """Return an entropy with its values outside of the open domain, and NaN."""
    edge = xp.logical_and(x1 == 0, x2 >= 0)
    found = xp.where(edge, at_zero, xp.where(inside, found, xp.inf))
    return xp.where(x1 != x1, x1, xp.where(x2 != x2, x2, found))


@compositional
def softmax(x: ArrayIn, /, axis: int | tuple[int, ...] | None = None, *, out: Out = None) -> Array:
    """Exponentials along an axis, divided by their sum.

    The exponentials don't overflow.

    Parameters
    ----------
    x
        Array of any shape and real data type.
    axis
        Axis or axes along which the results add up to one. None normalizes the whole array;
        `unify.nn.softmax` takes the last axis.

    Returns
    -------
    Array of x's shape and floating-point data type. Integers and bools give the default one.

    Raises
    ------
    UnifyTypeError
        If `x` is complex.
    UnifyIndexError
        If an axis is out of bounds.
    UnifyValueError
        If an axis is given twice.

    References
    ----------
    Goodfellow, Bengio and Courville, "Deep Learning", 2016, section 4.1.

    Examples
    --------
    >>> unify.special.softmax(unify.array([[0.0, 0.0], [0.0, 0.0]]))
    unify.array([[0.25, 0.25],
                 [0.25, 0.25]])
    """
    x = real("special.softmax", "x", x)
    axes = normalize_axes("special.softmax", axis, x.ndim)
    xp = x.__array_namespace__()
    if 0 in x.shape:
        return xp.exp(x)
    found = xp.exp(x - xp.max(x, axis=axes, keepdims=True))
    return found / xp.sum(found, axis=axes, keepdims=True)


@compositional
def xlog1py(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Product ``x1 * log1p(x2)``, which is 0 if `x1` is, unless `x2` is NaN.

    Shapes broadcast.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is the default
    floating-point data type for bool and integers.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    References
    ----------
    SciPy's ``special.xlog1py``.

    Examples
    --------
    >>> unify.special.xlog1py(unify.array([0.0, 2.0]), -1.0)
    unify.array([  0., -inf])
    """
    xp, x, y = operands("special.xlog1py", x1=x1, x2=x2)
    beyond = xp.logical_or(y <= -1, y == xp.inf)
    return x * xp.log1p(xp.where(xp.logical_and(x == 0, beyond), 0.0, y))


@compositional
def xlogy(x1: RealOperand, x2: RealOperand, /, *, out: Out = None) -> Array:
    """Product ``x1 * log(x2)``, which is 0 if `x1` is, unless `x2` is NaN.

    Shapes broadcast.

    Parameters
    ----------
    x1
        Real-valued array or Python number.
    x2
        Real-valued array or Python number.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is the default
    floating-point data type for bool and integers.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    References
    ----------
    SciPy's ``special.xlogy``.

    Examples
    --------
    >>> unify.special.xlogy(unify.array([0.0, 2.0]), unify.array([0.0, 1.0]))
    unify.array([0., 0.])
    """
    xp, x, y = operands("special.xlogy", x1=x1, x2=x2)
    beyond = xp.logical_or(y <= 0, y == xp.inf)
    return x * xp.log(xp.where(xp.logical_and(x == 0, beyond), 1.0, y))


@mixed
def zeta(x: RealOperand, q: RealOperand, /, *, out: Out = None) -> Array:
    """Hurwitz' zeta function, the sum of ``(q + k)**-x`` over all natural numbers k from 0 on.

    Shapes broadcast.

    Parameters
    ----------
    x
        Exponent: real-valued array or Python number.
    q
        First base: real-valued array or Python number. 1 gives Riemann's zeta function.

    Returns
    -------
    Array of the broadcast shape; the data type follows the promotion rules, and is the default
    floating-point data type for bool and integers. It is infinity for an exponent of 1 and at the
    poles, which are the nonpositive integers `q`, and NaN for smaller exponents, and for negative
    `q` if `x` isn't a whole number.

    Raises
    ------
    UnifyTypeError
        If an operand is complex.
    UnifyValueError
        If the shapes don't broadcast, or if it is differentiated by `x`.
    UnifyOverflowError
        If a Python integer is too large for a floating-point number.

    References
    ----------
    Johansson, "Rigorous high-precision computation of the Hurwitz zeta function and its
    derivatives", 2015.

    Examples
    --------
    >>> unify.special.zeta(unify.array([2.0, 4.0]), 1.0)
    unify.array([1.64493407, 1.08232323])
    """
    _, x, q = operands("special.zeta", x=x, q=q)
    return of_operands("zeta", refuse_derivative("special.zeta", "x", x), q)
