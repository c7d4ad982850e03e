"""The bodies of the error functions: computed in double precision, and rounded once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms import error_functions
from arrayapi_unify.functional._common import BodyArray, real

__all__ = ["erf", "erfc", "erfcx", "erfinv", "log_ndtr", "ndtr", "ndtri"]


def _rounded(name: str) -> Callable[[BodyArray], Array]:
    """Make the body of a function."""
    compute: Callable[[Any, BodyArray], Array] = error_functions.FUNCTIONS[name]

    @functools.wraps(compute)
    def body(x: BodyArray) -> Array:
        x = real(f"special.{name}", "x", x)
        xp = x.__array_namespace__()
        return compute(xp, x.astype(xp.float64, copy=False)).astype(x.dtype, copy=False)

    return body


erf = _rounded("erf")
erfc = _rounded("erfc")
erfcx = _rounded("erfcx")
erfinv = _rounded("erfinv")
log_ndtr = _rounded("log_ndtr")
ndtr = _rounded("ndtr")
ndtri = _rounded("ndtri")
