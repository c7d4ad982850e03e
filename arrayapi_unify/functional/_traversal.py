"""The one reading of nests: what holds others, how its nodes are named, how it is built anew.

A nest is a list, a tuple (named or not), a dict, or a Container, or a class derived of one of
these, or an object of a class that is registered; anything else is a leaf. Classes are kept
wherever a nest is built anew.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from arrayapi_unify._core.container_base import Nested
from arrayapi_unify._core.registered import REGISTERED, Flat, taken_apart
from arrayapi_unify.errors import (
    UnifyError,
    UnifyIndexError,
    UnifyKeyError,
    raise_argument_error,
    raise_type_error,
)

Index = tuple[Any, ...]


def is_nest(value: Any) -> bool:
    """Return True if a value is a nest: a list, tuple, dict, Container or registered object."""
    return isinstance(value, list | tuple | dict | Nested) or type(value) in REGISTERED


def items(nest: Any) -> list[tuple[Any, Any]]:
    """Return the nodes of a nest with their names: positions or keys."""
    if isinstance(nest, Nested):
        return list(nest._nodes.items())
    if type(nest) in REGISTERED:
        names = REGISTERED[type(nest)].names
        children = taken_apart(nest)
        return list(enumerate(children) if names is None else zip(names, children, strict=True))
    return list(nest.items() if isinstance(nest, dict) else enumerate(nest))


def leaves(nest: Any, nests_too: bool = False, index: Index = ()) -> Iterator[tuple[Index, Any]]:
    """Yield index and value of every leaf in order; with `nests_too` of each nest before them."""
    for name, value in items(nest):
        here = (*index, name)
        if not is_nest(value):
            yield here, value
        else:
            if nests_too:
                yield here, value
            yield from leaves(value, nests_too, here)


def tree_unflatten(nest: Any, nodes: list[tuple[Any, Any]]) -> Any:
    """Build a nest of the same class with other nodes."""
    if isinstance(nest, Nested):
        return type(nest)._of(dict(nodes))
    if type(nest) in REGISTERED:
        flat = taken_apart(nest)
        if len(nodes) != len(flat):
            raise_type_error(
                flat.kind.__qualname__, "children", f"are {len(nodes)} in place of {len(flat)}",
                "replace children of a registered object, without adding or removing some",
            )  # fmt: skip
        return REGISTERED[flat.kind].unflatten(flat.aux, tuple([value for _, value in nodes]))
    if isinstance(nest, tuple):
        values = [value for _, value in nodes]
        if type(nest) is tuple:
            return tuple(values)
        if type(nest) is Flat:
            return Flat.of(nest.kind, nest.aux, values)
        make = getattr(type(nest), "_make", None)
        if make is None:
            return type(nest)(values)
        return make(values) if len(values) == len(nest) else tuple(values)
    if type(nest) is list:
        return [value for _, value in nodes]
    if type(nest) is dict:
        return dict(nodes)
    new = copy.copy(nest)  # keeps what a derived class holds besides, as defaultdict does
    refill(new, nodes)
    return new


def is_fixed(nest: Any) -> bool:
    """Return True for a nest that can't be changed in place: a tuple, or a registered object."""
    return isinstance(nest, tuple) or type(nest) in REGISTERED


def refill(nest: Any, nodes: list[tuple[Any, Any]]) -> None:
    """Give a mutable nest other nodes."""
    if isinstance(nest, Nested):
        values = dict(nodes)
        nest._nodes.clear()
        nest._nodes.update(values)
    elif isinstance(nest, list):
        nest[:] = [value for _, value in nodes]
    else:
        nest.clear()
        for name, value in nodes:
            nest[name] = value


def path_of(function: str, index: Any, argument: str = "index") -> Index:
    """Return an index as a tuple of names; a lone name is an index of one step."""
    if isinstance(index, str | int):
        return (index,)
    if not isinstance(index, Sequence):
        raise_type_error(
            function, argument, f"is a {type(index).__qualname__}, not an index",
            "pass a list or tuple of the keys and positions that lead to the node",
        )  # fmt: skip
    path: list[Any] = list(index)
    if not path:
        raise_argument_error(
            UnifyIndexError, function, argument, "is empty", "pass the way to a node in the nest"
        )
    return tuple(path)


def child(function: str, nest: Any, index: Index, depth: int) -> Any:
    """Return the node of a nest at `index[depth]`."""
    name = index[depth]
    if isinstance(nest, Nested):
        if isinstance(name, str) and name in nest:  # type: ignore[operator]  # a Container has it
            return nest[name]  # type: ignore[index]  # key chains included
    elif isinstance(nest, dict):
        # Asked for first: a dict with defaults would make the node.
        with suppress(TypeError):
            if name in nest:
                return nest[name]
    elif isinstance(nest, list | tuple):
        with suppress(TypeError, IndexError):
            return nest[operator.index(name)]
    elif type(nest) in REGISTERED:
        nodes = dict(items(nest))
        with suppress(TypeError):
            if name in nodes:
                return nodes[name]
    kind: type[UnifyError] = UnifyIndexError if isinstance(nest, list | tuple) else UnifyKeyError
    has = (
        f"the {type(nest).__qualname__} there has {[name for name, _ in items(nest)][:8]}"
        if is_nest(nest)
        else f"there is a {type(nest).__qualname__}, which holds nothing"
    )
    raise_argument_error(
        kind,
        function,
        "index",
        f"{list(index)} leads nowhere after {list(index[:depth])}: {has}",
        "pass the way to a node in the nest",
    )


def canonical(function: str, nest: Any, path: Index) -> Index:
    """Return an index with positions from the front and keys one by one, as `leaves` spells it."""
    steps: list[Any] = []
    for depth, step in enumerate(path):
        inner = child(function, nest, path, depth)
        if isinstance(nest, list | tuple):
            steps.append(range(len(nest))[step])
        elif isinstance(nest, dict) or type(nest) in REGISTERED:
            steps.append(step)
        else:
            steps.extend(step.split("/"))
        nest = inner
    return tuple(steps)


Change = Callable[[Any, Any], list[tuple[Any, Any]]]


def changed(
    function: str, nest: Any, index: Index, change: Change, in_place: bool, depth: int = 0
) -> Any:
    """Return the nest with other nodes where the last step of an index leads.

    `change(nest, name)` gives the new nodes of the innermost nest. With `in_place` the mutable
    nests on the way are changed themselves, and tuples in them replaced.
    """
    if not is_nest(nest):
        child(function, nest, index, depth)  # raises
    if isinstance(nest, Nested):
        index = _keys_apart(function, index, depth)
    if depth == len(index) - 1:
        nodes = change(nest, index[-1])
    else:
        inner = child(function, nest, index, depth)
        made = changed(function, inner, index, change, in_place, depth + 1)
        if made is inner:
            return nest  # it was changed in place
        name = _name(nest, index[depth])
        nodes = [(n, made if n == name else value) for n, value in items(nest)]
    if not in_place:
        return tree_unflatten(nest, nodes)
    if is_fixed(nest):
        if depth == 0:
            raise_fixed_error(function, nest)
        return tree_unflatten(nest, nodes)
    refill(nest, nodes)
    return nest


def raise_fixed_error(function: str, nest: Any) -> NoReturn:
    """Say that a tuple, or a registered object, can't be changed in place."""
    kind = "tuple" if isinstance(nest, tuple) else type(nest).__qualname__
    raise_type_error(
        function, "nest", f"is a {kind}, which can't be changed in place",
        "leave in_place out, and use the nest that is returned",
    )  # fmt: skip


def _keys_apart(function: str, index: Index, depth: int) -> Index:
    """Split the key chain by which an index goes into a Container."""
    name = index[depth]
    if not isinstance(name, str) or not all(name.split("/")):
        raise_type_error(
            function, "index", f"has {name!r} as the key of a Container",
            "use a string, or a key chain like 'a/b'",
        )  # fmt: skip
    return (*index[:depth], *name.split("/"), *index[depth + 1 :])


def _name(nest: Any, name: Any) -> Any:
    """Return the name of a node as `items` spells it."""
    return name + len(nest) if isinstance(nest, list | tuple) and name < 0 else name
