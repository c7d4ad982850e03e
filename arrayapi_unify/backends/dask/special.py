"""Special functions of the Dask backend: NumPy's, block by block."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import dask.array as da

from arrayapi_unify.backends._common.algorithms.special import FUNCTIONS
from arrayapi_unify.backends._common.algorithms.special.natives import native_functions
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.dask._lift import elementwise
from arrayapi_unify.backends.dask._natives import DaskArray, native

__getattr__, __dir__ = make_extension_getattr(__name__)


def _lifted(name: str) -> Callable[..., DaskArray]:
    def kernel(*operands: Any) -> DaskArray:
        dtype = next(x.dtype for x in operands if isinstance(x, da.Array))
        return elementwise(native("special", name), *operands, dtype=dtype)

    return kernel


def _is_real(x: Any) -> bool:
    return isinstance(x, da.Array) and x.dtype.kind == "f"


PARTIAL: Final = native_functions({n: _lifted(n) for n in FUNCTIONS}, _is_real, lambda _: False)
