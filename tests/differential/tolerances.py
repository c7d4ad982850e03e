"""How far floating-point results may be from NumPy's, in units in the last place (ulps).

A result of zero ulps is the same number. The unit is that of a magnitude, which is
- "element": of each element itself (of its absolute value if it is complex),
- "inputs": of the largest intermediate that an exact algorithm of this function meets; see
  `_MAGNITUDES`. Sums and products are computed in other orders by other libraries, so that their
  error is relative to what was added up, not to what remained.

Everything that isn't floating-point is compared exactly, and so are NaN and infinities.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tests.differential import tolerances_beyond
from tests.differential.case import Case

__all__ = [
    "ANY_COMPLEX_ZERO_SIGN",
    "ANY_ZERO_SIGN",
    "SUBNORMAL",
    "Tolerance",
    "magnitude",
    "tolerance_of",
]


@dataclass(frozen=True)
class Tolerance:
    """A number of ulps of real results, one of complex results, and the unit."""

    real: float
    complex: float
    unit: str = "element"


_EXACT: Final = Tolerance(0, 0)

TRANSCENDENTAL: Final = (
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cos", "cosh", "exp", "expm1",
    "hypot", "log", "log10", "log1p", "log2", "logaddexp", "sin", "sinh", "tan", "tanh",
)  # fmt: skip

# Functions that aren't named have zero ulps.
_TOLERANCES: Final[dict[str, Tolerance]] = {
    **dict.fromkeys(TRANSCENDENTAL, Tolerance(4, 8)),
    # Correctly rounded for real numbers; complex ones take several roundings, in any order.
    **dict.fromkeys(["multiply", "square"], Tolerance(0, 4)),
    # XLA multiplies by the reciprocal of a divisor that is broadcast.
    **dict.fromkeys(["divide", "reciprocal"], Tolerance(1, 8)),
    "abs": Tolerance(0, 4),
    # MKL's square root, which PyTorch calls, is not correctly rounded.
    "sqrt": Tolerance(1, 4),
    "sign": Tolerance(0, 8),
    # The error of exp(y * log(x)) grows with the exponent.
    "pow": Tolerance(8, 256),
    "remainder": Tolerance(1, 1),
    # NumPy's quotient is that of x1 - x1 % x2, which is rounded; floor(x1 / x2) may be nearer.
    "floor_divide": Tolerance(1, 1),
    "linspace": Tolerance(4, 4, "inputs"),
    "arange": Tolerance(2, 2, "inputs"),
    **dict.fromkeys(["fft.fftfreq", "fft.rfftfreq"], Tolerance(2, 2)),
    # Orders of summation.
    **dict.fromkeys(
        ["sum", "cumulative_sum", "mean", "std", "var", "linalg.trace"], Tolerance(8, 8, "inputs")
    ),
    **dict.fromkeys(["prod", "cumulative_prod"], Tolerance(32, 64)),
    **dict.fromkeys(
        ["matmul", "tensordot", "vecdot", "linalg.cross", "linalg.outer"],
        Tolerance(16, 32, "inputs"),
    ),
    **dict.fromkeys(["linalg.vector_norm", "linalg.matrix_norm"], Tolerance(32, 32, "inputs")),
    # Factorizations of well-conditioned matrices (see `constraints`).
    **dict.fromkeys(
        [
            "linalg.cholesky", "linalg.det", "linalg.eig", "linalg.eigh", "linalg.eigvals",
            "linalg.eigvalsh", "linalg.inv", "linalg.matrix_power", "linalg.pinv", "linalg.qr",
            "linalg.slogdet", "linalg.solve", "linalg.svd", "linalg.svdvals",
        ],
        Tolerance(256, 256, "inputs"),
    ),
    **dict.fromkeys(
        [
            "fft.fft", "fft.ifft", "fft.fftn", "fft.ifftn", "fft.rfft", "fft.irfft", "fft.rfftn",
            "fft.irfftn", "fft.hfft", "fft.ihfft",
        ],
        Tolerance(16, 16, "inputs"),
    ),
    **{name: Tolerance(*values) for name, values in tolerances_beyond.TOLERANCES.items()},
}  # fmt: skip

# Inputs are never subnormal, results may be: XLA and others flush them to zero.
SUBNORMAL: Final = {"float32": float(np.finfo("f4").tiny), "float64": float(np.finfo("f8").tiny)}

# Where the sign of a zero is nobody's promise: it depends on which of two equal elements is
# taken (IEEE 754-2008's maxNum leaves it open, NumPy's depends on the SIMD loop), on the order in
# which numbers are added up, or on the algorithm.
ANY_ZERO_SIGN: Final = frozenset(
    {"maximum", "minimum", "max", "min", "clip", "sort", "sum", "mean", "cumulative_sum",
     "matmul", "tensordot", "vecdot", "unique_values", "unique_all", "unique_counts",
     "unique_inverse", "linspace", "arange", *tolerances_beyond.FREE_ZEROS}
)  # fmt: skip


# In complex products and quotients a zero component is a sum of products, in which terms of zero
# are left out or not; in `x ** y` it may come from sin(0), too.
ANY_COMPLEX_ZERO_SIGN: Final = frozenset({"pow", "divide", "prod", "cumulative_prod", "nanprod"})


def tolerance_of(function: str) -> Tolerance:
    """Return the tolerance of a function."""
    return _TOLERANCES.get(function, _EXACT)


# --- magnitudes -------------------------------------------------------------------------------


def _largest(values: Any) -> float:
    """Return the largest finite absolute value, of 1 at least."""
    absolute = np.abs(np.asarray(values, "c16" if values.dtype.kind == "c" else "f8"))
    return float(np.max(absolute, where=np.isfinite(absolute), initial=1.0))


def _total(case: Case) -> float:
    return max((_largest(a) * max(a.size, 1) for a in case.arrays()), default=1.0)


def _product(case: Case) -> float:
    found = 1.0
    for values in case.arrays():
        found *= _largest(values) * max(max(values.shape, default=1), 1)
    return found


def _square(case: Case) -> float:
    return _total(case) ** 2


def _scalars(case: Case) -> float:
    given = [*case.args, *case.kwargs.values()]
    numbers = [abs(v) for v in given if isinstance(v, int | float | complex)]
    return max([n for n in numbers if np.isfinite(n)], default=1.0) or 1.0


def _power(case: Case) -> float:
    return float(_total(case) ** abs(case.args[1]))


def _determinant(case: Case) -> float:
    x = case.arrays()[0]
    return float((_largest(x) * max(x.shape[-1], 1)) ** x.shape[-1])


_MAGNITUDES: Final[dict[str, Callable[[Case], float]]] = {
    "linspace": _scalars,
    "arange": _scalars,
    "var": _square,
    **dict.fromkeys(["matmul", "tensordot", "vecdot", "linalg.cross", "linalg.outer"], _product),
    "linalg.matrix_power": _power,
    "linalg.det": _determinant,
    **tolerances_beyond.LARGEST,
}


def magnitude(case: Case) -> float:
    """Return the magnitude of the intermediates of a call."""
    return _MAGNITUDES.get(case.function, _total)(case)
