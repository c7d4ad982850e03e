"""DLPack and NumPy: what of a tensor's memory others may share."""

from __future__ import annotations

from typing import Any

import torch

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.algorithms.conversion import convert_array, shared
from arrayapi_unify.backends._common.algorithms.numpy_dtypes import DTYPES as NUMPY_DTYPES
from arrayapi_unify.backends._common.checks.arguments import (
    check_dlpack,
    raise_copy_error,
    raise_dtype_error,
    raise_view_error,
)
from arrayapi_unify.backends._common.protocols.interchange import (
    is_writeable,
    native,
    never_changes,
    overlaps,
    raise_export_error,
)
from arrayapi_unify.backends.torch import _saved
from arrayapi_unify.backends.torch._aliasing import as_alias, open_to_others, overlapping
from arrayapi_unify.backends.torch._scattered import check_gathered
from arrayapi_unify.backends.torch.dtypes import as_dtype
from arrayapi_unify.errors import UnifyBufferError, UnifyValueError

Tensor = torch.Tensor


def dlpack(x: Tensor, *, copy: bool | None = None, **options: Any) -> Any:
    """Export a tensor, or a copy of memory that doesn't hold the values or mustn't be written to.

    PyTorch refuses conjugated tensors and those that require a gradient, but exports negated ones
    with the wrong sign, and can't say that expanded ones are read-only.
    """
    check_gathered("__dlpack__", "self", x)
    if _saved.tapes and x.requires_grad:
        _saved.check_untracked(x)
    problem = _problem(x)
    if problem is not None:
        if copy is False:
            raise_export_error(problem)
        x, copy = x.detach().clone(memory_format=torch.contiguous_format), None
        x = x.resolve_conj().resolve_neg()
    elif not copy:
        # The importer owns a view: beside Python, autograd alone may own the tensor itself.
        x = open_to_others(x).view_as(x)
    return x.__dlpack__(copy=copy, **options)


def _problem(x: Tensor) -> str | None:
    if x.requires_grad:
        return "is tracked by autograd, which a write elsewhere would escape"
    if x.is_conj() or x.is_neg():
        return "is conjugated or negated only when it is read"
    return "is broadcast, and its elements share memory" if overlapping(x) else None


def to_numpy(x: Tensor, /, *, copy: bool | None = None) -> Any:
    """Return the values; a view unless they are on another device or lazily conjugated.

    The view is read-only where a write would escape autograd, or change several elements at once,
    and so are values that are conjugated or negated here: a write wouldn't reach the tensor.
    """
    if type(x) is not Tensor:
        check_gathered("to_numpy", "x", x)
    if copy is None and not x.requires_grad and x.is_contiguous():
        try:
            return open_to_others(x).numpy()
        except (RuntimeError, TypeError):
            pass  # it is on another device, or lazily conjugated
    if _saved.tapes and x.requires_grad:
        _saved.check_untracked(x)
    lazy = x.is_conj() or x.is_neg()
    if copy is False and (not x.is_cpu or lazy):
        raise_view_error(
            "any device, if conjugated or negated only when read," if lazy else x.device
        )
    values = _memory(x.detach().cpu().resolve_conj().resolve_neg())
    if copy:
        return values.copy()
    if x.requires_grad or lazy or overlapping(x):
        values.flags.writeable = False
    elif x.is_cpu:
        open_to_others(x)
    return values


def _memory(x: Tensor) -> Any:
    """Share a tensor's memory with NumPy, to which PyTorch hands no bfloat16."""
    if x.dtype is torch.bfloat16:
        return x.view(torch.int16).numpy().view(NUMPY_DTYPES[dtypes.bfloat16])
    return x.numpy()


def _tensor(values: Any) -> Tensor:
    """Share the memory of a NumPy array.

    `torch.from_numpy` takes no bfloat16, and only one of the two integer types of a size.
    """
    if values.dtype.kind == "V":
        return torch.from_numpy(values.view("int16")).view(torch.bfloat16)
    if values.dtype.char in "LQ":  # both are uint64 on Linux; on Windows, one of them is uint32
        values = values.view(values.dtype.str)
    return torch.from_numpy(values)


def check_dtype(function: str, argument: str, x: Tensor) -> None:
    """Raise for a data type that the standard doesn't have."""
    if as_dtype(x.dtype) is None:
        raise_dtype_error(function, argument, x.dtype)


def on_accelerator(obj: Any) -> bool:
    """Return True if only DLPack reaches an object's data: not on the CPU, its device type 1."""
    return hasattr(obj, "__dlpack_device__") and int(obj.__dlpack_device__()[0]) != 1


def from_numpy(function: str, values: Any, copy: bool | None) -> Tensor:
    """Share a NumPy array's memory where PyTorch can read and write it as NumPy does."""
    dtype = values.dtype.newbyteorder("=")
    problem = _unshareable(values)
    if problem is None:
        return as_alias(_tensor(values))
    if copy is False:
        kind = UnifyBufferError if function == "from_dlpack" else UnifyValueError
        raise_copy_error(function, problem, kind)
    return _tensor(values.astype(dtype, order="C", copy=True))


def _unshareable(values: Any) -> str | None:
    """Say why PyTorch can't share an array's memory, None where it can."""
    if not is_writeable(values):
        return "the memory is read-only, and tensors can be written to"
    if any(step < 0 for step in values.strides):
        return "PyTorch has no negative strides"
    if any(step % values.itemsize for step in values.strides):
        return "PyTorch has no strides of parts of an element"
    if not values.dtype.isnative:
        return "PyTorch has no foreign byte order"
    if overlaps(values.shape, values.strides):
        return "the elements share memory, to which PyTorch doesn't write"
    return None


def imported(x: Any, device: torch.device | None, copy: bool | None) -> Tensor:
    """Make a tensor of an object with DLPack."""
    check_dlpack(x)
    given = native(x)
    if isinstance(given, Tensor):
        # A tensor that requires a gradient has no DLPack export; its values have.
        y = given.detach()
    elif on_accelerator(x):
        y = _from_accelerator(x, copy)
    else:
        y = _from_host(x, copy)
        copy = False if copy is False else None  # there is a copy already, where one is needed
    check_dtype("from_dlpack", "x", y)
    result = y if device is None else y.to(device)
    if copy is False and result is not y:
        raise_copy_error("from_dlpack", "another device needs a copy", UnifyBufferError)
    # Exporters older than DLPack 1.0 always share.
    return result.clone() if copy and result is y else as_alias(result)


def _from_accelerator(x: Any, copy: bool | None) -> Tensor:
    """Import memory that NumPy doesn't reach; a tensor can't share what mustn't be written to."""
    y = torch.utils.dlpack.from_dlpack(x)
    if not never_changes(x):
        return open_to_others(y)
    if copy is False:
        why = "the memory never changes, and a tensor could be written to"
        raise_copy_error("from_dlpack", why, UnifyBufferError)
    return y.clone()


def _from_host(x: Any, copy: bool | None) -> Tensor:
    """Import by way of NumPy: PyTorch ends the process at negative strides, and doesn't heed what
    is read-only."""
    values = shared(x, False if copy is False else None)
    values = convert_array("from_dlpack", "x", values, None, copy)
    y = from_numpy("from_dlpack", values, copy)
    return y if copy else open_to_others(y)
