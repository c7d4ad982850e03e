"""Special functions of the NumPy backend: those of SciPy where they keep their digits in the tails.

SciPy is an optional package. It computes float32 in double precision. For float64, its functions
that aren't in `_BOTH` lose digits: `erfc` is off by 500 ulp at 23.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

import numpy as np

from arrayapi_unify.backends._common.algorithms import error_functions
from arrayapi_unify.backends._common.algorithms.nn import native_activations
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.numpy._core import NDArray

__getattr__, __dir__ = make_extension_getattr(__name__)

_BLOCK: Final = 2**15
_BOTH: Final = ("erf", "erfinv", "ndtri")


@functools.cache
def _scipy() -> Any:
    """Import SciPy's special functions; None if it isn't installed."""
    found = importlib.util.find_spec("scipy")
    return found and importlib.import_module("scipy.special")


def _in_blocks(compute: Callable[[Any, NDArray], NDArray], x: NDArray) -> NDArray:
    """Compute in double precision, by parts that stay in the cache."""
    flat, found = x.reshape(-1), np.empty(x.size, x.dtype)
    with np.errstate(all="ignore"):
        for start in range(0, x.size, _BLOCK):
            part = slice(start, start + _BLOCK)
            found[part] = compute(np, flat[part].astype(np.float64))
    return found.reshape(x.shape)


def _kernel(name: str) -> Callable[[NDArray], NDArray]:
    compute = error_functions.FUNCTIONS[name]
    sizes = (4, 8) if name in _BOTH else (4,)

    def kernel(x: NDArray) -> NDArray:
        if x.dtype.itemsize in sizes and (scipy := _scipy()) is not None:
            found: NDArray = np.asarray(getattr(scipy, name)(x))
            # SciPy's inverse of the error function of -0.0 is 0.0.
            return np.copysign(found, x) if name == "erfinv" else found
        return _in_blocks(compute, x)

    return kernel


_KERNELS: Final = {name: _kernel(name) for name in error_functions.FUNCTIONS}


def _is_real(x: NDArray, /) -> bool:
    return x.dtype.kind == "f"


PARTIAL: Final = native_activations(_KERNELS, {}, attrgetter("ndim"), _is_real)
