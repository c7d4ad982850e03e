"""Creation functions of the PyTorch backend."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

import torch

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.algorithms import creation as common
from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends.kernel import FastKernel, Kernel, partial_mixed
from arrayapi_unify.backends.torch._conversion import converted
from arrayapi_unify.backends.torch._defaults import default_complex, default_float, default_int
from arrayapi_unify.backends.torch._devices import placing
from arrayapi_unify.backends.torch._interchange import imported
from arrayapi_unify.backends.torch._out import filled_by, same_shape
from arrayapi_unify.backends.torch._scattered import is_scattered
from arrayapi_unify.backends.torch._unsigned import reinterprets
from arrayapi_unify.backends.torch.dtypes import (
    COMPLEX,
    DTYPES,
    FLOATING,
    REAL_FLOATING,
    as_dtype,
)

Tensor = torch.Tensor
NativeDType = torch.dtype
Shape = int | Sequence[int]
# PyTorch compares no other unsigned integers with int64.
_INDICES: Final = frozenset({torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8})


def _float(dtype: NativeDType | None) -> NativeDType:
    """Return `dtype`, the default real floating one where none is given."""
    return default_float() if dtype is None else dtype


# --- from values ------------------------------------------------------------------------------


def asarray(
    obj: Any,
    /,
    *,
    dtype: NativeDType | None = None,
    device: torch.device | None = None,
    copy: bool | None = None,
) -> Tensor:
    """Convert, see `_conversion`."""
    return converted("asarray", "obj", obj, dtype, device, copy)


def array(
    obj: Any,
    /,
    *,
    dtype: NativeDType | None = None,
    device: torch.device | None = None,
    copy: bool | None = True,
) -> Tensor:
    """Convert, with a copy unless told otherwise."""
    return converted("array", "obj", obj, dtype, device, copy)


def from_dlpack(
    x: Any, /, *, device: torch.device | None = None, copy: bool | None = None
) -> Tensor:
    """Import."""
    return imported(x, device, copy)


# --- from a shape -----------------------------------------------------------------------------


def _sizes(shape: Shape) -> int | tuple[int, ...]:
    """Return a shape as PyTorch takes it; one size is shorter for it than a tuple of one."""
    return shape if type(shape) is int and shape >= 0 else common.shape_tuple(shape)


def _of_tuple(make: Callable[..., Tensor]) -> Kernel:
    """Make the record of a function that PyTorch's own serves for a tuple."""
    fast = functools.partial(make, dtype=torch.float64)
    return Kernel(fast_kernel=FastKernel(fast, when="_type({0}) is tuple"))


@_of_tuple(torch.empty)
def empty(
    shape: Shape, *, dtype: NativeDType | None = None, device: torch.device | None = None
) -> Tensor:
    """Make a tensor of arbitrary values."""
    return torch.empty(_sizes(shape), dtype=_float(dtype), device=placing(device))


@_of_tuple(torch.ones)
def ones(
    shape: Shape, *, dtype: NativeDType | None = None, device: torch.device | None = None
) -> Tensor:
    """Make a tensor of ones."""
    return torch.ones(_sizes(shape), dtype=_float(dtype), device=placing(device))


@_of_tuple(torch.zeros)
def zeros(
    shape: Shape, *, dtype: NativeDType | None = None, device: torch.device | None = None
) -> Tensor:
    """Make a tensor of zeros."""
    return torch.zeros(_sizes(shape), dtype=_float(dtype), device=placing(device))


def full(
    shape: Shape,
    fill_value: Any,
    *,
    dtype: NativeDType | None = None,
    device: torch.device | None = None,
) -> Tensor:
    """Make a tensor of one value."""
    value = converted("full", "fill_value", fill_value, dtype, device, None)
    common.check_fill("full", value.shape)
    sizes = common.shape_tuple(shape)
    return value.expand(sizes).clone(memory_format=torch.contiguous_format)


def empty_like(
    x: Tensor, /, *, dtype: NativeDType | None = None, device: torch.device | None = None
) -> Tensor:
    """Make a tensor of arbitrary values and of x's shape."""
    if type(x) is not Tensor and is_scattered(x):
        return torch.empty_like(x, dtype=dtype)
    return torch.empty(x.shape, dtype=dtype or x.dtype, device=device or x.device)


def ones_like(
    x: Tensor, /, *, dtype: NativeDType | None = None, device: torch.device | None = None
) -> Tensor:
    """Make a tensor of ones and of x's shape."""
    if type(x) is not Tensor and is_scattered(x):
        return torch.ones_like(x, dtype=dtype)
    return torch.ones(x.shape, dtype=dtype or x.dtype, device=device or x.device)


def zeros_like(
    x: Tensor, /, *, dtype: NativeDType | None = None, device: torch.device | None = None
) -> Tensor:
    """Make a tensor of zeros and of x's shape."""
    if type(x) is not Tensor and is_scattered(x):
        return torch.zeros_like(x, dtype=dtype)
    return torch.zeros(x.shape, dtype=dtype or x.dtype, device=device or x.device)


def full_like(
    x: Tensor,
    /,
    fill_value: Any,
    *,
    dtype: NativeDType | None = None,
    device: torch.device | None = None,
) -> Tensor:
    """Make a tensor of one value and of x's shape."""
    value = converted(
        "full_like", "fill_value", fill_value, dtype or x.dtype, device or x.device, None
    )
    common.check_fill("full_like", value.shape)
    if type(x) is not Tensor and is_scattered(x):
        return torch.empty_like(x, dtype=dtype).fill_(value.item())
    return value.expand(x.shape).clone(memory_format=torch.contiguous_format)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: NativeDType | None = None,
    device: torch.device | None = None,
) -> Tensor:
    """Make a matrix with one diagonal of ones; torch.eye knows no k, and not all data types."""
    main = type(k) is int and k == 0 and dtype in FLOATING
    if main and n_cols is None and type(n_rows) is int and n_rows >= 0:
        return torch.eye(n_rows, dtype=dtype, device=placing(device))
    n_cols = n_rows if n_cols is None else n_cols
    sizes = common.shape_tuple((n_rows, n_cols))
    place, dtype = placing(device), _float(dtype)
    if type(k) is int and k == 0 and dtype in FLOATING:  # the default data type is found by now
        return torch.eye(*sizes, dtype=dtype, device=place)
    k = common.triangle_offset("eye", sizes, k)
    rows = torch.arange(sizes[0], device=place).unsqueeze(1)
    return (torch.arange(sizes[1], device=place) == rows + k).to(dtype)


# --- ranges and grids -------------------------------------------------------------------------


# The data types that hold each of the small integers that `common.counts` lets pass.
_COUNTING: Final = frozenset({torch.int64, torch.float64})


def _wrapped(number: int) -> int:
    """Return the int64 with the same lowest 64 bits."""
    return (number + 2**63) % 2**64 - 2**63


@Kernel(fast_kernel=FastKernel(torch.arange, when="_type({0}) is int and {0} > 0"))
def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: NativeDType | None = None,
    device: torch.device | None = None,
) -> Tensor:
    """Count; integers modulo 2**64, which serves uint64 too."""
    usual = dtype is None or dtype in _COUNTING
    ints = type(start) is int and type(step) is int
    if usual and ints and step == 1 and stop is None and 0 < start < common.SMALL:
        return torch.arange(start, dtype=dtype or default_int(), device=placing(device))
    if usual and common.counts(start, stop, step):
        target, place = dtype or default_int(), placing(device)
        bounds = (0, start, step) if stop is None else (start, stop, step)
        if range(*bounds):  # PyTorch refuses a range without elements
            return torch.arange(*bounds, dtype=target, device=place)
    if dtype is None:
        numbers = [common.python_number(v) for v in (start, stop, step) if v is not None]
        dtype = default_int() if all(isinstance(n, int) for n in numbers) else default_float()
    p = common.arange(start, stop, step, as_dtype(dtype))
    place = placing(device)
    if p.compute.kind == "f":
        values = torch.arange(p.length, dtype=torch.float64, device=place) * p.step + p.start
    else:
        values = torch.arange(p.length, dtype=torch.int64, device=place)
        values = values * _wrapped(int(p.step)) + _wrapped(int(p.start))
        if p.compute is dtypes.uint64:
            values = values.view(torch.uint64)
    return values.to(DTYPES.by_name[p.dtype.name])


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: NativeDType | None = None,
    device: torch.device | None = None,
    endpoint: bool = True,
) -> Tensor:
    """Divide an interval in double precision, as NumPy does."""
    if dtype is None:
        is_complex = isinstance(start, complex) or isinstance(stop, complex)
        dtype = default_complex() if is_complex else default_float()
    first, last, target = common.linspace(start, stop, num, as_dtype(dtype))
    place = placing(device)
    values = _divided(first.real, last.real, num, endpoint, place)
    native = DTYPES.by_name[target.name]
    if native in COMPLEX:
        imag = _divided(first.imag, last.imag, num, endpoint, place)
        return torch.complex(values, imag).to(native)
    if native not in FLOATING and native is not torch.bool:
        values = torch.floor(values)
    return values.to(native)


def _divided(
    first: float, last: float, num: int, endpoint: bool, device: torch.device | None
) -> Tensor:
    """Compute the points of an interval; the last one is exact."""
    index = torch.arange(num, dtype=torch.float64, device=device)
    parts = num - 1 if endpoint else num
    if parts <= 0:
        return index * (last - first) + first
    step = (last - first) / parts
    # A step that underflows would lose the whole interval.
    values = index * step + first if step else index / parts * (last - first) + first
    return torch.where(index == parts, last, values) if endpoint else values


def meshgrid(*arrays: Tensor, indexing: Literal["xy", "ij"] = "xy") -> tuple[Tensor, ...]:
    """Make a grid; torch.meshgrid wants one data type."""
    common.check_meshgrid([x.shape for x in arrays], indexing)
    order = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) > 1:
        order[:2] = [1, 0]
    shape = [1] * len(arrays)
    for i, x in zip(order, arrays, strict=True):
        shape[i] = x.numel()
    return tuple(
        x.reshape([-1 if j == i else 1 for j in range(len(arrays))]).expand(shape).clone()
        if x.numel()
        else x.new_empty(shape)
        for i, x in zip(order, arrays, strict=True)
    )


# --- triangles --------------------------------------------------------------------------------


@filled_by(lambda x, *, out, k=0: torch.tril(x, k, out=out), same_shape)
@reinterprets
def tril(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Keep the lower triangle."""
    return torch.tril(x, common.triangle_offset("tril", x.shape, k))


@filled_by(lambda x, *, out, k=0: torch.triu(x, k, out=out), same_shape)
@reinterprets
def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Keep the upper triangle."""
    return torch.triu(x, common.triangle_offset("triu", x.shape, k))


@partial_mixed(common.plain_one_hot(_INDICES))
def one_hot(
    indices: Tensor,
    depth: int,
    /,
    *,
    on_value: Any = None,
    off_value: Any = None,
    axis: int = -1,
    dtype: NativeDType | None = None,
    device: torch.device | None = None,
) -> Tensor:
    """Compare with all places; PyTorch's own refuses indices out of range."""
    axis = normalize_axis("one_hot", axis, indices.ndim + 1)
    places = torch.arange(depth, device=indices.device)
    if axis != indices.ndim:
        places = places.reshape(depth, *[1] * (indices.ndim - axis))
    return indices.unsqueeze(axis).eq(places).to(_float(dtype))


@partial_mixed(common.plain_logspace(REAL_FLOATING, _INDICES))
def logspace(
    start: Tensor,
    stop: Tensor,
    num: int,
    base: Tensor | float = 10.0,
    axis: int = 0,
    *,
    endpoint: bool = True,
    dtype: NativeDType | None = None,
    device: torch.device | None = None,
) -> Tensor:
    """Raise to evenly spaced powers; torch.logspace takes numbers and has no derivative."""
    target = start.dtype if start.dtype in REAL_FLOATING else default_float()
    first, last = start.to(target), stop.to(target)
    steps = max(num - 1 if endpoint else num, 1)
    counts = torch.arange(num, dtype=target, device=start.device)
    exponents = first + counts * ((last - first) / steps)
    if endpoint and num > 1:
        exponents = torch.where(counts == steps, last, exponents)  # no rounding error there
    root = base.to(target) if isinstance(base, Tensor) else base
    powers = torch.pow(root, exponents)
    return powers if dtype is None else powers.to(dtype)
