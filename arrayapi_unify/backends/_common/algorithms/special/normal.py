"""The tail of the standard normal distribution, to the last places, on any backend.

The tail is ``exp(-t**2 / 2) * w(t) / (1 + t)`` with a smooth `w`, which a Chebyshev series in
``(t - 5) / (t + 5)`` gives to 1e-19; the coefficients below were computed with mpmath, from
``w = exp(t**2 / 2) * erfc(t / sqrt(2)) / 2 * (1 + t)``. The arrays are those of the namespace `xp`:
ours, or a library's own.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

Array: TypeAlias = Any

_COEFFICIENTS: Final = (
    0.4619742120721857,
    -0.06516520239491264,
    -0.005458781501136567,
    0.01229619904556344,
    -0.006470872915703688,
    0.0022407355224168305,
    -0.0005638623774651974,
    9.984031082925812e-05,
    -9.849514843168493e-06,
    -4.032494233045217e-07,
    2.99023962013034e-07,
    -3.032070748442814e-08,
    -4.617665713929027e-09,
    1.3298288008382692e-09,
    3.007242719019045e-11,
    -4.4299537255328156e-11,
    1.3999857147018152e-12,
    1.4718957028912571e-12,
    -9.325953119165372e-14,
    -5.294681169067695e-14,
    3.958188414414517e-15,
    2.1048214642963194e-15,
    -1.345671286136144e-16,
    -9.097614914495833e-17,
    2.9906032105666557e-18,
)
_MIDDLE: Final = 5.0
_UNDERFLOW: Final = 40.0  # beyond it the tail is zero in double precision
_LARGEST: Final = 1e300


def upper_tail(xp: Any, t: Array) -> Array:
    """Return the probability that a standard normal is above t, which is zero or positive."""
    t = xp.where(t > _UNDERFLOW, _UNDERFLOW, t)
    return gaussian(xp, t, -0.5) * _smooth(t) / (1 + t)


def scaled_tail(xp: Any, t: Array) -> Array:
    """Return `upper_tail` times ``exp(t**2 / 2)``, which neither underflows nor overflows."""
    return _smooth(xp.where(t > _LARGEST, _LARGEST, t)) / (1 + t)


def _smooth(t: Array) -> Array:
    """Return the tail times ``exp(t**2 / 2) * (1 + t)``."""
    s = 2 * (t - _MIDDLE) / (t + _MIDDLE)
    b = c = 0 * s
    for coefficient in _COEFFICIENTS[:0:-1]:  # Clenshaw's recurrence
        b, c = coefficient + s * b - c, b
    return _COEFFICIENTS[0] + s / 2 * b - c


def gaussian(xp: Any, t: Array, factor: float) -> Array:
    """Return ``exp(factor * t**2)`` for a power of two; t is at most 40.

    The square of a number of few digits is exact, in single precision too. That of t isn't, and the
    exponential would multiply its error. XLA makes one exponential of a product of two.
    """
    near = xp.round(t * 64) / 64
    found = xp.exp(factor * near * near)
    return found + found * xp.expm1(factor * (t - near) * (t + near))
