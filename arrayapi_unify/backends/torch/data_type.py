"""The data type functions that need PyTorch."""

from __future__ import annotations

import torch

from arrayapi_unify.backends._common.checks.arguments import raise_cast_error
from arrayapi_unify.backends.torch._core import FORMED, cast
from arrayapi_unify.backends.torch.dtypes import COMPLEX, as_dtype


def astype(
    x: torch.Tensor, /, dtype: torch.dtype, *, copy: bool = True, device: torch.device | None = None
) -> torch.Tensor:
    """Cast, except from complex to real data types, which the standard rules out."""
    if dtype in FORMED:
        if x.dtype in COMPLEX and dtype is torch.float16:
            raise_cast_error("astype", as_dtype(x.dtype), as_dtype(dtype))
        result = cast(x, dtype)
        result = result.clone() if copy and result is x else result
    else:
        if x.dtype in COMPLEX and dtype not in COMPLEX:
            raise_cast_error("astype", as_dtype(x.dtype), as_dtype(dtype))
        result = x.to(dtype, False, copy)  # by name it takes longer
    return result if device is None else result.to(device)


def as_native_dtype(dtype: torch.dtype, /) -> torch.dtype:
    """Return the data type, which binding has made PyTorch's own already."""
    return dtype
