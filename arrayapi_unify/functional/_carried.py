"""Objects of users' classes on their way through a transformation, which takes nests of Arrays.

`lowered` takes objects apart: those of registered classes, and of subclasses of Array without
attributes of their own. `raised` makes them again, around other arrays. An object of another class
that overrides functions is refused: traced arrays would have lost its class.
"""

from __future__ import annotations

from typing import Any

from arrayapi_unify._core.override_protocol import takes_over
from arrayapi_unify._core.registered import REGISTERED, Flat, taken_apart
from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.classes import BackendArrayMeta
from arrayapi_unify.binding import binding_of
from arrayapi_unify.errors import check_depth, describe, raise_type_error
from arrayapi_unify.functional._traversal import is_nest, items, tree_unflatten

__all__ = ["carried_in", "lowered", "raised", "rebuilt", "subclass_of_array"]


class _Used:
    """True once an object was taken apart: before, no nest has one to make again."""

    ever = False


def carried_in(nest: Any) -> Any:
    """Return an object in a nest that is registered or overrides functions; None without one."""
    if type(type(nest)) is BackendArrayMeta:
        return None
    if type(nest) in REGISTERED:
        return nest
    if isinstance(nest, Array) or not is_nest(nest):
        return nest if takes_over(nest) else None
    for _, value in items(nest):
        if type(type(value)) is not BackendArrayMeta:  # most are, and a call takes longer
            found = carried_in(value)
            if found is not None:
                return found
    return None


def lowered(
    function: str, argument: str, nest: Any, returned: bool = False, traces: bool = True
) -> Any:
    """Return a nest with a `Flat` for each object; the nest itself if there is none.

    Where a function traces, the rest of an object is part of a program's key.
    """
    try:
        if carried_in(nest) is None:
            return nest
        _Used.ever = True
        return _Lowering(function, argument, returned, traces).of(nest)
    except RecursionError:
        check_depth(function, [(argument, nest)])
        raise


class _Lowering:
    """One nest that is taken apart; an object that occurs twice is one."""

    def __init__(self, function: str, argument: str, returned: bool, traces: bool) -> None:
        self._where, self._traces = (function, argument, returned), traces
        self._known: dict[int, tuple[Any, Flat]] = {}

    def of(self, value: Any) -> Any:
        kind = type(value)
        if type(kind) is BackendArrayMeta:
            return value
        if id(value) in self._known:
            return self._known[id(value)][1]
        if kind in REGISTERED:
            flat = taken_apart(value)
            if self._traces:
                self._check_rest(kind, flat.aux)
            return self._kept(value, Flat.of(kind, flat.aux, map(self.of, flat)))
        if isinstance(value, Array) and not self._traces:
            return value  # its own functions and operators are called
        if takes_over(value):
            if not isinstance(value, Array) or _has_attributes(value):
                self._refuse(value)
            return self._kept(value, Flat.of(kind, None, [_alias(value)]))
        if isinstance(value, Array) or not is_nest(value):
            return value
        return tree_unflatten(value, [(name, self.of(one)) for name, one in items(value)])

    def _kept(self, value: Any, flat: Flat) -> Flat:
        self._known[id(value)] = value, flat
        return flat

    def _check_rest(self, kind: type, aux: Any) -> None:
        try:
            hash(aux)
        except TypeError as error:
            function, argument, returned = self._where
            has = "returns" if returned else "holds"
            raise_type_error(
                function, argument,
                f"{has} a {kind.__qualname__}, whose rest {describe(aux)} isn't hashable ({error})",
                "return arrays among the children, and tuples and strings as the rest",
            )  # fmt: skip

    def _refuse(self, value: Any) -> None:
        function, argument, returned = self._where
        kind = type(value).__qualname__
        has = ", and has attributes" if isinstance(value, Array) else ""
        raise_type_error(
            function, argument,
            f"{'returns' if returned else 'holds'} a {kind}, whose class overrides functions{has}, "
            f"and isn't registered, so that traced arrays would lose it",
            f"register the class with unify.register_nest({kind}, flatten, unflatten)",
        )  # fmt: skip


def _has_attributes(array: Array) -> bool:
    """Return True for an object that holds more than an Array, or that its class has places for."""
    return bool(getattr(array, "__dict__", None)) or _has_slots(type(array))


def _has_slots(kind: type) -> bool:
    owners = [owner for owner in kind.__mro__ if not issubclass(Array, owner)]
    return any(vars(owner).get("__slots__") for owner in owners)


def _alias(array: Array) -> Any:
    """Return a plain Array of the same memory."""
    return binding_of(array.backend).share(array)


def raised(nest: Any) -> Any:
    """Return a nest with objects in place of what `lowered` made of them."""
    return _raised(nest) if _Used.ever else nest


def _raised(nest: Any) -> Any:
    if isinstance(nest, Array) or not is_nest(nest) or type(nest) in REGISTERED:
        return nest
    nodes = [(name, _raised(value)) for name, value in items(nest)]
    if type(nest) is Flat:
        return rebuilt(nest.kind, nest.aux, tuple([value for _, value in nodes]))
    if all(new is old for (_, new), (_, old) in zip(nodes, items(nest), strict=True)):
        return nest
    return tree_unflatten(nest, nodes)


def rebuilt(kind: Any, aux: Any, children: tuple[Any, ...]) -> Any:
    """Return an object with these children."""
    if kind in REGISTERED:
        return REGISTERED[kind].unflatten(aux, children)
    return subclass_of_array(kind, children)


def subclass_of_array(kind: Any, children: tuple[Any, ...]) -> Any:
    """Return an object of a subclass of Array, with the memory of its only child."""
    (array,) = children
    if not isinstance(array, Array):  # no derivative, or a row of another function's
        return array
    made = kind.__new__(kind)
    Array.__init__(made, array)
    return made
