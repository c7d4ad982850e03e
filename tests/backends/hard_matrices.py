"""Calls of the linalg extension with matrices that break libraries, one after the other.

`python -m tests.backends.hard_matrices BACKEND PART START` makes those of a part, from number START
on. It prints a call's number before the call and its outcome after it, so that the output shows
which call ended the process. `test_hard_matrices.py` reads the output.
"""

from __future__ import annotations

import faulthandler
import json
import math
import re
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

import numpy as np

from arrayapi_unify.binding import namespace_of
from arrayapi_unify.errors import UnifyError

__all__ = ["FUNCTIONS", "PARTS", "MATRICES", "Call"]

inf, nan = math.inf, math.nan
_ORDINARY: Final = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]])
# A lazy library's error begins with the call that computes.
_LAZILY: Final = re.compile(r"^to_numpy\(.*?\) failed on the \w+ backend: ")
_SECONDS: Final = 120  # the limit for hangs; the longest call takes a second


def _with(value: float, *places: tuple[int, int], size: int = 3) -> Any:
    """Return a positive-definite matrix with a value at some positions."""
    x = _ORDINARY.copy() if size == 3 else np.eye(size) * size + 1
    for place in places:
        x[place] = value
    return x


# Square matrices are also tried in a stack, behind an ordinary one.
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
    "huge": 1e300 * _ORDINARY,
    "tiny": 1e-300 * _ORDINARY,
    "huge and tiny": np.diag([1e300, 1.0, 1e-300]),
    "of shape (0, 0)": np.zeros((0, 0)),
    "of shape (0, 3)": np.zeros((0, 3)),
    "of shape (3, 0)": np.zeros((3, 0)),
    "of shape (0, 3, 3)": np.zeros((0, 3, 3)),
    "of shape (2, 0, 0)": np.zeros((2, 0, 0)),
}

_SOLVING: Final = "right side"
# Functions with the options that select an algorithm. LAPACK's functions get all data types.
_DECOMPOSING: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    *(("cholesky", {"upper": upper}) for upper in (False, True)),
    *((name, {}) for name in ("det", "eig", "eigh", "eigvals", "eigvalsh", "inv", "slogdet")),
    *((name, {"rtol": rtol}) for name in ("matrix_rank", "pinv") for rtol in (None, 0.1)),
    *(("matrix_norm", {"ord": order}) for order in ("nuc", 2, -2)),
    *(("matrix_power", {"n": n}) for n in (-1, -2)),
    ("lu", {}),
    *(("qr", {"mode": mode}) for mode in ("reduced", "complete")),
    *(("svd", {"full_matrices": full}) for full in (True, False)),
    ("svdvals", {}),
    ("solve", {}),
)
_OTHERS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    *((name, {}) for name in ("cross", "diagonal", "matmul", "matrix_transpose", "outer")),
    *((name, {}) for name in ("tensordot", "trace", "vecdot")),
    *((name, {}) for name in ("norm", "cond", "expm")),
    *((name, {_SOLVING: True}) for name in ("solve", "solve_triangular", "lstsq")),
    *(("matrix_norm", {"ord": order}) for order in ("fro", 1, -1, inf, -inf)),
    *(("matrix_power", {"n": n}) for n in (0, 1, 3)),
    *(("vector_norm", {"axis": -1, "ord": order}) for order in (0, 1, 2, 3, inf, -inf, -1)),
)
FUNCTIONS: Final = frozenset(name for name, _ in (*_DECOMPOSING, *_OTHERS))


@dataclass(frozen=True)
class Call:
    """One call: a function of `linalg`, its options, a matrix, a data type."""

    function: str
    options: dict[str, Any]
    matrix: str
    dtype: str
    stacked: bool

    def __str__(self) -> str:
        """Name the call."""
        return (
            f"{self.function}({self.options}) of {self.matrix}, {self.dtype}"
            + ", in a stack" * self.stacked
        )

    def values(self) -> Any:
        """Return the matrix; 1e300 becomes 1e37 in float32, where it would overflow."""
        x = MATRICES[self.matrix]
        if self.dtype in ("float32", "complex64"):
            x = np.where(x > 1e200, x / 1e300 * 1e37, x)
            x = np.where((x != 0) & (abs(x) < 1e-200), x / 1e-300 * 1e-37, x)
        if self.stacked:
            x = np.stack([_ORDINARY, x])
        return x.astype(self.dtype)

    def make(self, xp: ModuleType) -> Any:
        """Make the call."""
        function, x = getattr(xp.linalg, self.function), xp.asarray(self.values())
        if self.options.get(_SOLVING):
            rows = x.shape[-2]
            return function(xp.eye(rows, dtype=x.dtype), x)
        if self.function == "solve":
            return function(x, xp.ones((x.shape[-1], 2), dtype=x.dtype))
        if self.function == "outer":
            return function(xp.reshape(x, (-1,)), xp.ones(2, dtype=x.dtype))
        if self.function in ("cross", "vecdot"):
            return function(x, xp.ones(x.shape, dtype=x.dtype))
        if self.function in ("matmul", "tensordot"):
            options = {"axes": 1} if self.function == "tensordot" else {}
            return function(x, xp.ones((x.shape[-1], 2), dtype=x.dtype), **options)
        if self.function == "matrix_power":
            return function(x, self.options["n"])
        return function(x, **self.options)


# JAX compiles a kernel for each function, shape and data type. The first part therefore has each
# decomposition once with every matrix.
_DTYPES: Final = {
    "first": (("float32",), ()),
    "second": (("float64", "complex64", "complex128"), ("float32", "complex128")),
}


def _calls(part: str) -> Iterator[Call]:
    for functions, dtypes in zip((_DECOMPOSING, _OTHERS), _DTYPES[part], strict=True):
        for function, options in functions:
            for matrix, x in MATRICES.items():
                for dtype in dtypes:
                    yield Call(function, options, matrix, dtype, False)
                    if x.shape == (3, 3):
                        yield Call(function, options, matrix, dtype, True)


PARTS: Final = {part: tuple(_calls(part)) for part in _DTYPES}


def _outcome(call: Call, xp: ModuleType) -> str:
    """Return "answered", or the error."""
    try:
        result = call.make(xp)
        for part in result if isinstance(result, tuple) else (result,):
            xp.to_numpy(part)  # a lazy library computes here
    except UnifyError as error:
        # PyTorch's class is one of PyTorch's errors, too.
        name = type(error).__name__.replace("TorchLinAlgError", "UnifyLinAlgError")
        return f"{name}: {_LAZILY.sub('', str(error))}"
    return "answered"


def main() -> None:
    """Make the calls."""
    backend, part, start = sys.argv[1], sys.argv[2], int(sys.argv[3])
    warnings.simplefilter("ignore")  # about overflow and division by zero
    xp = namespace_of(backend)
    for number, call in enumerate(PARTS[part][start:], start):
        print(f"\ncall {number}", flush=True)
        faulthandler.dump_traceback_later(_SECONDS, exit=True)
        print(f"\ndone {json.dumps(_outcome(call, xp))}", flush=True)
    faulthandler.cancel_dump_traceback_later()


if __name__ == "__main__":
    main()
