"""The data types of the standard in TensorFlow."""

from __future__ import annotations

from typing import Any, Final

import tensorflow as tf

from arrayapi_unify import dtypes
from arrayapi_unify.dtypes import DType, NativeDTypes

DTYPES: Final = NativeDTypes({d.name: getattr(tf, d.name) for d in dtypes.EVERY})
BY_NAME: Final = DTYPES.by_name
_BY_NATIVE: Final[dict[Any, DType]] = {native: ours for ours, native in DTYPES.items()}
PROMOTED: Final[dict[tuple[Any, Any], Any]] = {
    (DTYPES[a], DTYPES[b]): DTYPES[dtypes.promote(a, b)] for a in dtypes.ALL for b in dtypes.ALL
}
BEFORE_SCALAR: Final[dict[tuple[Any, type], Any]] = {
    (DTYPES[d], kind): DTYPES[dtypes.promote_scalar(d, kind(0))]
    for d in dtypes.ALL
    for kind in (bool, int, float, complex)
}
"""The data type to which a data type and a type of Python scalars promote."""


def as_dtype(native: Any) -> DType | None:
    """Return the `DType` of a TensorFlow dtype, None for anything else."""
    return _BY_NATIVE.get(native) if isinstance(native, tf.DType) else None


def dtype_of(x: Any) -> DType:
    """Return the data type of a tensor or variable."""
    found = _BY_NATIVE.get(x.dtype)
    if found is None:
        return dtypes.as_dtype(x.dtype)  # raises, and lists the dtypes there are
    return found
