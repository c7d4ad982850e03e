"""Mutations of results, and the detection of mutants that are right by chance.

A mutation takes an array of a result, and returns another one, or None if it has nothing to change.
`is_right` returns True if the mutant is as good an answer as the result itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tests.differential import error_scales
from tests.differential.case import Case
from tests.differential.compare import ulps_of
from tests.differential.decompositions import CHECKS
from tests.differential.tolerances import (
    ANY_COMPLEX_ZERO_SIGN,
    ANY_ZERO_SIGN,
    SUBNORMAL,
    tolerance_of,
    units,
)

__all__ = ["MUTATIONS", "Mutation", "Part", "excepted", "is_right"]

_FACTORS: Final = frozenset(name for name in CHECKS if name.startswith("linalg."))


@dataclass(frozen=True)
class Part:
    """An array of a result: its call, its index, the expected and the actual values."""

    case: Case
    index: int
    expected: Any
    got: Any

    @property
    def floats(self) -> bool:
        """True if the array has real or complex floating-point numbers."""
        return bool(self.got.dtype.kind in "fc")


def _zeros(part: Part) -> Any:
    return np.zeros_like(part.got)


def _one_element(part: Part) -> Any:
    """Change the middle element to a distant value."""
    if not part.got.size:
        return None
    found = part.got.copy()
    place = np.unravel_index(found.size // 2, found.shape)
    old = found[place]
    if found.dtype.kind == "b":
        found[place] = not old
    elif found.dtype.kind in "iu":
        found[place] = old ^ 1
    else:
        found[place] = 2 * old + 1 if np.isfinite(old) else 1
    return found


def _thousandth(part: Part) -> Any:
    """Increase everything by 0.1 %."""
    return (part.got * 1.001).astype(part.got.dtype) if part.floats else None


def _beyond_tolerance(part: Part) -> Any:
    """Shift one finite element by four times its tolerance, or scale a whole factor."""
    finite = np.flatnonzero(np.isfinite(part.got)) if part.floats else ()
    if not len(finite):
        return None
    shift = 4 * _tolerated(part)
    if part.case.function in _FACTORS:
        return (part.got + shift).astype(part.got.dtype)
    place = np.unravel_index(finite[len(finite) // 2], part.got.shape)
    found = part.got.copy()
    found[place] += np.broadcast_to(shift, found.shape)[place]
    return found


def _tolerated(part: Part) -> Any:
    """Return the tolerance of each element."""
    case, got = part.case, part.got
    tolerance = tolerance_of(case.function)
    eps = np.finfo(got.dtype).eps * max(ulps_of(case, part.expected, tolerance), 1)
    if case.function not in _FACTORS:
        unit = units(case, part.index, part.expected)
        return eps * np.where(np.isfinite(unit), unit, 0) + SUBNORMAL[got.real.dtype.name]
    x = case.arrays()[0]
    x = np.where(np.isfinite(x), x, 0).astype("c16" if x.dtype.kind == "c" else "f8")
    if case.function in ("linalg.eig", "linalg.eigvals") and got.ndim < x.ndim:
        return eps * np.max(error_scales.eigenvalues(x)[1], axis=-1, keepdims=True)
    if got.ndim < x.ndim:
        return eps * error_scales.whole_norm(x)[..., 0]
    return eps * np.abs(got) * np.sign(got)


def _wrong_dtype(part: Part) -> Any:
    other = {"float64": "float32", "complex128": "complex64", "complex64": "complex128"}
    with np.errstate(all="ignore"):
        return part.got.astype(other.get(part.got.dtype.name, "float64"))


def _sign_of_zero(part: Part) -> Any:
    """Change the sign of every zero, also of expected zero components of complex numbers."""
    if not part.floats:
        return None
    found = part.got.copy()
    if found.dtype.kind == "f":
        zero = found == 0
        found[zero] = -found[zero]
        return found if np.any(zero) else None
    zeros = [(c == 0) & (e == 0) for c, e in zip(_both(found), _both(part.expected), strict=True)]
    for component, zero in zip(_both(found), zeros, strict=True):
        component[...] = np.where(zero, -component, component)
    return found if any(map(np.any, zeros)) else None


def _both(values: Any) -> tuple[Any, Any]:
    """Return the components of complex numbers."""
    return values.real, values.imag


def _transposed(part: Part) -> Any:
    """Swap the last two axes; reverse a single one."""
    if not part.got.ndim:
        return None
    return part.got[::-1] if part.got.ndim == 1 else np.swapaxes(part.got, -1, -2)


Mutation = Callable[[Part], Any]
MUTATIONS: Final[dict[str, Mutation]] = {
    "zeros": _zeros,
    "one element": _one_element,
    "0.1 %": _thousandth,
    "4 x tolerance": _beyond_tolerance,
    "wrong dtype": _wrong_dtype,
    "sign of zero": _sign_of_zero,
    "transposed": _transposed,
}


# --- mutants that are right ---------------------------------------------------------------------


def is_right(part: Part, mutant: Any, sign: bool) -> bool:
    """Return True if a mutated result is as right as the result itself.

    It is if nothing changed (except signs of zeros, if `sign` is False), or if no element is
    farther from the expected value than the result's largest error, or than one rounding of the
    inputs.
    """
    got = part.got
    if mutant.dtype != got.dtype or mutant.shape != got.shape:
        return False
    if np.array_equal(mutant, got, equal_nan=part.floats):
        return not (part.floats and sign) or _same_signs(mutant, got)
    if part.case.function in CHECKS:
        return _reordered(part, mutant)
    return part.floats and not sign and _as_near(part, mutant)


def _same_signs(a: Any, b: Any) -> bool:
    pairs = ((a.real, b.real), (a.imag, b.imag))
    return all(np.array_equal(np.signbit(x[x == 0]), np.signbit(y[y == 0])) for x, y in pairs)


def _reordered(part: Part, mutant: Any) -> bool:
    """Return True if only an unspecified order, or the last digits of factors, differ."""
    if part.case.function in _FACTORS and part.floats and part.got.size:
        few = 8 * np.finfo(part.got.dtype).eps * np.max(np.abs(part.got))
        if np.all(np.abs(mutant - part.got) <= few):
            return True
    if part.case.function == "linalg.eigvals":
        return np.array_equal(np.sort(mutant, axis=-1), np.sort(part.got, axis=-1))
    if part.case.function == "argsort" and not part.case.kwargs.get("stable", True):
        x, axis = part.case.arrays()[0], part.case.kwargs.get("axis", -1)
        found = (np.take_along_axis(x, v, axis) for v in (mutant, part.got))
        permutation = np.array_equal(np.sort(mutant, axis=axis), np.sort(part.got, axis=axis))
        return permutation and np.array_equal(*found, equal_nan=x.dtype.kind in "fc")
    return False


def _as_near(part: Part, mutant: Any) -> bool:
    expected = part.expected
    finite = np.isfinite(expected)
    if not np.array_equal(mutant[~finite], part.got[~finite], equal_nan=True):
        return False
    wide = np.clongdouble if expected.dtype.kind == "c" else np.longdouble
    e, g, c = (v[finite].astype(wide) for v in (expected, part.got, mutant))
    unit = np.broadcast_to(units(part.case, part.index, expected), expected.shape)[finite]
    rounding = np.finfo(expected.dtype).eps * unit + SUBNORMAL[expected.real.dtype.name]
    with np.errstate(all="ignore"):
        off, allowed = (np.abs(v - e) / rounding for v in (c, g))
        return bool(np.all(off <= max(np.max(allowed, initial=0), 1)))


_OPEN: Final = "what it holds is open"
_ORDER: Final = "the order of sums, or which of two equal elements is taken, decides the sign"
_PRODUCTS: Final = "a zero component is a sum of products, and terms of zero may be left out"


def excepted(part: Part, mutation: str) -> str | None:
    """Return the reason that a mutation can't be noticed."""
    function = part.case.function
    if function in ("empty", "empty_like") and mutation != "wrong dtype":
        return _OPEN
    if mutation != "sign of zero":
        return None
    if function in _FACTORS:
        return "signs and phases are open, or decide nothing: the parts rebuild x all the same"
    if function in ANY_ZERO_SIGN or tolerance_of(function).unit is not None:
        return _ORDER
    if function in ANY_COMPLEX_ZERO_SIGN and part.got.dtype.kind == "c":
        return _PRODUCTS
    return None
