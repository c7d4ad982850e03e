"""Oracles of the error functions: mpmath's, and SciPy's inverses."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import mpmath
import numpy as np
import scipy.special

from tests.differential.oracle._registry import floating, narrow, oracle, wide

__all__: list[str] = []

# Beyond it, float64 doesn't tell a function from its limit, or from its first term.
_FAR: Final = 1e9


def _erfc(v: Any) -> Any:
    return mpmath.erfc(max(min(v, _FAR), -_FAR))


def _erfcx(v: Any) -> Any:
    if v > _FAR:
        return 1 / (v * mpmath.sqrt(mpmath.pi))
    return mpmath.exp(max(v, -_FAR) ** 2) * _erfc(v)


def _ndtr(v: Any) -> Any:
    return _erfc(-v / mpmath.sqrt(2)) / 2


def _log_ndtr(v: Any) -> Any:
    if v > 0:
        return mpmath.log1p(-_ndtr(-v))
    return mpmath.log(_erfcx(-v / mpmath.sqrt(2)) / 2) - v * v / 2


# The function, its value at minus infinity, and that at infinity.
_EXACT: Final[dict[str, tuple[Callable[[Any], Any], float, float]]] = {
    "erf": (lambda v: mpmath.erf(max(min(v, _FAR), -_FAR)), -1, 1),
    "erfc": (_erfc, 2, 0),
    "erfcx": (_erfcx, math.inf, 0),
    "ndtr": (_ndtr, 0, 1),
    "log_ndtr": (_log_ndtr, -math.inf, -0.0),
}


def _of(function: Callable[[Any], Any], below: float, above: float) -> Callable[[Any], Any]:
    """Make an oracle of a function of one number."""

    def one(v: float) -> Any:
        if not math.isfinite(v):
            return {-math.inf: below, math.inf: above}.get(v, v)
        if not v:
            return float(function(mpmath.mpf(v))) or v
        with mpmath.workdps(50):
            found = function(mpmath.mpf(v))
        size = abs(found)
        if size > mpmath.mpf("1e4900") or size < mpmath.mpf("1e-4900"):
            return math.copysign(math.inf if size > 1 else 0.0, found)
        return np.longdouble(mpmath.nstr(found, 30))

    def elementwise(x: Any, /) -> Any:
        values = wide(x)
        found = [one(float(v)) for v in values.ravel()]
        return narrow(np.array(found, np.longdouble).reshape(values.shape), floating(x))

    return elementwise


for _name, _exact in _EXACT.items():
    oracle(f"special.{_name}")(_of(*_exact))


@oracle("special.erfinv")
def _erfinv(x: Any, /) -> Any:
    values = wide(x).astype(np.float64)
    # SciPy's result for -0.0 is 0.0.
    return narrow(np.copysign(scipy.special.erfinv(values), values), floating(x))


@oracle("special.ndtri")
def _ndtri(x: Any, /) -> Any:
    return narrow(scipy.special.ndtri(wide(x).astype(np.float64)), floating(x))
