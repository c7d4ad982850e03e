"""Contracts of the nest functions: lists, tuples, dicts and Containers in any nesting.

An index is the way to a node: a list or tuple of positions and keys. Every function returns a new
nest, which shares its leaves and all that isn't on the way to a change with the old one, and leaves
its arguments alone; `in_place=True` changes the given nest instead. Named tuples, and classes
derived of dict or list, stay what they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arrayapi_unify import backends
from arrayapi_unify.binding import standalone
from arrayapi_unify.errors import (
    StructureError,
    UnifyIndexError,
    UnifyTypeError,
    UnifyValueError,
    refuse,
)
from arrayapi_unify.functional import _traversal
from arrayapi_unify.functional._traversal import Change, Index, is_nest, items, path_of, rebuilt

__all__ = [
    "all_nested_indices",
    "copy_nest",
    "duplicate_array_index_chains",
    "index_nest",
    "insert_into_nest_at_index",
    "insert_into_nest_at_indices",
    "map_nest_at_index",
    "map_nest_at_indices",
    "multi_index_nest",
    "nested_any",
    "nested_argwhere",
    "nested_map",
    "nested_multi_map",
    "prune_empty",
    "prune_nest_at_index",
    "prune_nest_at_indices",
    "set_nest_at_index",
    "set_nest_at_indices",
]


def _found(function: str, nest: Any, index: Any) -> Any:
    path = path_of(function, index)
    for depth in range(len(path)):
        nest = _traversal.child(function, nest, path, depth)
    return nest


def _several(function: str, indices: Any, values: Any = None) -> list[Index]:
    """Return several indices as tuples; as many as there are values, where these are given."""
    if isinstance(indices, str) or not isinstance(indices, Sequence):
        refuse(
            UnifyTypeError,
            function,
            "indices",
            f"is a {type(indices).__qualname__}, not a list of indices",
            "pass a list of lists or tuples of keys and positions",
        )
    if values is not None and (isinstance(values, str) or not isinstance(values, Sequence)):
        refuse(
            UnifyTypeError,
            function,
            "values",
            f"is a {type(values).__qualname__}, not a list of values",
            "pass a list with a value for each index",
        )
    if values is not None and len(values) != len(indices):
        refuse(
            UnifyValueError,
            function,
            "values",
            f"holds {len(values)} values for {len(indices)} indices",
            "pass as many values as indices",
        )
    return [path_of(function, index, "indices") for index in indices]


def _all_changed(
    function: str, nest: Any, changes: list[tuple[Index, Change]], in_place: bool
) -> Any:
    """Make one change after the other; where one of them is impossible, none is made."""
    if in_place:
        trial = copy_nest(nest)
        for index, change in changes:
            trial = _traversal.changed(function, trial, index, change, in_place=True)
    for index, change in changes:
        nest = _traversal.changed(function, nest, index, change, in_place)
    return nest


def _set(function: str, value: Any) -> Change:
    def change(nest: Any, name: Any) -> list[tuple[Any, Any]]:
        if isinstance(nest, list | tuple):
            place = _position(function, name, len(nest))
            return [(n, value if n == place else old) for n, old in items(nest)]
        return list({**dict(items(nest)), name: value}.items())

    return change


def _position(function: str, name: Any, size: int) -> int:
    if not isinstance(name, int) or not -size <= name < size:
        refuse(
            UnifyIndexError,
            function,
            "index",
            f"ends at {name!r} in a list or tuple of {size}",
            "use a position in the nest, or insert_into_nest_at_index to add to it",
        )
    return name % size


@standalone
def index_nest(nest: Any, index: Any, /) -> Any:
    """Return the node of a nest at an index.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    index
        The positions and keys that lead to the node.

    Raises
    ------
    UnifyIndexError, UnifyKeyError
        There is no such node; the message says how far the index leads.

    Examples
    --------
    >>> unify.index_nest([1, {"a": (2, 3)}], [1, "a", 0])
    2
    """
    return _found("index_nest", nest, index)


@standalone
def multi_index_nest(nest: Any, indices: Any, /) -> list[Any]:
    """Return the nodes of a nest at several indices, as a list.

    Examples
    --------
    >>> unify.multi_index_nest([1, {"a": (2, 3)}], [[0], [1, "a", 1]])
    [1, 3]
    """
    found = _several("multi_index_nest", indices)
    return [_found("multi_index_nest", nest, index) for index in found]


@standalone
def set_nest_at_index(nest: Any, index: Any, value: Any, /, *, in_place: bool = False) -> Any:
    """Put a value at an index; at a key that isn't there it is added.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    index
        The positions and keys that lead to the node.
    value
        What shall stand there.
    in_place
        Whether the given nest is changed. Tuples on the way are replaced, so a nest that is a
        tuple itself can't be.

    Returns
    -------
    A new nest, or the given one with `in_place`.

    Examples
    --------
    >>> unify.set_nest_at_index([1, {"a": (2, 3)}], [1, "a", 0], 5)
    [1, {'a': (5, 3)}]
    """
    name = "set_nest_at_index"
    return _traversal.changed(name, nest, path_of(name, index), _set(name, value), in_place)


@standalone
def set_nest_at_indices(nest: Any, indices: Any, values: Any, /, *, in_place: bool = False) -> Any:
    """Put a value of its own at each of several indices.

    Where one of them leads nowhere, nothing is changed.

    Examples
    --------
    >>> unify.set_nest_at_indices([1, {"a": (2, 3)}], [[0], [1, "a", 1]], [5, 6])
    [5, {'a': (2, 6)}]
    """
    name = "set_nest_at_indices"
    paths = _several(name, indices, values)
    changes = [(path, _set(name, value)) for path, value in zip(paths, values, strict=True)]
    return _all_changed(name, nest, changes, in_place)


def _inserted(function: str, value: Any) -> Change:
    def change(nest: Any, name: Any) -> list[tuple[Any, Any]]:
        if isinstance(nest, list | tuple) and isinstance(name, int):
            values = [old for _, old in items(nest)]
            values.insert(name, value)
            return list(enumerate(values))
        return _set(function, value)(nest, name)

    return change


@standalone
def insert_into_nest_at_index(
    nest: Any, index: Any, value: Any, /, *, in_place: bool = False
) -> Any:
    """Insert a value in front of a position of a list or tuple; set the key of a dict.

    A position beyond the end appends. A named tuple that gets longer becomes a plain tuple.

    Examples
    --------
    >>> unify.insert_into_nest_at_index([1, {"a": (2, 3)}], [1, "a", 1], 5)
    [1, {'a': (2, 5, 3)}]
    """
    name = "insert_into_nest_at_index"
    return _traversal.changed(name, nest, path_of(name, index), _inserted(name, value), in_place)


@standalone
def insert_into_nest_at_indices(
    nest: Any, indices: Any, values: Any, /, *, in_place: bool = False
) -> Any:
    """Insert values one after the other, each in front of the position as it then is.

    Where one of the indices leads nowhere, nothing is changed.

    Examples
    --------
    >>> unify.insert_into_nest_at_indices([1, 2], [[0], [1]], [5, 6])
    [5, 6, 1, 2]
    """
    name = "insert_into_nest_at_indices"
    paths = _several(name, indices, values)
    changes = [(path, _inserted(name, value)) for path, value in zip(paths, values, strict=True)]
    return _all_changed(name, nest, changes, in_place)


def _pruned(function: str, path: Index) -> Change:
    def change(nest: Any, name: Any) -> list[tuple[Any, Any]]:
        _traversal.child(function, nest, (*path[:-1], name), len(path) - 1)  # raises where it isn't
        gone = name % len(nest) if isinstance(nest, list | tuple) else name
        return [(n, value) for n, value in items(nest) if n != gone]

    return change


@standalone
def prune_nest_at_index(nest: Any, index: Any, /, *, in_place: bool = False) -> Any:
    """Take the node at an index out of a nest; what comes behind it moves up.

    A named tuple that gets shorter becomes a plain tuple.

    Examples
    --------
    >>> unify.prune_nest_at_index([1, {"a": (2, 3)}], [1, "a", 0])
    [1, {'a': (3,)}]
    """
    name = "prune_nest_at_index"
    path = path_of(name, index)
    return _traversal.changed(name, nest, path, _pruned(name, path), in_place)


@standalone
def prune_nest_at_indices(nest: Any, indices: Any, /, *, in_place: bool = False) -> Any:
    """Take the nodes at several indices out; the indices are those of the nest as it is given.

    Where one of them leads nowhere, nothing is changed.

    Examples
    --------
    >>> unify.prune_nest_at_indices([1, 2, {"a": 3, "b": 4}], [[0], [2, "a"], [1]])
    [{'b': 4}]
    """
    name = "prune_nest_at_indices"
    paths = {_canonical(name, nest, path) for path in _several(name, indices)}
    # From behind, so that no removal moves what is still to be removed.
    order = [index for index, _ in _traversal.leaves(nest, nests_too=True)]
    last_first = sorted(paths, key=order.index, reverse=True)
    changes = [(path, _pruned(name, path)) for path in last_first]
    return _all_changed(name, nest, changes, in_place)


def _canonical(function: str, nest: Any, path: Index) -> Index:
    """Return an index with positions from the front and keys one by one, as `leaves` spells it."""
    steps: list[Any] = []
    for depth, step in enumerate(path):
        inner = _traversal.child(function, nest, path, depth)
        if isinstance(nest, list | tuple):
            steps.append(range(len(nest))[step])
        elif isinstance(nest, dict):
            steps.append(step)
        else:
            steps.extend(step.split("/"))
        nest = inner
    return tuple(steps)


def _mapped(function: str, nest: Any, path: Index, fn: Callable[[Any], Any]) -> Change:
    return _set(function, fn(_found(function, nest, path)))


@standalone
def map_nest_at_index(
    nest: Any, index: Any, fn: Callable[[Any], Any], /, *, in_place: bool = False
) -> Any:
    """Put `fn(node)` in the place of the node at an index.

    Examples
    --------
    >>> unify.map_nest_at_index([1, {"a": (2, 3)}], [1, "a"], sum)
    [1, {'a': 5}]
    """
    name = "map_nest_at_index"
    path = path_of(name, index)
    return _traversal.changed(name, nest, path, _mapped(name, nest, path, fn), in_place)


@standalone
def map_nest_at_indices(
    nest: Any, indices: Any, fn: Callable[[Any], Any], /, *, in_place: bool = False
) -> Any:
    """Put `fn(node)` in the place of the node at each of several indices.

    All are computed before any is put in its place.

    Examples
    --------
    >>> unify.map_nest_at_indices([1, {"a": (2, 3)}], [[0], [1, "a", 1]], lambda x: -x)
    [-1, {'a': (2, -3)}]
    """
    name = "map_nest_at_indices"
    changes = [(path, _mapped(name, nest, path, fn)) for path in _several(name, indices)]
    return _all_changed(name, nest, changes, in_place)


@standalone
def nested_map(fn: Callable[[Any], Any], nest: Any, /, *, in_place: bool = False) -> Any:
    """Return the nest of `fn(leaf)` at each leaf; a lone leaf is mapped itself.

    Parameters
    ----------
    fn
        Function of one leaf.
    nest
        Lists, tuples, dicts and Containers in any nesting.
    in_place
        Whether the given nest is changed, once all results are there.

    Examples
    --------
    >>> unify.nested_map(lambda x: x + 1, [1, {"a": (2, 3)}])
    [2, {'a': (3, 4)}]
    """
    if in_place and isinstance(nest, tuple):
        _traversal.refuse_tuple("nested_map")
    made = _map(fn, nest)
    return _overwritten(nest, made) if in_place else made


def _overwritten(nest: Any, made: Any) -> Any:
    """Return the nest with the leaves of another one, changed in place where it can be."""
    if not is_nest(nest):
        return made
    pairs = zip(items(nest), items(made), strict=True)
    nodes = [(name, _overwritten(old, new)) for (name, old), (_, new) in pairs]
    if isinstance(nest, tuple):
        return rebuilt(nest, nodes)
    _traversal.refill(nest, nodes)
    return nest


def _map(fn: Callable[[Any], Any], nest: Any) -> Any:
    if not is_nest(nest):
        return fn(nest)
    return rebuilt(nest, [(name, _map(fn, value)) for name, value in items(nest)])


@standalone
def nested_multi_map(fn: Callable[[list[Any], list[Any]], Any], nests: Any, /) -> Any:
    """Return the nest of `fn(leaves, index)`, called with the leaves of several nests at an index.

    Parameters
    ----------
    fn
        Function of the list of leaves, one of each nest, and of their index.
    nests
        List of nests of one structure. The result has the classes of the first one.

    Raises
    ------
    StructureError
        The nests differ in structure; the message names the index.

    Examples
    --------
    >>> unify.nested_multi_map(lambda xs, index: sum(xs), [[1, {"a": 2}], [3, {"a": 4}]])
    [4, {'a': 6}]
    """
    if not isinstance(nests, list | tuple) or not nests:
        refuse(
            UnifyTypeError,
            "nested_multi_map",
            "nests",
            "is no list of nests, or an empty one",
            "pass a list of at least one nest",
        )
    return _multi_map(fn, list(nests), ())


def _multi_map(fn: Callable[[list[Any], list[Any]], Any], nests: list[Any], index: Index) -> Any:
    first = nests[0]
    if not any(map(is_nest, nests)):
        return fn(nests, list(index))
    names = [dict(items(nest)) if is_nest(nest) else None for nest in nests]
    for nodes in names:
        if nodes is None or names[0] is None or nodes.keys() != names[0].keys():
            shown = [list(n) if n is not None else "a leaf" for n in names]
            raise StructureError(
                f"nested_multi_map: argument 'nests': the nests differ at the index "
                f"{list(index)}: {shown[:8]}; pass nests of one structure"
            )
    parts = [
        (
            name,
            _multi_map(fn, [nodes[name] for nodes in names if nodes is not None], (*index, name)),
        )
        for name, _ in items(first)
    ]
    return rebuilt(first, parts)


@standalone
def nested_any(nest: Any, fn: Callable[[Any], bool], /, *, check_nests: bool = False) -> bool:
    """Say whether `fn` is true of any leaf, or with `check_nests` of any nest within either.

    Examples
    --------
    >>> unify.nested_any([1, {"a": (2, 3)}], lambda x: x > 2)
    True
    """
    if not is_nest(nest):
        return bool(fn(nest))
    return any(fn(value) for _, value in _traversal.leaves(nest, check_nests))


@standalone
def nested_argwhere(
    nest: Any,
    fn: Callable[[Any], bool],
    /,
    *,
    check_nests: bool = False,
    stop_after_n_found: int | None = None,
) -> list[list[Any]]:
    """Return the indices of the leaves of which `fn` is true, in order.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    fn
        Test of one leaf.
    check_nests
        Whether nests are tested too, each before what is in it.
    stop_after_n_found
        After how many the search ends.

    Examples
    --------
    >>> unify.nested_argwhere([1, {"a": (2, 3)}], lambda x: x > 1)
    [[1, 'a', 0], [1, 'a', 1]]
    """
    found: list[list[Any]] = []
    for index, value in _traversal.leaves(nest, check_nests) if is_nest(nest) else ():
        if stop_after_n_found is not None and len(found) >= stop_after_n_found:
            break
        if fn(value):
            found.append(list(index))
    return found


@standalone
def all_nested_indices(nest: Any, /, *, include_nests: bool = False) -> list[list[Any]]:
    """Return the indices of all leaves, in order; with `include_nests` those of nests before them.

    Examples
    --------
    >>> unify.all_nested_indices([1, {"a": (2, 3)}])
    [[0], [1, 'a', 0], [1, 'a', 1]]
    """
    if not is_nest(nest):
        return []
    return [list(index) for index, _ in _traversal.leaves(nest, include_nests)]


@standalone
def copy_nest(nest: Any, /, *, to_mutable: bool = False) -> Any:
    """Return a copy of the nest's structure with the same leaves.

    With `to_mutable`, tuples become lists, so that all of the copy can be changed in place.

    Examples
    --------
    >>> unify.copy_nest([1, {"a": (2, 3)}], to_mutable=True)
    [1, {'a': [2, 3]}]
    """
    if not is_nest(nest):
        return nest
    nodes = [(name, copy_nest(value, to_mutable=to_mutable)) for name, value in items(nest)]
    if to_mutable and isinstance(nest, tuple):
        return [value for _, value in nodes]
    return rebuilt(nest, nodes)


@standalone
def prune_empty(nest: Any, /, *, keep_nones: bool = False) -> Any:
    """Return the nest without empty nests and, unless `keep_nones`, without None.

    A nest that holds nothing else is empty too. The outermost one stays, even if nothing is left.

    Examples
    --------
    >>> unify.prune_empty([1, {"a": (), "b": None}, [[]], {"c": 2}])
    [1, {'c': 2}]
    """
    if not is_nest(nest):
        return nest
    pruned = [(name, prune_empty(value, keep_nones=keep_nones)) for name, value in items(nest)]
    kept = [
        (name, value)
        for name, value in pruned
        if not (is_nest(value) and not items(value)) and (keep_nones or value is not None)
    ]
    return rebuilt(nest, kept)


@standalone
def duplicate_array_index_chains(nest: Any, /) -> list[list[list[Any]]]:
    """Return the indices of arrays that are several times in a nest, grouped by array.

    Arrays are the same where they are one object, or wrap one native array.

    Examples
    --------
    >>> x = unify.array([1, 2])
    >>> unify.duplicate_array_index_chains([x, {"a": x, "b": unify.array([1, 2])}])
    [[[0], [1, 'a']]]
    """
    groups: dict[int, list[list[Any]]] = {}
    for index, value in _traversal.leaves(nest) if is_nest(nest) else ():
        if backends.name_of(value) is not None:
            groups.setdefault(id(getattr(value, "_data", value)), []).append(list(index))
    return [group for group in groups.values() if len(group) > 1]
