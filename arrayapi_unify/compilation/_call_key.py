"""The arrays of a call, and a key of everything else, which determines the program.

Arrays are traced. The key contains the structure around the arrays, their classes, and every other
value. Calls with equal keys share a program. The first call with a key is rendered as Python code
that rebuilds the arguments from native arrays.
"""

from __future__ import annotations

import builtins
import functools
import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from arrayapi_unify._core.container_base import Nested
from arrayapi_unify._core.registered import REGISTERED, Flat
from arrayapi_unify._core.value_keys import Same, state_key, value_key
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import name_of
from arrayapi_unify.contracts.contract import PACKAGE
from arrayapi_unify.devices import Device
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import raise_type_error
from arrayapi_unify.functional._carried import subclass_of_array
from arrayapi_unify.functional._traversal import is_nest, items, tree_unflatten
from arrayapi_unify.views import emulation
from arrayapi_unify.views.traced import ArgumentLayout, argument_layout, is_known

__all__ = ["LITERALS", "Leaves", "SourceBuilder", "function_of", "hashable"]

# Types whose equal values are interchangeable, and whose repr is their source.
LITERALS: Final = frozenset({bool, int, str, type(None)})
_ALIKE: Final = frozenset({*LITERALS, DType, Device})
_NONE: Final[Mapping[int, str]] = MappingProxyType({})
_count: Final = itertools.count()


class Leaves:
    """The arrays of a nest without repetition, in order of occurrence."""

    __slots__ = ("aliases", "arrays", "binding", "kinds", "layout", "named", "places", "relation")

    def __init__(self, binding: Any, named: Mapping[int, str] = _NONE) -> None:
        """Start without arrays; `named` maps the ids of arrays that already have names to these."""
        self.binding = binding
        self.named = named
        self.arrays: list[Any] = []
        # The class in which a native array is wrapped; None if it stays native.
        self.kinds: list[Any] = []
        self.places: dict[int, int] = {}
        # The memory layout, unless it is that of new arrays; and the same if a program can have it.
        self.layout: ArgumentLayout | None = None
        self.aliases: ArgumentLayout | None = None
        # The overlap of the arrays of a library that shares memory, if a program depends on it.
        self.relation: Hashable = None

    @property
    def wrapped(self) -> list[bool]:
        """One bool for each array: True if it is an Array, not a native array."""
        return [kind is not None for kind in self.kinds]

    @property
    def natives(self) -> list[Any]:
        """The native arrays that a program is called with."""
        if self.aliases is not None:
            return self.aliases.natives(self.arrays)
        return [x._data if isinstance(x, Array) else x for x in self.arrays]

    def look(self) -> bool:
        """Determine the memory layout of the arrays; return True if a program can depend on it.

        It can't if the library shares memory and one array is a copied view, or if a size is
        unknown.
        """
        ours = [x for x in self.arrays if isinstance(x, Array)]
        if self.binding.backend.VIEW_EMULATION is not True:
            return not any(map(emulation.is_copy, ours))
        self.layout = argument_layout(self.binding.backend, self.arrays, self.wrapped)
        return self.layout is None or is_known(ours)

    def key(self, value: Any) -> Hashable:
        """Flatten a nest; for equal keys, the same code rebuilds it."""
        kind = type(value)
        if kind in _ALIKE:
            return kind, value
        if kind is float:
            return kind, repr(value)  # which distinguishes zeros, and equals itself for NaN
        if isinstance(value, Array) or name_of(value) is not None:
            return self._array(value)
        if kind is list or kind is tuple:
            return kind, tuple([self.key(part) for part in value])
        if kind is Flat:
            return kind, value.kind, self.key(value.aux), tuple([self.key(one) for one in value])
        if is_nest(value):
            nodes = items(value)
            names = [n if type(n) is str else value_key(n, _constant_key) for n, _ in nodes]
            key = kind, tuple(names), tuple([self.key(part) for _, part in nodes])
            alone = kind is dict or isinstance(value, Nested)
            return key if alone else (*key, state_key(value, _constant_key))
        if kind is slice:
            return kind, self.key((value.start, value.stop, value.step))
        return value_key(value, _constant_key)

    def _array(self, array: Any) -> Hashable:
        if id(array) in self.named:
            return Array, self.named[id(array)]
        if name_of(array) != self.binding.name:
            return type(array), id(array)  # a constant of another backend
        place = self.places.get(id(array))
        if place is None:
            place = self.places[id(array)] = len(self.arrays)
            self.arrays.append(array)
            wrapped = isinstance(array, Array)
            self.kinds.append(self.binding.class_for(array._data) if wrapped else None)
        return self.kinds[place], place


def _constant_key(value: Any) -> Hashable | None:
    """Return the key of an array in an object, which is a constant."""
    return Same(value) if isinstance(value, Array) or name_of(value) is not None else None


class SourceBuilder:
    """Code that rebuilds a nest, and the names in it."""

    def __init__(self, leaves: Leaves) -> None:
        """Write code for these arrays: `x0` is the first one."""
        self._leaves = leaves
        self.names: dict[str, Any] = {
            "__builtins__": vars(builtins),
            "_subclass": subclass_of_array,
            "_tree_unflatten": tree_unflatten,
        }

    def parameters(self, letter: str) -> list[str]:
        """Return a name for each array."""
        return [f"{letter}{place}" for place in range(len(self._leaves.arrays))]

    def natives(self) -> list[str]:
        """Return a name for each native array that a program is called with."""
        return [f"a{place}" for place in range(len(self._leaves.natives))]

    def wrapping(self) -> list[str]:
        """Return the lines that create `x0` from the native array `a0`."""
        if self._leaves.aliases is not None:
            self.names["_layout"] = functools.partial(
                self._leaves.aliases.made, self._leaves.binding
            )
            given = "".join(f"{name}, " for name in self.parameters("x"))
            return [f"{given} = _layout(({''.join(f'{name}, ' for name in self.natives())}))"]
        lines = []
        for place, kind in enumerate(self._leaves.kinds):
            if kind is None:
                lines.append(f"x{place} = a{place}")
            else:
                lines += [f"x{place} = {self.constant(kind)}()", f"x{place}._data = a{place}"]
        return lines

    def constant(self, value: Any) -> str:
        """Return the source of a value that is part of the program."""
        # Compilers that analyse Python code treat a global number as variable.
        if type(value) in LITERALS or (type(value) is float and math.isfinite(value)):
            return f"({value!r})"
        known = next((name for name, one in self.names.items() if one is value), None)
        if known is None:
            known = f"k{len(self.names)}"
            self.names[known] = value
        return known

    def expression(self, value: Any) -> str:
        """Render a nest."""
        place = self._leaves.places.get(id(value))
        if place is not None:
            return f"x{place}"
        if id(value) in self._leaves.named:
            return self._leaves.named[id(value)]
        if isinstance(value, Array) or not is_nest(value):
            return self.constant(value)
        nodes = [(self.constant(name), self.expression(part)) for name, part in items(value)]
        if type(value) is Flat:
            aux, parts = self.expression(value.aux), "".join(f"{part}, " for _, part in nodes)
            if value.kind not in REGISTERED:
                return f"_subclass({self.constant(value.kind)}, ({parts}))"
            # A look into the table would be part of what PyTorch's compiler guards.
            return f"{self.constant(REGISTERED[value.kind].unflatten)}({aux}, ({parts}))"
        if type(value) is list:
            return f"[{', '.join(part for _, part in nodes)}]"
        if type(value) is tuple:
            return f"({''.join(f'{part}, ' for _, part in nodes)})"
        if type(value) is dict:
            return f"{{{', '.join(f'{name}: {part}' for name, part in nodes)}}}"
        if isinstance(value, Nested):
            parts = ", ".join(f"{name}: {part}" for name, part in nodes)
            return f"{self.constant(type(value))}._of({{{parts}}})"
        parts = ", ".join(f"({name}, {part})" for name, part in nodes)
        return f"_tree_unflatten({self.constant(self._empty(value))}, [{parts}])"

    def _empty(self, nest: Any) -> Any:
        """Return a nest of the same class that refers to no array of the caller's."""
        return tree_unflatten(nest, [(name, None) for name, _ in items(nest)])

    def call(
        self, function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
    ) -> str:
        """Render the call of a function with these arguments."""
        self.names["_function"] = function
        given = [self.expression(value) for value in args]
        given += [f"**{{{name!r}: {self.expression(value)}}}" for name, value in kwargs.items()]
        return f"_function({', '.join(given)})"

    def function(
        self, name: str, parameters: Iterable[str], lines: Iterable[str]
    ) -> Callable[..., Any]:
        """Return a function of the arrays."""
        return function_of(name, parameters, lines, self.names)


def function_of(
    name: str, parameters: Iterable[str], lines: Iterable[str], names: dict[str, Any]
) -> Callable[..., Any]:
    """Make a function of its lines.

    Each has its own file name: PyTorch identifies functions by it, and treats differences between
    two functions of the same name as variable.
    """
    body = "\n".join(f"    {line}" for line in lines)
    source = f"def {name}({', '.join(parameters)}):\n{body}\n"
    exec(compile(source, f"<{PACKAGE} compilation: {name} {next(_count)}>", "exec"), names)
    return names[name]


def hashable(function: str, argument: str, key: Hashable) -> Hashable:
    """Return a key; raise for values that can't be part of one."""
    try:
        hash(key)
    except TypeError as error:
        raise_type_error(
            function, argument, f"holds what isn't hashable ({error})",
            "pass arrays, nests of arrays, and values that are hashable",
        )  # fmt: skip
    return key
