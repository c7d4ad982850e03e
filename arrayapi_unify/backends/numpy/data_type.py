"""The data type functions that need NumPy."""

from __future__ import annotations

import functools
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.checks.arguments import raise_cast_error
from arrayapi_unify.backends.kernel import FastKernel, Kernel
from arrayapi_unify.backends.numpy._errstate import run, without_warnings
from arrayapi_unify.devices import Device

# The slow path serves calls while another thread is at it.
_CAST: Final[Any] = functools.partial(run, cast("Any", np.ndarray.astype))


@Kernel(fast_kernel=FastKernel(_CAST, when="{0}.dtype.kind != 'c'"))
def astype(
    x: npt.NDArray[Any], /, dtype: np.dtype[Any], *, copy: bool = True, device: Device | None = None
) -> npt.NDArray[Any]:
    """Cast, except from complex to real data types, which the standard rules out."""
    source = x.dtype
    if source == dtype:
        return x.copy() if copy else x
    if source.kind == "c" and dtype.kind in "iufV":
        raise_cast_error("astype", source, dtype)
    # The standard leaves open which integers NaN and infinity become: no warning is due.
    return cast("npt.NDArray[Any]", without_warnings(x.astype, dtype))


def as_native_dtype(dtype: np.dtype[Any], /) -> np.dtype[Any]:
    """Return the data type, which binding has made NumPy's own already."""
    return dtype
