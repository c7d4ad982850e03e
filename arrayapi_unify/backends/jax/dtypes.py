"""The data types of the standard in JAX, whose arrays have NumPy's.

JAX has 32 bits unless told otherwise; 64-bit data types are switched on here, where everything of
this backend begins.
"""

from __future__ import annotations

import jax

from arrayapi_unify.backends._common.algorithms.numpy_dtypes import (
    BY_NAME as BY_NAME,
    DTYPES as DTYPES,
    as_dtype as as_dtype,
    dtype_of as dtype_of,
)

# float64 is the standard's default, and int64 the data type of indices. The switch is global to
# the process, which is why the documentation of the backend names it.
jax.config.update("jax_enable_x64", True)  # type: ignore[no-untyped-call]  # JAX has no hints here
