"""Tree map over several Containers: their common structure, leaf by leaf.

Levels without nested nests are mapped by `map` and `zip` only, so that a call on a thousand leaves
costs as much as a loop over a dict.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn

from arrayapi_unify._core.container_base import LEAF_TYPES, Nested, say_where
from arrayapi_unify.array_object import Array
from arrayapi_unify.errors import StructureError
from arrayapi_unify.rendering.functions import SCALAR_TYPES

__all__ = ["SEPARATOR", "key_chain_of", "leaves_with_path", "replace_leaves", "tree_map"]

SEPARATOR = "/"
Path = tuple[str, ...]
Function = Callable[..., Any]


def key_chain_of(path: Iterable[str]) -> str:
    """Render a path of keys as a key chain."""
    return SEPARATOR.join(path)


def leaves_with_path(nested: Nested, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the path and the value of every leaf."""
    for key, value in nested._nodes.items():
        if isinstance(value, Nested):
            yield from leaves_with_path(value, (*path, key))
        else:
            yield (*path, key), value


def tree_map(
    values: Sequence[Any],
    function: Function,
    fast_function: Function | None = None,
    deepest: int | None = None,
    path: Path = (),
) -> Any:
    """Call `function` with each row of leaves; return a nest of the first Container's class.

    The values include Containers of compatible structure. A leaf of a shallower Container is
    combined with every leaf below its place, and a value that isn't a Container with every leaf.
    `fast_function` replaces `function` on levels with only Arrays and Python scalars. `deepest` is
    the index of a Container that must be as deep as the others everywhere, because each leaf is
    written once.
    """
    first: Any = None
    keys: Any = ()
    kinds: set[type] = set()
    columns: list[Iterable[Any]] = []
    for value in values:
        if not isinstance(value, Nested):
            kinds.add(type(value))
            columns.append(itertools.repeat(value))
            continue
        nodes = value._nodes
        if first is None:
            first, keys = value, nodes.keys()
            columns.append(nodes.values())
        elif nodes.keys() == keys:
            columns.append(map(nodes.__getitem__, keys))
        else:
            _differ(first, value, path)
        kinds.update(map(type, nodes.values()))
    if deepest is not None and not isinstance(values[deepest], Nested):
        _too_shallow(first, path)
    ranks = {_RANKS.get(kind) or _rank(kind) for kind in kinds}
    if _NEST in ranks:
        return first._of(_rows(keys, columns, (function, fast_function, deepest, path)))
    quick = fast_function if fast_function is not None and _OTHER not in ranks else function
    return first._of(_leaves(quick, keys, columns, path))


def _leaves(
    function: Function, keys: Iterable[str], columns: list[Iterable[Any]], path: Path
) -> dict[str, Any]:
    """Map over a level with leaves only."""
    results: dict[str, Any] = {}
    try:
        results.update(zip(keys, map(function, *columns), strict=True))
    except Exception as error:
        # The results before the failure exist, so the next key is the one that failed.
        failed = next(itertools.islice(keys, len(results), None), "?")
        say_where(error, key_chain_of((*path, failed)))
        raise
    return results


def _rows(
    keys: Iterable[str],
    columns: list[Iterable[Any]],
    options: tuple[Function, Function | None, int | None, Path],
) -> dict[str, Any]:
    """Map over a level with nested nests."""
    function, fast_function, deepest, path = options
    results: dict[str, Any] = {}
    for key, row in zip(keys, zip(*columns, strict=False), strict=True):
        ranks = [_rank(type(value)) for value in row]
        if _NEST in ranks:
            results[key] = tree_map(row, function, fast_function, deepest, (*path, key))
        else:
            quick = fast_function if fast_function is not None and _OTHER not in ranks else function
            results |= _leaves(quick, (key,), [[value] for value in row], path)
    return results


# The rank of a class in a tree map: a nest, a leaf for which Python's operators and the functions
# agree, or any other leaf.
_NEST, _SIMPLE, _OTHER = 1, 2, 3
_RANKS: dict[type, int] = dict.fromkeys(SCALAR_TYPES, _SIMPLE)
LEAF_TYPES.update(SCALAR_TYPES)


def _rank(kind: type) -> int:
    rank = _RANKS.get(kind)
    if rank is None:
        rank = _NEST if issubclass(kind, Nested) else _SIMPLE if issubclass(kind, Array) else _OTHER
        if rank != _OTHER:  # other classes aren't kept alive, because their number is unlimited
            _RANKS[kind] = rank
        if rank == _SIMPLE:
            LEAF_TYPES.add(kind)
    return rank


def _listed(keys: Iterable[str], path: Path) -> str:
    names = [repr(key_chain_of((*path, key))) for key in keys]
    shown = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    return shown or "none"


def _differ(first: Nested, other: Nested, path: Path) -> NoReturn:
    ours, theirs = first._nodes.keys(), other._nodes.keys()
    where = f"under the key chain {key_chain_of(path)!r}" if path else "at the top"
    raise StructureError(
        f"the Containers of a call don't share their structure {where}: one has the key chains "
        f"{_listed(ours, path)}, the other {_listed(theirs, path)} (only in the one: "
        f"{_listed([k for k in ours if k not in theirs], path)}; only in the other: "
        f"{_listed([k for k in theirs if k not in ours], path)}); give both the same keys, or a "
        f"leaf in place of all that is below it"
    )


def _too_shallow(deeper: Nested, path: Path) -> NoReturn:
    raise StructureError(
        f"what is written to has one leaf at the key chain {key_chain_of(path)!r}, where another "
        f"argument has the key chains {_listed(deeper._nodes, path)}; write to a Container as "
        f"deep as the others"
    )


def replace_leaves(target: Nested, source: Nested) -> None:
    """Copy the leaves of `source` into `target`, which has at least the same keys, in place."""
    for key, value in source._nodes.items():
        node = target._nodes[key]
        if isinstance(value, Nested) and isinstance(node, Nested):
            replace_leaves(node, value)
        else:
            target._nodes[key] = value
