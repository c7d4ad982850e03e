"""Creation functions of the Dask backend: each block is made where it is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import dask.array as da
import numpy as np

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.algorithms import creation as common
from arrayapi_unify.backends._common.algorithms.conversion import convert
from arrayapi_unify.backends._common.checks.arguments import check_dlpack, raise_copy_error
from arrayapi_unify.backends._common.checks.sizes import check_addressed
from arrayapi_unify.backends._common.protocols import interchange
from arrayapi_unify.backends.dask._core import cast
from arrayapi_unify.backends.dask._lazy import values_of
from arrayapi_unify.backends.dask._lift import alias, by_place, chunks_of, constant, elementwise
from arrayapi_unify.backends.dask._natives import DaskArray, NativeDType, known, of_blocks, one
from arrayapi_unify.backends.dask.dtypes import BY_NAME, DTYPES, as_dtype
from arrayapi_unify.backends.numpy import creation as numpy
from arrayapi_unify.devices import Device

Shape = int | Sequence[int]
_ONE = np.ones(())


def _float(dtype: NativeDType | None) -> NativeDType:
    return BY_NAME[dtypes.held_float().value.name] if dtype is None else dtype


# --- from values ------------------------------------------------------------------------------


def _computed(obj: Any) -> Any:
    """Return nested lists with the values of the arrays in them."""
    if isinstance(obj, da.Array):
        return values_of(obj)
    return type(obj)(map(_computed, obj)) if isinstance(obj, list | tuple) else obj


def _converted(function: str, obj: Any, dtype: NativeDType | None, copy: bool | None) -> DaskArray:
    if isinstance(obj, da.Array):
        if dtype is None or obj.dtype == dtype:
            return alias(obj) if copy else obj
        if copy is False:
            raise_copy_error(function, f"a cast from {obj.dtype} to {dtype} needs a copy")
        convert(function, "obj", one(obj), dtype, None)
        return cast(obj, dtype)
    if copy is False:
        if function == "asarray":
            convert(function, "obj", _computed(obj), dtype, False)  # Python values say why
        raise_copy_error(function, "a graph shares no memory")
    values = convert(function, "obj", _computed(obj), dtype, None)
    return constant(values if isinstance(obj, list | tuple) else values.copy())


def asarray(
    obj: Any, /, *, dtype: NativeDType | None = None, device: Device | None = None,
    copy: bool | None = None,
) -> DaskArray:  # fmt: skip
    """Convert; values become blocks of the graph."""
    return _converted("asarray", obj, dtype, copy)


def array(
    obj: Any, /, *, dtype: NativeDType | None = None, device: Device | None = None,
    copy: bool | None = True,
) -> DaskArray:  # fmt: skip
    """Convert, with a copy unless told otherwise."""
    return _converted("array", obj, dtype, copy)


def from_dlpack(x: Any, /, *, device: Device | None = None, copy: bool | None = None) -> DaskArray:
    """Import a copy of values, or a Dask array as it is."""
    x = interchange.native(x)
    if isinstance(x, da.Array):
        return alias(x) if copy else x
    check_dlpack(x)
    if copy is False:
        raise_copy_error("from_dlpack", "a graph shares no memory")
    return constant(numpy.from_dlpack(x, device=device, copy=True))


# --- from a shape -----------------------------------------------------------------------------


def _filled(
    function: str, shape: Shape, value: Any, dtype: NativeDType, chunks: Any = None
) -> DaskArray:
    sizes = common.shape_tuple(shape)
    check_addressed(function, "shape", sizes)
    return by_place(
        of_blocks("filled", value=value, dtype=dtype), chunks or chunks_of(sizes, dtype), dtype
    )


def _of_shape(name: str, value: int, what: str) -> Callable[..., DaskArray]:
    def function(
        shape: Shape, *, dtype: NativeDType | None = None, device: Device | None = None
    ) -> DaskArray:
        return _filled(name, shape, value, _float(dtype))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Make an array of {what}."
    return function


empty = _of_shape("empty", 0, "arbitrary values")
ones = _of_shape("ones", 1, "ones")
zeros = _of_shape("zeros", 0, "zeros")


def full(
    shape: Shape, fill_value: Any, *, dtype: NativeDType | None = None, device: Device | None = None
) -> DaskArray:
    """Make an array of one value, which may be an array without axes."""
    if isinstance(fill_value, da.Array):
        value = _fill("full", fill_value, dtype or fill_value.dtype)
        sizes = common.shape_tuple(shape)
        check_addressed("full", "shape", sizes)
        return da.broadcast_to(value, sizes, chunks_of(sizes, value.dtype))
    number = numpy.full((), fill_value, dtype=dtype)
    return _filled("full", shape, number.item(), number.dtype)


def _fill(function: str, value: DaskArray, dtype: NativeDType) -> DaskArray:
    common.check_fill(function, value.shape)
    if function == "full":
        numpy.full((), one(value), dtype=dtype)
    else:
        numpy.full_like(_ONE, one(value), dtype=dtype)
    return cast(value, dtype)


def _like(x: DaskArray, value: Any, dtype: NativeDType) -> DaskArray:
    if known(x):
        return by_place(of_blocks("filled", value=value, dtype=dtype), x.chunks, dtype)
    return elementwise(of_blocks("filled_like", value=value, to=dtype), x, dtype=dtype)


def empty_like(
    x: DaskArray, /, *, dtype: NativeDType | None = None, device: Device | None = None
) -> DaskArray:
    """Make an array of arbitrary values, in the blocks of x."""
    return _like(x, 0, dtype or x.dtype)


def ones_like(
    x: DaskArray, /, *, dtype: NativeDType | None = None, device: Device | None = None
) -> DaskArray:
    """Make an array of ones, in the blocks of x."""
    return _like(x, 1, dtype or x.dtype)


def zeros_like(
    x: DaskArray, /, *, dtype: NativeDType | None = None, device: Device | None = None
) -> DaskArray:
    """Make an array of zeros, in the blocks of x."""
    return _like(x, 0, dtype or x.dtype)


def full_like(
    x: DaskArray,
    /,
    fill_value: Any,
    *,
    dtype: NativeDType | None = None,
    device: Device | None = None,
) -> DaskArray:
    """Make an array of one value, in the blocks of x."""
    if isinstance(fill_value, da.Array):
        value = _fill("full_like", fill_value, dtype or x.dtype)
        if known(x):
            return da.broadcast_to(value, x.shape, x.chunks)
        return elementwise(of_blocks("second"), x, value, dtype=value.dtype)
    number = numpy.full_like(np.empty((), x.dtype), fill_value, dtype=dtype)
    return _like(x, number.item(), number.dtype)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: NativeDType | None = None,
    device: Device | None = None,
) -> DaskArray:
    """Make a matrix with one diagonal of ones."""
    dtype = _float(dtype)
    sizes = common.shape_tuple((n_rows, n_rows if n_cols is None else n_cols))
    check_addressed("eye", "n_rows", sizes)
    k = common.triangle_offset("eye", sizes, k)
    return by_place(of_blocks("diagonal_ones", k=k, dtype=dtype), chunks_of(sizes, dtype), dtype)


# --- ranges and grids -------------------------------------------------------------------------


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: NativeDType | None = None,
    device: Device | None = None,
) -> DaskArray:
    """Count, each block from its place."""
    p = common.arange(start, stop, step, as_dtype(dtype))
    target = DTYPES[p.dtype]
    count = of_blocks(
        "progression", start=p.start, step=p.step, compute=DTYPES[p.compute], dtype=target
    )
    return by_place(count, chunks_of((p.length,), target), target)


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: NativeDType | None = None,
    device: Device | None = None,
    endpoint: bool = True,
) -> DaskArray:
    """Divide an interval."""
    first, last, found = common.linspace(start, stop, num, as_dtype(dtype))
    target = DTYPES[found]
    spaced = of_blocks(
        "interval", start=first, stop=last, num=num, endpoint=bool(endpoint), dtype=target
    )
    return by_place(spaced, chunks_of((num,), target), target)


def meshgrid(*arrays: DaskArray, indexing: Literal["xy", "ij"] = "xy") -> tuple[DaskArray, ...]:
    """Make a grid."""
    common.check_meshgrid([x.shape for x in arrays], indexing)
    order = list(range(len(arrays)))
    if indexing == "xy" and len(arrays) > 1:
        order[:2] = [1, 0]
    vectors = [x if x.ndim else x[None] for x in arrays]
    shape = [0] * len(arrays)
    for axis, x in zip(order, vectors, strict=True):
        shape[axis] = x.shape[0]
    keys = [[None] * axis + [slice(None)] + [None] * (len(arrays) - 1 - axis) for axis in order]
    return tuple(
        da.broadcast_to(x[tuple(key)], shape) for x, key in zip(vectors, keys, strict=True)
    )


# --- triangles --------------------------------------------------------------------------------


def _triangle(function: str, x: DaskArray, k: int, lower: bool) -> DaskArray:
    k = common.triangle_offset(function, x.shape, k)
    labels = tuple(range(x.ndim))
    return by_place(of_blocks("triangle", k=k, lower=lower), x.chunks, x.dtype, [(x, labels)])


def tril(x: DaskArray, /, *, k: int = 0) -> DaskArray:
    """Keep the lower triangle."""
    return _triangle("tril", x, k, lower=True)


def triu(x: DaskArray, /, *, k: int = 0) -> DaskArray:
    """Keep the upper triangle."""
    return _triangle("triu", x, k, lower=False)
