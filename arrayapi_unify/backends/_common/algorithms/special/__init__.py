"""Special functions of any backend, of real arrays in double precision.

A namespace `xp` serves their arrays: a library's own one, or ours. Beside functions of arrays it
has `constants(numbers, like)`, `holds(condition)`, which is True or False if the condition is known
to hold everywhere or nowhere, and otherwise None, and `compresses(*arrays)`, which says whether
parts may be selected by a condition.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from arrayapi_unify.backends._common.algorithms.special import (
    bessel,
    beta,
    error_functions,
    gamma,
    incomplete_beta,
    incomplete_gamma,
    zeta,
)

__all__ = ["BLOCKS", "FUNCTIONS", "NAMES"]

FUNCTIONS: Final[dict[str, Callable[..., Any]]] = error_functions.FUNCTIONS | {
    "beta": beta.beta, "betainc": incomplete_beta.incomplete_beta, "betaln": beta.log_beta,
    "digamma": gamma.digamma, "gamma": gamma.gamma, "gammainc": incomplete_gamma.lower,
    "gammaincc": incomplete_gamma.upper, "gammaln": gamma.log_gamma, "i0": bessel.bessel_i0,
    "i0e": bessel.bessel_i0e, "i1": bessel.bessel_i1, "i1e": bessel.bessel_i1e,
    "lgamma": gamma.log_gamma, "polygamma": zeta.polygamma, "zeta": zeta.zeta,
}  # fmt: skip
"""The functions of a namespace and of its arrays of one shape."""

BLOCKS: Final = dict.fromkeys(FUNCTIONS, 2**15) | {"betainc": 2**11}
"""The number of elements whose intermediate results stay in the cache of a processor."""

NAMES: Final = (
    "abs", "ceil", "cos", "empty_like", "exp", "exp2", "expm1", "floor", "isfinite", "log", "log1p",
    "log2", "logical_and", "logical_not", "logical_or", "remainder", "round", "sin", "sqrt", "sum",
    "where",
)  # fmt: skip
"""The functions of arrays that a namespace needs."""
