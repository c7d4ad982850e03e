"""The data type functions that need NumPy."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.checks import refuse_cast
from arrayapi_unify.backends.numpy._core import FEW
from arrayapi_unify.devices import Device

__all__ = ["as_native_dtype", "astype"]


# Below what length of the vector every element surely fits into a data type.
_FITS: Final = {
    np.dtype(np.int8): 2.0**7,
    np.dtype(np.int16): 2.0**15,
    np.dtype(np.int32): 2.0**31,
    np.dtype(np.int64): 2.0**63,
    np.dtype(np.float32): 2.0**125,
}
# From this size on, another pass costs more than the context that it saves.
_LARGE: Final = 8192


def _fits(x: npt.NDArray[Any], dtype: np.dtype[Any]) -> bool:
    """Whether a cast from floating-point numbers surely has nothing to warn of."""
    limit = _FITS.get(dtype)
    if limit is None:
        return dtype.kind == x.dtype.kind and dtype.itemsize > x.itemsize
    if x.ndim != 1 or x.dtype.char not in "fd" or (size := x.size) >= _LARGE:
        return False
    return math.hypot(*x.tolist()) < limit if size <= FEW else bool(x.dot(x) < limit * limit)


def astype(
    x: npt.NDArray[Any],
    dtype: np.dtype[Any],
    /,
    *,
    copy: bool = True,
    device: Device | None = None,
) -> npt.NDArray[Any]:
    """Cast, except from complex to real data types, which the standard rules out."""
    source = x.dtype
    if source == dtype:
        return x.copy() if copy else x
    kind = source.kind
    if kind == "c" and dtype.kind in "iufV":
        refuse_cast("astype", source, dtype)
    if kind in "fc" and not _fits(x, dtype):
        # What NaN and infinity become as integers is open; a warning about it helps nobody.
        with np.errstate(invalid="ignore", over="ignore"):
            return x.astype(dtype)
    return x.astype(dtype)


def as_native_dtype(dtype: np.dtype[Any], /) -> np.dtype[Any]:
    """Return the data type, which binding has made NumPy's own already."""
    return dtype
