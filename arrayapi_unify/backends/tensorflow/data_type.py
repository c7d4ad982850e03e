"""The data type functions that need TensorFlow."""

from __future__ import annotations

from arrayapi_unify.backends.tensorflow._core import (
    NativeDType,
    Tensor,
    cast,
    kind_of,
    tensor,
)
from arrayapi_unify.backends.tensorflow._device import placed
from arrayapi_unify.backends.tensorflow._interchange import copy as copy_memory
from arrayapi_unify.backends.tensorflow.dtypes import as_dtype
from arrayapi_unify.errors import UnifyTypeError, refuse

__all__ = ["as_native_dtype", "astype"]


def astype(
    x: Tensor, dtype: NativeDType, /, *, copy: bool = True, device: str | None = None
) -> Tensor:
    """Cast, except from complex to real data types, which the standard rules out."""
    if device is not None:
        with placed(device):
            return astype(x, dtype, copy=copy)
    if x.dtype is dtype:
        return copy_memory(x) if copy else tensor(x)
    target = as_dtype(dtype)
    if target is not None and target.kind in "iuf" and kind_of(x) == "c":
        refuse(
            UnifyTypeError,
            "astype",
            "dtype",
            f"is {target}, to which {x.dtype.name} doesn't cast",
            "take real(x) or abs(x) first",
        )
    return cast(x, dtype)


def as_native_dtype(dtype: NativeDType, /) -> NativeDType:
    """Return the data type, which binding has made TensorFlow's own already."""
    return dtype
