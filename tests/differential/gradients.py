"""Derivatives by each framework, compared with finite differences of NumPy's results.

A call becomes a function of one number t: all floating-point elements change along a drawn
direction, and the results are combined into one weighted sum, whose derivatives at t = 0 are
compared.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from arrayapi_unify import dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.contracts import CONTRACTS, Contract
from arrayapi_unify.dtypes import DType
from tests.differential.arguments import CallBuilder, draw_case, legal_dtypes
from tests.differential.case import ArrayArg, Case, build, replaced
from tests.differential.differences import NOT_TRACED
from tests.differential.outcome import outcome_of, resolve
from tests.differential.runner import EACH, quick
from tests.differential.strategies import Draw, Shape

__all__ = [
    "FLAT",
    "GRADIENTS",
    "NO_FLOATS",
    "Moving",
    "at_once",
    "moves_floats",
    "moving_cases",
    "slope",
]

_DTYPES: Final = ("float64", "complex128")
_STEP: Final = 2.0**-11
# The relative error of finite differences of a smooth function.
_ROUGH: Final = 1e-4
_FINE: Final = 1e-5
_STEEP: Final = 1e8

# Functions whose vectors have arbitrary signs and phases; only the values are compared.
_INVARIANT: Final[dict[str, Callable[[Any], Any]]] = {
    "linalg.eigh": lambda result: result[0],
    "linalg.svd": lambda result: result[1],
}
# Functions of symmetric matrices, which read one triangle or both.
_SYMMETRIC: Final = frozenset({"linalg.cholesky", "linalg.eigh", "linalg.eigvalsh"})
# Functions with a root, which has no derivative at zero, even if the function is constant.
_ROOTS: Final = frozenset({"std", "nanstd"})

# Functions with bools or integers as results or arguments.
NO_FLOATS: Final = frozenset(
    {
        "all", "allclose", "any", "argmax", "argmin", "argsort", "argwhere", "array_equal",
        "bitwise_and", "bitwise_invert", "bitwise_left_shift", "bitwise_or",
        "bitwise_right_shift", "bitwise_xor", "count_nonzero", "digitize", "equal",
        "flatnonzero", "greater", "greater_equal", "isclose", "iscomplexobj", "isfinite",
        "isin", "isinf", "isnan", "isneginf", "isposinf", "less", "less_equal", "lexsort",
        "linalg.matrix_rank", "logical_and", "logical_not", "logical_or", "logical_xor",
        "nanargmax", "nanargmin", "nonzero", "not_equal", "one_hot", "random.bernoulli",
        "random.binomial", "random.bits", "random.categorical", "random.exponential",
        "random.fold_in", "random.integers", "random.multinomial", "random.normal",
        "random.orthogonal", "random.poisson", "random.split", "searchsorted", "signbit",
        "unravel_index",
    }
)  # fmt: skip
# Steps and constants: their derivative is zero where it exists.
FLAT: Final = frozenset(
    {
        "angle",
        "ceil",
        "floor",
        "floor_divide",
        "heaviside",
        "ones_like",
        "round",
        "trunc",
        "zeros_like",
    }
)

Parts = list[tuple[Any, ...]]


class _Smooth(CallBuilder):
    """A valid call, in double precision if the function supports it."""

    smooth = True

    def __init__(self, draw: Draw, contract: Contract) -> None:
        super().__init__(draw, contract)
        self.fault = None
        self.magnitudes = ("moderate", "small")
        self.precise = dtypes.as_dtype(draw(st.sampled_from(_DTYPES)))
        legal, _ = legal_dtypes(contract.qualified_name)
        if (self.precise, self.precise) not in legal:
            self.precise = dtypes.float64
        partners = [second for first, second in legal if first is self.precise]
        if partners:
            second = self.precise if self.precise in partners else partners[0]
            self._dtypes = [self.precise, second]

    def any_dtype(self, kinds: str = "buifc") -> DType:
        return self.precise if self.precise.kind in kinds else super().any_dtype(kinds)

    def hard_array(self, shape: Shape, kinds: str = "fc") -> ArrayArg:
        """Draw ordinary numbers: differences of special values are meaningless."""
        return self.array(shape)


@dataclass(frozen=True, eq=False)
class Moving:
    """A call, the direction of its arrays' change, and weights of the results."""

    case: Case
    directions: tuple[Any, ...]
    weights: Any

    def __repr__(self) -> str:
        return repr(self.case)


def _moves(array: ArrayArg) -> bool:
    return array.values.dtype.name in _DTYPES


def _moving(case: Case) -> list[Any]:
    found: list[Any] = []
    replaced([case.args, case.kwargs], lambda array: found.append(array.values), _moves)
    return found


def _replaced(case: Case, arrays: Sequence[Any]) -> Case:
    left = iter(arrays)
    args, kwargs = (
        replaced(spec, lambda _: ArrayArg(next(left)), _moves) for spec in (case.args, case.kwargs)
    )
    return Case(case.function, args, kwargs)


def moving_cases(function: str) -> st.SearchStrategy[Moving]:
    """Return the strategy of the calls of a function, with directions."""

    @st.composite
    def strategy(draw: Draw) -> Moving:
        case = draw_case(draw, CONTRACTS[function], _Smooth)
        generator = np.random.default_rng(draw(st.integers(0, 2**32)))

        def numbers(size: Any, dtype: Any) -> Any:
            found = generator.uniform(0.5, 1.5, size) * generator.choice([-1.0, 1.0], size)
            if dtype.kind == "c":
                found = found + 1j * numbers(size, np.dtype(float))
            return np.asarray(found)

        directions = tuple(numbers(v.shape, v.dtype) for v in _moving(case))
        if function in _SYMMETRIC or case.kwargs.get("hermitian"):
            directions = tuple(d + np.conj(np.swapaxes(d, -1, -2)) for d in directions)
        return Moving(case, directions, numbers(4096, np.dtype(complex)))

    return strategy()


# --- by differences, on NumPy -------------------------------------------------------------------

# A function that isn't smooth at the drawn numbers may be smooth for numbers within [0, 1], or
# outside. Components of complex numbers are varied separately.
_TAMED: Final = (lambda v: v, lambda v: 0.1 + np.abs(v) % 7 / 8, lambda v: 1.5 + np.abs(v) / 16)


def slope(moving: Moving) -> tuple[Moving, float, float] | None:
    """Return a smooth call, its derivative, and the sum of the results' derivatives.

    Return None if nothing varies or nothing is smooth.
    """
    drawn = _moving(moving.case)
    if not drawn or not all(np.isfinite(v).all() for v in drawn):
        return None
    for tame in _TAMED:
        arrays = [_tamed(tame, v) for v in drawn]
        tried = Moving(_replaced(moving.case, arrays), moving.directions, moving.weights)
        found = _linear_part(tried)
        if found is not None:
            weighed = found * _weights(moving, found.size)
            return tried, float(weighed.sum()), float(np.abs(weighed).sum())
    return None


def _linear_part(moving: Moving) -> Any:
    """Return the derivatives of the results, if those along parts of the direction add up to them.

    At a kink a function may be linear along any single direction. A part is one array, or every
    second element of it.
    """
    alone = [
        tuple(d if i == j else np.zeros_like(d) for j, d in enumerate(moving.directions))
        for i in range(len(moving.directions))
    ]
    every_second = tuple(np.asarray(d * np.resize([2.0, 0.0], d.shape)) for d in alone[0])
    others = tuple(np.asarray(d - e) for d, e in zip(alone[0], every_second, strict=True))
    found = [
        _differences(Moving(moving.case, directions, moving.weights))
        for directions in (moving.directions, every_second, others, *alone[1:])
    ]
    if any(f is None or f.shape != found[0].shape for f in found):
        return None
    size = 1 + sum(map(np.abs, found))
    return found[0] if (np.abs(found[0] - sum(found[1:])) <= _FINE * size).all() else None


def _tamed(tame: Callable[[Any], Any], values: Any) -> Any:
    if values.dtype.kind == "c":
        return np.asarray(tame(values.real) + 1j * tame(values.imag))
    return np.asarray(tame(values))


def _differences(moving: Moving) -> Any:
    """Return the derivatives of the results along a direction, or None if they aren't smooth."""
    rows = [_results(moving, k * _STEP) for k in (-2, -1, 0, 1, 2)]
    if any(row is None or not row.size or row.shape != rows[0].shape for row in rows):
        return None
    a, b, c, d, e = np.array(rows)
    with np.errstate(all="ignore"):
        central = (8 * (d - b) - (e - a)) / (12 * _STEP)
        ahead = (4 * d - e - 3 * c) / (2 * _STEP)
        behind = (3 * c - 4 * b + a) / (2 * _STEP)
        near = (d - b) / (2 * _STEP)
        size = 1 + np.abs(central)
        smooth = (np.abs(ahead - behind) <= _ROUGH * size) & (
            np.abs(near - central) <= _ROUGH * size
        )
        # The results have enough digits for the difference.
        smooth &= np.abs(c) * np.finfo(float).eps / _STEP <= _FINE * size / 100
        # Nor does it consist of many small steps.
        smooth &= np.abs(central) < _STEEP
        if moving.case.function in _ROOTS:
            smooth &= c != 0
    return central if smooth.all() else None


def _weights(moving: Moving, size: int) -> Any:
    """Return a weight for each real and imaginary part of the results."""
    return np.resize(np.ravel([moving.weights.real, moving.weights.imag], "F"), size)


def _results(moving: Moving, t: float) -> Any:
    """Return the components of all floating-point results in a row, or None for a failing call."""
    arrays = [v + t * d for v, d in zip(_moving(moving.case), moving.directions, strict=True)]
    case, xp = _replaced(moving.case, arrays), namespace_of("numpy")
    found: list[Any] = []

    def action() -> None:
        found.extend(_called(case.function, build(case.args, xp), build(case.kwargs, xp), xp))

    if outcome_of(action, xp).error is not None:
        return None
    return np.concatenate([np.ravel(np.asarray(x)).view(float) for x in found] or [np.zeros(0)])


def _called(function: str, args: Any, kwargs: Any, xp: ModuleType) -> list[Any]:
    """Return the results of double precision, or the written array of a function that writes."""
    result = resolve(xp, function)(*args, **kwargs)
    if result is None:
        result = args[0]
    return _floats(_INVARIANT.get(function, lambda whole: whole)(result))


def moves_floats(moving: Moving) -> bool:
    """Return True if arrays vary and results have double precision, on NumPy."""
    found = _results(moving, 0.0)
    return bool(_moving(moving.case)) and found is not None and found.size > 0


def _floats(result: Any) -> list[Any]:
    """Return the arrays of double precision in a result, which may be nested."""
    if isinstance(result, Array):
        return [result] if str(result.dtype) in _DTYPES else []
    if isinstance(result, tuple | list):
        return [x for part in result for x in _floats(part)]
    return []


# --- by the frameworks --------------------------------------------------------------------------


def _parts(moving: Moving) -> tuple[Parts, Parts]:
    """Return the arrays and their directions as tuples of real arrays."""

    def split(values: Any) -> tuple[Any, ...]:
        if values.dtype.kind == "c":
            return np.array(values.real), np.array(values.imag)
        return (np.array(values),)

    return [split(v) for v in _moving(moving.case)], [split(d) for d in moving.directions]


def _total(
    moving: Moving,
    natives: Sequence[Any],
    xp: ModuleType,
    split: Callable[[Any], tuple[Any, ...]],
    weigh: Callable[[Any, Any], Any],
) -> Any:
    """Make the call with these arrays, and return the weighted sum of its results.

    `split` returns the components of a native array, `weigh` the weighted sum of one of them.
    """
    left = iter(natives)

    def place(spec: Any) -> Any:
        return build(replaced(spec, lambda _: Array(next(left)), _moves), xp)

    case = moving.case
    args = place(case.args)
    components = [split(x.data) for x in _called(case.function, args, place(case.kwargs), xp)]
    size = sum(len(parts) * math.prod(parts[0].shape) for parts in components)
    weights, total = _weights(moving, size), 0.0
    for parts in components:
        shape = tuple(parts[0].shape)
        here, weights = np.split(weights, [len(parts) * math.prod(shape)])
        for i, part in enumerate(parts):
            total = total + weigh(part, np.ascontiguousarray(here[i :: len(parts)].reshape(shape)))
    return total


def _along(gradients: Sequence[Any], directions: Parts) -> float:
    flat = [d for parts in directions for d in parts]
    return float(sum(np.sum(np.asarray(g) * d) for g, d in zip(gradients, flat, strict=True)))


def _components(x: Any) -> tuple[Any, ...]:
    """Return the components of an array of PyTorch or JAX."""
    return (x.real, x.imag) if "complex" in str(x.dtype) else (x,)


def _torch(moving: Moving, xp: ModuleType) -> float:
    import torch

    parts, directions = _parts(moving)
    leaves = [tuple(torch.tensor(p, requires_grad=True) for p in part) for part in parts]
    natives = [torch.complex(*p) if len(p) == 2 else p[0] * 1.0 for p in leaves]
    total = _total(moving, natives, xp, _components, lambda x, w: (x * torch.from_numpy(w)).sum())
    flat = [p for part in leaves for p in part]
    if not getattr(total, "requires_grad", False):
        return 0.0
    found = torch.autograd.grad(total, flat, allow_unused=True)
    return _along([0.0 if g is None else g.resolve_neg().numpy() for g in found], directions)


def _tensorflow(moving: Moving, xp: ModuleType) -> float:
    import tensorflow as tf

    def components(x: Any) -> tuple[Any, ...]:
        return (tf.math.real(x), tf.math.imag(x)) if x.dtype.is_complex else (x,)

    parts, directions = _parts(moving)
    leaves = [tuple(tf.constant(p) for p in part) for part in parts]
    flat = [p for part in leaves for p in part]
    with tf.GradientTape() as tape:
        for leaf in flat:
            tape.watch(leaf)
        natives = [tf.complex(*p) if len(p) == 2 else p[0] for p in leaves]
        total = _total(moving, natives, xp, components, lambda x, w: tf.reduce_sum(x * w))
    if not isinstance(total, tf.Tensor):
        return 0.0
    found = tape.gradient(total, flat)
    numbers = [0.0 if g is None else tf.convert_to_tensor(g).numpy() for g in found]
    return _along(numbers, directions)


def at_once(function: str, derivative: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Compile a derivative of a function on JAX as one kernel, instead of dozens.

    A longer run makes the first one of each function eagerly, as users do, and all of them if a
    number of examples is set.
    """
    first = function not in _DERIVED and not quick()
    _DERIVED.add(function)
    if first or EACH in os.environ or ("jax", function) in NOT_TRACED:
        return derivative
    import jax

    compiled: Callable[[Any], Any] = jax.jit(derivative)
    return compiled


_DERIVED: Final[set[str]] = set()


def _jax(moving: Moving, xp: ModuleType) -> float:
    import jax

    parts, directions = _parts(moving)

    def total(leaves: Any) -> Any:
        natives = [jax.lax.complex(*p) if len(p) == 2 else p[0] for p in leaves]
        found = _total(moving, natives, xp, _components, lambda x, w: (x * w).sum())
        return jax.numpy.asarray(found, float)

    slopes = at_once(moving.case.function, jax.grad(total))
    found = slopes([tuple(map(jax.numpy.asarray, part)) for part in parts])
    return _along([g for part in found for g in part], directions)


GRADIENTS: Final[dict[str, Callable[[Moving, ModuleType], float]]] = {
    "torch": _torch,
    "tensorflow": _tensorflow,
    "jax": _jax,
}
