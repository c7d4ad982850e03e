"""Creation functions of the NumPy backend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import countOf
from typing import Any, Final, Literal, cast

import numpy as np
import numpy.typing as npt

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.algorithms import creation as common
from arrayapi_unify.backends._common.algorithms.conversion import convert, of_one_kind
from arrayapi_unify.backends._common.checks.axes import one_or_in_order, whole
from arrayapi_unify.backends.kernel import FastKernel, Kernel, partial_mixed
from arrayapi_unify.backends.numpy._conversion import converted
from arrayapi_unify.backends.numpy._interchange import imported
from arrayapi_unify.backends.numpy.dtypes import BY_NAME, DTYPES, as_dtype
from arrayapi_unify.devices import Device

NDArray = npt.NDArray[Any]
NativeDType = np.dtype[Any]
Shape = int | Sequence[int]
_FLOATS: Final = frozenset({np.dtype(np.float32), np.dtype(np.float64)})
_INTEGERS: Final = frozenset(DTYPES[d] for d in dtypes.KINDS["integral"])


def _float(dtype: NativeDType | None) -> NativeDType:
    """Return `dtype`, the default real floating one where none is given."""
    return BY_NAME[dtypes.held_float().value.name] if dtype is None else dtype


# --- from values ------------------------------------------------------------------------------


def _from_list(obj: Any) -> NDArray | None:
    """Make an array of a list of numbers of one type; float64 is what NumPy makes of floats.

    Binding puts another one in place of this when another default data type is set.
    """
    if obj and countOf(map(type, obj), float) == len(obj):
        return np.asarray(obj)
    return of_one_kind(obj)


@Kernel(from_list=_from_list)
def asarray(
    obj: Any,
    /,
    *,
    dtype: NativeDType | None = None,
    device: Device | None = None,
    copy: bool | None = None,
) -> NDArray:
    """Convert; NumPy's own inference is replaced where it departs, see `_common.host`."""
    if dtype is None and copy is None and (found := of_one_kind(obj)) is not None:
        return found
    return converted("asarray", obj, dtype, copy)


def array(
    obj: Any,
    /,
    *,
    dtype: NativeDType | None = None,
    device: Device | None = None,
    copy: bool | None = True,
) -> NDArray:
    """Convert, with a copy unless told otherwise."""
    return converted("array", obj, dtype, copy)


def from_dlpack(x: Any, /, *, device: Device | None = None, copy: bool | None = None) -> NDArray:
    """Import; NumPy reaches only memory that the CPU does."""
    return imported(x, device is not None, copy)


# --- from a shape -----------------------------------------------------------------------------


def _of_shape(make: Callable[..., NDArray], what: str) -> Callable[..., NDArray]:
    """Make a native function out of NumPy's, which takes an array without elements for a shape."""
    held_float = dtypes.held_float

    def function(
        shape: Shape, *, dtype: NativeDType | None = None, device: Device | None = None
    ) -> NDArray:
        if type(shape) is not int and type(shape) is not tuple:
            shape = one_or_in_order(shape)
        return make(shape, BY_NAME[held_float().value.name] if dtype is None else dtype)

    function.__name__ = function.__qualname__ = make.__name__
    function.__doc__ = f"Make an array of {what}."
    return Kernel(fast_kernel=FastKernel(make, when="_type({0}) is tuple"))(function)


empty = _of_shape(np.empty, "arbitrary values")
ones = _of_shape(np.ones, "ones")
zeros = _of_shape(np.zeros, "zeros")


def full(
    shape: Shape, fill_value: Any, *, dtype: NativeDType | None = None, device: Device | None = None
) -> NDArray:
    """Make an array of one value, which NumPy infers in another way (see `_common.host`)."""
    if type(shape) is not int and type(shape) is not tuple:
        shape = one_or_in_order(shape)
    value = convert("full", "fill_value", fill_value, dtype, None)
    common.check_fill("full", value.shape)
    return np.full(shape, value, value.dtype)


def empty_like(
    x: NDArray, /, *, dtype: NativeDType | None = None, device: Device | None = None
) -> NDArray:
    """Make an array of arbitrary values and of x's shape."""
    return np.empty_like(x, dtype)


def ones_like(
    x: NDArray, /, *, dtype: NativeDType | None = None, device: Device | None = None
) -> NDArray:
    """Make an array of ones and of x's shape."""
    return np.ones_like(x, dtype)


def zeros_like(
    x: NDArray, /, *, dtype: NativeDType | None = None, device: Device | None = None
) -> NDArray:
    """Make an array of zeros and of x's shape."""
    return np.zeros_like(x, dtype)


def full_like(
    x: NDArray,
    /,
    fill_value: Any,
    *,
    dtype: NativeDType | None = None,
    device: Device | None = None,
) -> NDArray:
    """Make an array of one value and of x's shape; NumPy would drop an imaginary part."""
    value = convert("full_like", "fill_value", fill_value, dtype or x.dtype, None)
    common.check_fill("full_like", value.shape)
    return np.full_like(x, value, value.dtype)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: NativeDType | None = None,
    device: Device | None = None,
) -> NDArray:
    """Make a matrix with one diagonal of ones."""
    return np.eye(n_rows, n_cols, whole("eye", "k", k), _float(dtype))


# --- ranges and grids -------------------------------------------------------------------------


# The data types that hold each of the small integers that `common.counts` lets pass.
_COUNTING: Final = frozenset({np.dtype("int64"), np.dtype("float64")})


@Kernel(fast_kernel=FastKernel(np.arange, when="_type({0}) is int"))
def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: NativeDType | None = None,
    device: Device | None = None,
) -> NDArray:
    """Count; np.arange is left to integers.

    It takes the difference of the first two elements, rounded to dtype, as the step of floats,
    so that its error grows with each element.
    """
    if (dtype is None or dtype in _COUNTING) and common.counts(start, stop, step):
        numbers: Any = (start, stop, step, dtype or BY_NAME[dtypes.held_int().value.name])
        return cast(NDArray, np.arange(*numbers))
    p = common.arange(start, stop, step, as_dtype(dtype))
    target, compute = DTYPES[p.dtype], DTYPES[p.compute]
    if compute.kind in "iu":
        values = np.arange(p.start, p.start + p.length * p.step, p.step, dtype=compute)
    else:
        values = np.arange(p.length, dtype=compute)
        values *= p.step
        values += p.start
    return values.astype(target, copy=False)


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: NativeDType | None = None,
    device: Device | None = None,
    endpoint: bool = True,
) -> NDArray:
    """Divide an interval; complex ends never lose their imaginary part."""
    first, last, target = common.linspace(start, stop, num, as_dtype(dtype))
    return np.linspace(first, last, num, endpoint=endpoint, dtype=DTYPES[target])


def meshgrid(*arrays: NDArray, indexing: Literal["xy", "ij"] = "xy") -> tuple[NDArray, ...]:
    """Make a grid; NumPy would flatten arrays of more than one dimension."""
    common.check_meshgrid([x.shape for x in arrays], indexing)
    return tuple(np.meshgrid(*arrays, indexing=indexing))


# --- triangles --------------------------------------------------------------------------------


def _triangle(part: Callable[[NDArray, int], NDArray], x: NDArray, k: int) -> NDArray:
    return part(x, common.triangle_offset(part.__name__, x.shape, k))


def tril(x: NDArray, /, *, k: int = 0) -> NDArray:
    """Keep the lower triangle."""
    return _triangle(np.tril, x, k)


def triu(x: NDArray, /, *, k: int = 0) -> NDArray:
    """Keep the upper triangle."""
    return _triangle(np.triu, x, k)


@partial_mixed(common.plain_logspace(_FLOATS, _INTEGERS))
def logspace(
    start: NDArray,
    stop: NDArray,
    num: int,
    base: NDArray | float = 10.0,
    axis: int = 0,
    *,
    endpoint: bool = True,
    dtype: NativeDType | None = None,
    device: Device | None = None,
) -> NDArray:
    """Raise to evenly spaced powers, which may overflow or not exist."""
    target = start.dtype if start.dtype in _FLOATS else _float(None)
    first, last = start.astype(target), stop.astype(target)
    steps = max(num - 1 if endpoint else num, 1)
    counts = np.arange(num, dtype=target)
    root = base.astype(target) if isinstance(base, np.ndarray) else base

    @np.errstate(all="ignore")
    def powers() -> NDArray:
        exponents = first + counts * ((last - first) / steps)
        if endpoint and num > 1:
            exponents[-1] = last  # no rounding error there
        found: NDArray = np.power(root, exponents)
        return found if dtype is None else found.astype(dtype, copy=False)

    return powers()
