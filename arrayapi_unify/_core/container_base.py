"""The base class of `Container`, by which lower layers recognize one, and map calls over it.

`Container` is above `binding`, which must notice it among the arguments of a call. The base class
is therefore here: it holds the nodes, and registers subclasses as pytrees of the frameworks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Final, TypeVar

__all__ = [
    "LEAF_TYPES", "PLAIN_CONTAINERS", "Nested", "fast_tree_map", "find", "kinds", "on_subclass",
    "reject_nested", "say_where",
]  # fmt: skip

N = TypeVar("N", bound="Nested")
V = TypeVar("V")

_NUMBERS: Final = frozenset({bool, int, float, complex, str, type(None)})
_listeners: Final[list[Callable[[type[Nested]], None]]] = []

LEAF_TYPES: Final[set[type]] = set()
"""Types of what is surely a leaf: Python scalars, and classes of Arrays met before."""

PLAIN_CONTAINERS: Final[set[type]] = set()
"""Classes of nests that hold their nodes and nothing else, so that a loop can make one."""


class _Keys:
    """The keys of a nest in their order, which doesn't count when structures are compared."""

    __slots__ = ("in_order", "names", "sorted")

    def __init__(self, in_order: tuple[str, ...]) -> None:
        self.in_order = in_order
        self.names = tuple(sorted(in_order))
        self.sorted = self.names == in_order

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, _Keys) and self.names == other.names)

    def __hash__(self) -> int:
        return hash(self.names)

    def __repr__(self) -> str:
        return repr(self.names)


# Frameworks take the same nests apart in every call of a compiled function.
_known: Final[dict[tuple[str, ...], _Keys]] = {}
_MANY: Final = 4096


def _remember(in_order: tuple[str, ...]) -> _Keys:
    if len(_known) >= _MANY:
        _known.clear()
    keys = _known[in_order] = _Keys(in_order)
    return keys


class Nested:
    """A nest whose leaves stand for arguments: a call with one is made for each leaf."""

    __slots__ = ("_nodes",)
    _nodes: dict[str, Any]
    _kinds: ClassVar[list[type[Nested]]] = []

    def __init_subclass__(cls, **options: Any) -> None:
        """File the class, and tell those who want to know of each."""
        super().__init_subclass__(**options)
        Nested._kinds.append(cls)
        made_by = cls._of.__func__  # type: ignore[attr-defined]  # it's a classmethod
        if made_by is vars(Nested)["_of"].__func__ and cls.__new__ is object.__new__:
            PLAIN_CONTAINERS.add(cls)
        for callback in _listeners:
            callback(cls)

    @classmethod
    def _of(cls: type[N], nodes: dict[str, Any]) -> N:
        """Make an instance around the nodes themselves, unchecked."""
        made = cls.__new__(cls)
        # Subclasses make their attributes of the nodes.
        object.__setattr__(made, "_nodes", nodes)
        return made

    def _flatten_node(self) -> tuple[tuple[Any, ...], _Keys]:
        """Return the nodes by sorted keys, and the keys: what the frameworks' trees ask for."""
        nodes = self._nodes
        in_order = tuple(nodes)
        keys = _known.get(in_order) or _remember(in_order)
        if keys.sorted:
            return tuple(nodes.values()), keys
        return tuple(map(nodes.__getitem__, keys.names)), keys

    @classmethod
    def _unflatten_node(cls: type[N], keys: _Keys, parts: Sequence[Any]) -> N:
        nodes = dict(zip(keys.names, parts, strict=True))
        return cls._of(nodes if keys.sorted else {name: nodes[name] for name in keys.in_order})

    def _call_leafwise(
        self,
        contract: Any,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """Call `function` for each leaf; self is the first nest among the arguments."""
        raise NotImplementedError


def kinds() -> Iterator[type[Nested]]:
    """Yield the classes of nests."""
    return iter(Nested._kinds)


def on_subclass(callback: Callable[[type[Nested]], None]) -> None:
    """Have `callback` called with each class of nests that is defined from now on."""
    if callback not in _listeners:
        _listeners.append(callback)


def fast_tree_map(function: Callable[..., Any]) -> Callable[[Nested], Any]:
    """Return what calls `function` for each leaf of a plain Container, in a single frame.

    It gives None where there are nests in the nest. A failure says at which leaf it is.
    """

    def each(nested: Nested) -> Any:
        nodes = nested._nodes
        if not LEAF_TYPES.issuperset(map(type, nodes.values())):
            return None
        results = {}
        try:
            for key, leaf in nodes.items():
                results[key] = function(leaf)
        except Exception as error:
            say_where(error, key)
            raise
        made = object.__new__(type(nested))
        object.__setattr__(made, "_nodes", results)
        return made

    return each


def say_where(error: Exception, chain: str) -> None:
    """Note at an exception which leaf it was raised for."""
    error.add_note(f"at the key chain {chain!r} of the Container")


def reject_nested(value: V) -> V:
    """Return the value; a nest is refused, so that it isn't overlooked by who ignores the value."""
    if isinstance(value, Nested):
        raise TypeError("a nest stands for one argument of a call for each of its leaves")
    return value


def single(value: V) -> V:
    """Return a real number, or an array of one; of an integer beyond 64 bits the nearest float.

    Anything else raises, so that the slow path has a look at it.
    """
    kind = type(value)
    if kind is float or value is None:
        return value
    if kind is int:
        return value if -(2**63) <= value < 2**63 else float(value)  # type: ignore[return-value, operator, arg-type]  # it is one
    dtype = getattr(value, "dtype", None)
    real = kind is bool or (dtype is not None and getattr(dtype, "kind", "f") in "biuf")
    if real and not getattr(value, "ndim", False):
        return value
    raise TypeError("an argument stands for one real number")


def find(args: tuple[Any, ...] | list[Any], kwargs: dict[str, Any]) -> Nested | None:
    """Return the first nest among the arguments of a call, also inside lists and tuples."""
    for value in (*args, *kwargs.values()) if kwargs else args:
        if isinstance(value, Nested):
            return value
        # A list of numbers is searched without a loop in Python: most lists are that.
        if isinstance(value, list | tuple) and not _NUMBERS.issuperset(map(type, value)):
            found = find(value, {})
            if found is not None:
                return found
    return None
