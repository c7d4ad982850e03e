"""Quantiles of the standard normal distribution between two bounds, wherever these lie.

Up to 30 they are quantiles of the whole distribution, of a probability between those of the bounds.
Farther out these probabilities underflow, and the logarithm of the tail is inverted: the tail is
``exp(-t**2 / 2) / (t * sqrt(2 * pi))`` times an asymptotic series in ``1 / t**2`` (Abramowitz and
Stegun, 26.2.12), of which eight terms leave 3e-17 at 30.
"""

from __future__ import annotations

from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.special.normal_quantile import normal_quantile
from arrayapi_unify.functional._sampling import below

_FAR: Final = 30.0  # the tail is 5e-198 there
_SERIES: Final = (-135135.0, 10395.0, -945.0, 105.0, -15.0, 3.0, -1.0, 1.0)
_ENOUGH: Final = 40.0  # so far behind the near bound at most exp(-800) of the tail is left


def surely_near(*bounds: Any) -> bool:
    """Return True if the bounds are Python numbers, not all beyond `_FAR` on one side."""
    if not all(isinstance(bound, int | float) for bound in bounds):
        return False
    return min(bounds) <= _FAR and max(bounds) >= -_FAR


def quantile_between(p: Array, low: Array, high: Array, near: bool) -> Array:
    """Return the number that a standard normal between two bounds is below with probability p.

    The bounds aren't both positive. If `near` says so, no tail is looked at.
    """
    xp = p.__array_namespace__()
    if near:
        return _within(p, low, high)
    far = xp.logical_and(high < -_FAR, high > -xp.inf)
    # Of both ways, the one that isn't taken gets bounds that suit it: derivatives would be NaN.
    within = _within(p, xp.where(far, -1.0, low), xp.where(far, 1.0, high))
    beyond = _beyond(p, xp.where(far, -high, _FAR), xp.where(far, -low, _FAR + 1))
    return xp.where(far, -beyond, within)


def _within(p: Array, low: Array, high: Array) -> Array:
    start, end = below(low), below(high)
    return normal_quantile(start + p * (end - start))


def _beyond(p: Array, near: Array, far: Array) -> Array:
    """Return what is exceeded with probability p between two bounds in the upper tail.

    Newton's method, whose derivative is the hazard ``t / series(t)``, begins within a thousandth of
    the step from the near bound, and is at the last place after two rounds.
    """
    xp = p.__array_namespace__()
    far = xp.minimum(far, near + _ENOUGH)
    wanted = -xp.log1p((1 - p) * xp.expm1(-_fall(near, far - near)))
    slope = near + 1 / near
    step = 2 * wanted / (slope + xp.sqrt(slope * slope + 2 * wanted))
    for _ in range(2):
        t = near + step
        step = step - (_fall(near, step) - wanted) * _series(t) / t
    return near + step


def _fall(t: Array, step: Array) -> Array:
    """Return the logarithm of the tail at t over that at t + step."""
    xp = t.__array_namespace__()
    ratio = _series(t + step) / _series(t)
    return step * (t + step / 2) + xp.log1p(step / t) - xp.log(ratio)


def _series(t: Array) -> Array:
    inverse = 1 / t
    z = inverse * inverse
    total = _SERIES[0] * z + _SERIES[1]
    for coefficient in _SERIES[2:]:
        total = total * z + coefficient
    return total
