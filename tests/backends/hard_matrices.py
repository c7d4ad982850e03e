"""Calls of the linalg extension with matrices that break libraries, run one after the other.

`python -m tests.backends.hard_matrices BACKEND START` makes the calls from number START on, and
prints a line of JSON before each call and one after it: whoever reads knows which call ended the
process. `test_hard_matrices.py` reads.
"""

from __future__ import annotations

import json
import math
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Final

import numpy as np

from arrayapi_unify.binding import namespace_of
from arrayapi_unify.errors import UnifyError

__all__ = ["CALLS", "MATRICES", "Call"]

DTYPES: Final = ("float32", "float64", "complex64", "complex128")
inf, nan = math.inf, math.nan

_ONES: Final = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])


def _with(value: float, *places: tuple[int, int], size: int = 3) -> Any:
    """Return a symmetric positive-definite matrix with a value at some places."""
    x = _ONES.copy() if size == 3 else np.eye(size) * size + 1 / (1 + np.arange(size))
    for place in places:
        x[place] = value
    return x


# Matrices and stacks of matrices; a single one is tried alone and beside an ordinary one.
MATRICES: Final[dict[str, Any]] = {
    "NaN on the diagonal": _with(nan, (1, 1)),
    "NaN below the diagonal": _with(nan, (2, 0)),
    "NaN above the diagonal": _with(nan, (0, 2)),
    "NaN everywhere": np.full((3, 3), nan),
    "infinity on the diagonal": _with(inf, (1, 1)),
    "negative infinity below the diagonal": _with(-inf, (2, 0)),
    "infinity above the diagonal": _with(inf, (0, 2)),
    "infinity everywhere": np.full((3, 3), inf),
    "a large matrix with NaN": _with(nan, (20, 30), (30, 20), size=40),
    "a large matrix with infinity": _with(inf, (20, 30), (30, 20), size=40),
    "zeros": np.zeros((3, 3)),
    "ones": np.ones((3, 3)),
    "indefinite": np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, -1.0]]),
    "nilpotent": np.eye(3, k=1),
    "huge": 1e300 * _ONES,
    "tiny": 1e-300 * _ONES,
    "huge and tiny": _ONES * np.array([1e300, 1.0, 1e-300]),
    "(0, 0)": np.zeros((0, 0)),
    "(0, 3)": np.zeros((0, 3)),
    "(3, 0)": np.zeros((3, 0)),
    "(0, 3, 3)": np.zeros((0, 3, 3)),
    "(2, 0, 0)": np.zeros((2, 0, 0)),
}
# What a scale of float64 is to float32, which has neither 1e300 nor 1e-300.
_IN_SINGLE: Final = {1e300: 1e37, 1e-300: 1e-37}

# Functions with the options that choose an algorithm.
_FUNCTIONS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("cholesky", {}),
    ("cholesky", {"upper": True}),
    ("det", {}),
    ("diagonal", {}),
    ("eig", {}),
    ("eigh", {}),
    ("eigvals", {}),
    ("eigvalsh", {}),
    ("inv", {}),
    *(("matrix_norm", {"ord": o}) for o in ("fro", "nuc", 1, -1, 2, -2, inf, -inf)),
    *(("matrix_power", {"n": n}) for n in (0, 1, 3, -1, -2)),
    ("matrix_rank", {}),
    ("matrix_rank", {"rtol": 0.1}),
    ("pinv", {}),
    ("pinv", {"rtol": 0.1}),
    ("qr", {}),
    ("qr", {"mode": "complete"}),
    ("slogdet", {}),
    ("svd", {}),
    ("svd", {"full_matrices": False}),
    ("svdvals", {}),
    ("trace", {}),
    *(("vector_norm", {"ord": o, "axis": -1}) for o in (0, 1, 2, 3, inf, -inf, -1)),
)
_OF_TWO: Final = ("cross", "matmul", "outer", "solve", "tensordot", "vecdot")
