"""Walking several Containers at once: the structure that they share, leaf by leaf.

Levels without a nest inside are walked by `map` and `zip` alone, so that a call on a thousand
leaves costs what a loop over a dict costs.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NoReturn

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding.codegen import SCALAR_TYPES
from arrayapi_unify.errors import StructureError
from arrayapi_unify.nesting import Nested

__all__ = ["SEPARATOR", "chain", "chains", "replace_leaves", "walk"]

SEPARATOR = "/"
Path = tuple[str, ...]


def chain(path: Iterable[str]) -> str:
    """Spell a path of keys as a key chain."""
    return SEPARATOR.join(path)


def chains(nested: Nested, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield the path and the value of every leaf."""
    for key, value in nested._nodes.items():
        if isinstance(value, Nested):
            yield from chains(value, (*path, key))
        else:
            yield (*path, key), value


class walk:
    """One walk: `walk(function)(values)` calls `function` with each row of leaves.

    Among the values are Containers of shared structure; the leaf of a shallower one meets every
    leaf below it, and so does whatever is no Container. `direct` takes the place of `function` on
    levels that hold nothing but Arrays and Python scalars. `deepest` is the index of a Container
    that must be as deep as the others everywhere, as each of its leaves is written once.
    """

    __slots__ = ("deepest", "direct", "function")

    def __init__(
        self,
        function: Callable[..., Any],
        direct: Callable[..., Any] | None = None,
        deepest: int | None = None,
    ) -> None:
        """Say what is called, and which value is written to."""
        self.function = function
        self.direct = direct
        self.deepest = deepest

    def __call__(self, values: Sequence[Any], path: Path = ()) -> Any:
        """Return a nest of the first Container's class, its leaves being the results."""
        nested = [value for value in values if isinstance(value, Nested)]
        first = nested[0]
        keys = first._nodes.keys()
        for other in nested[1:]:
            if other._nodes.keys() != keys:
                _differ(first, other, path)
        if self.deepest is not None and not isinstance(values[self.deepest], Nested):
            _too_shallow(first, path)
        kinds: set[type] = set().union(*(map(type, n._nodes.values()) for n in nested))
        columns = [_column(value, first) for value in values]
        if any(issubclass(kind, Nested) for kind in kinds):
            return first._of(self._rows(keys, columns, path))
        kinds.update(type(value) for value in values if not isinstance(value, Nested))
        return first._of(self._leaves(keys, columns, path, kinds))

    def _leaves(
        self, keys: Iterable[str], columns: list[Iterable[Any]], path: Path, kinds: set[type]
    ) -> dict[str, Any]:
        """Walk a level that holds leaves only."""
        function = self.function
        if self.direct is not None and all(map(_simple, kinds)):
            function = self.direct
        results: dict[str, Any] = {}
        try:
            results.update(zip(keys, map(function, *columns), strict=True))
        except Exception as error:
            # What came before the failure is there, so the next key is the one that failed.
            failed = next(itertools.islice(keys, len(results), None), "?")
            error.add_note(f"at the key chain {chain((*path, failed))!r} of the Container")
            raise
        return results

    def _rows(
        self, keys: Iterable[str], columns: list[Iterable[Any]], path: Path
    ) -> dict[str, Any]:
        """Walk a level some of whose nodes are nests themselves."""
        results: dict[str, Any] = {}
        for key, *row in zip(keys, *columns, strict=False):
            if any(isinstance(value, Nested) for value in row):
                results[key] = self(row, (*path, key))
            else:
                one = [[value] for value in row]
                results |= self._leaves((key,), list(one), path, set(map(type, row)))
        return results


def _simple(kind: type) -> bool:
    """Whether Python's operators do on instances what the functions do."""
    return kind in SCALAR_TYPES or issubclass(kind, Array)


def _column(value: Any, first: Nested) -> Iterable[Any]:
    """Return what stands for a value at each key of the first Container."""
    if not isinstance(value, Nested):
        return itertools.repeat(value)
    if value is first:
        return value._nodes.values()
    return map(value._nodes.__getitem__, first._nodes)


def _listed(keys: Iterable[str], path: Path) -> str:
    names = [repr(chain((*path, key))) for key in keys]
    shown = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    return shown or "none"


def _differ(first: Nested, other: Nested, path: Path) -> NoReturn:
    ours, theirs = first._nodes.keys(), other._nodes.keys()
    where = f"under the key chain {chain(path)!r}" if path else "at the top"
    raise StructureError(
        f"the Containers of a call don't share their structure {where}: one has the key chains "
        f"{_listed(ours, path)}, the other {_listed(theirs, path)} (only in the one: "
        f"{_listed([k for k in ours if k not in theirs], path)}; only in the other: "
        f"{_listed([k for k in theirs if k not in ours], path)}); give both the same keys, or a "
        f"leaf in place of all that is below it"
    )


def _too_shallow(deeper: Nested, path: Path) -> NoReturn:
    raise StructureError(
        f"what is written to has one leaf at the key chain {chain(path)!r}, where another argument "
        f"has the key chains {_listed(deeper._nodes, path)}; write to a Container as deep as the "
        f"others"
    )


def replace_leaves(target: Nested, source: Nested) -> None:
    """Put the leaves of `source` into `target`, which has at least its keys, in place."""
    for key, value in source._nodes.items():
        node = target._nodes[key]
        if isinstance(value, Nested) and isinstance(node, Nested):
            replace_leaves(node, value)
        else:
            target._nodes[key] = value
