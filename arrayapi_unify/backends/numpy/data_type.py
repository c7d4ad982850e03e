"""The data type functions that need NumPy."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.checks.arguments import raise_cast_error
from arrayapi_unify.backends.kernel import FastKernel, Kernel
from arrayapi_unify.backends.numpy._errstate import run, without_warnings
from arrayapi_unify.devices import Device


def _cast(x: npt.NDArray[Any], dtype: np.dtype[Any]) -> npt.NDArray[Any]:
    """Cast where nothing optional is given; `astype` is called if another thread is at it."""
    if x.dtype is dtype or x.dtype.kind == "c":
        return astype(x, dtype)
    return run(x.astype, dtype)


@Kernel(fast_kernel=FastKernel(_cast))
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
