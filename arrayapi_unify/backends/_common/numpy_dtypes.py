"""The data types of the standard as NumPy's: those of the NumPy backend, and of JAX's arrays."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arrayapi_unify import dtypes
from arrayapi_unify.dtypes import DType

__all__ = ["DTYPES", "as_dtype", "dtype_of"]

DTYPES: Final[dict[DType, np.dtype[Any]]] = {d: np.dtype(d.name) for d in dtypes.ALL}
_BY_NATIVE: Final = {native: ours for ours, native in DTYPES.items()}


def as_dtype(native: Any) -> DType | None:
    """Return the `DType` of a NumPy dtype or scalar type (`np.float32`), None for others."""
    if isinstance(native, type) and issubclass(native, np.generic):
        native = np.dtype(native)
    if not isinstance(native, np.dtype):
        return None
    # Byte order is storage, not type: a big-endian float64 is a float64.
    return _BY_NATIVE.get(native) or _BY_NATIVE.get(native.newbyteorder("="))


def dtype_of(x: Any) -> DType:
    """Return the data type of an array."""
    # What isn't found at all is refused by name, with a list of the data types there are.
    return _BY_NATIVE.get(x.dtype) or as_dtype(x.dtype) or dtypes.as_dtype(str(x.dtype))
