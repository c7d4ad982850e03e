"""The data types of the standard in Dask, which are NumPy's."""

from __future__ import annotations

from arrayapi_unify.backends._common.algorithms.numpy_dtypes import BY_NAME as BY_NAME
from arrayapi_unify.backends._common.algorithms.numpy_dtypes import DTYPES as DTYPES
from arrayapi_unify.backends._common.algorithms.numpy_dtypes import as_dtype as as_dtype
from arrayapi_unify.backends._common.algorithms.numpy_dtypes import dtype_of as dtype_of
