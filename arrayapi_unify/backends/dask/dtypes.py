"""The data types of the standard in Dask, which are NumPy's."""

from __future__ import annotations

from arrayapi_unify.backends._common.algorithms.numpy_dtypes import (
    BY_NAME as BY_NAME,
    DTYPES as DTYPES,
    as_dtype as as_dtype,
    dtype_of as dtype_of,
)
