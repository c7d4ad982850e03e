"""The data type functions that need JAX."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.checks.arguments import check_cast
from arrayapi_unify.backends.jax._core import JaxArray, cast
from arrayapi_unify.backends.jax._devices import placed
from arrayapi_unify.backends.jax.dtypes import as_dtype, dtype_of


def astype(
    x: JaxArray, /, dtype: np.dtype[Any], *, copy: bool = True, device: Any = None
) -> JaxArray:
    """Cast, except from complex to real data types, which the standard rules out."""
    if x.dtype == dtype:
        return placed(jnp.array(x, copy=True) if copy else x, device)
    check_cast("astype", dtype_of(x), as_dtype(dtype) or dtypes.float64)
    return placed(cast(x, dtype), device)


def as_native_dtype(dtype: np.dtype[Any], /) -> np.dtype[Any]:
    """Return the data type, which binding has made JAX's own already."""
    return dtype
