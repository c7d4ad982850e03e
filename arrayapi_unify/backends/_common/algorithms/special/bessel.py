"""The modified Bessel functions of the orders 0 and 1, in double precision.

Below 8 the power series has positive terms only, so that no digits cancel (NIST Digital Library of
Mathematical Functions, 10.25.2). Beyond, the function without its exponential growth, and times the
square root of x, is a polynomial in 1 / x.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple, TypeAlias

from arrayapi_unify.backends._common.algorithms.special.formulas import Formula, choose, polynomial

Array: TypeAlias = Any

_START: Final = 8.0
"""The series ends here."""
_TERMS: Final = range(23)


class _Order(NamedTuple):
    """The coefficients of a function."""

    series: tuple[float, ...]
    """Those of (x / 2)**2, without the factor x / 2 of the order 1."""
    tail: tuple[float, ...]
    """Those of 16 / x - 1 for x from 8 to infinity."""


_ZERO: Final = _Order(
    tuple(1 / math.factorial(k) ** 2 for k in _TERMS),
    (
        0.402176509445008077, 0.00336055198366786155, 0.000136216074391930508,
        1.11430337909320378e-5, 1.48384756582792484e-6, 2.9735985885673924e-7,
        8.87221973790405377e-8, 3.9325843345529518e-8, 2.15483779747915996e-8,
        7.55469188124880943e-9, -6.74765795610754063e-9, -1.34089175400897442e-8,
        -5.40477156757989866e-9, 7.55258306212339526e-9, 7.43046465032528685e-9,
        -3.50596653087934887e-9, -5.95356943826467296e-9, 1.52008169539244139e-9,
        3.63795463590088902e-9, -5.71584386420283123e-10, -1.61898068362453374e-9,
        1.527920269498204e-10, 4.57708763164306361e-10, -2.02606042874144178e-11,
        -6.06763157060208176e-11,
    ),
)  # fmt: skip
_ONE: Final = _Order(
    tuple(1 / (math.factorial(k) * math.factorial(k + 1)) for k in _TERMS),
    (
        0.389398459025872328, -0.0097495771932357362, -0.000219235763833889284,
        -1.50385472005672167e-5, -1.83491013269809471e-6, -3.48385576104429472e-7,
        -1.00012882948648835e-7, -4.31291772917834919e-8, -2.3373928208142642e-8,
        -8.42776609373518519e-9, 6.7344648153016089e-9, 1.40342387820671876e-8,
        5.97443760804020385e-9, -7.64239413436357139e-9, -7.88835150786193636e-9,
        3.42623414900781243e-9, 6.24274121978622477e-9, -1.43872505330411899e-9,
        -3.79467089620811128e-9, 5.2956254411613791e-10, 1.68489844797036482e-9,
        -1.40116251797710799e-10, -4.75881883870328785e-10, 1.85151188288537154e-11,
        6.30596519714912176e-11,
    ),
)  # fmt: skip


def bessel_i0(xp: Any, x: Array) -> Array:
    """Return the function of order 0."""
    near, far = _unscaled(xp, _ZERO)  # near 0 of x itself: the derivative of abs(x) there is 0
    return _either(xp, x, [near, lambda z: far(xp.abs(z))])


def bessel_i0e(xp: Any, x: Array) -> Array:
    """Return the function of order 0, divided by ``exp(abs(x))``."""
    return _either(xp, xp.abs(x), _scaled(xp, _ZERO))


def bessel_i1(xp: Any, x: Array) -> Array:
    """Return the function of order 1."""
    return _odd(xp, x, _unscaled(xp, _ONE))


def bessel_i1e(xp: Any, x: Array) -> Array:
    """Return the function of order 1, divided by ``exp(abs(x))``."""
    return _odd(xp, x, _scaled(xp, _ONE))


def _scaled(xp: Any, order: _Order) -> list[Formula]:
    """Return both formulas of the scaled function, without x / 2 in the first one."""
    return [
        lambda y: polynomial(order.series, y * y / 4) * xp.exp(-xp.abs(y)),
        lambda z: polynomial(order.tail, 16 / z - 1) / xp.sqrt(z),
    ]


def _unscaled(xp: Any, order: _Order) -> list[Formula]:
    """Return both formulas of the function, without x / 2 in the first one."""

    def far(z: Array) -> Array:
        z = xp.where(z > 1e4, 1e4, z)  # larger ones overflow anyway
        root = xp.exp(z / 2)  # the square of which may overflow where the function doesn't
        return root * (polynomial(order.tail, 16 / z - 1) / xp.sqrt(z)) * root

    return [lambda y: polynomial(order.series, y * y / 4), far]


def _either(xp: Any, x: Array, formulas: list[Formula]) -> Array:
    near, far = formulas
    return choose(xp, xp.abs(x) < _START, [x], (near, [0.0]), (far, [_START]))


def _odd(xp: Any, x: Array, formulas: list[Formula]) -> Array:
    near, far = formulas

    def beyond(x: Array) -> Array:
        found = far(xp.abs(x))
        return xp.where(x < 0, -found, found)

    return _either(xp, x, [lambda y: y / 2 * near(y), beyond])
