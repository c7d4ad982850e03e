"""Conversions of our arrays: what `np.asarray(x)`, DLPack and JAX get."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any, Final

from arrayapi_unify import backends
from arrayapi_unify._core.failures import raise_better
from arrayapi_unify.backends._common.protocols.interchange import (
    dlpack,
    is_writeable,
    raise_export_error,
)
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.errors import (
    BackendError,
    UnifyValueError,
    describe,
    raise_type_error,
    translate,
)
from arrayapi_unify.views import emulation
from arrayapi_unify.views.view import View, is_read_only, view_of

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array

__all__ = ["as_arrow", "as_numpy", "converting", "dask_token", "exported"]

# The module of JAX's `array` and `asarray`.
_CONVERSIONS: Final = "jax._src.numpy.array_constructors"


def converting() -> bool:
    """Return True if the caller's caller is an explicit conversion of JAX."""
    return sys._getframe(2).f_globals.get("__name__") == _CONVERSIONS


def _sealed(values: Any) -> Any:
    view = values.view()
    view.flags.writeable = False
    return view


def check_in_place(array: Array) -> None:
    """Raise if memory can't be exported without a copy: negative strides, or a copied view."""
    view = view_of(array)
    if view is not None and not view.is_traced:
        if _runs_backward(view):
            raise_export_error("has negative strides, which most libraries don't take")
        if emulation.is_copy(array):
            raise_export_error("follows memory of which it holds a copy")


def shares_by_emulation(array: Array) -> bool:
    """Return True if another Array of the same memory must be an emulated view of this one."""
    view = view_of(array)
    if (view is None or view.caches_data) and backends.load(
        array.backend
    ).VIEW_EMULATION is not True:
        return False
    return view is None or view.is_traced or not _runs_backward(view)


def _runs_backward(view: View) -> bool:
    return any(step < 0 for step in view.region.layout.strides)


def exported(backend: Backend, data: Any, read_only: bool, **options: Any) -> Any:
    """Export by DLPack; of libraries without read-only arrays, NumPy's view says it for them."""
    _check_options(**options)
    try:
        if read_only and int(backend.dlpack_device(data)[0]) == 1:
            return dlpack(_sealed(backend.to_numpy(data)), **options)
        if options["copy"] is False and _is_elsewhere(backend, data, options["dl_device"]):
            raise_export_error(f"isn't on dl_device {options['dl_device']}")
        return backend.dlpack(data, **options)
    except Exception as error:
        raise_better(error, translate(error, "__dlpack__", backend.NAME, options.items()))


def _is_elsewhere(backend: Backend, data: Any, device: tuple[Any, int] | None) -> bool:
    if device is None:
        return False
    return [*map(int, backend.dlpack_device(data))] != [*map(int, device)]


def _check_options(stream: Any, max_version: Any, dl_device: Any, copy: Any) -> None:
    """Raise for what some libraries take, and others refuse in words of their own."""
    if copy is not None and type(copy) is not bool:
        problem, remedy = f"is {describe(copy)}", "pass True, False or None"
        raise_type_error("__dlpack__", "copy", problem, remedy)
    for name, value in (("max_version", max_version), ("dl_device", dl_device)):
        if value is not None and not (isinstance(value, tuple) and len(value) == 2):
            problem, remedy = f"is {describe(value)}", "pass a tuple of two numbers, or None"
            raise_type_error("__dlpack__", name, problem, remedy)


def _dtype(numpy: Any, dtype: Any) -> Any:
    try:
        return numpy.dtype(dtype)
    except (TypeError, ValueError):
        problem = f"is {describe(dtype)}, which is no data type of NumPy"
        raise_type_error("__array__", "dtype", problem, "pass one, such as 'float64'")


def as_numpy(backend: Backend, array: Array, dtype: Any, copy: bool | None) -> Any:
    """Give the values as NumPy's protocol `__array__(dtype, copy)` asks, for writing if possible.

    Compiled code of other libraries takes nothing but writable memory.
    """
    numpy = importlib.import_module("numpy")
    values = None if copy else emulation.numpy_view(array)
    if values is None:
        values = backend.to_numpy(array._data, copy=copy)
    cast = dtype is not None and _dtype(numpy, dtype) != values.dtype
    if copy is False and cast:
        raise UnifyValueError(
            f"__array__: a cast from {values.dtype} to {dtype} needs a copy; drop copy=False"
        )
    if copy or cast:
        return values.astype(numpy.dtype(dtype)) if cast else values
    if is_read_only(array):
        return _sealed(values)
    if copy is False:
        return values
    # The mirror of a lazy array would be its whole memory, of which NumPy may want one row.
    emulates = backend.VIEW_EMULATION is True and backend.lazy is None
    mirror = emulation.export_view(backend, array) if emulates else None
    if mirror is not None:
        return mirror
    # Read-only values stay so: writes to a copy would be lost, and a broadcast array would grow.
    # For a library whose memory never changes, values that can't be exported have no elements.
    return values if is_writeable(values) or backend.VIEW_EMULATION is not True else values.copy()


def as_arrow(array: Array, kind: Any = None) -> Any:
    """Return the elements of one axis as an array of PyArrow, of the type that is asked for."""
    try:
        arrow = importlib.import_module("pyarrow")
    except ModuleNotFoundError as error:
        raise BackendError(
            f"Arrow's arrays are made by PyArrow, and there is none ({error}); install it with: "
            f"pip install pyarrow, or pass np.asarray(x)"
        ) from error
    if array.ndim != 1:
        raise UnifyValueError(
            f"an array of Arrow has one axis, and this one has shape {array.shape}; "
            f"pass its columns"
        )
    return arrow.array(array.to_numpy(), type=kind)


def dask_token(array: Array) -> Any:
    """Return the token of an array, and let Dask compute percentiles of such chunks.

    Two objects of a subclass with the same elements and other attributes aren't one chunk.
    """
    lookup = importlib.import_module("dask.array.dispatch").percentile_lookup
    root = importlib.import_module("arrayapi_unify.array_object").Array
    lookup.register(root, lookup.dispatch(importlib.import_module("numpy").ndarray))
    lazy = backends.load(array.backend).lazy is not None
    values = array.data if lazy else array.to_numpy()
    normalize = importlib.import_module("dask.base").normalize_token
    rest = type(array), array.backend, str(array.device), array._attributes()
    return normalize(values), *map(normalize, rest)
