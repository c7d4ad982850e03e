"""In which data type integers add up."""

from __future__ import annotations

import functools

from arrayapi_unify import dtypes
from arrayapi_unify.dtypes import DType

__all__ = ["accumulator"]


@functools.cache
def accumulator(dtype: DType, default: DType) -> DType:
    """Return the data type of sums and products: their own unless the default int is wider.

    The standard: signed ones take the default, unsigned ones the unsigned dtype of its width.
    It leaves bool open, which takes the default too. Floats keep their data type.
    """
    if dtype.kind == "b":
        return default
    if dtype.kind in "fc":
        return dtype
    prefix = "uint" if dtype.kind == "u" else "int"
    return dtypes.as_dtype(f"{prefix}{max(dtype.bits, default.bits)}")
