"""Numbers that libraries treat differently in all functions, or in calls that no test can draw.

The page of differences lists them. Each has a call that shows it, so that outdated rows are
detected; see `test_limits.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

import numpy as np

import arrayapi_unify as unify

__all__ = ["LIMITS", "Limit"]

_LEAST: Final = 5e-324  # the least number above zero


@dataclass(frozen=True)
class Limit:
    """A difference between some backends and NumPy, for certain numbers."""

    functions: str
    backends: tuple[str, ...]
    condition: str
    happens: str
    reason: str
    shown_by: Callable[[ModuleType], Any]  # has another result on these backends, and only there


def _assigned(xp: ModuleType) -> Any:
    x = xp.zeros(1, dtype=xp.int32)
    x[0] = xp.asarray(np.nan)
    return x


_FLUSHED: Final = (
    "the library enables the processor's flush-to-zero mode, for speed; a scan of every operand "
    "would cost as much as the operation"
)
_CAST: Final = (
    "C and the standard leave it unspecified, and NumPy returns the processor's result; a check "
    "would cost a pass over the array"
)
_HALF_NAN: Final = "complex numbers of which one component is NaN and the other infinite"
_NORM: Final = "the libraries' own norms; the standard specifies absolute values only"
_ROUNDED: Final = "the last pivot is zero, or of the size of a rounding error, by chance"

LIMITS: Final = (
    Limit(
        "arithmetic, comparisons, reductions", ("tensorflow", "jax"), "subnormal numbers",
        "operands count as zeros, and results are zeros: `5e-324 == 0`", _FLUSHED,
        lambda xp: xp.asarray([_LEAST]) == 0,
    ),
    Limit(
        "`unique_values` and its like", ("tensorflow", "jax"), "subnormal numbers",
        "they equal zero", _FLUSHED,
        lambda xp: xp.count_nonzero(xp.asarray([_LEAST, 2 * _LEAST])),
    ),
    Limit(
        "`sort`, `argsort`", ("jax",), "subnormal numbers",
        "they keep their original order", _FLUSHED,
        lambda xp: xp.sort(xp.asarray([_LEAST, -_LEAST])),
    ),
    Limit(
        "`astype`, `x[key] = value`", ("tensorflow", "jax"),
        "NaN, infinities and numbers out of range, cast to integers",
        "other integers than NumPy's: the nearest one, and 0 for NaN, on JAX; the result of its "
        "vectorized conversion on TensorFlow", _CAST,
        lambda xp: xp.astype(xp.asarray([np.nan]), xp.int32),
    ),
    Limit(
        "`x[key] = value`", ("tensorflow", "jax"), "NaN, assigned to integers",
        "the integers of `astype`", _CAST, _assigned,
    ),
    Limit(
        "`linalg.slogdet`", ("torch", "tensorflow", "jax"), "NaN in a matrix",
        "the sign is NaN, or 0 on PyTorch, where NumPy's is that of the permutation",
        "the logarithm is NaN on all backends, so the sign has no meaning",
        lambda xp: xp.linalg.slogdet(xp.asarray([[1.0, np.nan], [2.0, 3.0]])).sign,
    ),
    Limit(
        "`linalg.vector_norm`, `l2_normalize`", ("torch", "dask"), _HALF_NAN,
        "the norm is infinite, as their absolute value is, where NumPy's is NaN", _NORM,
        lambda xp: xp.linalg.vector_norm(xp.asarray([complex(np.nan, np.inf), 1])),
    ),
    Limit(
        "`linalg.vector_norm(x, ord=1)`, `l1_normalize`", ("jax",), _HALF_NAN,
        "the norm is NaN where NumPy's is infinite, as their absolute value is", _NORM,
        lambda xp: xp.linalg.vector_norm(xp.asarray([complex(np.nan, np.inf), 1]), ord=1),
    ),
    Limit(
        "`matmul`, `@`", ("torch",), "complex matrices with infinite components",
        "a component may be infinite where NumPy's is NaN",
        "the library calls another BLAS; the standard leaves complex infinities unspecified",
        lambda xp: xp.asarray([[complex(np.inf, 1), 1], [1j, 2]]) @ xp.asarray(
            [[complex(np.inf, 1), 1], [1j, 2]]
        ),
    ),
    Limit(
        "`linalg.inv`, `linalg.solve`, `linalg.matrix_power`", ("torch", "tensorflow"),
        "matrices that are singular up to rounding",
        "one backend returns large numbers, another one raises",
        _ROUNDED,
        lambda xp: _refuses(xp.linalg.inv, xp.reshape(xp.arange(1.0, 10.0), (3, 3))),
    ),
    Limit(
        "`linalg.inv`, `linalg.solve`, `linalg.matrix_power`", ("tensorflow", "jax"),
        "matrices with a subnormal pivot", "are refused as singular", _FLUSHED,
        lambda xp: _refuses(xp.linalg.inv, xp.asarray([[1e-320, 0.0], [0.0, 1.0]])),
    ),
)  # fmt: skip


def _refuses(function: Callable[[Any], Any], x: Any) -> bool:
    try:
        unify.compute(function(x))
    except ValueError:
        return True
    return False
