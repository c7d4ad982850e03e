"""`Container`: a nested mapping whose leaves are arrays or other objects."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from types import MethodType
from typing import Any, NoReturn, TypeVar

from arrayapi_unify._core.container_base import Nested
from arrayapi_unify._core.failures import naming
from arrayapi_unify.container import files, formatting
from arrayapi_unify.container.calls import call_leafwise
from arrayapi_unify.container.methods import (
    AFTER_KEYS,
    ContainerWithFunctions,
    ContainerWithOperators,
)
from arrayapi_unify.container.structure import ContainerWithStructure
from arrayapi_unify.container.tree_map import SEPARATOR, replace_leaves
from arrayapi_unify.errors import (
    UnifyAttributeError,
    UnifyError,
    UnifyKeyError,
    UnifyTypeError,
    UnifyValueError,
    check_depth,
    describe,
    shown,
)

__all__ = ["Container"]

C = TypeVar("C", bound="Container")


class Container(  # type: ignore[misc]  # equality is leaf by leaf, not a bool
    Nested,
    ContainerWithStructure,
    ContainerWithOperators,
    ContainerWithFunctions,
    MutableMapping[str, Any],
):
    """A nested mapping (pytree) to which functions apply leaf by leaf.

    A leaf is any object but a Container; dicts become Containers. Keys are strings, and a key chain
    `"a/b"` is accepted in place of a key. Nodes are attributes too, unless a method has the same
    name. The mapping methods cover one level; `leaves()`, `key_chains()` and `leaf_items()` cover
    all levels.

    Every other index applies to the leaves (`c[0:2]`), and so do all functions and operators,
    including comparisons: `c == d` is a Container, `c.identical(d)` one bool. Structures need to be
    compatible, not identical: a leaf of the shallower Container is combined with every leaf below
    its place in the deeper one.

    Parameters
    ----------
    mapping
        A mapping with the nodes; key chains create nested Containers.
    **nodes
        More nodes, which override those of the mapping.

    Raises
    ------
    UnifyTypeError
        If a key isn't a string.
    UnifyValueError
        If a key, or a part of a key chain, is empty.

    Examples
    --------
    >>> x = unify.Container(a={"b": 2, "c": 4}, d={"e": 6, "f": 8})
    >>> x / unify.Container(a=2, d=4)
    unify.Container({'a': {'b': 1.0, 'c': 2.0}, 'd': {'e': 1.5, 'f': 2.0}})
    >>> x["a/c"], x.d.f
    (4, 8)
    >>> unify.sum(unify.ones((2, 3)), axis=unify.Container(a=0, b=1))
    unify.Container({'a': unify.array([2., 2., 2.]), 'b': unify.array([3., 3.])})
    """

    __slots__ = ("__weakref__",)

    def __init__(
        self, mapping: Mapping[str, Any] | Iterable[tuple[str, Any]] = (), /, **nodes: Any
    ) -> None:
        """Set the nodes of a mapping, or of pairs as `dict` does, then those given by keyword."""
        object.__setattr__(self, "_nodes", {})
        pairs = mapping.items() if isinstance(mapping, Mapping) else mapping
        try:
            for key, value in (*pairs, *nodes.items()):
                self._put(_path(key), value)
        except RecursionError:
            check_depth("Container", [("mapping", mapping), *nodes.items()])
            raise
        except (TypeError, ValueError) as error:
            theirs = error.__traceback__ is None or error.__traceback__.tb_next is not None
            if theirs or isinstance(error, UnifyError):
                raise
            raise UnifyTypeError(
                f"Container: argument 'mapping' is {describe(mapping)}; pass a dict, or pairs of a "
                "string and a value"
            ) from error

    # --- nodes ------------------------------------------------------------------------------

    def __getitem__(self, key: Any, /) -> Any:
        """Return the node at a key chain; any other index applies to every leaf."""
        if not isinstance(key, str):
            return self.get_item(key)
        try:
            return self._nodes[key]
        except KeyError:
            pass
        return self._parent(key)._node(key)

    def __setitem__(self, key: Any, value: Any, /) -> None:
        """Set the node at a key chain; with any other index assign to every leaf.

        Missing nested Containers are created. An assignment to the leaves changes all of them or,
        if it fails at one leaf, none.
        """
        if isinstance(key, str):
            self._put(_path(key), value)
        else:
            replace_leaves(self, self.set_item(key, value))

    def __delitem__(self, key: str, /) -> None:
        """Remove the node at a key chain."""
        parent = self._parent(key)
        parent._node(key)
        del parent._nodes[_path(key)[-1]]

    def __getattr__(self, name: str) -> Any:
        """Return the node of that key, else the method of that name."""
        if name == "_nodes" or (name.startswith("__") and name.endswith("__")):
            # A partly created instance has no nodes yet; protocols look up such names.
            raise AttributeError(name)
        if name in self._nodes:
            return self._nodes[name]
        if name in AFTER_KEYS:
            return MethodType(AFTER_KEYS[name], self)
        raise UnifyAttributeError(
            f"the {type(self).__name__} has no attribute or key {name!r}{self._near(name)}"
        )

    def __setattr__(self, name: str, value: Any) -> None:
        """Set the node of that key."""
        if hasattr(type(self), name):
            raise UnifyAttributeError(
                f"{name!r} is a method or attribute of Container, so it can't be set as an "
                f"attribute; set the key with container[{name!r}] = value"
            )
        self[name] = value

    def __delattr__(self, name: str) -> None:
        """Remove the node of that key."""
        if name not in self._nodes:
            raise UnifyAttributeError(f"the {type(self).__name__} has no key {name!r} to delete")
        del self._nodes[name]

    def __contains__(self, key: object, /) -> bool:
        """Return True if a node exists at a key chain."""
        if not isinstance(key, str):
            return False
        node: Any = self
        for part in key.split(SEPARATOR):
            if not isinstance(node, Nested) or part not in node._nodes:
                return False
            node = node._nodes[part]
        return True

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys of this level."""
        return iter(self._nodes)

    def __len__(self) -> int:
        """Count the nodes of this level."""
        return len(self._nodes)

    def __dir__(self) -> list[str]:
        """List the attributes, and the keys that can be attributes."""
        return sorted({*super().__dir__(), *(key for key in self._nodes if key.isidentifier())})

    def __bool__(self) -> NoReturn:
        """Raise: a Container has several values."""
        raise UnifyTypeError(
            "bool(container): a Container has no truth value of its own; use len(c), "
            "c.identical(d), or all(c.leaves())"
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        """Raise: NumPy would make an array of the keys."""
        raise UnifyTypeError(
            "a Container is no array; pass one of its leaves, or a function's result on it"
        )

    def _put(self, path: tuple[str, ...], value: Any) -> None:
        """Set a node; a failure changes nothing."""
        value = self._as_node(value)
        if isinstance(value, Nested) and _reaches(value, self):
            raise UnifyValueError(
                f"the Container can't hold itself at the key chain {SEPARATOR.join(path)!r}; "
                f"put a copy there: c.copy()"
            )
        node: Container = self
        for i, key in enumerate(path[:-1]):
            inner = node._nodes.get(key)
            if not isinstance(inner, Container):
                # Missing nodes are built separately, and inserted when they are complete.
                for name in reversed(path[i + 1 :]):
                    value = self._of({name: value})
                node._nodes[key] = value
                return
            node = inner
        node._nodes[path[-1]] = value

    @classmethod
    def _as_node(cls: type[C], value: Any) -> Any:
        """Return a value as a node: dicts become Containers."""
        return cls(value) if isinstance(value, dict) else value

    def _parent(self, key: str) -> Container:
        """Return the Container that holds, or would hold, the last key of a key chain."""
        node: Any = self
        for part in _path(key)[:-1]:
            node = node._nodes.get(part) if isinstance(node, Container) else None
        if not isinstance(node, Container):
            self._missing(key)
        return node

    def _node(self, key: str) -> Any:
        """Return the node at the last key of a key chain."""
        last = _path(key)[-1]
        if last not in self._nodes:
            self._missing(key)
        return self._nodes[last]

    def _missing(self, key: str) -> NoReturn:
        raise UnifyKeyError(f"the {type(self).__name__} has no key chain {key!r}{self._near(key)}")

    def _near(self, key: str) -> str:
        """Render the existing keys, the most similar one first."""
        names = list(dict.fromkeys([*self._nodes, *self.key_chains()]))
        near = difflib.get_close_matches(key, names, n=1)
        if near:
            return f"; did you mean {near[0]!r}?"
        return f"; it has {', '.join(map(repr, names[:8]))}" if names else "; it's empty"

    # --- calls, files, text, copies ---------------------------------------------------------

    def _call_leafwise(
        self,
        contract: Any,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        return call_leafwise(contract, function, args, kwargs)

    @naming("Container.save")
    def save(self, path: str | os.PathLike[str], /) -> None:
        """Write the Container to a file, completely or not at all.

        The file is an archive in NumPy's format (`.npz`): the arrays' values, and the structure as
        JSON. Nothing in it is pickled or compressed. Leaves are arrays, numbers, strings, None and
        tuples of these. An existing file keeps its mode, a symlink is kept, and a FIFO or a device
        is written directly.

        Raises
        ------
        UnifyTypeError
            If the format can't store a leaf; the message names its key chain.
        UnifyValueError
            If nests have 100 levels or more.
        OSError
            If the file can't be written, or is read-only.
        """
        files.save(self, path)

    @classmethod
    @naming("Container.load")
    def load(cls: type[C], path: str | os.PathLike[str], /, *, backend: str | None = None) -> C:
        """Read a file of `save`: arrays have the same data type and backend as before.

        Parameters
        ----------
        path
            The file.
        backend
            Backend of all arrays, instead of the one that each was saved from.

        Raises
        ------
        UnifyValueError
            If `save` didn't write the file: it is damaged, compressed, declares more than it
            contains, or has a duplicate key or array.
        OSError
            If the file can't be read.
        BackendError
            If the backend of an array isn't installed.
        """
        return cls(files.load(path, backend))

    def __repr__(self) -> str:
        """Return the structure, with the values of small arrays, and dtype and shape of others."""
        return formatting.represent(self)

    def _repr_html_(self) -> str:
        """Return a table of the leaves, for notebooks."""
        return formatting.represent_html(self)

    def __copy__(self: C) -> C:
        """Return a Container with a copied structure and the same leaves."""
        return self.copy()

    def __reduce__(self) -> Any:
        """Pickle and deep-copy the nodes."""
        return type(self)._of, (self._nodes,)


def _path(key: Any) -> tuple[str, ...]:
    if not isinstance(key, str):
        raise UnifyTypeError(
            f"Container: the keys are strings, not {shown(key)} of type {type(key).__name__}; "
            f"use a list or tuple as the leaf, or str(key)"
        )
    path = tuple(key.split(SEPARATOR))
    if not all(path):
        raise UnifyValueError(
            f"Container: the key chain {shown(key)} has an empty part; "
            f"separate keys by single {SEPARATOR!r}"
        )
    return path


def _reaches(nested: Nested, target: Nested) -> bool:
    """Return True if `target` is `nested` itself, or inside of it."""
    return nested is target or any(
        _reaches(node, target) for node in nested._nodes.values() if isinstance(node, Nested)
    )
