"""Tensors out of anything that holds values: what `asarray` and `full` share."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from arrayapi_unify import dtypes
from arrayapi_unify.backends import as_dtype as dtype_from_any, python_scalar
from arrayapi_unify.backends._common.algorithms import conversion, nested_lists
from arrayapi_unify.backends._common.algorithms.numpy_dtypes import DTYPES as NUMPY_DTYPES
from arrayapi_unify.backends._common.checks.arguments import (
    VALUES_ARE_COPIED,
    raise_complex_error,
    raise_copy_error,
)
from arrayapi_unify.backends.torch._aliasing import open_to_others
from arrayapi_unify.backends.torch._core import cast, fits, is_compiling, scalar
from arrayapi_unify.backends.torch._defaults import (
    default_complex,
    default_float,
    default_int,
    of_scalar,
)
from arrayapi_unify.backends.torch._devices import placed
from arrayapi_unify.backends.torch._interchange import (
    check_dtype,
    from_numpy,
    imported,
    on_accelerator,
)
from arrayapi_unify.backends.torch.dtypes import COMPLEX, DTYPES, INTEGERS, as_dtype

Tensor = torch.Tensor
_SCALARS = frozenset({bool, int, float, complex})


def converted(
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
    if dtype is None and copy is not False and not is_compiling():
        numbers = conversion.of_one_kind(obj)
        if numbers is not None:
            return torch.from_numpy(numbers).to(placed(device))
    if isinstance(obj, list | tuple) and nested_lists.contains(
        obj, lambda x: isinstance(x, Tensor)
    ):
        return _from_nested(function, argument, obj, dtype, device, copy)
    if isinstance(obj, np.ndarray) and is_compiling():
        # The compiler follows no attribute of NumPy's arrays.
        return torch.as_tensor(obj, dtype=dtype, device=placed(device))
    if on_accelerator(obj):
        shared = imported(obj, None, False if copy is False else None)
        return _from_tensor(function, argument, shared, dtype, device, copy)
    if dtype is torch.bfloat16 and copy is not False:
        # NumPy may lack bfloat16.
        return converted(function, argument, obj, torch.float64, device, copy).to(dtype)
    target = placed(device)
    if is_compiling() and isinstance(obj, list | tuple):
        return torch.tensor(obj, dtype=dtype or _of_numbers(obj), device=target)
    wanted = None if dtype is None else NUMPY_DTYPES[dtype_from_any(dtype)]
    on_cpu = target.type == "cpu"
    if not on_cpu and copy is False:
        raise_copy_error(function, "another device needs a copy")
    values = conversion.convert(function, argument, obj, wanted, copy if on_cpu else None)
    y = from_numpy(function, values, copy)
    return (open_to_others(y) if _is_others(values, obj) and not copy else y).to(target)


def _is_others(values: Any, obj: Any) -> bool:
    """Return True if `values`, NumPy's array of `obj`, may share its memory with other objects."""
    if isinstance(obj, np.ndarray):
        return np.may_share_memory(values, obj)
    return not isinstance(obj, list | tuple | range | np.generic)


def _of_numbers(values: Any) -> torch.dtype:
    """Return the data type of nested lists of Python numbers, in a way that can be traced."""
    if not isinstance(values, list | tuple):
        return of_scalar(values)
    found = {_of_numbers(value) for value in values}
    kinds = (default_complex(), default_float(), default_int(), torch.bool)
    return next((dtype for dtype in kinds if dtype in found), default_float())


def _from_tensor(
    function: str,
    argument: str,
    x: Tensor,
    dtype: torch.dtype | None,
    device: torch.device | None,
    copy: bool | None,
) -> Tensor:
    """Cast, move and copy as asked."""
    if dtype is None:
        check_dtype(function, argument, x)
    target = x.dtype if dtype is None else dtype
    if x.dtype in COMPLEX and target not in COMPLEX and target is not torch.bool:
        raise_complex_error(function, argument, as_dtype(target))
    result = cast(x, target)
    if device is not None:
        result = result.to(device)
    if copy is False and result is not x:
        cast_too = f"a cast from {as_dtype(x.dtype)} to {as_dtype(target)}"
        raise_copy_error(
            function, f"{cast_too if target != x.dtype else 'another device'} needs a copy"
        )
    if result is not x:
        return result
    return x.clone() if copy else x


def from_scalar(
    function: str, argument: str, value: Any, dtype: torch.dtype | None, device: torch.device
) -> Tensor:
    """Make a 0-d tensor of a Python scalar, cast to a data type as NumPy does."""
    if dtype is None:
        dtype = of_scalar(value)
        if dtype is torch.int64 and not fits(value, dtype):
            dtype = torch.uint64
    if isinstance(value, complex) and dtype not in COMPLEX and dtype is not torch.bool:
        raise_complex_error(function, argument, as_dtype(dtype))
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
        raise_copy_error(function, VALUES_ARE_COPIED)

    def leaf(value: Any) -> Tensor:
        number = python_scalar(value)
        if number is not None:
            return from_scalar(function, argument, number, target, place)
        return _from_tensor(
            function, argument, converted(function, argument, value, None, None, None), target,
            place, None,
        )  # fmt: skip

    def dtype_of(value: Any) -> dtypes.DType:
        return dtype_from_any(converted(function, argument, value, None, None, None).dtype)

    first = next(_tensors(obj))
    place = first.device if device is None else device
    target = DTYPES[nested_lists.natural_dtype(obj, dtype_of)]
    result = nested_lists.stacked(
        function, obj, leaf, lambda parts: torch.stack(list(parts)), lambda x: x.shape
    )
    return _from_tensor(function, argument, result, dtype, None, None)


def _tensors(obj: Any) -> Any:
    if isinstance(obj, Tensor):
        yield obj
    elif isinstance(obj, list | tuple):
        for item in obj:
            yield from _tensors(item)
