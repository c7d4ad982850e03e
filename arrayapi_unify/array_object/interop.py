"""Conversions of our arrays: what `np.asarray(x)`, DLPack and JAX get."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any, Final

from arrayapi_unify.backends._common.interchange import dlpack, overlaps
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.errors import UnifyValueError

__all__ = ["as_numpy", "converting", "exported"]

# Where JAX's `array` and `asarray` are.
_CONVERSIONS: Final = "jax._src.numpy.array_constructors"


def converting() -> bool:
    """Whether the caller of our caller is an explicit conversion of JAX."""
    return sys._getframe(2).f_globals.get("__name__") == _CONVERSIONS


def _sealed(values: Any) -> Any:
    view = values.view()
    view.flags.writeable = False
    return view


def exported(backend: Backend, data: Any, read_only: bool, **options: Any) -> Any:
    """Export by DLPack; of libraries without read-only arrays, NumPy's view says it for them."""
    if read_only and int(backend.dlpack_device(data)[0]) == 1:
        return dlpack(_sealed(backend.to_numpy(data)), **options)
    return backend.dlpack(data, **options)


def as_numpy(
    to_numpy: Callable[..., Any], data: Any, dtype: Any, copy: bool | None, read_only: bool
) -> Any:
    """Give the values as NumPy's protocol `__array__(dtype, copy)` asks, for writing if possible.

    Compiled code of other libraries takes nothing but writable memory.
    """
    numpy = importlib.import_module("numpy")
    values = to_numpy(data, copy=False if copy is False else None)
    if copy is False and dtype is not None and numpy.dtype(dtype) != values.dtype:
        raise UnifyValueError(
            f"__array__: a cast from {values.dtype} to {dtype} needs a copy; drop copy=False"
        )
    if copy:
        return numpy.array(values, dtype=dtype, copy=True)
    result = numpy.asarray(values, dtype=dtype)
    if read_only:
        return _sealed(result) if result is values else result
    sealed = copy is None and not result.flags.writeable
    # What NumPy has read-only stays so, and a broadcast array doesn't grow to its full size.
    if not sealed or isinstance(data, numpy.ndarray):
        return result
    shared = not result.flags.c_contiguous and overlaps(result.shape, result.strides)
    return result if shared else result.copy()
