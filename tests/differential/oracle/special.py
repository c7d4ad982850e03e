"""Oracles of `special`: the formulas in extended precision, with the edges of scipy.special."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import scipy.special

from tests.differential.oracle._registry import floating, narrow, oracle, wide
from tests.differential.oracle.elementwise import operands

__all__: list[str] = []


@oracle("special.entr")
def _entr(x: Any, /) -> Any:
    values = wide(x)
    found = -values * np.log(np.where(values == 0, 1, values))
    return narrow(np.where(values < 0, -np.inf, found), floating(x))


@oracle("special.expit")
def _expit(x: Any, /) -> Any:
    return narrow(1 / (1 + np.exp(-wide(x))), floating(x))


@oracle("special.logit")
def _logit(x: Any, /) -> Any:
    values = wide(x)
    return narrow(np.log(values) - np.log1p(-values), floating(x))


def _by_scipy(name: str) -> Callable[[Any], Any]:
    """Make an oracle of SciPy's function in double precision."""
    function = getattr(scipy.special, name)
    return lambda x, /: narrow(function(np.asarray(x, "f8")), floating(x))


for _name in ("digamma", "gamma", "gammaln", "i0e", "i1e"):
    oracle(f"special.{_name}")(_by_scipy(_name))
oracle("special.lgamma")(_by_scipy("gammaln"))


def _growing(name: str, limit: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Make an oracle of a function that is infinite at infinity, where SciPy's is NaN."""
    function = getattr(scipy.special, name)

    def grow(x: Any, /) -> Any:
        values = np.asarray(x, "f8")
        return narrow(np.where(np.isinf(values), limit(values), function(values)), floating(x))

    return grow


oracle("special.i0")(_growing("i0", np.abs))
oracle("special.i1")(_growing("i1", np.positive))


def _of_pair(formula: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Make an oracle of a function of two operands, from its formula in extended precision."""

    def of_pair(x1: Any, x2: Any, /) -> Any:
        x1, x2, common = operands(x1, x2)
        target = common if common.startswith("float") else "float64"
        x1, x2 = (wide(np.asarray(x, target)) for x in (x1, x2))
        return narrow(formula(x1, x2), target)

    return of_pair


def _of_poles(name: str, limit: float) -> Callable[..., Any]:
    """Make an oracle of the beta function, with limits that SciPy's misses.

    It is infinity for two nonpositive integers, where SciPy's sign varies.
    """

    def of_poles(x1: Any, x2: Any) -> Any:
        x1, x2 = np.broadcast_arrays(*(np.asarray(x, "f8") for x in (x1, x2)))
        poles = [(x <= 0) & (x == np.floor(x)) for x in (x1, x2)]
        sign = 1.0
        for i in range(2):  # SciPy's knows integers of 32 bits only
            moved = poles[i] & np.isfinite(x1) & (x2 > 0) & (x2 == np.floor(x2)) & (1 - x1 > x2)
            sign = np.where(moved & (x2 % 2 == 1) & (limit == 0), -1.0, sign)
            x1, x2 = x2, np.where(moved, 1 - x1 - x2, x1)
        large = (x1 > 1e300) & (x2 > 1e300) & ~(np.isinf(x1) & np.isinf(x2))
        found = np.where(large, limit, sign * getattr(scipy.special, name)(x1, x2))
        return np.where(poles[0] & poles[1], np.inf, found)

    return _of_pair(of_poles)


oracle("special.beta")(_of_poles("beta", 0.0))
oracle("special.betaln")(_of_poles("betaln", -np.inf))


_FEW_DIGITS = 1e-290  # terms of SciPy's sum are subnormal below it


def _zeta(x1: Any, x2: Any) -> Any:
    """Reflect negative numbers: the terms of SciPy's sum cancel. Take limits for large exponents.

    The sum over all integers has the period 1.
    """
    s, q = np.broadcast_arrays(np.asarray(x1, "f8"), np.asarray(x2, "f8"))
    below = (q < 0) & (q != np.floor(q))
    sign = np.where(s == np.floor(s), 1 - 2 * (s % 2), np.nan)
    zeta = scipy.special.zeta
    parts = zeta(s, q - np.floor(q)), zeta(s, np.ceil(q) - q), zeta(s, 1 - q)
    found = np.where(below & (s > 1), parts[0] + sign * parts[1] - sign * parts[2], zeta(s, q))
    limit = np.where(q > 1, 0.0, np.where(below, np.where(np.isinf(s), np.nan, np.inf), found))
    found = np.where(s > 1e15, limit, found)
    for i in np.ndindex(found.shape):
        if 0 < found[i] < _FEW_DIGITS:
            with mpmath.workdps(400):
                found[i] = float(mpmath.zeta(float(s[i]), float(q[i])))
    return found


oracle("special.zeta")(_of_pair(_zeta))


def _polygamma(x1: Any, x2: Any) -> Any:
    n, x = np.broadcast_arrays(np.asarray(x1, "f8"), np.asarray(x2, "f8"))
    zeta = _zeta(n + 1, x)
    found = -((-1.0) ** n) * scipy.special.gamma(n + 1) * zeta
    for i in np.ndindex(found.shape):
        if 0 < zeta[i] < _FEW_DIGITS and n[i] < 170:
            with mpmath.workdps(400):
                found[i] = float(mpmath.psi(int(n[i]), x[i]))
    known = (n > 0) & (n <= 169) & (n == np.floor(n))
    return np.where(n == 0, scipy.special.digamma(x), np.where(known, found, np.nan))


oracle("special.polygamma")(_of_pair(_polygamma))


def _incomplete(name: str, limit: float) -> Callable[..., Any]:
    """Make an oracle of SciPy's incomplete gamma function, with its limit for a large shape."""

    def incomplete(x1: Any, x2: Any) -> Any:
        a, x = np.broadcast_arrays(np.asarray(x1, "f8"), np.asarray(x2, "f8"))
        large = (a > 1e300) & (x >= 0) & (x < 1e100)
        return np.where(large, limit, getattr(scipy.special, name)(a, x))

    return _of_pair(incomplete)


oracle("special.gammainc")(_incomplete("gammainc", 0.0))
oracle("special.gammaincc")(_incomplete("gammaincc", 1.0))


@oracle("special.betainc")
def _betainc(a: Any, b: Any, x: Any, /) -> Any:
    arrays = [v for v in (a, b, x) if isinstance(v, np.ndarray)]
    common = np.empty(0, operands(arrays[0], arrays[-1])[2])
    common = operands(common, arrays[len(arrays) // 2])[2]
    target = common if common.startswith("float") else "float64"
    a, b, x = np.broadcast_arrays(*(np.asarray(np.asarray(v, target), "f8") for v in (a, b, x)))
    # SciPy's is NaN for parameters near the largest numbers: it is a step at the mean.
    scale = np.maximum(a, b) / 1e10
    large = (scale > 1e100) & (a >= 0) & (b >= 0) & np.isfinite(scale)
    a, b = (np.where(large, v / np.where(large, scale, 1), v) for v in (a, b))
    return narrow(_limits(a, b, x, scipy.special.betainc(a, b, x)), target)


def _limits(a: Any, b: Any, x: Any, found: Any) -> Any:
    """Return steps for parameters that are 0 or infinite, which are NaN in SciPy 1.15."""
    inside = (x >= 0) & (x <= 1)
    at_zero = ((a == 0) & (b > 0)) | ((b == np.inf) & (a >= 0) & (a < np.inf))
    at_one = ((b == 0) & (a > 0)) | ((a == np.inf) & (b >= 0) & (b < np.inf))
    found = np.where(at_zero & inside, x > 0, found)
    return np.where(at_one & inside, x == 1, found)


def _product(log: Callable[[Any], Any], beyond: Callable[[Any], Any]) -> Callable[..., Any]:
    def formula(x1: Any, x2: Any) -> Any:
        return x1 * log(np.where((x1 == 0) & beyond(x2), 0.5, x2))

    return _of_pair(formula)


oracle("special.xlogy")(_product(np.log, lambda x: (x <= 0) | np.isposinf(x)))
oracle("special.xlog1py")(_product(np.log1p, lambda x: (x <= -1) | np.isposinf(x)))


def _entropy(x1: Any, x2: Any, at_zero: Any, difference: Any) -> Any:
    inside = (x1 > 0) & (x2 > 0)
    p, q = np.where(inside, x1, 1), np.where(inside, x2, 1)
    near = np.abs(p - q) < q / 2
    logs = np.where(near, np.log1p(np.where(near, p - q, 0) / q), np.log(p) - np.log(q))
    edge = np.where((x1 == 0) & (x2 >= 0), at_zero, np.inf)
    found = np.where(inside, p * logs - difference(p, q), edge)
    return np.where(np.isnan(x1) | np.isnan(x2), np.nan, found)


oracle("special.rel_entr")(_of_pair(lambda x1, x2: _entropy(x1, x2, 0, lambda p, q: 0)))
oracle("special.kl_div")(_of_pair(lambda x1, x2: _entropy(x1, x2, x2, lambda p, q: p - q)))


@oracle("special.softmax")
def _softmax(x: Any, /, axis: Any = None) -> Any:
    values = wide(x)
    return narrow(scipy.special.softmax(values, axis=axis) if x.size else values, floating(x))


@oracle("special.log_softmax")
def _log_softmax(x: Any, /, axis: Any = None) -> Any:
    values = wide(x)
    if not x.size:
        return narrow(values, floating(x))
    shift = np.max(values, axis=axis, keepdims=True)
    values = values - np.where(np.isfinite(shift), shift, 0)
    total = np.sum(np.exp(values), axis=axis, keepdims=True)
    return narrow(values - np.log(total), floating(x))


@oracle("special.logsumexp")
def _logsumexp(
    x: Any, /, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False
) -> Any:
    values, target = wide(x), floating(x, *([] if b is None else [b]))
    if b is not None:
        factors, values = np.broadcast_arrays(wide(b), values)
        values = np.where(factors == 0, -np.inf, values)
    shift = np.max(values, axis=axis, keepdims=True, initial=-np.inf)
    shift = np.where(np.isfinite(shift), shift, 0)
    terms = np.exp(values - shift) * (1 if b is None else factors)
    total = np.sum(terms, axis=axis, keepdims=keepdims)
    logs = np.log(np.abs(total) if return_sign else total)
    found = narrow(logs + (shift if keepdims else np.squeeze(shift, axis=axis)), target)
    return (found, narrow(np.sign(total), target)) if return_sign else found
