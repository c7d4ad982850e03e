"""Tolerances of floating-point results, in units in the last place (ulps).

A result of zero ulps is the same number. The unit is that of a magnitude: of each element itself
(of its absolute value if it is complex), or of the loss that `error_scales` gives for these
arguments, if that is larger. Other libraries compute sums and products in other orders, so their
error is relative to the summands, not to the result.

Everything that isn't floating-point is compared exactly, and so are NaN and infinities.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tests.differential import error_scales, measured, tolerances_beyond
from tests.differential.case import Case

__all__ = [
    "ANY_COMPLEX_ZERO_SIGN",
    "ANY_ZERO_SIGN",
    "SUBNORMAL",
    "Tolerance",
    "tolerance_of",
    "units",
]


@dataclass(frozen=True)
class Tolerance:
    """A number of ulps of real results, one of complex results, and the unit if not the element."""

    real: float
    complex: float
    unit: Callable[[Case], list[Any]] | None = None


_EXACT: Final = Tolerance(0, 0)

# Ceilings of the tolerances of real numbers; some functions are measured below. TensorFlow's acos,
# asin, atan, atan2, expm1, log1p and tanh are off by more than 4 at points that calls don't draw;
# logaddexp has no digits where it is near 0.
_CEILINGS: Final = {
    "acos": 4, "acosh": 4, "angle": 4, "asin": 4, "asinh": 4, "atan": 4, "atan2": 4, "atanh": 4,
    "cbrt": 4, "cos": 4, "cosh": 4, "exp": 4, "exp2": 4, "expm1": 4, "hypot": 4, "log": 4,
    "log10": 4, "log1p": 4, "log2": 4, "logaddexp": 4, "sin": 4, "sinh": 4, "tan": 4, "tanh": 4,
}  # fmt: skip
TRANSCENDENTAL: Final = tuple(_CEILINGS)

# Functions that aren't named have zero ulps.
_TOLERANCES: Final[dict[str, Tolerance]] = {
    **{
        name: Tolerance(measured.tolerance(name, ceiling), 8)
        for name, ceiling in _CEILINGS.items()
    },
    # Correctly rounded for real numbers; complex ones take several roundings, in any order.
    **dict.fromkeys(["multiply", "outer", "square"], Tolerance(0, 4)),
    **dict.fromkeys(["divide", "reciprocal"], Tolerance(0, 8)),
    **dict.fromkeys(["deg2rad", "rad2deg"], Tolerance(2, 2)),
    "abs": Tolerance(0, 4),
    # MKL's square root, which PyTorch calls, isn't correctly rounded.
    "sqrt": Tolerance(measured.tolerance("sqrt", 1), 4),
    "sign": Tolerance(0, 8),
    # The error of exp(y * log(x)) grows with the exponent, also that of TensorFlow's kernel, which
    # traced programs call.
    "pow": Tolerance(8, 256),
    **dict.fromkeys(["remainder", "divmod"], Tolerance(1, 1)),
    # NumPy's quotient is that of x1 - x1 % x2, which is rounded; floor(x1 / x2) may be nearer.
    "floor_divide": Tolerance(1, 1),
    # Each element has the rounding error of its position between the two ends.
    "linspace": Tolerance(4, 4, error_scales.ends),
    "arange": Tolerance(2, 2, error_scales.ends),
    **dict.fromkeys(["fft.fftfreq", "fft.rfftfreq"], Tolerance(2, 2)),
    # Orders of summation: each addition rounds a partial sum, of at most the sum of |x|.
    **dict.fromkeys(
        ["sum", "cumulative_sum", "cumsum", "nancumsum", "mean", "linalg.trace", "trace"],
        Tolerance(8, 8, error_scales.absolutes),
    ),
    # The squares (x - mean)**2 have the relative error of x - mean, which the rounding of the mean
    # makes no larger to first order; updates in one pass lose std * rms(x), as a change of x does.
    **dict.fromkeys(["std", "var"], Tolerance(16, 16, error_scales.response)),
    **dict.fromkeys(["prod", "cumulative_prod", "cumprod", "nancumprod"], Tolerance(32, 64)),
    # |x1| @ |x2| for x1 @ x2, and so on.
    **dict.fromkeys(
        ["dot", "inner", "matmul", "tensordot", "vdot", "vecdot", "linalg.outer"],
        Tolerance(16, 32, error_scales.absolutes),
    ),
    "cross": Tolerance(16, 16, error_scales.response),
    "linalg.cross": Tolerance(4, 8, error_scales.cross_terms),
    # Sums of positive terms.
    "linalg.vector_norm": Tolerance(32, 32),
    "linalg.matrix_norm": Tolerance(32, 32, error_scales.spectrum),
    "linalg.solve_triangular": Tolerance(32, 64, error_scales.response),
    "linalg.lstsq": Tolerance(64, 64, error_scales.least_squares),
    **dict.fromkeys(["linalg.cond", "linalg.norm"], Tolerance(64, 64, error_scales.response)),
    # Backward errors and forward errors by the condition; Higham, "Accuracy and Stability of
    # Numerical Algorithms", chapters 7, 9, 10, 14 and 19.
    "linalg.inv": Tolerance(32, 64, error_scales.inverse),
    "linalg.solve": Tolerance(32, 64, error_scales.solution),
    "linalg.matrix_power": Tolerance(32, 64, error_scales.power),
    "linalg.expm": Tolerance(2, 32, error_scales.exponential),
    "linalg.det": Tolerance(16, 32, error_scales.determinant),
    "linalg.slogdet": Tolerance(16, 32, error_scales.log_determinant),
    "linalg.pinv": Tolerance(32, 64, error_scales.pseudo_inverse),
    **dict.fromkeys(["linalg.svdvals", "linalg.eigvalsh"],
        Tolerance(32, 32, error_scales.spectrum)),
    # Compared by their defining properties, in `decompositions`.
    **dict.fromkeys(
        ["linalg.cholesky", "linalg.eig", "linalg.eigh", "linalg.eigvals", "linalg.lu",
         "linalg.qr", "linalg.svd"],
        Tolerance(64, 64),
    ),
    **dict.fromkeys(
        [
            "fft.fft", "fft.ifft", "fft.fftn", "fft.ifftn", "fft.rfft", "fft.irfft", "fft.rfftn",
            "fft.irfftn", "fft.hfft", "fft.ihfft",
        ],
        Tolerance(8, 8, error_scales.transform),
    ),
    **{name: Tolerance(*values) for name, values in tolerances_beyond.TOLERANCES.items()},
}  # fmt: skip

# Inputs are never subnormal, results may be: XLA and others flush them to zero.
SUBNORMAL: Final = {"float32": float(np.finfo("f4").tiny), "float64": float(np.finfo("f8").tiny)}

# Functions with an unspecified sign of zero: it depends on the selection among equal elements
# (unspecified in IEEE 754-2008's maxNum, and in NumPy dependent on the SIMD loop), on the order of
# summation, or on the algorithm.
ANY_ZERO_SIGN: Final = frozenset(
    {"maximum", "minimum", "fmax", "fmin", "max", "min", "clip", "sort", "unique_values",
     "unique_all", "unique_counts", "unique_inverse", "unique", "intersect1d", "union1d",
     "setdiff1d", *tolerances_beyond.FREE_ZEROS}
)  # fmt: skip


# In complex products and quotients a zero component is a sum of products, in which terms of zero
# may be omitted; in `x ** y` it may come from sin(0), too.
ANY_COMPLEX_ZERO_SIGN: Final = frozenset(
    {"pow", "divide", "prod", "cumulative_prod", "cumprod", "exp2", "nancumprod", "nanprod"}
)


def tolerance_of(function: str) -> Tolerance:
    """Return the tolerance of a function."""
    return _TOLERANCES.get(function, _EXACT)


@functools.lru_cache(maxsize=8)
def _lost(case: Case) -> list[Any]:
    """Compute the units of a call once: cases are compared by identity."""
    unit = tolerance_of(case.function).unit
    assert unit is not None, f"{case.function} has no unit but the element"
    return unit(case)


def units(case: Case, part: int, expected: Any) -> Any:
    """Return the unit of each element of an array of the result: at least that of the element."""
    size = np.abs(expected)
    if tolerance_of(case.function).unit is None:
        return size
    with np.errstate(all="ignore"):
        return np.fmax(size, _lost(case)[part])
