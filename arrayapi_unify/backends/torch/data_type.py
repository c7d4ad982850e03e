"""The data type functions that need PyTorch."""

from __future__ import annotations

import torch

from arrayapi_unify.backends._common.checks import refuse_cast
from arrayapi_unify.backends.torch._core import cast
from arrayapi_unify.backends.torch.dtypes import COMPLEX, as_dtype

__all__ = ["as_native_dtype", "astype"]


def astype(
    x: torch.Tensor,
    /,
    dtype: torch.dtype,
    *,
    copy: bool = True,
    device: torch.device | None = None,
) -> torch.Tensor:
    """Cast, except from complex to real data types, which the standard rules out."""
    if x.dtype in COMPLEX and dtype not in COMPLEX and dtype is not torch.bool:
        refuse_cast("astype", as_dtype(x.dtype), as_dtype(dtype))
    result = cast(x, dtype)
    if device is not None:
        result = result.to(device)
    return result.clone() if copy and result is x else result


def as_native_dtype(dtype: torch.dtype, /) -> torch.dtype:
    """Return the data type, which binding has made PyTorch's own already."""
    return dtype
