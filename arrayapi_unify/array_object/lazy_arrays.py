"""The members of Arrays whose values aren't computed yet: each look at values is announced.

`_core.lazy_access` defines looks. The classes of other backends have none of these members.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any, Final, cast

from arrayapi_unify._core import lazy_access
from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.classes import BindingHooks, load_binding
from arrayapi_unify.backends import Backend
from arrayapi_unify.errors import UnifyTypeError

__all__ = ["integer_bounds", "lazy_members", "lazy_operators", "lazy_scalars"]

_NAMES: Final = {
    "item": "item(x)",
    "__bool__": "bool(x)",
    "__complex__": "complex(x)",
    "__float__": "float(x)",
    "__index__": "operator.index(x)",
    "__int__": "int(x)",
}


class _Rebuilt:
    """A function that makes an Array of what another one makes, which is a native array.

    It is pickled with that function, by a library that sends it to another process.
    """

    __slots__ = ("_make",)

    def __init__(self, make: Callable[..., Any]) -> None:
        self._make = make

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # A computed array belongs to another backend than the lazy one.
        return BindingHooks.make(self._make(*args, **kwargs))

    def __reduce__(self) -> Any:
        return _rebuilt, (self._make,)


def _rebuilt(make: Callable[..., Any]) -> _Rebuilt:
    """Return what was pickled, in a process that may have loaded nothing."""
    load_binding()
    return _Rebuilt(make)


def lazy_members(backend: Backend) -> dict[str, Any]:
    """Return the members of a lazy backend's Arrays, with those of the library's protocols."""
    return {**_sizes(backend), **_values(), **backend.lazy.members(_Rebuilt)}


def _sizes(backend: Backend) -> dict[str, Any]:
    shape_of, known_shape = backend.shape_of, backend.lazy.known_shape
    base = cast(property, vars(Array)["shape"])  # to set it raises

    def known(self: Any, function: str) -> tuple[int, ...]:
        found = shape_of(self._data)
        if None not in found:
            return found
        with lazy_access.asked(function, self._data):
            return cast("tuple[int, ...]", known_shape(self._data))

    def shape(self: Any) -> tuple[int, ...]:
        refused = lazy_access.policy.get() is lazy_access.REFUSE
        return shape_of(self._data) if refused else known(self, "shape")

    def __len__(self: Any) -> int:
        found = shape_of(self._data)
        if not found:
            raise UnifyTypeError("len(x): a 0-d array has no length; use x.size")
        return known(self, "len(x)")[0] if found[0] is None else found[0]

    return {"shape": base.getter(shape), "__len__": __len__}


def _values() -> dict[str, Any]:
    def __array__(self: Any, dtype: Any = None, copy: bool | None = None) -> Any:
        with lazy_access.asked("np.asarray(x)", self._data):
            return Array.__array__(self, dtype, copy)

    def __dlpack__(self: Any, /, **options: Any) -> Any:
        with lazy_access.asked("__dlpack__", self._data, "self"):
            return Array.__dlpack__(self, **options)

    def __format__(self: Any, spec: str) -> str:
        with lazy_access.asked("format(x)", self._data):
            return Array.__format__(self, spec)

    members: dict[str, Any] = {
        "__array__": __array__,
        "__dlpack__": __dlpack__,
        "__format__": __format__,
    }
    return {name: functools.wraps(vars(Array)[name])(made) for name, made in members.items()}


def integer_bounds(function: str, argument: str, key: slice) -> slice:
    """Return a slice with integers in place of Arrays of one, at which this looks."""
    bounds = (key.start, key.stop, key.step)
    if not any(isinstance(bound, Array) for bound in bounds):
        return key

    def integer(part: str, bound: Any) -> Any:
        if not isinstance(bound, Array):
            return bound
        with lazy_access.asked(function, bound._data, f"{argument}.{part}"):
            return operator.index(bound)

    return slice(*map(integer, ("start", "stop", "step"), bounds))


def lazy_operators(made: dict[str, Any]) -> dict[str, Any]:
    """Return the special methods of a lazy backend's Arrays: those with keys get integers.

    What a view selects is stored; it mustn't have to be computed each time.
    """
    get, put = made["__getitem__"], made["__setitem__"]

    @functools.wraps(get)
    def __getitem__(self: Any, key: Any, /) -> Any:
        return get(self, _with_integers("get_item", key))

    @functools.wraps(put)
    def __setitem__(self: Any, key: Any, value: Any, /) -> None:
        put(self, _with_integers("set_item", key), value)

    return {**made, "__getitem__": __getitem__, "__setitem__": __setitem__}


def _with_integers(function: str, key: Any) -> Any:
    if type(key) is slice:
        return integer_bounds(function, "key", key)
    if type(key) is tuple and slice in map(type, key):
        return tuple(
            integer_bounds(function, f"key[{i}]", part) if type(part) is slice else part
            for i, part in enumerate(key)
        )
    return key


def lazy_scalars(made: dict[str, Callable[[Any], Any]]) -> dict[str, Callable[[Any], Any]]:
    """Return the conversions to Python's scalars, in which looks name the conversion."""
    methods = {**made, "__index__": Array.__index__}
    return {name: _asking(_NAMES[name], method) for name, method in methods.items()}


def _asking(function: str, method: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @functools.wraps(method)
    def asking(self: Any) -> Any:
        with lazy_access.asked(function, self._data):
            return method(self)

    return asking
