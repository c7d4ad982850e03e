"""Calls with every special value, and with every pair of them.

Drawn calls meet a few of the pairs in a run, and another few in the next.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from arrayapi_unify.binding import CONTRACTS
from arrayapi_unify.binding.roles import ARRAY_ROLES
from tests.differential.case import ArrayArg, Case

__all__ = ["CATEGORIES", "DTYPES", "special_case"]

CATEGORIES: Final = ("elementwise", "activations", "hard_activations", "smooth_activations")
DTYPES: Final = ("float32", "float64", "complex64", "complex128")
_VALUES: Final = (0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, math.inf, -math.inf, math.nan)
# Their squares leave the range, as only some formulas for complex numbers bear.
_EXTREMES: Final = ("max", "min", "smallest_normal", "eps")
# The standard has no table of special values for complex powers, and NumPy's differ with the
# exponent.
_OPEN: Final = frozenset({("pow", "c")})
# Each slope belongs to an element, not to a column.
_ALSO: Final = {"prelu": {"axis": 0}}


def _components(dtype: np.dtype[Any]) -> Any:
    if dtype.kind == "f":
        info = np.finfo(dtype)
        return np.array([*_VALUES, *(getattr(info, name) for name in _EXTREMES)], dtype)
    parts = np.array(_VALUES, np.finfo(dtype).dtype)
    grid = np.empty((parts.size, parts.size), dtype)
    grid.real, grid.imag = parts[:, None], parts
    return grid.reshape(-1)


def special_case(function: str, dtype: str) -> Case | None:
    """Return a function's call with every special value; None where the standard leaves it open."""
    of = np.dtype(dtype)
    arrays = [p for p in CONTRACTS[function].inputs if p.role in ARRAY_ROLES and p.required]
    if (function, of.kind) in _OPEN:
        return None
    values = _components(of)
    if len(arrays) == 1:
        return Case(function, (ArrayArg(values),), {})
    pair = np.repeat(values, values.size), np.tile(values, values.size)
    return Case(function, tuple(map(ArrayArg, pair)), _ALSO.get(function, {}))
