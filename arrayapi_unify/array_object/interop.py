"""NumPy's protocols on our arrays: `np.asarray(x)` gives values, `np.sin(x)` stays in our class."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any, Final

from arrayapi_unify.backends._common.interchange import dlpack, overlaps
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError

__all__ = ["array_ufunc", "as_numpy", "converting", "exported"]

# NumPy's ufuncs whose name isn't the standard's.
_RENAMED: Final = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "conjugate": "conj",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "power": "pow",
    "right_shift": "bitwise_right_shift",
    "rint": "round",
}


_COMPARISONS: Final = frozenset(
    {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}
)


# Where JAX's `array` and `asarray` are.
_CONVERSIONS: Final = "jax._src.numpy.array_constructors"


def converting() -> bool:
    """Whether the caller of our caller is an explicit conversion of JAX."""
    return sys._getframe(2).f_globals.get("__name__") == _CONVERSIONS


def _scalar_again(value: Any) -> Any:
    """Return the scalar of a 0-d NumPy array: comparing a NumPy scalar makes one of it."""
    numpy = importlib.import_module("numpy")
    return value.item() if isinstance(value, numpy.ndarray) and not value.ndim else value


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


def array_ufunc(
    array: Any, ufunc: Any, method: str, inputs: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call our function for a NumPy ufunc, or refuse: never an array of objects."""
    name = _RENAMED.get(ufunc.__name__, ufunc.__name__)
    if ufunc.__name__ in _COMPARISONS:
        inputs = tuple(_scalar_again(value) for value in inputs)
    function = None
    if method == "__call__":
        candidates = (*inputs, *kwargs.get("out", ()))
        first = next(value for value in candidates if isinstance(value, array))
        function = getattr(first.__array_namespace__(), name, None)
    if function is None:
        raise UnifyTypeError(
            f"np.{ufunc.__name__}{'' if method == '__call__' else '.' + method} has no function "
            f"of the standard to go to; convert the array first with np.asarray(x)"
        )
    out = kwargs.pop("out", (None,))[0]
    if kwargs or (out is not None and not isinstance(out, array)):
        what = ", ".join(kwargs) if kwargs else "an out that is a NumPy array"
        raise UnifyTypeError(
            f"np.{ufunc.__name__} of an Array doesn't take {what}; call unify.{name}, or convert "
            f"the array first with np.asarray(x)"
        )
    return function(*inputs) if out is None else function(*inputs, out=out)
