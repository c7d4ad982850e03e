"""The data types as NumPy's: those of the NumPy backend, and of JAX's arrays."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from arrayapi_unify import dtypes
from arrayapi_unify.dtypes import DType, NativeDTypes


class _DTypes(NativeDTypes[np.dtype[Any]]):
    """NumPy's data types, without bfloat16 until it is first used.

    The package that defines it is optional, and takes a while to import.
    """

    def __contains__(self, dtype: object) -> bool:
        return isinstance(dtype, DType)

    def __getitem__(self, dtype: DType) -> np.dtype[Any]:
        if dtype is dtypes.bfloat16:
            self.by_name.setdefault(dtype.name, dtype.__numpy_dtype__)
        return super().__getitem__(dtype)


DTYPES: Final = _DTypes(
    {d.name: np.dtype(d.name) for d in dtypes.EVERY if d is not dtypes.bfloat16}
)
BY_NAME: Final = DTYPES.by_name
_BY_NATIVE: Final = {native: ours for ours, native in DTYPES.items()}


def as_dtype(native: Any) -> DType | None:
    """Return the `DType` of a NumPy dtype or scalar type (`np.float32`), None for others."""
    if isinstance(native, type) and issubclass(native, np.generic):
        native = np.dtype(native)
    if not isinstance(native, np.dtype):
        return None
    # Byte order is storage, not type: a big-endian float64 is a float64.
    return (
        _BY_NATIVE.get(native) or _BY_NATIVE.get(native.newbyteorder("=")) or _as_bfloat16(native)
    )


def _as_bfloat16(native: np.dtype[Any]) -> DType | None:
    """Return bfloat16 for its data type, which exists only if its package is loaded."""
    if native.kind != "V" or native.name != "bfloat16":
        return None
    return _BY_NATIVE.setdefault(native, dtypes.bfloat16)


def dtype_of(x: Any) -> DType:
    """Return the data type of an array."""
    # A data type that isn't found is refused by name, with a list of those there are.
    return _BY_NATIVE.get(x.dtype) or as_dtype(x.dtype) or dtypes.as_dtype(str(x.dtype))
