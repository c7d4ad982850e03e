"""Contracts of the nest functions: lists, tuples, dicts and Containers in any nesting.

An index is the way to a node: a list or tuple of positions and keys. Every function returns a new
nest, which shares its leaves and all that isn't on the way to a change with the old one, and leaves
its arguments alone; `in_place=True` changes the given nest instead. Named tuples, and classes
derived of dict or list, stay what they are.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any

from arrayapi_unify import backends
from arrayapi_unify._core.container_base import Nested
from arrayapi_unify._core.registered import REGISTERED, Registration, fields_of, tell
from arrayapi_unify.binding import standalone
from arrayapi_unify.errors import (
    StructureError,
    UnifyIndexError,
    describe,
    raise_argument_error,
    raise_type_error,
    raise_value_error,
)
from arrayapi_unify.functional import _traversal
from arrayapi_unify.functional._traversal import (
    Change,
    Index,
    is_nest,
    items,
    path_of,
    tree_unflatten,
)


def _found(function: str, nest: Any, index: Any) -> Any:
    path = path_of(function, index)
    for depth in range(len(path)):
        nest = _traversal.child(function, nest, path, depth)
    return nest


def _several(function: str, indices: Any, values: Any = None) -> list[Index]:
    """Return several indices as tuples; as many as there are values, where these are given."""
    if isinstance(indices, str) or not isinstance(indices, Sequence):
        raise_type_error(
            function, "indices", f"is a {type(indices).__qualname__}, not a list of indices",
            "pass a list of lists or tuples of keys and positions",
        )  # fmt: skip
    if values is not None and (isinstance(values, str) or not isinstance(values, Sequence)):
        raise_type_error(
            function, "values", f"is a {type(values).__qualname__}, not a list of values",
            "pass a list with a value for each index",
        )  # fmt: skip
    if values is not None and len(values) != len(indices):
        raise_value_error(
            function, "values", f"holds {len(values)} values for {len(indices)} indices",
            "pass as many values as indices",
        )  # fmt: skip
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
        raise_argument_error(
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
        List or tuple of the positions and keys that lead to the node. A single one may stand by
        itself.

    Returns
    -------
    The node: a leaf, or a nest.

    Raises
    ------
    UnifyTypeError
        If `index` is something else.
    UnifyIndexError, UnifyKeyError
        If the index doesn't lead to a node; the message says how far it leads.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.index_nest([1, {"a": (2, 3)}], [1, "a", 0])
    2
    """
    return _found("index_nest", nest, index)


@standalone
def multi_index_nest(nest: Any, indices: Any, /) -> list[Any]:
    """Return the nodes of a nest at several indices, as a list.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    indices
        List of indices, each as `index_nest` takes it.

    Returns
    -------
    The nodes.

    Raises
    ------
    UnifyTypeError
        If `indices` is something else.
    UnifyIndexError, UnifyKeyError
        If an index doesn't lead to a node; the message says how far it leads.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.multi_index_nest([1, {"a": (2, 3)}], [[0], [1, "a", 1]])
    [1, 3]
    """
    found = _several("multi_index_nest", indices)
    return [_found("multi_index_nest", nest, index) for index in found]


@standalone
def set_nest_at_index(nest: Any, index: Any, value: Any, /, *, in_place: bool = False) -> Any:
    """Replace the node at an index by a value.

    A key that a dict doesn't have is added to it.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    index
        List or tuple of the positions and keys that lead to the node. A single one may stand by
        itself.
    value
        The new node.
    in_place
        If True, the nest itself is changed, and tuples in it are replaced. A nest that is a tuple
        itself can't be changed.

    Returns
    -------
    A new nest, or the given one with `in_place`.

    Raises
    ------
    UnifyTypeError
        If `index` is something else, or if `in_place` is true and the nest is a tuple.
    UnifyIndexError, UnifyKeyError
        If the index leads nowhere. Its last step may be a new key of a dict.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.set_nest_at_index([1, {"a": (2, 3)}], [1, "a", 0], 5)
    [1, {'a': (5, 3)}]
    """
    name = "set_nest_at_index"
    return _traversal.changed(name, nest, path_of(name, index), _set(name, value), in_place)


@standalone
def set_nest_at_indices(nest: Any, indices: Any, values: Any, /, *, in_place: bool = False) -> Any:
    """Replace the node at each of several indices by a value of its own.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    indices
        List of indices, each as `index_nest` takes it.
    values
        The new nodes, one for each index.
    in_place
        If True, the nest itself is changed, and tuples in it are replaced. A nest that is a tuple
        itself can't be changed.

    Returns
    -------
    A new nest, or the given one with `in_place`.

    Raises
    ------
    UnifyTypeError
        If `indices` is something else, or if `in_place` is true and the nest is a tuple.
    UnifyValueError
        If there are more or fewer values than indices.
    UnifyIndexError, UnifyKeyError
        If an index doesn't lead to a node; nothing is changed then.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

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
    """Insert a value before a position of a list or tuple, or set a key of a dict.

    A named tuple that gets longer becomes a plain tuple.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    index
        List or tuple of the positions and keys that lead to the node. A single one may stand by
        itself. The last position may be beyond the end, which appends.
    value
        The new node.
    in_place
        If True, the nest itself is changed, and tuples in it are replaced. A nest that is a tuple
        itself can't be changed.

    Returns
    -------
    A new nest, or the given one with `in_place`.

    Raises
    ------
    UnifyTypeError
        If `index` is something else, or if `in_place` is true and the nest is a tuple.
    UnifyIndexError, UnifyKeyError
        If the index leads nowhere.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

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
    """Insert values one after the other, as `insert_into_nest_at_index` does.

    Each index counts in the nest as the insertions before it have made it.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    indices
        List of indices, each as `index_nest` takes it.
    values
        The new nodes, one for each index.
    in_place
        If True, the nest itself is changed, and tuples in it are replaced. A nest that is a tuple
        itself can't be changed.

    Returns
    -------
    A new nest, or the given one with `in_place`.

    Raises
    ------
    UnifyTypeError
        If `indices` is something else, or if `in_place` is true and the nest is a tuple.
    UnifyValueError
        If there are more or fewer values than indices.
    UnifyIndexError, UnifyKeyError
        If an index doesn't lead to a node; nothing is changed then.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

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
    """Remove the node at an index from a nest.

    The nodes behind it move up. A named tuple that gets shorter becomes a plain tuple.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    index
        List or tuple of the positions and keys that lead to the node. A single one may stand by
        itself.
    in_place
        If True, the nest itself is changed, and tuples in it are replaced. A nest that is a tuple
        itself can't be changed.

    Returns
    -------
    A new nest, or the given one with `in_place`.

    Raises
    ------
    UnifyTypeError
        If `index` is something else, or if `in_place` is true and the nest is a tuple.
    UnifyIndexError, UnifyKeyError
        If the index doesn't lead to a node; the message says how far it leads.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

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
    """Remove the nodes at several indices from a nest.

    All indices count in the nest as it is given.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    indices
        List of indices, each as `index_nest` takes it.
    in_place
        If True, the nest itself is changed, and tuples in it are replaced. A nest that is a tuple
        itself can't be changed.

    Returns
    -------
    A new nest, or the given one with `in_place`.

    Raises
    ------
    UnifyTypeError
        If `indices` is something else, or if `in_place` is true and the nest is a tuple.
    UnifyIndexError, UnifyKeyError
        If an index doesn't lead to a node; nothing is changed then.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.prune_nest_at_indices([1, 2, {"a": 3, "b": 4}], [[0], [2, "a"], [1]])
    [{'b': 4}]
    """
    name = "prune_nest_at_indices"
    paths = {_traversal.canonical(name, nest, path) for path in _several(name, indices)}
    # From behind, so that no removal moves what is still to be removed.
    order = [index for index, _ in _traversal.leaves(nest, nests_too=True)]
    last_first = sorted(paths, key=order.index, reverse=True)
    changes = [(path, _pruned(name, path)) for path in last_first]
    return _all_changed(name, nest, changes, in_place)


def _mapped(function: str, nest: Any, path: Index, fn: Callable[[Any], Any]) -> Change:
    return _set(function, fn(_found(function, nest, path)))


@standalone
def map_nest_at_index(
    nest: Any, index: Any, fn: Callable[[Any], Any], /, *, in_place: bool = False
) -> Any:
    """Replace the node at an index by ``fn(node)``.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    index
        List or tuple of the positions and keys that lead to the node. A single one may stand by
        itself.
    fn
        Function of the node.
    in_place
        If True, the nest itself is changed, and tuples in it are replaced. A nest that is a tuple
        itself can't be changed.

    Returns
    -------
    A new nest, or the given one with `in_place`.

    Raises
    ------
    UnifyTypeError
        If `index` is something else, or if `in_place` is true and the nest is a tuple.
    UnifyIndexError, UnifyKeyError
        If the index doesn't lead to a node; the message says how far it leads.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

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
    """Replace the node at each of several indices by ``fn(node)``.

    The function is called for all nodes before any is replaced.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    indices
        List of indices, each as `index_nest` takes it.
    fn
        Function of a node.
    in_place
        If True, the nest itself is changed, and tuples in it are replaced. A nest that is a tuple
        itself can't be changed.

    Returns
    -------
    A new nest, or the given one with `in_place`.

    Raises
    ------
    UnifyTypeError
        If `indices` is something else, or if `in_place` is true and the nest is a tuple.
    UnifyIndexError, UnifyKeyError
        If an index doesn't lead to a node; nothing is changed then.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

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
    """Replace each leaf of a nest by ``fn(leaf)``.

    Parameters
    ----------
    fn
        Function of a leaf.
    nest
        Lists, tuples, dicts and Containers in any nesting. A leaf is mapped itself.
    in_place
        If True, the nest itself is changed, after all results are computed. A nest that is a tuple
        can't be changed.

    Returns
    -------
    The nest of the results.

    Raises
    ------
    UnifyTypeError
        If `in_place` is true and the nest is a tuple.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.nested_map(lambda x: x + 1, [1, {"a": (2, 3)}])
    [2, {'a': (3, 4)}]
    """
    if in_place and _traversal.is_fixed(nest):
        _traversal.raise_fixed_error("nested_map", nest)
    made = _map(fn, nest)
    return _overwritten(nest, made) if in_place else made


def _overwritten(nest: Any, made: Any) -> Any:
    """Return the nest with the leaves of another one, changed in place where it can be."""
    if not is_nest(nest):
        return made
    pairs = zip(items(nest), items(made), strict=True)
    nodes = [(name, _overwritten(old, new)) for (name, old), (_, new) in pairs]
    if _traversal.is_fixed(nest):
        return tree_unflatten(nest, nodes)
    _traversal.refill(nest, nodes)
    return nest


def _map(fn: Callable[[Any], Any], nest: Any) -> Any:
    if not is_nest(nest):
        return fn(nest)
    return tree_unflatten(nest, [(name, _map(fn, value)) for name, value in items(nest)])


@standalone
def nested_multi_map(fn: Callable[[list[Any], list[Any]], Any], nests: Any, /) -> Any:
    """Map the leaves that several nests have at the same index: ``fn(leaves, index)``.

    Parameters
    ----------
    fn
        Function of a list of leaves, one from each nest, and of their index.
    nests
        List of nests with the same structure.

    Returns
    -------
    The nest of the results. Its nests are of the classes in the first one.

    Raises
    ------
    UnifyTypeError
        If `nests` is no list of at least one nest.
    StructureError
        If the nests differ in structure; the message names the index.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

    Examples
    --------
    >>> unify.nested_multi_map(lambda xs, index: sum(xs), [[1, {"a": 2}], [3, {"a": 4}]])
    [4, {'a': 6}]
    """
    if not isinstance(nests, list | tuple) or not nests:
        raise_type_error(
            "nested_multi_map", "nests", "is no list of nests, or an empty one",
            "pass a list of at least one nest",
        )  # fmt: skip
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
    return tree_unflatten(first, parts)


@standalone
def nested_any(nest: Any, fn: Callable[[Any], bool], /, *, check_nests: bool = False) -> bool:
    """Return True if a test is true of at least one leaf.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    fn
        Test of a leaf.
    check_nests
        If True, nests inside the nest are tested as well.

    Returns
    -------
    True or False.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

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
    """Return the indices of the leaves of which a test is true.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    fn
        Test of a leaf.
    check_nests
        If True, nests inside the nest are tested as well. A nest comes before what is in it.
    stop_after_n_found
        The search ends after this many indices. By default it doesn't end before.

    Returns
    -------
    The indices in order.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

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
    """Return the indices of all leaves.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    include_nests
        If True, nests inside the nest count as well. A nest comes before what is in it.

    Returns
    -------
    The indices in order.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

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
    """Copy the structure of a nest.

    The leaves themselves aren't copied.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    to_mutable
        If True, tuples become lists, so that all of the copy can be changed in place.

    Returns
    -------
    The copy.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

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
    return tree_unflatten(nest, nodes)


@standalone
def prune_empty(nest: Any, /, *, keep_nones: bool = False) -> Any:
    """Remove empty nests and None from a nest.

    A nest that holds nothing else counts as empty, too.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.
    keep_nones
        If True, None remains.

    Returns
    -------
    The nest without those. The outermost nest stays, even if nothing is left in it.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

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
    return tree_unflatten(nest, kept)


@standalone
def duplicate_array_index_chains(nest: Any, /) -> list[list[list[Any]]]:
    """Return the indices of arrays that occur several times in a nest.

    Two arrays are the same if they are one object, or wrap the same native array.

    Parameters
    ----------
    nest
        Lists, tuples, dicts and Containers in any nesting.

    Returns
    -------
    The indices, in one list for each array.

    References
    ----------
    B9: standalone functions (docs/behaviours.md).

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


@standalone
def register_nest(
    cls: Any,
    flatten: Callable[[Any], tuple[Any, Any]] | None = None,
    unflatten: Callable[[Any, Any], Any] | None = None,
    /,
) -> Any:
    """Make nests of the objects of a class, for every function that takes nests.

    A transformation, such as `unify.compile`, `vmap` or `grad`, gives a function objects of the
    class around the arrays that it traces, so that its overrides hold there. A derivative has the
    class as well.

    Parameters
    ----------
    cls
        Class whose objects are nests; classes derived of it aren't.
    flatten
        Function of an object that returns a tuple of its children and everything else, as for
        `jax.tree_util.register_pytree_node`. Children are arrays, other leaves, or nests. The rest
        is hashable, and fixed in a compiled function. By default the method `tree_flatten` of the
        class, else the registration of JAX or PyTorch, if one of these is imported and knows it.
    unflatten
        Function of the rest and a tuple of children that returns an object. Children may be None
        or anything else that stands for an array; so it checks and converts nothing. By default the
        class method `tree_unflatten`, else the function of the same registration.

    Returns
    -------
    The class, so that this is a decorator too.

    Raises
    ------
    UnifyTypeError
        If `cls` is no class, or is a nest already, or if there is nothing in place of a function
        that isn't given.

    Notes
    -----
    JAX, PyTorch and TensorFlow take the objects as well: an imported library at once, another one
    when its backend is first used. A class that one of them knows already keeps its registration
    there. A class that is registered again has the functions of the last call.

    References
    ----------
    B73: overrides in transformations (docs/behaviours.md).

    Examples
    --------
    >>> class Celsius:
    ...     def __init__(self, degrees):
    ...         self.degrees = degrees
    >>> _ = unify.register_nest(
    ...     Celsius, lambda x: ((x.degrees,), None), lambda rest, children: Celsius(*children)
    ... )
    >>> warmer = unify.vmap(lambda x: Celsius(x.degrees + 1.0))
    >>> warmer(Celsius(unify.asarray([20.0, 30.0]))).degrees
    unify.array([21., 31.])
    """
    _check_class("register_nest", cls)
    found: tuple[Any, ...] = tuple(
        given if given is not None else getattr(cls, method, None)
        for given, method in ((flatten, "tree_flatten"), (unflatten, "tree_unflatten"))
    )
    looked = flatten is None and unflatten is None and None in found
    if looked:
        known = (backends.load(name).node_of(cls) for name in backends.present())
        found = next(filter(None, known), found)
    for argument, one in zip(("flatten", "unflatten"), found, strict=True):
        if not callable(one):
            raise_type_error(
                "register_nest", argument,
                f"is {'missing' if one is None else describe(one)}, and {cls.__qualname__} has no "
                f"method tree_{argument}" + ", nor functions of an imported library" * looked,
                "pass functions, or write both methods",
            )  # fmt: skip
    _register(cls, Registration(*found))
    return cls


@standalone
def register_dataclass(
    cls: Any,
    data_fields: Sequence[str] | None = None,
    meta_fields: Sequence[str] | None = None,
    /,
) -> Any:
    """Make nests of the objects of a dataclass, as `register_nest` does.

    Parameters
    ----------
    cls
        Dataclass; a derived class isn't registered with it.
    data_fields
        Names of the fields with arrays or nests of them.
    meta_fields
        Names of the other fields, whose values are hashable, and fixed in a compiled function. By
        default those with `field(metadata={"static": True})`, and `data_fields` are the others, as
        for `jax.tree_util.register_dataclass`. Fields with `init=False` are in neither.

    Returns
    -------
    The class, so that this is a decorator too.

    Raises
    ------
    UnifyTypeError
        If `cls` is no dataclass, or one of the names is missing beside the other.
    UnifyValueError
        If a field is named twice or not at all.

    References
    ----------
    B73: overrides in transformations (docs/behaviours.md).

    Examples
    --------
    >>> import dataclasses
    >>> @unify.register_dataclass
    ... @dataclasses.dataclass
    ... class Line:
    ...     slope: unify.Array
    ...     name: str = dataclasses.field(default="", metadata={"static": True})
    >>> square = lambda line: line.slope**2
    >>> unify.grad(square, via="torch")(Line(unify.asarray(3.0), "a"))
    Line(slope=unify.array(6.), name='a')
    """
    data, meta = fields_of(cls, data_fields, meta_fields)
    _check_class("register_dataclass", cls)

    def flatten(x: Any) -> tuple[Any, Any]:
        return [getattr(x, name) for name in data], tuple([getattr(x, name) for name in meta])

    def unflatten(rest: Any, children: Any) -> Any:
        return cls(**dict(zip(data, children, strict=True)), **dict(zip(meta, rest, strict=True)))

    _register(cls, Registration(flatten, unflatten, data))
    return cls


def _check_class(function: str, cls: Any) -> None:
    if not isinstance(cls, type):
        raise_type_error(function, "cls", f"is {describe(cls)}", "pass a class")
    if issubclass(cls, Nested) or getattr(builtins, cls.__name__, None) is cls:
        raise_type_error(
            function, "cls", f"is {cls.__qualname__}, which can't be registered",
            "pass a class of your own",
        )  # fmt: skip


def _register(cls: Any, registration: Registration) -> None:
    """Register a class, with the libraries that are imported too."""
    REGISTERED[cls] = registration
    for name in backends.present():
        tell(cls, backends.load(name).register_node)
