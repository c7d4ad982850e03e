"""Special functions of the NumPy backend: those of SciPy, if that is installed.

SciPy computes float32 in double precision. For float64, its functions that aren't in `_BOTH` lose
digits in the tails: `erfc` is off by 500 ulp at 23.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.numpy._core import NDArray, returns_array

__getattr__, __dir__ = make_extension_getattr(__name__)

_SINGLE: Final = ("erfc", "erfcx", "log_ndtr", "ndtr")
_BOTH: Final = ("erf", "erfinv", "ndtri")


@functools.cache
def _scipy() -> Any:
    """Import SciPy's special functions, an optional package; None if it isn't installed."""
    found = importlib.util.find_spec("scipy")
    return found and importlib.import_module("scipy.special")


def _of_scipy(name: str, dtypes: tuple[Any, ...]) -> Callable[..., NDArray]:
    def native(x: NDArray, /) -> NDArray:
        result: NDArray = getattr(_scipy(), name)(x)
        # The inverse of the error function of -0.0 is 0.0 there.
        return np.copysign(result, x) if name == "erfinv" else result

    native.__name__ = native.__qualname__ = name
    native.__doc__ = "Compute by SciPy's function."
    serves = partial_mixed(lambda x: x.dtype in dtypes and _scipy() is not None)
    return serves(returns_array(native))


PARTIAL: Final = {name: _of_scipy(name, (np.float32,)) for name in _SINGLE}
PARTIAL.update((name, _of_scipy(name, (np.float32, np.float64))) for name in _BOTH)
