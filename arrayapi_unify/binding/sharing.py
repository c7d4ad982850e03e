"""Functions whose results share memory with their argument, on backends where views are followed.

`array_object.memory` says what that means, `backends._common.layouts` which functions they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from arrayapi_unify.array_object import Array, following
from arrayapi_unify.array_object.views import Row, Step, is_followed, view_of
from arrayapi_unify.backends._common.memory_rules import always
from arrayapi_unify.binding.contract import Contract, Returns
from arrayapi_unify.binding.roles import Role

if TYPE_CHECKING:
    from arrayapi_unify.binding.namespace import Binding

__all__ = ["Follower", "follower"]


def follower(binding: Binding, contract: Contract, native: Any) -> Follower | None:
    """Return what makes the results of a function; None where the library takes care of memory."""
    layouts = binding.backend.layouts
    sharing = layouts and layouts.SHARING.get(contract.qualified_name)
    return Follower(binding, contract, native, sharing) if sharing else None


class _Natives:
    """A backend's native functions, by name; those that write into memory, as ones that don't."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self.backend = binding.backend

    def __getattr__(self, name: str) -> Any:
        native = self._binding.bound[name].native
        found = getattr(native, "pure", native)
        setattr(self, name, found)  # found the next time without a search
        return found

    def rank(self, x: Any) -> int:
        """Return the number of axes."""
        return len(self.shape(x))

    def shape(self, x: Any) -> tuple[int, ...]:
        """Return the shape."""
        return self.backend.shape_of(x)


def _never(*args: Any, **kwargs: Any) -> bool:
    return False


class Follower:
    """One function on one backend: makes Arrays of its results that follow where they have to."""

    def __init__(self, binding: Binding, contract: Contract, native: Any, sharing: Any) -> None:
        """Join what is said of the function with its native function."""
        self._binding = binding
        self._contract = contract
        self._sharing = sharing
        self._native = native
        self._natives = _Natives(binding)
        # A native function may say for which arguments it gives a copy where NumPy has a view.
        self._copying: Callable[..., bool] = getattr(native, "copies", _never)
        self._copies_always = self._copying is always
        # Whether results are read-only; None where that depends on the arguments.
        self._locked = None if sharing.locked else sharing.back is None

    @property
    def when(self) -> bool | str:
        """When a result has to follow: always, or when an attribute of the array says so."""
        guarded = self._copies_always or self._locked is not False
        return True if guarded else self._binding.backend.FOLLOWED

    def given(self, result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Make the result of a call, of which "not given" may be a part."""
        args, kwargs = self._contract.canonical(args, kwargs)
        return self(result, *args, **kwargs)

    def __call__(self, result: Any, source: Array, /, *args: Any, **kwargs: Any) -> Any:
        """Make Arrays of what the native function returned."""
        if self._contract.returns is Returns.ARRAY:
            return self._one(result, source, args, kwargs)
        if self._contract.parameters[0].role is Role.STAR:
            shape_of = self._binding.backend.shape_of
            pairs = zip(result, (source, *args), strict=True)
            return tuple(self._one(part, x, (shape_of(part),), {}) for part, x in pairs)
        parts = enumerate(result)
        return tuple(self._one(part, source, (i, *args), kwargs) for i, part in parts)

    def fresh(self, source: Array, /, *args: Any, **kwargs: Any) -> Array:
        """Compute one result, and remember which version of the source it is of."""
        data = source._data
        version = self._binding.backend.version_of(data) if self._copies_always else None
        result = self._native(data, *args, **kwargs)
        array = self._one(result, source, args, kwargs)
        view = view_of(array)
        if version is not None and view is not None:
            view.see(data, version, result)
        return array

    def _one(
        self, result: Any, source: Array, rest: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Array:
        binding, backend = self._binding, self._binding.backend
        result = backend.canonical(result)
        if self._sharing.copies is not None and self._sharing.copies(result, *rest, **kwargs):
            return binding.wrap(self._own(result, source))
        window = backend.REFRESHED_LATER or (
            not self._copies_always
            and not self._copying(*rest, **kwargs)
            and backend.shares(result, source._data)
        )
        locked = self._locked
        if locked is None:
            locked = self._is_locked(source, rest, kwargs)
        if window and not locked and self._on_its_own(source):
            return binding.wrap_alias(source, result)
        view = following.follow(
            backend,
            source,
            lambda layout: self._sharing.layout(layout, *rest, **kwargs),
            self._step(rest, kwargs, locked),
            window,
            self._sharing.surely,
        )
        if view is not None:
            return binding.wrap_view(result, view)
        return binding.wrap(self._own(result, source))

    def _is_locked(self, source: Array, rest: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether the result is read-only."""
        if self._locked is not None:
            return self._locked
        shape = self._binding.backend.shape_of(source._data)
        return bool(self._sharing.locked(shape, *rest, **kwargs))

    def _own(self, result: Any, source: Array) -> Any:
        """Return a copy where NumPy would make one and the library doesn't."""
        backend = self._binding.backend
        return backend.copy(result) if backend.shares(result, source._data) else result

    def _on_its_own(self, source: Array) -> bool:
        """Whether the library itself lets a window onto an array's memory share it."""
        view = view_of(source)
        plain = view is None or (view.kept and not view.read_only)
        must = is_followed(self._binding.backend, source._data)
        return plain and not must

    def _step(self, rest: tuple[Any, ...], kwargs: dict[str, Any], locked: bool) -> Step:
        natives, native = self._natives, self._native
        back, other = self._sharing.back, self._sharing.read

        def read(x: Any) -> Any:
            return other(natives, x, *rest, **kwargs) if other else native(x, *rest, **kwargs)

        def write(x: Any, y: Any) -> Any:
            return back(natives, x, y, *rest, **kwargs)

        place = self._sharing.row and self._sharing.row(*rest, **kwargs)
        row = Row(place[0], place[1], self._write_rows) if place else None
        return Step(read, None if locked else write, row)

    def _write_rows(self, x: Any, axis: int, numbers: list[int], values: list[Any]) -> Any:
        natives = self._natives
        places = natives.asarray(numbers)
        key = (*[slice(None)] * axis, places)
        return natives.set_item(x, key, natives.stack(values, axis=axis))
