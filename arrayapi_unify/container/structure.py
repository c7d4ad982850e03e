"""Methods of a Container as a nest: leaves and key chains, map, filter, prune, set, combine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from arrayapi_unify import backends
from arrayapi_unify._core.container_base import Nested
from arrayapi_unify._core.failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.container.tree_map import key_chain_of, leaves_with_path
from arrayapi_unify.errors import UnifyTypeError, describe, raise_type_error

if TYPE_CHECKING:
    from arrayapi_unify.container._container import Container

__all__ = ["ContainerWithStructure"]

S = TypeVar("S", bound="ContainerWithStructure")
_UNSET: Any = object()


class ContainerWithStructure:
    """The methods that inspect the structure, or return another one."""

    __slots__ = ()
    _nodes: dict[str, Any]

    # --- leaves -----------------------------------------------------------------------------

    def leaves(self) -> Iterator[Any]:
        """Yield the value of every leaf, in order.

        >>> list(unify.Container(a={"b": 1}, c=2).leaves())
        [1, 2]
        """
        return (value for _, value in leaves_with_path(_nest(self)))

    def key_chains(self) -> Iterator[str]:
        """Yield the key chain of every leaf, in order.

        >>> list(unify.Container(a={"b": 1}, c=2).key_chains())
        ['a/b', 'c']
        """
        return (key_chain_of(path) for path, _ in leaves_with_path(_nest(self)))

    def leaf_items(self) -> Iterator[tuple[str, Any]]:
        """Yield key chain and value of every leaf, in order."""
        return ((key_chain_of(path), value) for path, value in leaves_with_path(_nest(self)))

    def map(self: S, function: Callable[[Any, str], Any], /) -> S:
        """Return the Container of `function(value, key_chain)` at each leaf.

        >>> unify.Container(a={"b": 1}, c=2).map(lambda value, key_chain: (key_chain, value))
        unify.Container({'a': {'b': ('a/b', 1)}, 'c': ('c', 2)})
        """
        if not callable(function):
            problem = f"is {describe(function)}"
            raise_type_error("Container.map", "function", problem, "pass a function")
        return _mapped(self, lambda value, path: function(value, key_chain_of(path)), ())

    @naming("Container.filter")
    def filter(self: S, function: Callable[[Any, str], Any], /) -> S:
        """Return the Container of the leaves for which `function(value, key_chain)` is true.

        Empty nests are omitted.

        >>> unify.Container(a={"b": 1}, c=2).filter(lambda value, key_chain: value > 1)
        unify.Container({'c': 2})
        """
        kept = {k: v for k, v in self.leaf_items() if function(v, k)}
        return type(self).unflatten(kept)

    def prune_empty(self: S) -> S:
        """Return the Container without nests that have no leaves."""
        return type(self).unflatten(dict(self.leaf_items()))

    # --- at key chains ----------------------------------------------------------------------

    @naming("Container.at")
    def at(self: S, key_chains: str | Iterable[str], /) -> S:
        """Return the Container of the nodes at one or several key chains.

        >>> unify.Container(a={"b": 1, "c": 2}, d=3).at(["a/b", "d"])
        unify.Container({'a': {'b': 1}, 'd': 3})
        """
        nest = _nest(self)
        return type(self).unflatten({key: nest[key] for key in _several(key_chains)})

    @naming("Container.set_at")
    def set_at(
        self: S,
        key_chains: str | Iterable[str] | Mapping[str, Any],
        value: Any = _UNSET,
        /,
        *,
        in_place: bool = False,
    ) -> S:
        """Set the nodes at one or several key chains, in a new Container unless `in_place`.

        All of them get `value`; a mapping gives each key chain its own.

        >>> unify.Container(a={"b": 1}, c=2).set_at({"a/b": 3, "a/d": 4})
        unify.Container({'a': {'b': 3, 'd': 4}, 'c': 2})
        """
        if isinstance(key_chains, Mapping) == (value is not _UNSET):
            raise UnifyTypeError(
                "Container.set_at: argument 'value' goes with key chains, not with a mapping; pass "
                "set_at('a/b', value), set_at(['a', 'b'], value) or set_at({'a': 1, 'b': 2})"
            )
        wanted = (
            dict(key_chains)
            if isinstance(key_chains, Mapping)
            else dict.fromkeys(_several(key_chains), value)
        )
        return self._changed(lambda new: new.update(wanted), in_place)

    @naming("Container.prune")
    def prune(self: S, key_chains: str | Iterable[str], /, *, in_place: bool = False) -> S:
        """Remove the nodes at one or several key chains, in a new Container unless `in_place`.

        >>> unify.Container(a={"b": 1, "c": 2}, d=3).prune(["a/b", "d"])
        unify.Container({'a': {'c': 2}})
        """
        wanted = _several(key_chains)
        return self._changed(lambda new: [new.__delitem__(key) for key in wanted], in_place)

    def _changed(self: S, change: Callable[[Any], Any], in_place: bool) -> S:
        """Return a changed copy; with `in_place`, self finally gets its nodes."""
        new = self.copy()
        change(new)
        if not in_place:
            return new
        _take(_nest(self), _nest(new))
        return self

    # --- other forms ------------------------------------------------------------------------

    def copy(self: S) -> S:
        """Return a Container of its own structure with the same leaves."""
        return _mapped(self, lambda value, path: value, (), check=False)

    @naming("Container.combine")
    def combine(self: S, *others: Mapping[str, Any]) -> S:
        """Return the Container with the nodes of all; later leaves replace earlier ones.

        >>> unify.Container(a={"b": 1}, c=2).combine({"a": {"d": 3}, "c": 4})
        unify.Container({'a': {'b': 1, 'd': 3}, 'c': 4})
        """
        new = self.copy()
        for other in others:
            _merge(_nest(new), _nest(type(self).from_dict(other)))
        return new

    def flatten(self) -> dict[str, Any]:
        """Return a flat dict from key chain to leaf; empty nests are kept as such.

        >>> unify.Container(a={"b": 1}, c=2).flatten()
        {'a/b': 1, 'c': 2}
        """
        return {key_chain_of(path): value for path, value in _ends(_nest(self), ())}

    @classmethod
    @naming("Container.unflatten")
    def unflatten(cls: type[S], flat: Mapping[str, Any], /) -> S:
        """Make the Container of a flat mapping from key chain to leaf.

        >>> unify.Container.unflatten({"a/b": 1, "c": 2})
        unify.Container({'a': {'b': 1}, 'c': 2})
        """
        return cls.from_dict(flat)

    def to_dict(self) -> dict[str, Any]:
        """Return nested dicts with the same leaves.

        >>> unify.Container(a={"b": 1}, c=2).to_dict()
        {'a': {'b': 1}, 'c': 2}
        """
        return {
            key: value.to_dict() if isinstance(value, ContainerWithStructure) else value
            for key, value in self._nodes.items()
        }

    @classmethod
    @naming("Container.from_dict")
    def from_dict(cls: type[S], mapping: Mapping[str, Any], /) -> S:
        """Make the Container of nested mappings."""
        return cast("Any", cls)(mapping)

    # --- comparison and views ---------------------------------------------------------------

    def identical(self, other: Any, /) -> bool:
        """Return True if `other` is a Container of the same keys and equal leaves.

        Arrays are equal if backend, data type, shape and all elements are (NaN is not equal to
        itself). The order of the keys doesn't count.

        >>> unify.Container(a=1, b=2).identical(unify.Container(b=2, a=1))
        True
        """
        if not isinstance(other, Nested) or other._nodes.keys() != self._nodes.keys():
            return False
        return all(_equal(value, other._nodes[key]) for key, value in self._nodes.items())

    def same_structure(self, other: Any, /) -> bool:
        """Return True if `other` is a Container of the same key chains."""
        return isinstance(other, Nested) and {path for path, _ in _ends(_nest(self), ())} == {
            path for path, _ in _ends(other, ())
        }

    @property
    def shapes(self: S) -> S:
        """The shape of each array; None at leaves that aren't arrays."""
        return _mapped(self, lambda x, path: _asked(x, "shape_of"), ())

    @property
    def dtypes(self: S) -> S:
        """The data type of each array; None at leaves that aren't arrays."""
        return _mapped(self, lambda x, path: _asked(x, "dtype_of"), ())

    @property
    def devices(self: S) -> S:
        """The device of each array; None at leaves that aren't arrays."""
        return _mapped(self, lambda x, path: _asked(x, "device_of"), ())


def _nest(container: ContainerWithStructure) -> Container:
    """Declare for type checkers that every instance is a Container."""
    return cast("Container", container)


def _several(key_chains: str | Iterable[str]) -> list[str]:
    return [key_chains] if isinstance(key_chains, str) else list(key_chains)


def _mapped(
    container: S,
    function: Callable[[Any, tuple[str, ...]], Any],
    path: tuple[str, ...],
    check: bool = True,
) -> S:
    """Map the leaves; a result that is a dict becomes a nest."""
    nest: Any = container
    nodes: dict[str, Any] = {}
    for key, value in nest._nodes.items():
        here = (*path, key)
        if isinstance(value, Nested):
            nodes[key] = _mapped(cast("Any", value), function, here, check)
        else:
            made = function(value, here)
            nodes[key] = nest._as_node(made) if check else made
    return cast("S", nest._of(nodes))


def _ends(nested: Nested, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield paths and values of the leaves, and those of empty nests."""
    for key, value in nested._nodes.items():
        if isinstance(value, Nested) and value._nodes:
            yield from _ends(value, (*path, key))
        else:
            yield (*path, key), value


def _take(target: Nested, source: Nested) -> None:
    """Give `target` the nodes of `source`; nests in both remain the same objects."""
    old = dict(target._nodes)
    target._nodes.clear()
    for key, value in source._nodes.items():
        inner = old.get(key)
        if isinstance(inner, Nested) and isinstance(value, Nested) and inner is not value:
            _take(inner, value)
            value = inner
        target._nodes[key] = value


def _merge(target: Nested, other: Nested) -> None:
    for key, value in other._nodes.items():
        inner = target._nodes.get(key)
        if isinstance(inner, Nested) and isinstance(value, Nested):
            _merge(inner, value)
        else:
            target._nodes[key] = value


def _equal(x: Any, y: Any) -> bool:
    if isinstance(x, ContainerWithStructure):
        return x.identical(y)
    if isinstance(x, tuple):  # of arrays, as `qr` returns
        return type(x) is type(y) and len(x) == len(y) and all(map(_equal, x, y))
    name = backends.name_of(x)
    if name is None or backends.name_of(y) != name or isinstance(x, Array) != isinstance(y, Array):
        return name is None and backends.name_of(y) is None and bool(x == y)
    if _asked(x, "shape_of") != _asked(y, "shape_of"):
        return False
    if _asked(x, "dtype_of") is not _asked(y, "dtype_of"):
        return False
    wrapped = (v if isinstance(v, Array) else Array(v) for v in (x, y))
    first, second = wrapped
    return bool((first == second).all())


def _asked(value: Any, question: str) -> Any:
    """Return an array's shape, data type or device from its backend."""
    name = backends.name_of(value)
    if name is None:
        return None
    native = value.data if isinstance(value, Array) else value
    return getattr(backends.load(name), question)(native)
