"""Real functions where NumPy falls short of the standard in special values.

Each calls NumPy first, and finds values that need more in one or two passes, which are cheap
compared with the function itself. Recomputing these values raises no warnings; those of NumPy's
call stay.
"""

from __future__ import annotations

import math
from math import isfinite
from typing import Any, Final, cast

import numpy as np

from arrayapi_unify.backends._common.algorithms.arithmetic import power_by_numpy
from arrayapi_unify.backends.numpy._core import FEW, NDArray, Operand, any_true

_ARRAY: Final = np.ndarray
_ARRAYS: Final[Any] = (np.ndarray, np.generic)


def _has_infinity(x: Any) -> int:
    return any_true(np.isinf(x)) if isinstance(x, np.ndarray) else math.isinf(x)


def _surely_finite(x: Any, y: Any) -> bool:
    """Return True if a sum of products is finite; with infinities, NaN or huge values it isn't."""
    if type(y) is np.ndarray and y.ndim == 1 == x.ndim and x.size == y.size:
        return isfinite(np.vdot(x, y))  # x.dot(y) warns where the sum overflows
    if not isinstance(y, _ARRAYS):
        return isfinite(y) and isfinite(np.vdot(x, x))
    finite = y.dtype.kind != "f" or isfinite(np.vdot(y, y))
    return finite and isfinite(np.vdot(x, x))


def floor_divide(x1: Any, x2: Any) -> NDArray:
    """Compute `floor(x1 / x2)`, as the standard prefers it where an operand is infinite.

    NumPy follows Python's pairing with `%` there: NaN for inf // 2, and -1 for 1 // -inf.
    """
    result: NDArray = x1 // x2
    # An infinite x1 gives NaN, so that there is no need to look at it. Of a few elements Python's
    # own sum is found sooner than NumPy's.
    few = type(x2) is _ARRAY and result.ndim == 1 == x2.ndim and result.size <= FEW
    if few and isfinite(sum(result.tolist(), sum(x2.tolist()))):
        return result
    if result.dtype.kind == "f" and not _surely_finite(result, x2):
        # NumPy can't tell whether an integer beyond 64 bits is infinite.
        x1, x2 = (float(x) if isinstance(x, int) else x for x in (x1, x2))
        return np.where(np.isinf(x1) | np.isinf(x2), _floored(x1, x2), result)
    return result


@np.errstate(all="ignore")
def _floored(x1: Operand, x2: Operand) -> Any:
    return np.floor(np.divide(x1, x2))


def pow(x1: Operand, x2: Operand) -> NDArray:
    """Raise to a power; to small integers by the operator, to a half by the square root."""
    if type(x2) is float and x2 == 0.5 and cast(NDArray, x1).dtype.kind != "c":
        return _square_root(cast(NDArray, x1))
    if type(x2) is int and cast(NDArray, x1).dtype.kind == "f":
        return cast(NDArray, x1**x2)  # the operator knows shorter ways to 2, 1 and -1
    return power_by_numpy(x1, x2)


def direct_power(x1: Any, x2: Any) -> Any:
    """Return the data type of a power that NumPy computes as `pow` does; None for others."""
    if type(x2) is int and x2 == 2:
        return x1.dtype if x1.dtype.kind == "f" else None
    usual = type(x1) is type(x2) is _ARRAY and x1.shape == x2.shape and 0 not in x2.strides
    return np.result_type(x1, x2) if usual and x2.size > 1 else None


def power(x1: Any, x2: Any, *, out: NDArray) -> Any:
    """Raise to the powers that have a data type by `direct_power`."""
    return np.square(x1, out=out) if type(x2) is int else np.power(x1, x2, out=out)


def _square_root(x: NDArray) -> NDArray:
    """Compute `x ** 0.5` of a real array; adding 0.0 makes -0 be +0, integers be float64."""
    result = np.asarray(x + 0.0)
    np.sqrt(result, out=result)
    if _has_infinity(x):
        np.copyto(result, np.inf, where=np.isinf(x))
    return result
