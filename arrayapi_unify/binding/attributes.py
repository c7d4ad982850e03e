"""Attributes and conversions of the Arrays of one backend: `x.dtype`, `float(x)`, `np.asarray(x)`.

`Array` defines the same for subclasses of users. Here the backend is known, so that each of them is
one or two calls away from the native array.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.view_emulation import export_view
from arrayapi_unify.array_object.views import view_of
from arrayapi_unify.backends import Backend

if TYPE_CHECKING:
    from arrayapi_unify.binding.namespace import Binding

__all__ = ["attributes", "scalars"]


def attributes(backend: Backend) -> dict[str, Any]:
    """Return the attributes and NumPy's protocol."""
    dtype_of, shape_of, to_numpy = backend.dtype_of, backend.shape_of, backend.to_numpy
    alone, changeless = backend.VIEW_EMULATION is False, backend.VIEW_EMULATION is True

    def __array__(self: Any, dtype: Any = None, copy: bool | None = None) -> Any:
        if dtype is None and copy is None:
            if changeless:
                values = export_view(backend, self)
                if values is not None:
                    return values
            elif alone or view_of(self) is None:
                values = to_numpy(self._data)
                if values.flags.writeable:
                    return values
        return Array.__array__(self, dtype, copy)

    return {
        "dtype": property(lambda self: dtype_of(self._data), doc=Array.dtype.__doc__),
        "shape": property(lambda self: shape_of(self._data), doc=Array.shape.__doc__),
        "ndim": property(lambda self: len(shape_of(self._data)), doc=Array.ndim.__doc__),
        "__array__": __array__,
    }


def scalars(binding: Binding) -> dict[str, Callable[[Any], Any]]:
    """Return the conversions of the only element to Python's scalars."""
    bound = binding.bound["to_scalar"]
    to_scalar = bound.fast_native

    def item(self: Any) -> Any:
        try:
            return to_scalar(self._data)
        except Exception as error:
            return bound.recover(error, (self,), {})

    def __float__(self: Any) -> float:
        try:
            value = to_scalar(self._data)
        except Exception as error:
            value = bound.recover(error, (self,), {})
        return value if type(value) is float else Array.__float__(self)

    def __int__(self: Any) -> int:
        value = item(self)
        return value if type(value) is int else Array.__int__(self)

    def __bool__(self: Any) -> bool:
        return bool(item(self))

    def __complex__(self: Any) -> complex:
        return complex(item(self))

    return {f.__name__: f for f in (item, __float__, __int__, __bool__, __complex__)}
