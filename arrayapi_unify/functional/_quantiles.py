"""The positions of quantiles among sorted elements, by the thirteen methods that NumPy names.

The position of the fraction q among n sorted elements, counted from 0, is
``n * q + a + q * (1 - a - b) - 1`` (Hyndman and Fan, 1996) for the methods that interpolate, or one
of a few roundings for the others. Control flow doesn't depend on values, so that it traces.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.functional._common import is_number, unchecked

_PARAMETERS: Final[dict[str, tuple[float, float]]] = {
    "interpolated_inverted_cdf": (0, 1),
    "hazen": (0.5, 0.5),
    "weibull": (0, 0),
    "linear": (1, 1),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}


def _midpoint(xp: Any, n: Any, q: Array) -> Array:
    at = (n - 1) * q
    return (xp.floor(at) + xp.ceil(at)) / 2


def _averaged(xp: Any, n: Any, q: Array) -> Array:
    at = n * q - 1
    below = xp.floor(at)
    return xp.where(at == below, at + 0.5, below + 1)


def _closest(xp: Any, n: Any, q: Array) -> Array:
    at = n * q - 1.5
    below = xp.floor(at)
    # An exact tie goes to the element with an even number, counted from 1.
    return xp.where((at == below) & (below % 2 == 1), at, below + 1)


_POSITIONS: Final[dict[str, Callable[[Any, Any, Array], Array]]] = {
    "inverted_cdf": lambda xp, n, q: xp.ceil(n * q) - 1,
    "averaged_inverted_cdf": _averaged,
    "closest_observation": _closest,
    "lower": lambda xp, n, q: xp.floor((n - 1) * q),
    "higher": lambda xp, n, q: xp.ceil((n - 1) * q),
    "midpoint": _midpoint,
    "nearest": lambda xp, n, q: xp.round((n - 1) * q),
}


def check_method(function: str, method: str, q: Any, whole: int) -> None:
    """Raise for a method that isn't there, and a number that is no share of the whole."""
    if method not in _PARAMETERS and method not in _POSITIONS:
        known = ", ".join(repr(name) for name in (*_PARAMETERS, *_POSITIONS))
        raise_value_error(function, "method", f"is {method!r}", f"use one of {known}")
    if is_number(q) and not 0 <= q <= whole:
        raise_value_error(function, "q", f"is {q}", f"pass a number from 0 to {whole}")


def present(ordered: Array) -> Array:
    """Count the elements of each column that aren't NaN."""
    xp = ordered.__array_namespace__()
    return xp.sum(xp.astype(xp.logical_not(xp.isnan(ordered)), xp.int64), axis=0, keepdims=True)


def positions(method: str, n: Any, q: Array) -> tuple[Array, Array, Array]:
    """Return the indices before and after each position, and how far it is from the former.

    There are n elements in each column, or as many as an array tells for each.
    """
    xp = q.__array_namespace__()
    q = xp.where((q >= 0) & (q <= 1), q, 0.0)  # others have no index
    if method in _PARAMETERS:
        a, b = _PARAMETERS[method]
        # As NumPy writes it: rounding decides which elements are used.
        at = (n - 1) * q if method == "linear" else n * q + (a + q * (1 - a - b)) - 1
    else:
        at = _POSITIONS[method](xp, n, q)
    at = xp.clip(at, 0.0, n - 1.0)
    low = xp.floor(at)
    high = xp.minimum(low + 1, n - 1.0)
    return xp.astype(low, xp.int64), xp.astype(high, xp.int64), at - low


def _chosen(ordered: Array, indices: Array) -> Array:
    """Return elements by indices for each column, or for all."""
    xp = ordered.__array_namespace__()
    if indices.shape[1] == ordered.shape[1]:
        return unchecked(xp.take_along_axis, ordered, indices, axis=0)
    return unchecked(xp.take, ordered, xp.reshape(indices, (-1,)), axis=0)


def interpolated(ordered: Array, low: Array, high: Array, share: Array) -> Array:
    """Return what stands between two elements of each column."""
    xp = ordered.__array_namespace__()
    first, second = (_chosen(ordered, indices) for indices in (low, high))
    share = xp.astype(share, ordered.dtype)
    step = second - first
    # From the nearer end, so that the result is exact at both.
    between = xp.where(share < 0.5, first + step * share, second - step * (1 - share))
    # If the step isn't finite, nothing cancels in this sum, unless infinities do.
    weighted = first * (1 - share) + second * share
    between = xp.where(xp.isfinite(step), between, weighted)
    return xp.where(share == 0, first, between)
