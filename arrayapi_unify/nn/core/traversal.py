"""The tree of a Module: its submodules, and the names of their arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from arrayapi_unify._core.suggestions import MODULE, WithForeignNames, set_foreign_names
from arrayapi_unify.array_object import Array
from arrayapi_unify.container import Container
from arrayapi_unify.container.tree_map import SEPARATOR
from arrayapi_unify.errors import describe, raise_type_error, raise_value_error
from arrayapi_unify.nn.core.variables import Variable, as_array

__all__ = [
    "ModuleBase",
    "State",
    "matched_arrays",
    "modules",
    "named",
    "parts",
    "places",
    "read",
]


class State:
    """The state of a Module in addition to its attributes: variables, buffers, mode, program."""

    def __init__(self) -> None:
        """Start empty, in training mode."""
        self.variables: dict[str, Variable] = {}
        self.buffers: dict[str, Variable] = {}
        self.training = True
        # The number of constructors, of the class and its bases, that run.
        self.building = 0
        # The program that replaces `_forward` (`module._compiling`).
        self.program: Callable[..., Any] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Omit the program, which belongs to this Module only, not to a copy."""
        return {**vars(self), "program": None}


class ModuleBase(WithForeignNames):
    """The base class of Module, for type checks in the traversal."""

    _state: State

    def _parts(self) -> Iterable[tuple[str, Any]]:
        """Return the names and values that the repr shows below the Module."""
        return parts(self)


set_foreign_names(ModuleBase, MODULE)


Places: TypeAlias = dict[str, Any]


def parts(holder: Any) -> Iterator[tuple[str, Any]]:
    """Yield names and values that may contain modules: attributes, or items of a list or dict."""
    if isinstance(holder, ModuleBase):
        for name, value in vars(holder).items():
            if isinstance(value, ModuleBase | list | tuple | dict):
                yield name, value
    elif isinstance(holder, dict):
        yield from ((str(name), value) for name, value in holder.items())
    elif isinstance(holder, list | tuple):
        yield from ((str(place), value) for place, value in enumerate(holder))


def modules(module: ModuleBase) -> Iterator[tuple[str, Any]]:
    """Yield key chain and module of a module and all of its submodules, without repetition."""
    yield from _modules(module, (), set())


def _modules(holder: Any, path: tuple[str, ...], seen: set[int]) -> Iterator[tuple[str, Any]]:
    if id(holder) in seen:
        return
    if isinstance(holder, ModuleBase):
        seen.add(id(holder))
        yield SEPARATOR.join(path), holder
    for name, value in parts(holder):
        yield from _modules(value, (*path, name), seen)


def places(module: ModuleBase, kind: str) -> Places:
    """Return the variables, or the buffers, as nested dicts, each under its first name."""
    return _places(module, kind, set(), set(), ())


def _places(
    holder: Any, kind: str, seen: set[int], variables: set[Variable], path: tuple[str, ...]
) -> Places:
    found: Places = {}
    if isinstance(holder, ModuleBase):
        if id(holder) in seen:
            return found
        seen.add(id(holder))
        for name, variable in getattr(holder._state, kind).items():
            if variable not in variables:
                variables.add(variable)
                found[name] = variable
    for name, value in parts(holder):
        inner = _places(value, kind, seen, variables, (*path, name))
        if inner:
            _check_name(name, path, found)
            found[name] = inner
    return found


def _check_name(name: str, path: tuple[str, ...], found: Places) -> None:
    """Raise for names that can't be keys of a Container, or that a variable and a layer share."""
    if not name or SEPARATOR in name or name in found:
        problem = "is a variable as well" if name in found else "can't be a key of a Container"
        raise_value_error(
            "Module", SEPARATOR.join((*path, name)), f"{problem}", "give the layer another name"
        )


def matched_arrays(
    function: str, argument: str, wanted: Places, given: Any, same_shapes: bool = False
) -> dict[Variable, Array]:
    """Return an array for each variable; raise with all names that don't match."""
    found: dict[Variable, Array] = {}
    missing: list[str] = []
    unknown: list[str] = []
    _match(function, argument, wanted, given, (), found, missing, unknown)
    shapes = _other_shapes(wanted, found) if same_shapes else []
    if missing or unknown or shapes:
        told = [f"lacks {missing}"] if missing else []
        told += [f"has {unknown}, which the Module hasn't"] if unknown else []
        raise_value_error(
            function, argument, " and ".join([*told, *shapes]),
            "pass a Container of the same names and shapes" if shapes
            else "pass a Container of the same names",
        )  # fmt: skip
    return found


def _other_shapes(wanted: Places, found: dict[Variable, Array]) -> list[str]:
    """Describe the arrays whose shapes aren't those of their variables."""
    return [
        f"has shape {found[place].shape} at {name!r} where {place.value.shape} is wanted"
        for name, place in named(wanted).items()
        if place in found and found[place].shape != place.value.shape
    ]


def _match(
    function: str, argument: str, wanted: Places, given: Any, path: tuple[str, ...],
    found: dict[Variable, Array], missing: list[str], unknown: list[str],
) -> None:  # fmt: skip
    if not isinstance(given, Mapping):
        raise_type_error(
            function, SEPARATOR.join((argument, *path)), f"is {describe(given)}",
            "pass a Container, or a dict",
        )  # fmt: skip
    for name, value in given.items():
        if name not in wanted:
            unknown += _leaf_names(value, (*path, str(name)))
    for name, place in wanted.items():
        here = (*path, name)
        if name not in given:
            missing += _leaf_names(place, here)
        elif isinstance(place, dict):
            _match(function, argument, place, given[name], here, found, missing, unknown)
        else:
            found[place] = as_array(function, SEPARATOR.join((argument, *here)), given[name])


def _leaf_names(nest: Any, path: tuple[str, ...]) -> list[str]:
    """Return the key chains of all leaves, or the nest's own one if it has none."""
    if not isinstance(nest, Mapping) or not nest:
        return [SEPARATOR.join(path)]
    return [leaf for name, part in nest.items() for leaf in _leaf_names(part, (*path, str(name)))]


def read(where: Places) -> Container:
    """Return the current arrays of the variables, as a plain Container."""
    return Container(
        {k: read(place) if isinstance(place, dict) else place.read() for k, place in where.items()}
    )


def named(where: Places, path: str = "") -> dict[str, Variable]:
    """Return the variables by their key chains."""
    found: dict[str, Variable] = {}
    for name, place in where.items():
        if isinstance(place, dict):
            found.update(named(place, f"{path}{name}{SEPARATOR}"))
        else:
            found[path + name] = place
    return found
