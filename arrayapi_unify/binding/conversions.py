"""Conversions of a binding: native arrays to Arrays, data types and devices to native ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

from arrayapi_unify import backends, dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._protocol import Backend
from arrayapi_unify.binding.arguments import RareDTypeError
from arrayapi_unify.contracts.contract import Contract, Returns
from arrayapi_unify.devices import as_device
from arrayapi_unify.errors import UnifyTypeError
from arrayapi_unify.views import aliasing, emulation
from arrayapi_unify.views.view import View, needs_emulation, view_of

__all__ = ["Conversions"]


class Conversions:
    """The conversions between a backend's own things and those that users see."""

    name: str
    backend: Backend
    array: Any
    """The class of its Arrays."""
    emulated_array: Any
    """That of Arrays that are more than an alias of memory."""
    standard_dtypes: frozenset[Any]
    reduced_precision: dict[Any, Any]
    _dtypes: dict[str, Any]

    def wrap(self, native: Any) -> Array:
        """Wrap a native array."""
        array = self.class_for(native)()
        array._data = native
        return cast(Array, array)

    def adopt(self, native: Any) -> Array:
        """Wrap a native array to which other references exist."""
        aliasing = self.backend.aliasing
        if aliasing is None:
            return self.wrap(native)
        if aliasing.overlapping(native) and not self.backend.is_compiling():
            return self.wrap_view(native, emulation.sealed(self.backend, native))
        return self.wrap(aliasing.adopted(native))

    def wrap_standard(self, native: Any) -> Array:
        """Wrap a native array of a data type of the standard."""
        array: Array = self.array()
        array._data = native
        return array

    def class_for(self, native: Any) -> Any:
        """Return the class in which `wrap` wraps a native array."""
        return self._kind_for(native, self.array)

    def _kind_for(self, native: Any, kind: Any) -> Any:
        """Return the class of an Array, a separate one for float16 and bfloat16."""
        return self.reduced_precision[kind] if self.is_reduced_precision(native) else kind

    def wrap_view(self, native: Any, view: View) -> Array:
        """Wrap a native array that is part of a memory."""
        kind = self.array if view.caches_data and not view.region.read_only else self.emulated_array
        array: Array = self._kind_for(native, kind)()
        array._view = view
        if view.caches_data:
            array._data = native
        view.memory.add_view(array, view)
        return array

    def writes_through(self, array: Array) -> bool:
        """Return True if a write to an Array's data is a write to its memory."""
        plain = view_of(array) is None
        return plain and not needs_emulation(self.backend, array._data)

    def share(self, array: Array) -> Array:
        """Make another Array of the same memory."""
        view = emulation.share(self.backend, array)
        if view is None:
            return self.wrap_alias(array, array._data)
        return self.wrap_view(array._data, view)

    def wrap_alias(self, array: Array, native: Any) -> Array:
        """Wrap an alias of the memory of an Array."""
        alias = self.wrap(native)
        if isinstance(self.backend.VIEW_EMULATION, str):
            aliasing.register_alias(array, alias)
        return alias

    def wrap_aliases(self, array: Array, natives: Iterable[Any]) -> tuple[Array, ...]:
        """Wrap aliases of the memory of an Array."""
        return tuple(self.wrap_alias(array, native) for native in natives)

    def wrap_result(self, result: Any, contract: Contract) -> Any:
        """Wrap what a native function returned, as its contract says."""
        wrap = self.wrap
        if contract.returns is Returns.ARRAY:
            return wrap(self.backend.as_native_array(result))
        if contract.returns is Returns.ARRAYS:
            arrays = [wrap(self.backend.as_native_array(part)) for part in result]
            return contract.result_type(*arrays) if contract.result_type else tuple(arrays)
        return result

    def native_dtype(self, dtype: Any) -> Any:
        """Return the native data type for anything that names a data type."""
        if dtype is None:
            return None
        try:
            return self._dtypes[dtype.name]
        except (AttributeError, KeyError, TypeError):
            if isinstance(dtype, str) and dtype in self._dtypes:
                return self._dtypes[dtype]
            found = backends.as_dtype(dtype)
            if found.reduced:
                raise RareDTypeError from None
            return self.any_dtype(found)

    def any_dtype(self, dtype: Any, needed: bool = False) -> Any:
        """Return the native data type, which may be beyond the standard."""
        if dtype is None and not needed:
            return None
        found = backends.as_dtype(dtype)
        if found not in self.backend.DTYPES:
            raise UnifyTypeError(
                f"the {self.name} backend has no {found}; it has "
                f"{', '.join(d.name for d in self.backend.DTYPES)}"
            )
        return self.backend.DTYPES[found]

    def is_reduced_precision(self, native: Any) -> bool:
        """Return True if a native array is of float16 or bfloat16."""
        dtype = native.dtype
        return dtype not in self.standard_dtypes and getattr(
            self.backend.as_dtype(dtype), "reduced", False
        )

    def noticing(self, native: Callable[..., Any]) -> Callable[..., Any]:
        """Return a native function for the fast path, without Arrays and reduced precision."""

        def imported(*args: Any, **kwargs: Any) -> Any:
            if isinstance(args[0], Array):
                raise RareDTypeError
            result = native(*args, **kwargs)
            if self.is_reduced_precision(result):
                raise RareDTypeError
            return result

        return imported

    def is_reduced_precision_dtype(self, value: Any) -> bool:
        """Return True if a value is our float16 or bfloat16, or the library's."""
        if isinstance(value, Array):
            return False  # `as_dtype` of a library may compare its argument, as NumPy's does
        dtype = value if isinstance(value, dtypes.DType) else self.backend.as_dtype(value)
        return dtype is not None and dtype.reduced

    def needed_dtype(self, dtype: Any) -> Any:
        """Return the native data type where there is no default: None names none."""
        try:
            return self._dtypes[dtype.name]
        except (AttributeError, KeyError, TypeError):
            return self.native_dtype(backends.as_dtype(dtype))

    def native_device(self, device: Any) -> Any:
        """Return the native device for a `Device` or its name."""
        return None if device is None else self.backend.native_device(as_device(device))
