"""The PyTorch backend: `torch.Tensor` in, `torch.Tensor` out."""

from __future__ import annotations

import functools
from collections.abc import Callable
from sys import getrefcount
from typing import Any, Final

import torch

from arrayapi_unify.backends._common.in_place import derived
from arrayapi_unify.backends._common.interchange import dlpack_device
from arrayapi_unify.backends.torch._errors import translate_error
from arrayapi_unify.backends.torch._interchange import dlpack, to_numpy
from arrayapi_unify.backends.torch._nodes import register_node
from arrayapi_unify.backends.torch.dtypes import DTYPES, as_dtype, dtype_of
from arrayapi_unify.devices import CPU, Device
from arrayapi_unify.errors import UnifyValueError

__all__ = [
    "CAPABILITIES",
    "DTYPES",
    "NAME",
    "RESULT_TYPE",
    "as_dtype",
    "canonical",
    "copy",
    "device_of",
    "devices",
    "dlpack",
    "dlpack_device",
    "dtype_of",
    "in_place",
    "native_device",
    "own",
    "owns",
    "quiet",
    "register_node",
    "shape_of",
    "to_numpy",
    "translate_error",
    "write",
]

Tensor = torch.Tensor
is_compiling = torch.compiler.is_compiling

NAME: Final = "torch"
RESULT_TYPE: Final = None
CAPABILITIES: Final = {
    "boolean indexing": True,
    "data-dependent shapes": True,
    "max dimensions": 64,
}


def copy(x: Tensor) -> Tensor:
    """Copy a tensor, with gradients passing through."""
    return x.clone()


def canonical(value: Tensor) -> Tensor:
    """Return the tensor: natives never return anything else."""
    return value


def owns(kind: type) -> bool:
    """Whether instances of `kind` are tensors."""
    return issubclass(kind, Tensor)


@functools.cache
def _named(device: torch.device) -> Device:
    kind = "gpu" if device.type == "cuda" else device.type
    return Device(f"{kind}:{device.index or 0}")


def device_of(x: Tensor) -> Device:
    """Return the device, under its name that all frameworks share."""
    # torch.compile warns of what is cached.
    return CPU if x.is_cpu else _named(x.device)


def devices() -> tuple[Device, ...]:
    """List the CPU and the accelerators of this machine."""
    found = [CPU, *(Device(f"gpu:{i}") for i in range(torch.cuda.device_count()))]
    if torch.backends.mps.is_available():
        found.append(Device("mps:0"))
    return tuple(found)


def native_device(device: Device) -> torch.device:
    """Return PyTorch's device."""
    if device is CPU:
        return torch.device("cpu")
    # The index may be left out, as PyTorch's users do.
    if Device(f"{device.kind}:{device.index}") not in devices():
        known = ", ".join(map(str, devices()))
        raise UnifyValueError(f"the torch backend has no device {device}; it has {known}")
    return torch.device("cuda" if device.kind == "gpu" else device.kind, device.index)


def quiet(body: Callable[..., Any]) -> Callable[..., Any]:
    """Return the body: nothing here warns about special values."""
    return body


def shape_of(x: Tensor) -> tuple[int, ...]:
    """Return the shape."""
    return tuple(x.shape)


# --- writing ----------------------------------------------------------------------------------


class _Slot:
    """Stands for an Array while this module finds out how many references a lone tensor has."""

    __slots__ = ("_data",)

    def __init__(self) -> None:
        self._data = torch.zeros(1)


def _references(x: Tensor) -> tuple[int, int, int]:
    """Count what refers to a tensor: Python objects, C++ objects; and to its memory, tensors."""
    storage = x.untyped_storage()
    return getrefcount(x), x._use_count(), torch._C._storage_Use_Count(storage._cdata)  # type: ignore[attr-defined]  # not in the stubs


def own(x: Tensor) -> Tensor:
    """Return the tensor if nobody else can see a write to it, else a copy.

    Somebody else is a Python reference, autograd's graph (`_use_count`), another tensor on the
    same storage, or whoever lent memory that PyTorch didn't allocate (then it can't resize it).
    A leaf that requires a gradient can't be written to at all.
    """
    if is_compiling():  # nobody knows who else refers to x; the compiler drops needless copies
        return x.clone(memory_format=torch.contiguous_format)
    # Written out, since a call would add a reference.
    storage = x.untyped_storage()
    if (
        getrefcount(x) <= _ALONE[0]
        and x._use_count() <= _ALONE[1]  # type: ignore[attr-defined]  # not in the stubs
        and torch._C._storage_Use_Count(storage._cdata) <= _ALONE[2]
        and storage.resizable()
        and not (x.requires_grad and x.is_leaf)
        and not _overlaps_itself(x)
    ):
        return x
    return x.clone(memory_format=torch.contiguous_format)


def _overlaps_itself(x: Tensor) -> bool:
    """Whether the elements of a tensor share memory, as those of an expanded one do."""
    return not x.is_contiguous() and 0 in x.stride()


_SLOT: Final = _Slot()
_ALONE: Final = _references(_SLOT._data)


def write(target: Tensor, value: Tensor) -> Any:
    """Store `value` in the memory of `target`, of which it may be a view."""
    if (value._is_view() or target._is_view()) and _may_overlap(target, value):
        value = value.clone()
    return target.copy_(value)


def _may_overlap(target: Tensor, value: Tensor) -> bool:
    """Whether two tensors have one storage; tracers take care of it, and have none."""
    if torch.compiler.is_compiling():
        return False
    return target.untyped_storage().data_ptr() == value.untyped_storage().data_ptr()


def _exact_beside(value: Any, dtype: torch.dtype) -> bool:
    return type(value) is float and dtype is torch.float64


def in_place(native: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """Derive `x op= y`; where PyTorch has the operation in place, it needs no second tensor."""
    update = derived(native, shape_of, dtype_of, write)
    methods = getattr(native, "in_place", {})

    def update_directly(x: Tensor, y: Any) -> Any:
        dtype = x.dtype
        method = methods.get(dtype)
        if method is None:
            return update(x, y)
        # Other scalars may be out of bounds, or of a higher kind than the tensor.
        known = dtype is y.dtype if isinstance(y, Tensor) else _exact_beside(y, dtype)
        return method(x, y) if known else update(x, y)

    return update_directly if methods else update
