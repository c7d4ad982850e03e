"""Second derivatives: `grad(grad(...))` on each backend, compared with differences.

As in `gradients`, a call becomes a function of one number t; here one argument changes at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any, Final

import numpy as np

import arrayapi_unify as unify
from arrayapi_unify.array_object import Array
from arrayapi_unify.contracts import CONTRACTS
from tests.differential.case import ArrayArg, Case, build, replaced
from tests.differential.gradients import (
    Moving,
    _called,
    _moves,
    _moving,
    _results,
    _weights,
    at_once,
    slope,
)

__all__ = ["HARD", "NOT_SMOOTH", "TOLERANCE", "arguments", "curvature", "second"]

TOLERANCE: Final = 1e-4
"""Tolerance of a second derivative, relative to one plus the sum of those of all results."""

NOT_SMOOTH: Final[dict[tuple[str, str], str]] = {
    **{
        (function, argument): "it gives no floating-point numbers that follow the argument"
        for function, arguments_of in {
            "can_cast": "from_", "finfo": "type", "iinfo": "type", "dtype": "x",
            "result_type": "arrays_and_dtypes", "equal": "x1 x2", "greater": "x1 x2",
            "greater_equal": "x1 x2",
            "isfinite": "x", "isinf": "x", "isnan": "x", "less": "x1 x2", "less_equal": "x1 x2",
            "logical_and": "x1 x2", "logical_not": "x", "logical_or": "x1 x2",
            "logical_xor": "x1 x2", "not_equal": "x1 x2", "signbit": "x", "to_numpy": "x",
            "to_list": "x", "to_scalar": "x", "requires_gradient": "x",
            "argmax": "x", "argmin": "x", "nanargmax": "x", "nanargmin": "x",
            "digitize": "x bins", "argwhere": "x", "flatnonzero": "x", "lexsort": "keys",
            "array_equal": "a1 a2", "count_nonzero": "x", "nonzero": "x",
            "ndim": "x", "shape": "x", "size": "x",
            "iscomplexobj": "x", "isneginf": "x", "isposinf": "x",
            "searchsorted": "x1 x2", "isin": "x1 x2", "argsort": "x", "all": "x", "any": "x",
            "isclose": "x1 x2", "allclose": "x1 x2", "linalg.matrix_rank": "x rtol",
            "random.bernoulli": "p", "random.binomial": "n p", "random.categorical": "logits",
            "random.multinomial": "n p", "random.poisson": "rate",
        }.items()
        for argument in arguments_of.split()
    },
}  # fmt: skip
"""Arguments for which no call is compared, with the reasons."""

_COMPLEX: Final = np.asarray([0.5 + 3j, 3 + 3j, 3 + 2j])


def _moving_first(function: str, *arrays: Any) -> Moving:
    """Return a call whose first argument changes by ones; real and imaginary parts are summed."""
    directions = [np.ones_like(arrays[0]), *map(np.zeros_like, arrays[1:])]
    case = Case(function, tuple(map(ArrayArg, arrays)))
    return Moving(case, tuple(directions), np.full(16, 1 + 1j))


_ZEROS: Final = np.asarray([0.5, 0.0, 0.5, 0.0])

# Calls for which a formula or a rule of the first derivative often has a wrong second one: equal
# operands, zeros in products, complex numbers that need conjugations.
HARD: Final[tuple[tuple[Moving, float], ...]] = (
    (_moving_first("logaddexp", np.asarray(0.5), np.asarray(0.5)), 0.25),
    (_moving_first("hypot", np.asarray(0.5), np.asarray(0.5)), 0.5**0.5),
    *((_moving_first(name, _COMPLEX), 29.0) for name in ("prod", "nanprod")),
    *((_moving_first(name, _ZEROS[:3]), 2.0) for name in ("prod", "nanprod")),
    *((_moving_first(name, _ZEROS), 0.5) for name in ("prod", "nanprod")),
    (_moving_first("cumulative_prod", _ZEROS[:3]), 4.0),
    (_moving_first("cumulative_prod", _ZEROS), 4.5),
)

_STEP: Final = 2.0**-8
_STEEP: Final = 1e6


def arguments(moving: Moving) -> Iterator[tuple[str, Moving]]:
    """Yield the name of each varying parameter, with the call in which only it varies."""
    names: list[str] = []
    contract = CONTRACTS[moving.case.function]
    for parameter, value in contract.named(moving.case.args, moving.case.kwargs):
        found: list[Any] = []
        replaced([value], found.append, _moves)
        names += [parameter.name] * len(found)
    for name in dict.fromkeys(names):
        alone = tuple(
            d if names[place] == name else np.zeros_like(d)
            for place, d in enumerate(moving.directions)
        )
        yield name, replace(moving, directions=alone)


def curvature(moving: Moving) -> tuple[Moving, float, float] | None:
    """Return a smooth call, its second derivative, and the sum of the results' second derivatives.

    Return None if nothing is smooth.
    """
    first = slope(moving)
    if first is None:
        return None
    smooth = first[0]
    rows = [_results(smooth, k * _STEP / 2) for k in range(-4, 5)]
    if any(row is None or row.shape != rows[0].shape for row in rows):
        return None
    with np.errstate(all="ignore"):
        found = _second_differences(np.array(rows))
    if found is None:
        return None
    weighed = found * _weights(smooth, found.size)
    return smooth, float(weighed.sum()), float(np.abs(weighed).sum())


def _second_differences(rows: Any) -> Any:
    """Return second derivatives from nine rows, or None if they jump or lack digits."""
    a, b, c, d, e = rows[::2]
    finer = (-rows[2] + 16 * rows[3] - 30 * c + 16 * rows[5] - rows[6]) / (3 * _STEP**2)
    rough = (-a + 16 * b - 30 * c + 16 * d - e) / (12 * _STEP**2)
    size = 1 + np.abs(rough)
    smooth = np.abs(finer - rough) <= TOLERANCE / 100 * size
    # A jump of the second derivative is visible on both sides for any step.
    wide = np.abs((c - 2 * d + e) - (a - 2 * b + c)) / _STEP**2
    narrow = np.abs((c - 2 * rows[5] + rows[6]) - (rows[2] - 2 * rows[3] + c)) / (_STEP / 2) ** 2
    smooth &= narrow <= 0.7 * wide + 1e-4 * size
    smooth &= np.abs(c) * np.finfo(float).eps / _STEP**2 <= TOLERANCE / 10 * size
    smooth &= size < _STEEP
    return rough if smooth.all() else None


def second(moving: Moving, xp: ModuleType) -> float:
    """Return the second derivative of a backend."""
    case = moving.case
    moved = list(zip(_moving(case), moving.directions, strict=True))
    if not any(direction.any() for _, direction in moved):
        return 0.0  # arrays without elements don't move, and nothing depends on t

    def total(t: Any) -> Any:
        left = iter(moved)

        def place(spec: Any) -> Any:
            def array(_: Any) -> Any:
                values, direction = next(left)
                start = xp.asarray(np.array(values))
                return start + t * xp.asarray(np.array(direction)) if direction.any() else start

            return build(replaced(spec, array, _moves), xp)

        args = place(case.args)
        results = _called(case.function, args, place(case.kwargs), xp)
        return _weighed(moving, results, xp)

    derivative: Callable[[Any], Any] = unify.grad(unify.grad(total))
    if xp.__unify_backend__ == "jax":
        found = at_once(case.function, lambda t: derivative(Array(t)).data)(xp.zeros(()).data)
    else:
        found = derivative(xp.zeros(()))
    return float(found)


def _weighed(moving: Moving, results: list[Any], xp: ModuleType) -> Any:
    """Return the weighted sum of all components of the results."""
    parts: list[tuple[Any, Any]] = []
    size = sum(x.size * (2 if x.dtype.kind == "c" else 1) for x in results)
    weights = _weights(moving, size)
    for x in results:
        components = (xp.real(x), xp.imag(x)) if x.dtype.kind == "c" else (x,)
        here, weights = np.split(weights, [x.size * len(components)])
        for i, part in enumerate(components):
            parts.append((part, np.ascontiguousarray(here[i :: len(components)].reshape(x.shape))))
    return sum((xp.sum(part * xp.asarray(w)) for part, w in parts), xp.zeros(()))
