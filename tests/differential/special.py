"""Calls with every special value, and with every pair of them.

Drawn calls contain only a few of the pairs in each run.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.annotations import ARRAY_ROLES, Role
from tests.differential.case import ArrayArg, Case
from tests.differential.constraints.elementwise import natural_exponents

__all__ = ["CATEGORIES", "KINDS", "goes_along_rows", "row_cases", "special_cases"]

CATEGORIES: Final = ("elementwise", "nn.activations", "special")
_FLOATING: Final = ("float32", "float64", "complex64", "complex128")
_OTHERS: Final = ("bool", "int8", "uint8", "int32", "uint32", "int64", "uint64")
_VALUES: Final = (0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, math.inf, -math.inf, math.nan)
# Their squares overflow or underflow, which only some formulas for complex numbers avoid.
_EXTREMES: Final = ("max", "min", "smallest_normal", "eps")
_SCALARS: Final = (*_VALUES, 0, 1, -1, 2, 3, True, False, 1j, complex(math.nan, 0))
# Each slope belongs to an element, not to a column.
_ALSO: Final = {"nn.prelu": {"axis": 0}}
# Rows of three real numbers, or of two complex ones. Complex infinities are omitted: their sums and
# products depend on the order.
_IN_ROWS: Final = (math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -2.0)
_PARTS: Final = ((math.nan, 0.0, -1.0), (math.nan, -0.0, 2.0))
_OPTIONS: Final[tuple[dict[str, Any], ...]] = (
    {}, {"keepdims": True}, {"correction": 1}, {"descending": True},
)  # fmt: skip
# One bisects its axis, and the other reduces all axes but its axis and the first.
_NOT_IN_ROWS: Final = frozenset({"nn.glu", "nn.instance_norm"})


def _floating(dtype: str) -> Any:
    of = np.dtype(dtype)
    if of.kind == "f":
        info = np.finfo(of)
        return np.array([*_VALUES, *(getattr(info, name) for name in _EXTREMES)], of)
    parts = np.array(_VALUES, np.finfo(of).dtype)
    grid = np.empty((parts.size, parts.size), of)
    grid.real, grid.imag = parts[:, None], parts
    return grid.reshape(-1)


def _others(dtype: str) -> Any:
    if dtype == "bool":
        return np.array([False, True])
    info = np.iinfo(dtype)
    near = [-2, -1, 0, 1, 2, 7, 8, 15, 31]
    ends = [info.min, info.min + 1, info.min // 2, info.max // 2, info.max - 1, info.max]
    return np.unique(np.array([max(n, info.min) for n in near] + ends, dtype))


def _whole(function: str, values: Any) -> list[Case]:
    """Return the call with an array of all values, or with two of all pairs."""
    arrays = [p for p in CONTRACTS[function].inputs if p.role in ARRAY_ROLES and p.required]
    if len(arrays) == 1:
        return [Case(function, (ArrayArg(values),), {})]
    first, second = np.repeat(values, values.size), np.tile(values, values.size)
    if "shift" in function and values.dtype.kind in "iu":  # unspecified for negative numbers
        first, second = first[second >= 0], second[second >= 0]
    return [_call(function, ArrayArg(first), ArrayArg(second))]


def _beside_scalars(function: str, values: Any) -> Iterator[Case]:
    if [p.role for p in CONTRACTS[function].inputs] != [Role.OPERAND] * 2:
        return
    for scalar in _SCALARS:
        yield _call(function, ArrayArg(values), scalar)
        yield _call(function, scalar, ArrayArg(values))


def _call(function: str, first: Any, second: Any) -> Case:
    if function == "pow":
        second = natural_exponents(first, second)
    return Case(function, (first, second), _ALSO.get(function, {}))


def _is_open(case: Case) -> bool:
    """Return True if the standard doesn't specify the result of a call.

    It has no special values for complex powers, and NumPy's differ with the exponent.
    """
    values = [arg.values if isinstance(arg, ArrayArg) else arg for arg in case.args]
    return case.function in ("pow", "float_power") and np.result_type(*values).kind == "c"


def special_cases(function: str, kind: str) -> list[Case]:
    """Return a function's calls with all special values of a kind."""
    return [case for case in KINDS[kind](function) if not _is_open(case)]


KINDS: Final = {
    "floating": lambda function: [c for d in _FLOATING for c in _whole(function, _floating(d))],
    "others": lambda function: [c for d in _OTHERS for c in _whole(function, _others(d))],
    "scalars": lambda function: [
        case
        for values in (*map(_floating, _FLOATING[::2]), *map(_others, ("bool", "int8", "uint64")))
        for case in _beside_scalars(function, values)
    ],
}


def goes_along_rows(function: str) -> bool:
    """Return True if a function works along an axis of its only required array."""
    contract = CONTRACTS[function]
    roles = [p.role for p in contract.inputs if p.required]
    arrays = roles in ([Role.ARRAY], [Role.OPERAND]) and function not in _NOT_IN_ROWS
    return arrays and "axis" in {p.name for p in contract.parameters}


def row_cases(function: str) -> Iterator[Case]:
    """Return a function's calls with every row of a few special values."""
    names = {p.name for p in CONTRACTS[function].parameters}
    for dtype in (*_FLOATING, "bool", "int8", "int64", "uint64"):
        values = _rows(dtype)
        # If all are NaN, the resulting NaN components depend on NumPy's loop.
        if function in ("nanmax", "nanmin") and values.dtype.kind == "c":
            continue
        for options in _OPTIONS:
            if set(options) <= names:
                yield Case(function, (ArrayArg(values),), {"axis": -1, **options})


def _rows(dtype: str) -> Any:
    if np.dtype(dtype).kind != "c":
        ends = [] if dtype in _FLOATING else _others(dtype)[[0, -1]].tolist()
        values = dict.fromkeys([*ends, 0, 1]) if ends else _IN_ROWS
        return np.array(list(itertools.product(values, repeat=3)), dtype)
    numbers = [complex(*parts) for parts in itertools.product(*_PARTS)]
    return np.array(list(itertools.product(numbers, repeat=2)), dtype)
