"""Functions whose results share memory with their argument, on backends where views are emulated.

`views.memory` says what that means, `views.layouts` which functions they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from arrayapi_unify.backends._common.algorithms.memory import always
from arrayapi_unify.backends.kernel import kernel_of
from arrayapi_unify.views import emulation
from arrayapi_unify.views.layouts import SHARING, ResultKind, Sharing
from arrayapi_unify.views.view import (
    ALIAS,
    RowUpdate,
    View,
    ViewOp,
    needs_emulation,
    view_of,
)

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array
    from arrayapi_unify.binding.contract import Contract
    from arrayapi_unify.binding.namespace import Binding

__all__ = ["ViewFactory", "view_factory", "without_copy"]

# The largest size in bytes of a lazy view's copy, which the memory doesn't account.
_SMALL: Final = 2**13


def view_factory(binding: Binding, contract: Contract, native: Any) -> ViewFactory | None:
    """Return what makes the results of a function; None where the library takes care of memory."""
    sharing = SHARING.get(contract.qualified_name)
    emulates = binding.backend.VIEW_EMULATION is not False
    return ViewFactory(binding, contract, native, sharing) if sharing and emulates else None


class _Natives:
    """A backend's native functions, by name; those that write into memory, as ones that don't."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self.backend = binding.backend

    def __getattr__(self, name: str) -> Any:
        bound = self._binding.bound[name]
        found = bound.kernel.functional or bound.native
        setattr(self, name, found)  # found the next time without a search
        return found

    def rank(self, x: Any) -> int:
        """Return the number of axes."""
        return len(self.shape(x))

    def shape(self, x: Any) -> tuple[int, ...]:
        """Return the shape."""
        return self.backend.shape_of(x)


def without_copy(kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return keywords without the wish that nothing be copied."""
    return {name: value for name, value in kwargs.items() if not (name == "copy" and not value)}


def _never(*args: Any, **kwargs: Any) -> bool:
    return False


class ViewFactory:
    """One function on one backend: makes Arrays of its results that follow where they have to."""

    def __init__(self, binding: Binding, contract: Contract, native: Any, sharing: Sharing) -> None:
        """Join what is said of the function with its native function."""
        self._binding = binding
        self._contract = contract
        self._sharing = sharing
        # True if NumPy has a view in any case.
        self._surely = sharing.surely
        self._emulated_array = binding.emulated_array
        self.read = native
        self.backend = binding.backend
        self._natives = _Natives(binding)
        # The attribute that says if an array is tracked, for libraries that emulate only then.
        self._tracked: Any = binding.backend.VIEW_EMULATION
        # A native function may say for which arguments it gives a copy where NumPy has a view.
        self._copying = kernel_of(native).copies_when or _never
        self._copies_always = self._copying is always
        # The call whose result follows: the source's version has to be known before it is read.
        self.fresh = self._copied if self._copies_always else self._alias
        # True if results are read-only; None if that depends on the arguments.
        self._locked = None if sharing.locked else sharing.back is None

    @property
    def when(self) -> bool | str:
        """When a result has to follow: always, or when an attribute of the array says so."""
        guarded = self._copies_always or self._locked is not False
        return True if guarded else self.backend.VIEW_EMULATION

    def given(self, result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Make the result of a call, of which "not given" may be a part."""
        args, kwargs = self._contract.given_arguments(args, kwargs)
        return self(result, *args, **kwargs)

    def __call__(self, result: Any, *given: Any, **kwargs: Any) -> Any:
        """Make Arrays of what the native function returned."""
        if not given:  # `*arrays` may be none
            return tuple(result)
        source, *args = given
        if self._sharing.results is ResultKind.ONE:
            return self._one(result, source, tuple(args), kwargs)
        if self._sharing.results is ResultKind.OF_EACH:
            shape_of = self.backend.shape_of
            pairs = zip(result, (source, *args), strict=True)
            return tuple(self._one(part, x, (shape_of(part),), {}) for part, x in pairs)
        parts = enumerate(result)
        return tuple(self._one(part, source, (i, *args), kwargs) for i, part in parts)

    def _alias(self, source: Array, /, *args: Any, **kwargs: Any) -> Array:
        """Compute one result of a plain Array, mostly an alias that its memory needn't know yet."""
        if self._copying is not _never and self._copying(*args, **kwargs):
            return self._copied(source, *args, **kwargs)
        data = source._data
        result = self.read(data, *args, **kwargs)
        known = not self._surely or not result.ndim or self.backend.is_compiling()
        if known or getattr(data, self._tracked):
            return self._one(result, source, args, kwargs)
        array: Array = self._emulated_array()
        array._view = (self, source, args, kwargs, data, result, ALIAS)
        return array

    def _copied(self, source: Array, /, *args: Any, **kwargs: Any) -> Array:
        """Compute a copy that follows a plain Array, and note of which version of it that is.

        The memory sees to it that what copies hold is a few times its size. Small ones may be more,
        and then it needn't know of them yet.
        """
        data, backend = source._data, self.backend
        version = backend.version_of(data)
        result = self.read(data, *args, **kwargs)
        small = self._surely and result.ndim and result.nbytes <= _SMALL
        if small and version is not None and not getattr(data, self._tracked):
            lazy: Array = self._emulated_array()
            lazy._view = (self, source, args, kwargs, data, result, version)
            return lazy
        array = self._one(result, source, args, kwargs)
        view = view_of(array)
        if version is not None and view is not None:
            view.cache(data, version, result)
        return array

    def materialize(self, source: Array, args: tuple[Any, ...], kwargs: dict[str, Any]) -> View:
        """Return what a result is of the source's memory, where NumPy surely has a view."""
        view = self._view(source, args, kwargs, self._is_locked(source, args, kwargs), False)
        assert view is not None
        return view

    def _one(
        self, result: Any, source: Array, rest: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Array:
        binding, backend = self._binding, self.backend
        result = backend.as_native_array(result)
        if self._sharing.copies is not None and self._sharing.copies(result, *rest, **kwargs):
            return binding.wrap(self._own(result, source))
        alias = backend.LAZY_REFRESH or (
            not self._copies_always
            and not self._copying(*rest, **kwargs)
            and backend.shares_memory(result, source._data)
        )
        locked = self._locked
        if locked is None:
            locked = self._is_locked(source, rest, kwargs)
        if alias and not locked and self._on_its_own(source):
            return binding.wrap_alias(source, result)
        view = self._view(source, rest, kwargs, locked, alias)
        if view is not None:
            if self._surely:
                # Else the size would be NumPy's, whose layout costs a tenth of the call.
                view.region.measure(backend.shape_of(result))
            return binding.wrap_view(result, view)
        return binding.wrap(self._own(result, source))

    def _view(
        self, source: Array, rest: tuple[Any, ...], kwargs: dict[str, Any], locked: bool,
        alias: bool,
    ) -> View | None:  # fmt: skip
        """Return what the result is of the source's memory; None where NumPy would copy."""
        return emulation.emulate_view(
            self.backend,
            source,
            self._op(rest, kwargs, locked),
            alias,
            self._surely,
        )

    def _is_locked(self, source: Array, rest: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Return True if the result is read-only."""
        if self._locked is not None or self._sharing.locked is None:
            return bool(self._locked)
        shape = self.backend.shape_of(source._data)
        return bool(self._sharing.locked(shape, *rest, **kwargs))

    def _own(self, result: Any, source: Array) -> Any:
        """Return a copy where NumPy would make one and the library doesn't."""
        backend = self.backend
        return backend.copy(result) if backend.shares_memory(result, source._data) else result

    def _on_its_own(self, source: Array) -> bool:
        """Return True if an alias made by the library shares the array's memory itself."""
        view = view_of(source)
        plain = view is None or (view.caches_data and not view.region.read_only)
        must = needs_emulation(self.backend, source._data)
        return plain and not must

    def _op(self, rest: tuple[Any, ...], kwargs: dict[str, Any], locked: bool) -> ViewOp:
        natives, native = self._natives, self.read
        back, other = self._sharing.back, self._sharing.read
        taken = without_copy(kwargs) if kwargs else kwargs  # the layout has decided

        def layout(s: Any) -> Any:
            return self._sharing.layout(s, *rest, **kwargs)

        def read(x: Any) -> Any:
            return other(natives, x, *rest, **taken) if other else native(x, *rest, **taken)

        def write(x: Any, y: Any) -> Any:
            assert back is not None  # else it is read-only
            return back(natives, x, y, *rest, **kwargs)

        place = self._sharing.row and self._sharing.row(*rest, **kwargs)
        row = RowUpdate(place[0], place[1], self._write_rows) if place else None
        return ViewOp(layout, read, None if locked else write, row)

    def _write_rows(self, x: Any, axis: int, numbers: list[int], values: list[Any]) -> Any:
        natives = self._natives
        places = natives.asarray(numbers)
        key = (*[slice(None)] * axis, places)
        return natives.set_item(x, key, natives.stack(values, axis=axis))
