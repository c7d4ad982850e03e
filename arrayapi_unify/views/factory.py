"""Arrays of the results of functions that return views, on backends where views are emulated.

`views.sharing` says which functions they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from arrayapi_unify.backends._common.algorithms.memory import always
from arrayapi_unify.backends.kernel import kernel_of
from arrayapi_unify.views.emulation import emulate_view
from arrayapi_unify.views.sharing import SHARING, ResultKind, Sharing
from arrayapi_unify.views.view import ALIAS, Row, View, ViewOp, needs_emulation, view_of

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array
    from arrayapi_unify.binding.namespace import Binding
    from arrayapi_unify.contracts.contract import Contract

__all__ = ["LazyView", "ViewFactory", "view_factory", "without_copy"]

# The largest size in bytes of a lazy view's copy, which the memory doesn't account.
_SMALL: Final = 2**13

LazyView: TypeAlias = "tuple[ViewFactory, Array, tuple[Any, ...], dict[str, Any], Any, Any, Any]"
"""In place of a `View`: the factory, the source, and the other arguments of the call; then the
source's data and the view's native array when it was last read, and the data's version (or ALIAS).

A lazy view enters its source's memory when more than its data is needed. It is a plain tuple, which
takes 80 ns to make; a named one takes 510, a slotted object 160.
"""


def view_factory(binding: Binding, contract: Contract, native: Any) -> ViewFactory | None:
    """Return what makes the results of a function; None where the library takes care of memory.

    So do the functions that a body calls.
    """
    sharing = SHARING.get(contract.qualified_name)
    emulates = binding.backend.VIEW_EMULATION is not False and native is not None
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


_SEQUENCES: Final = frozenset({list, range})


def _frozen(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return arguments with tuples for lists and ranges.

    The caller may change a list, and NumPy's functions of layouts take tuples only.
    """
    if _SEQUENCES.isdisjoint(map(type, args)):
        return args
    return tuple(tuple(arg) if type(arg) in _SEQUENCES else arg for arg in args)


def _frozen_keywords(kwargs: dict[str, Any]) -> dict[str, Any]:
    return kwargs and dict(zip(kwargs, _frozen((*kwargs.values(),)), strict=True))


class _Call(ViewOp):
    """The view operation that a call of a function is: the function, and its other arguments."""

    __slots__ = ("_args", "_factory", "_kwargs")

    def __init__(
        self, factory: ViewFactory, args: tuple[Any, ...], kwargs: dict[str, Any], read_only: bool
    ) -> None:
        self.read_only = read_only
        self._factory = factory
        self._args = _frozen(args)
        self._kwargs = _frozen_keywords(kwargs)

    @property
    def row(self) -> Row | None:
        """The row of its source that the view is, if it is one."""
        row = self._factory.sharing.row
        return row and row(*self._args, **self._kwargs)

    def layout(self, source: Any) -> Any:
        """Return what NumPy's function makes of a layout."""
        return self._factory.sharing.layout(source, *self._args, **self._kwargs)

    def read(self, source: Any) -> Any:
        """Call the native function; the layout has decided if it copies."""
        factory = self._factory
        read, kwargs = factory.sharing.read, self._kwargs
        if "copy" in kwargs:
            kwargs = without_copy(kwargs)
        if read is not None:
            return read(factory.natives, source, *self._args, **kwargs)
        return factory.read(source, *self._args, **kwargs)

    def write(self, source: Any, value: Any) -> Any:
        """Call the inverse of the function."""
        write = self._factory.sharing.write
        assert write is not None  # else it is read-only
        return write(self._factory.natives, source, value, *self._args, **self._kwargs)

    def write_rows(self, source: Any, numbers: list[int], values: list[Any]) -> Any:
        """Return the source with rows of this one's axis in it."""
        natives, row = self._factory.natives, self.row
        assert row is not None  # else there is one value
        key = (*[slice(None)] * row.axis, natives.asarray(numbers))
        return natives.set_item(source, key, natives.stack(values, axis=row.axis))


class ViewFactory:
    """One function on one backend: makes Arrays of its results, emulated views where needed."""

    def __init__(self, binding: Binding, contract: Contract, native: Any, sharing: Sharing) -> None:
        """Join what is said of the function with its native function."""
        self.read = native
        self.sharing = sharing
        self.backend = binding.backend
        self.natives = _Natives(binding)
        self._binding = binding
        self._contract = contract
        self._always = sharing.always
        self._emulated_array = binding.emulated_array
        # The attribute that says if an array is tracked, for libraries that emulate only then.
        self._tracked: Any = binding.backend.VIEW_EMULATION
        # A native function may say for which arguments it gives a copy where NumPy has a view.
        self._copying = kernel_of(native).copies_when or _never
        self._copies_always = self._copying is always
        # The call whose result is emulated: the source's version has to be known before it is read.
        self.fresh = self._copied if self._copies_always else self._alias
        # True if results are read-only; None if that depends on the arguments.
        self._read_only = None if sharing.read_only_when else sharing.write is None

    @property
    def when(self) -> bool | str:
        """When a result is emulated: always, or when an attribute of the source says so."""
        guarded = self._copies_always or self._read_only is not False
        return True if guarded else self.backend.VIEW_EMULATION

    def is_copy(self, result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Return True if NumPy's result is a copy for these arguments, whatever the layout."""
        copies = self.sharing.copies
        return copies is not None and copies(result, *args, **kwargs)

    def is_read_only(self, source: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Return True if the result is a read-only view of a native array."""
        when = self.sharing.read_only_when
        if self._read_only is not None or when is None:
            return bool(self._read_only)
        return when(self.backend.shape_of(source), *args, **kwargs)

    # --- all results ------------------------------------------------------------------------

    def given(self, result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Make the result of a call, of which "not given" may be a part."""
        args, kwargs = self._contract.given_arguments(args, kwargs)
        return self(result, *args, **kwargs)

    def __call__(self, result: Any, *given: Any, **kwargs: Any) -> Any:
        """Make Arrays of what the native function returned."""
        if not given:  # `*arrays` may be none
            return tuple(result)
        source, *args = given
        if self.sharing.results is ResultKind.ONE:
            return self._one(result, source, tuple(args), kwargs)
        if self.sharing.results is ResultKind.OF_EACH:
            shape_of = self.backend.shape_of
            pairs = zip(result, (source, *args), strict=True)
            return tuple(self._one(part, x, (shape_of(part),), {}) for part, x in pairs)
        parts = enumerate(result)
        return tuple(self._one(part, source, (i, *args), kwargs) for i, part in parts)

    def _one(
        self, result: Any, source: Array, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Array:
        binding, backend = self._binding, self.backend
        result = backend.as_native_array(result)
        if not self.is_copy(result, args, kwargs):
            alias = backend.LAZY_REFRESH or (
                not self._copies_always
                and not self._copying(*args, **kwargs)
                and backend.shares_memory(result, source._data)
            )
            read_only = self._read_only
            if read_only is None:
                read_only = self.is_read_only(source._data, args, kwargs)
            if alias and not read_only and self._shares_itself(source):
                return binding.wrap_alias(source, result)
            op = _Call(self, args, kwargs, read_only)
            view = emulate_view(backend, source, op, alias, self._always)
            if view is not None:
                if self._always:
                    # Else the size would be NumPy's, whose layout costs a tenth of the call.
                    view.region.measure(backend.shape_of(result))
                return binding.wrap_view(result, view)
        # NumPy copies: the library may share.
        shared = backend.shares_memory(result, source._data)
        return binding.wrap(backend.copy(result) if shared else result)

    def _shares_itself(self, source: Array) -> bool:
        """Return True if an alias made by the library shares the array's memory itself."""
        view = view_of(source)
        plain = view is None or (view.caches_data and not view.read_only)
        return plain and not needs_emulation(self.backend, source._data)

    # --- one result of a plain Array, which may be lazy -------------------------------------

    def _alias(self, source: Array, /, *args: Any, **kwargs: Any) -> Array:
        """Compute one result of a plain Array, mostly an alias that its memory needn't know yet."""
        if self._copying is not _never and self._copying(*args, **kwargs):
            return self._copied(source, *args, **kwargs)
        data = source._data
        result = self.read(data, *args, **kwargs)
        eager = not self._always or not result.ndim or self.backend.is_compiling()
        if eager or getattr(data, self._tracked):
            return self._one(result, source, args, kwargs)
        array: Array = self._emulated_array()
        kwargs = _frozen_keywords(kwargs)
        array._view = (self, source, _frozen(args), kwargs, data, result, ALIAS)
        return array

    def _copied(self, source: Array, /, *args: Any, **kwargs: Any) -> Array:
        """Compute a copy that is a view of a plain Array, and note of which version of it.

        The memory sees to it that what copies hold is a few times its size. Small ones may be more,
        and then they needn't be members of it.
        """
        data, backend = source._data, self.backend
        version = backend.version_of(data)
        result = self.read(data, *args, **kwargs)
        follows = self._always and version is not None and not getattr(data, self._tracked)
        # PyTorch's compiler knows no `nbytes` of sizes that differ from call to call.
        if follows and result.ndim and result.nbytes <= _SMALL:
            lazy: Array = self._emulated_array()
            kwargs = _frozen_keywords(kwargs)
            lazy._view = (self, source, _frozen(args), kwargs, data, result, version)
            return lazy
        array = self._one(result, source, args, kwargs)
        view = view_of(array)
        if version is not None and view is not None:
            view.cache(data, version, result, backend.version_of(result))
        return array

    def materialize(self, lazy: LazyView) -> View:
        """Return the view of the source's memory that a lazy view stands for."""
        _, source, args, kwargs, data, value, version = lazy
        op = _Call(self, args, kwargs, bool(self._read_only))
        view = emulate_view(self.backend, source, op, caches_data=False, always=True)
        assert view is not None  # NumPy has one always
        view.cache(data, version, value, self.backend.aliasing.NEW_VERSION)
        return view
