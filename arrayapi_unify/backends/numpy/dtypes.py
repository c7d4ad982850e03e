"""The data types of the standard in NumPy."""

from __future__ import annotations

from arrayapi_unify.backends._common.algorithms.numpy_dtypes import DTYPES, as_dtype, dtype_of

__all__ = ["DTYPES", "as_dtype", "dtype_of"]
