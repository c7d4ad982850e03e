"""Special functions of the NumPy backend: those of SciPy where they keep their digits in the tails.

SciPy is an optional package. It computes float32 in double precision. For float64, its error
functions that aren't in `_BOTH` lose digits: `erfc` is off by 500 ulp at 23.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from arrayapi_unify.backends._common.algorithms.special import FUNCTIONS
from arrayapi_unify.backends._common.algorithms.special.natives import in_blocks, native_functions
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.numpy._core import NDArray

__getattr__, __dir__ = make_extension_getattr(__name__)

_SINGLE: Final = ("erfc", "erfcx", "log_ndtr", "ndtr")
_BOTH: Final = ("erf", "erfinv", "ndtri")


@functools.cache
def _scipy() -> Any:
    """Import SciPy's special functions; None if it isn't installed."""
    found = importlib.util.find_spec("scipy")
    return found and importlib.import_module("scipy.special")


def _with_scipy(name: str) -> Callable[..., NDArray]:
    """Make a function that computes by SciPy's, if that is installed and as good."""
    blocks, sizes = in_blocks(name), (4, 8) if name in _BOTH else (4,)

    def kernel(x: NDArray) -> NDArray:
        if x.dtype.itemsize in sizes and (scipy := _scipy()) is not None:
            found: NDArray = np.asarray(getattr(scipy, name)(x))
            # SciPy's inverse of the error function of -0.0 is 0.0.
            return np.copysign(found, x) if name == "erfinv" else found
        return blocks(x)

    return kernel


def _is_real(x: Any) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind == "f"


PARTIAL: Final = native_functions(
    {n: (_with_scipy if n in (*_SINGLE, *_BOTH) else in_blocks)(n) for n in FUNCTIONS},
    _is_real,
    lambda _: False,
)
