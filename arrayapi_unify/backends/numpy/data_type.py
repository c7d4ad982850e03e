"""The data type functions that need NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.checks import refuse_cast
from arrayapi_unify.devices import Device

__all__ = ["as_native_dtype", "astype"]


def astype(
    x: npt.NDArray[Any],
    dtype: np.dtype[Any],
    /,
    *,
    copy: bool = True,
    device: Device | None = None,
) -> npt.NDArray[Any]:
    """Cast, except from complex to real data types, which the standard rules out."""
    if x.dtype == dtype:
        return x.copy() if copy else x
    if x.dtype.kind == "c" and dtype.kind in "iuf":
        refuse_cast("astype", x.dtype, dtype)
    if x.dtype.kind in "fc":
        # What NaN and infinity become as integers is open; a warning about it helps nobody.
        with np.errstate(invalid="ignore", over="ignore"):
            return x.astype(dtype)
    return x.astype(dtype)


def as_native_dtype(dtype: np.dtype[Any], /) -> np.dtype[Any]:
    """Return the data type, which binding has made NumPy's own already."""
    return dtype
