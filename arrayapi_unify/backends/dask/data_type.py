"""The data type functions that need Dask."""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayapi_unify.backends.dask._core import cast
from arrayapi_unify.backends.dask._lift import alias
from arrayapi_unify.backends.dask._natives import DaskArray, one
from arrayapi_unify.backends.numpy import data_type as numpy
from arrayapi_unify.devices import Device


def astype(
    x: DaskArray, /, dtype: np.dtype[Any], *, copy: bool = True, device: Device | None = None
) -> DaskArray:
    """Cast; from complex to real data types is refused as on NumPy."""
    if x.dtype == dtype:
        return alias(x) if copy else x
    numpy.astype(one(x), dtype)
    return cast(x, dtype)


def as_native_dtype(dtype: np.dtype[Any], /) -> np.dtype[Any]:
    """Return the data type, which binding has made NumPy's own already."""
    return dtype
