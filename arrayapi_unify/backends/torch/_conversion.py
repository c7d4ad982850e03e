"""Tensors out of anything that holds values: what `asarray`, `full` and `from_dlpack` share."""

from __future__ import annotations

from typing import Any

import torch

from arrayapi_unify import dtypes
from arrayapi_unify.backends import as_dtype as dtype_from_any
from arrayapi_unify.backends import python_scalar
from arrayapi_unify.backends._common import host, nesting
from arrayapi_unify.backends._common.interchange import native, never_changes, overlaps
from arrayapi_unify.backends._common.numpy_dtypes import DTYPES as NUMPY_DTYPES
from arrayapi_unify.backends.torch._defaults import (
    default_complex,
    default_float,
    default_int,
    of_scalar,
    placed,
)
from arrayapi_unify.backends.torch._values import fits, scalar
from arrayapi_unify.backends.torch.data_type import cast
from arrayapi_unify.backends.torch.dtypes import COMPLEX, DTYPES, INTEGERS, as_dtype
from arrayapi_unify.errors import UnifyBufferError, UnifyTypeError, UnifyValueError, refuse

__all__ = ["convert", "from_scalar", "imported"]

Tensor = torch.Tensor
_SCALARS = frozenset({bool, int, float, complex})


def convert(
    function: str,
    argument: str,
    obj: Any,
    dtype: torch.dtype | None,
    device: torch.device | None,
    copy: bool | None,
) -> Tensor:
    """Make a tensor of whatever `asarray` takes."""
    if isinstance(obj, Tensor):
        return _from_tensor(function, argument, obj, dtype, device, copy)
    if type(obj) in _SCALARS and copy is not False:
        return from_scalar(function, argument, obj, dtype, placed(device))
    if isinstance(obj, list | tuple) and nesting.contains(obj, lambda x: isinstance(x, Tensor)):
        return _from_nested(function, argument, obj, dtype, device, copy)
    if _on_accelerator(obj):
        shared = imported(obj, None, False if copy is False else None)
        return _from_tensor(function, argument, shared, dtype, device, copy)
    target = placed(device)
    if torch.compiler.is_compiling() and isinstance(obj, list | tuple):
        return torch.tensor(obj, dtype=dtype or _of_numbers(obj), device=target)
    wanted = None if dtype is None else NUMPY_DTYPES[dtype_from_any(dtype)]
    on_cpu = target.type == "cpu"
    if not on_cpu and copy is False:
        refuse(
            UnifyValueError, function, "copy", f"is False, but the data has to move to {target}",
            "pass copy=None",
        )  # fmt: skip
    values = host.convert(function, argument, obj, wanted, copy if on_cpu else None)
    return _from_numpy(function, values, copy).to(target)


def _of_numbers(values: Any) -> torch.dtype:
    """Return the data type of nested lists of Python numbers, in a way that can be traced."""
    if not isinstance(values, list | tuple):
        return of_scalar(values)
    found = {_of_numbers(value) for value in values}
    kinds = (default_complex(), default_float(), default_int(), torch.bool)
    return next((dtype for dtype in kinds if dtype in found), default_float())


def _on_accelerator(obj: Any) -> bool:
    """Whether an object has its data where only DLPack reaches it (1 is DLPack's CPU)."""
    return hasattr(obj, "__dlpack_device__") and int(obj.__dlpack_device__()[0]) != 1


def _from_tensor(
    function: str,
    argument: str,
    x: Tensor,
    dtype: torch.dtype | None,
    device: torch.device | None,
    copy: bool | None,
) -> Tensor:
    """Cast, move and copy as asked."""
    if dtype is None and as_dtype(x.dtype) is None:
        refuse(
            UnifyTypeError, function, argument,
            f"has data type {x.dtype}, which the standard doesn't have",
            "cast it to one of the standard's data types first (float16 to float32, for instance)",
        )  # fmt: skip
    target = x.dtype if dtype is None else dtype
    if x.dtype in COMPLEX and target not in COMPLEX and target is not torch.bool:
        _refuse_complex(function, argument, target)
    result = cast(x, target)
    if device is not None:
        result = result.to(device)
    if copy is False and result is not x:
        refuse(
            UnifyValueError, function, "copy",
            f"is False, but a cast from {x.dtype} to {target} or a move needs a copy",
            "pass copy=None, or drop dtype and device",
        )  # fmt: skip
    return result.clone() if copy and result is x else result


def _refuse_complex(function: str, argument: str, dtype: torch.dtype) -> None:
    refuse(
        UnifyTypeError, function, argument,
        f"is complex, so {str(dtype).removeprefix('torch.')} would lose its imaginary part",
        "take real(x) or abs(x) first",
    )  # fmt: skip


def from_scalar(
    function: str, argument: str, value: Any, dtype: torch.dtype | None, device: torch.device
) -> Tensor:
    """Make a 0-d tensor of a Python scalar, cast to a data type as NumPy does."""
    if dtype is None:
        dtype = of_scalar(value)
        if dtype is torch.int64 and not fits(value, dtype):
            dtype = torch.uint64
    if isinstance(value, complex) and dtype not in COMPLEX and dtype is not torch.bool:
        _refuse_complex(function, argument, dtype)
    if dtype is torch.bool:
        value = bool(value)
    elif isinstance(value, float) and dtype in INTEGERS:
        value = int(value)  # raises for NaN and infinities
    return scalar(value, dtype, device)


def _from_nested(
    function: str,
    argument: str,
    obj: Any,
    dtype: torch.dtype | None,
    device: torch.device | None,
    copy: bool | None,
) -> Tensor:
    """Stack nested lists that hold tensors."""
    if copy is False:
        refuse(
            UnifyValueError, function, "copy", "is False, but a list has to be copied",
            "pass copy=None or copy=True",
        )  # fmt: skip

    def leaf(value: Any) -> Tensor:
        number = python_scalar(value)
        if number is not None:
            return from_scalar(function, argument, number, target, place)
        return _from_tensor(
            function, argument, convert(function, argument, value, None, None, None), target,
            place, None,
        )  # fmt: skip

    def dtype_of(value: Any) -> dtypes.DType:
        return dtype_from_any(convert(function, argument, value, None, None, None).dtype)

    first = next(_tensors(obj))
    place = first.device if device is None else device
    target = DTYPES[nesting.natural_dtype(obj, dtype_of)]
    result = nesting.stacked(
        function, obj, leaf, lambda parts: torch.stack(list(parts)), lambda x: x.shape
    )
    return _from_tensor(function, argument, result, dtype, None, None)


def _tensors(obj: Any) -> Any:
    if isinstance(obj, Tensor):
        yield obj
    elif isinstance(obj, list | tuple):
        for item in obj:
            yield from _tensors(item)


def _from_numpy(function: str, values: Any, copy: bool | None) -> Tensor:
    """Share a NumPy array's memory where PyTorch can read and write it as NumPy does."""
    dtype = values.dtype.newbyteorder("=")
    problem = _unshareable(values)
    if problem is None:
        return torch.from_numpy(values)
    if copy is False:
        kind = UnifyBufferError if function == "from_dlpack" else UnifyValueError
        refuse(kind, function, "copy", f"is False, but {problem}", "pass copy=None")
    return torch.from_numpy(values.astype(dtype, order="C", copy=True))


def _unshareable(values: Any) -> str | None:
    """Say why PyTorch can't share an array's memory, None where it can."""
    if not values.flags.writeable:
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
    if not (hasattr(x, "__dlpack__") and hasattr(x, "__dlpack_device__")):
        refuse(UnifyTypeError, "from_dlpack", "x", "doesn't support DLPack", "use asarray(x)")
    given = native(x)
    if isinstance(given, Tensor):
        # A tensor that requires a gradient has no DLPack export; its values have.
        y = given.detach()
    elif _on_accelerator(x):
        y = _from_accelerator(x, copy)
    else:
        y = _from_host(x, copy)
        copy = False if copy is False else None  # there is a copy already, where one is needed
    result = _from_tensor("from_dlpack", "x", y, None, device, None)
    if copy is False and result is not y:
        refuse(
            UnifyBufferError, "from_dlpack", "copy", "is False, but the data has to move", "drop it"
        )
    # Exporters older than DLPack 1.0 share whatever was asked.
    return result.clone() if copy and result is y else result


def _from_accelerator(x: Any, copy: bool | None) -> Tensor:
    """Import memory that NumPy doesn't reach; a tensor can't share what mustn't be written to."""
    y = torch.utils.dlpack.from_dlpack(x)
    if not never_changes(x):
        return y
    if copy is False:
        refuse(
            UnifyBufferError, "from_dlpack", "copy",
            "is False, but the memory never changes, and a tensor could be written to",
            "pass copy=None",
        )  # fmt: skip
    return y.clone()


def _from_host(x: Any, copy: bool | None) -> Tensor:
    """Import by way of NumPy: PyTorch ends the process at negative strides, and doesn't heed what
    is read-only."""
    values = host.shared(x, False if copy is False else None)
    values = host.convert_array("from_dlpack", "x", values, None, copy)
    return _from_numpy("from_dlpack", values, copy)
