"""Variables, the holders of a Module's arrays: their scope during a call, and their interface.

A variable holds one array, and may have several names. A functional call replaces the arrays of all
variables for its duration, in its own thread only. The variables themselves aren't modified.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from typing import Any, Final, NoReturn

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import load, name_of
from arrayapi_unify.container import Container
from arrayapi_unify.errors import UnifyTypeError, describe, raise_type_error, raise_value_error
from arrayapi_unify.functional._hidden_state import refuse, scope as call_context

__all__ = ["Variable", "Variables", "as_array", "call_context", "register", "variable_of"]

_REMEDY: Final = (
    "pass in variables, net(x, v=v), and get buffers from net.stateless_call(v, buffers, x), or "
    "call net.compile(), net.compile_graph(x)"
)


class Variable:
    """One variable or buffer, which may have several names."""

    __slots__ = ("__weakref__", "value")

    def __init__(self, value: Array) -> None:
        """Store an array."""
        self.value = value

    def read(self) -> Array:
        """Return the array, or its replacement in the current functional call."""
        written = call_context.written
        if written is not None and self in written:
            return written[self]
        capture = call_context.capture
        if capture is not None and self in capture.written:
            return capture.written[self]
        placed = call_context.arrays
        if placed is not None and self in placed:
            return placed[self]
        return self.value

    def write(self, value: Array) -> None:
        """Store another array, or pass it to the caller of the current functional call."""
        written = call_context.written
        if written is not None and self in written:
            written[self] = value
            return
        if call_context.capture is not None:
            call_context.capture.write(self, value)
            return
        if call_context.refused_by is not None:
            refuse(call_context.refused_by, "writes to a Module", _REMEDY)
        if load(value.backend).tracer_of(value._data) is not None:
            raise UnifyTypeError(
                f"a Module can't keep an array that is being traced: it has no value yet; {_REMEDY}"
            )
        self.value = value

    def __deepcopy__(self, memo: dict[int, Any]) -> Variable:
        """Return a variable with a copied array."""
        xp = self.value.__array_namespace__()
        made = memo[id(self)] = Variable(xp.asarray(self.value, copy=True))
        return made

    def __reduce__(self) -> Any:
        """Pickle the array."""
        return Variable, (self.value,)


# The variables by the ids of their arrays: an array with a second name is the same variable.
_variables_by_id: Final[weakref.WeakValueDictionary[int, Variable]] = weakref.WeakValueDictionary()


def register(variable: Variable) -> None:
    """Register a variable under its array."""
    _variables_by_id[id(variable.value)] = variable


def variable_of(value: Any) -> Variable | None:
    """Return the variable that holds this very array."""
    variable = _variables_by_id.get(id(value))
    return variable if variable is not None and variable.value is value else None


def as_array(function: str, key_chain: str, value: Any) -> Array:
    """Return an array as an Array; raise for other values."""
    if isinstance(value, Array):
        return value
    if name_of(value) is not None:
        return Array(value)
    raise_type_error(
        function, key_chain, f"is {describe(value)}", "pass an array, made with unify.asarray"
    )


class Variables(Container):
    """The variables of a Module, or its buffers, as a Container that writes through to it.

    Functions and operators return a plain Container.
    """

    __slots__ = ("_owner", "_places")
    _places: dict[str, Any]
    _owner: Any

    def __new__(cls, *args: Any, **nodes: Any) -> Any:
        """Create a plain Container: code that rebuilds trees calls the class of the original."""
        return Container(*args, **nodes)

    @classmethod
    def of(cls, places: dict[str, Any], owner: Any = None) -> Variables:
        """Create an instance from nested dicts of variables; `owner` is called with new names."""
        made = object.__new__(cls)
        nodes = {
            key: Variables.of(place) if isinstance(place, dict) else place.read()
            for key, place in places.items()
        }
        object.__setattr__(made, "_nodes", nodes)
        object.__setattr__(made, "_places", places)
        object.__setattr__(made, "_owner", owner)
        return made

    @classmethod
    def _of(cls, nodes: dict[str, Any]) -> Any:
        return Container._of(nodes)

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any], /) -> Any:
        """Create a plain Container from nested mappings."""
        return Container.from_dict(mapping)

    def _put(self, path: tuple[str, ...], value: Any) -> None:
        """Set one variable, also in the Module; its shape can't change."""
        name, *rest = path
        place = self._places.get(name)
        if isinstance(place, dict) and rest:
            self._nodes[name]._put(tuple(rest), value)
        elif isinstance(place, Variable) and not rest:
            array = as_array("Module.v", name, value)
            if array.shape != place.value.shape:
                raise_value_error(
                    "Module.v", name,
                    f"has shape {array.shape} where {place.value.shape} is wanted",
                    "pass an array of that shape",
                )  # fmt: skip
            self._set(name, place, array)
        elif place is None and not rest and self._owner is not None:
            self._owner(name, as_array("Module.v", name, value))
            self._nodes[name] = value
        else:
            self._raise_mismatch(path)

    def _set(self, name: str, place: Variable, array: Array) -> None:
        """Write to a variable; an array of another variable makes both the same variable."""
        other = variable_of(array)
        if self._owner is not None and other is not None and other is not place:
            self._owner(name, array)
        else:
            place.write(array)
        self._nodes[name] = array

    def __delitem__(self, key: str, /) -> NoReturn:
        """Raise: the Module needs the variable."""
        raise UnifyTypeError(
            f"{key!r} is a variable of a Module and can't be deleted; work on a copy: net.v.copy()"
        )

    def __delattr__(self, name: str) -> NoReturn:
        """Raise, as `del v[name]` does."""
        del self[name]

    def _raise_mismatch(self, path: tuple[str, ...]) -> NoReturn:
        known = ", ".join(map(repr, list(self._places)[:8])) or "none"
        raise_value_error(
            "Module.v", "/".join(path), f"is no name of a variable; there are {known}",
            "set one array by its name, or all of them by net.v = params",
        )  # fmt: skip

    def __reduce__(self) -> Any:
        """Pickle and deep-copy as a plain Container."""
        return Container._of, (dict(self._nodes),)
