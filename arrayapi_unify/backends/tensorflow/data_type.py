"""The data type functions that need TensorFlow."""

from __future__ import annotations

from arrayapi_unify.backends._common.checks.arguments import check_cast
from arrayapi_unify.backends.tensorflow._core import NativeDType, Tensor, cast, raw, tensor
from arrayapi_unify.backends.tensorflow._devices import placed
from arrayapi_unify.backends.tensorflow._interchange import copy as copy_memory
from arrayapi_unify.backends.tensorflow.dtypes import as_dtype, dtype_of


def astype(
    x: Tensor, /, dtype: NativeDType, *, copy: bool = True, device: str | None = None
) -> Tensor:
    """Cast, except from complex to real data types, which the standard rules out."""
    if device is not None:
        with placed(device):
            return astype(raw.Identity(input=x), dtype, copy=copy)
    if x.dtype is dtype:
        return copy_memory(x) if copy else tensor(x)
    target = as_dtype(dtype)
    assert target is not None
    check_cast("astype", dtype_of(x), target)
    return cast(x, dtype)


def as_native_dtype(dtype: NativeDType, /) -> NativeDType:
    """Return the data type, which binding has made TensorFlow's own already."""
    return dtype
