"""`x op= y` by PyTorch's own operation in place, where it means the same as ours.

It needs no second tensor. It has to compute in x's data type, and to read each element before it is
written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch

from arrayapi_unify.backends._common.algorithms.memory import derived
from arrayapi_unify.backends.kernel import InPlaceKernel, Kernel, kernel_of
from arrayapi_unify.backends.torch._core import fits, is_compiling, is_wrapped, scalar
from arrayapi_unify.backends.torch._mutation import copied_if_shared, write
from arrayapi_unify.backends.torch._saved import guard_writes, is_saved, unsaved
from arrayapi_unify.backends.torch.dtypes import INTEGERS, dtype_of
from arrayapi_unify.limits import rounded

Tensor = torch.Tensor
Update = Callable[[Any, Any], Any]

_REDUCED_PRECISION: Final = frozenset({torch.float16, torch.bfloat16})


def in_place(native: Callable[..., Any]) -> Update:
    """Derive `x op= y` from a native function, whose record may name PyTorch's operation."""
    update = derived(native, lambda x: tuple(x.shape), dtype_of, write)
    methods = kernel_of(native).in_place
    # PyTorch's accelerators divide by a number of Python's by way of its reciprocal.
    divides = Tensor.div_ in methods.values()

    def update_directly(x: Tensor, y: Any) -> Any:
        dtype = x.dtype
        method = methods.get(dtype)
        if method is None or x.requires_grad:
            return update(x, y)
        x = unsaved(x)
        if not isinstance(y, Tensor):
            if divides and not x.is_cpu:
                return update(x, y)
            if dtype is torch.float64 and (type(y) is float or type(y) is int):
                return method(x, float(y))
            if _computes(dtype, y):
                return method(x, y)
            # Other scalars may be out of bounds, or of a higher kind than the tensor.
            return update(x, y)
        if y.dtype is not dtype or y.requires_grad or is_compiling() or is_wrapped(y):
            return update(x, y)
        return method(x, copied_if_shared(x, y) if x._is_view() or y._is_view() else y)

    if not methods:
        return update
    if torch.float64 in methods:
        Kernel(
            guard_writes=guard_writes,
            in_place_kernel=InPlaceKernel(methods[torch.float64], torch.float64, "_base"),
            for_reduced_precision=_for_reduced_precision(methods[torch.float64]),
        )(update_directly)
    return update_directly


def _computes(dtype: torch.dtype, y: Any) -> bool:
    """Return True if PyTorch computes with a Python number as with a 0-d tensor of `dtype`."""
    if type(y) is int and dtype in INTEGERS:
        return fits(y, dtype)
    # PyTorch refuses numbers beyond the range of float32, which should become infinite.
    return dtype is torch.float32 and type(y) in (float, int) and abs(y) <= _LARGE


_LARGE: Final = torch.finfo(torch.float32).max


def _for_reduced_precision(method: Callable[[Tensor, Any], Tensor]) -> Callable[[Any, Any], bool]:
    """Make `x op= y` for float16 and bfloat16, as PyTorch does: in float32, rounded once."""

    def update(x: Tensor, y: Any) -> bool:
        dtype = x.dtype
        if dtype not in _REDUCED_PRECISION or x.requires_grad or is_compiling() or is_wrapped(x):
            return False
        if is_saved(x):
            return False
        if isinstance(y, Tensor):
            if y.dtype is not dtype or y.requires_grad or is_wrapped(y):
                return False
            y = copied_if_shared(x, y)
        elif type(y) in (float, int) and x.is_cpu:
            y = scalar(rounded(y, dtype_of(x)), torch.float32, x.device)
        else:
            return False
        try:
            method(x, y)
        except RuntimeError:
            return False  # nothing was written; the other way says what is wrong
        return True

    return update
