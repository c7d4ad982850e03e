"""A call with Containers among its arguments: one call for each leaf, with atomic writes.

If the call fails at any leaf, the written argument (`out`, or the first argument of an in-place
function) keeps its old values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from arrayapi_unify import backends
from arrayapi_unify._core.container_base import Nested, find
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.memory import commit
from arrayapi_unify.container.tree_map import leaves_with_path, tree_map
from arrayapi_unify.contracts.contract import Contract
from arrayapi_unify.errors import raise_type_error
from arrayapi_unify.views import writes

__all__ = ["call_leafwise", "restored_on_failure"]


class _Slot:
    """The place of a Container in a call."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index

    def fill(self, row: Sequence[Any]) -> Any:
        return row[self.index]


class _Sequence:
    """A list or tuple with Containers inside."""

    __slots__ = ("kind", "parts")

    def __init__(self, kind: type, parts: list[Any]) -> None:
        self.kind = kind
        self.parts = parts

    def fill(self, row: Sequence[Any]) -> Any:
        return self.kind([_filled(part, row) for part in self.parts])


def _filled(part: Any, row: Sequence[Any]) -> Any:
    return part.fill(row) if isinstance(part, _Slot | _Sequence) else part


def _slotted(value: Any, found: list[Nested]) -> Any:
    """Replace the Containers by slots, and collect them."""
    if isinstance(value, Nested):
        found.append(value)
        return _Slot(len(found) - 1)
    if isinstance(value, list | tuple) and find((value,), {}) is not None:
        kind = list if isinstance(value, list) else tuple
        return _Sequence(kind, [_slotted(part, found) for part in value])
    return value


def _rowwise(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Callable[..., Any], list[Any]]:
    """Return a function of one leaf of each of the values, and the values."""
    if not kwargs and all(isinstance(a, Nested) or not isinstance(a, list | tuple) for a in args):
        return function, list(args)
    found: list[Nested] = []
    positional = [_slotted(value, found) for value in args]
    named = {name: _slotted(value, found) for name, value in kwargs.items()}

    def call(*row: Any) -> Any:
        return function(
            *[_filled(part, row) for part in positional],
            **{name: _filled(part, row) for name, part in named.items()},
        )

    return call, list(found)


def call_leafwise(
    contract: Contract, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call `function` for each leaf of the Containers among the arguments."""
    if not kwargs and not contract.mutates:
        call, values = _rowwise(function, args, kwargs)
        return tree_map(values, call)
    call, values = _rowwise(function, args, kwargs)
    written = _written(contract, args, kwargs)
    if written is None:
        return tree_map(values, call)
    if not isinstance(written, Nested):
        raise_type_error(
            contract.qualified_name, "out" if contract.takes_out else contract.parameters[0].name,
            f"is a {type(written).__qualname__}, into which every leaf would be written",
            "pass a Container as deep as the others",
        )  # fmt: skip
    deepest = next(i for i, value in enumerate(values) if value is written)
    with restored_on_failure(written):
        result = tree_map(values, call, deepest=deepest)
    return written if contract.takes_out else result


def _written(contract: Contract, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the argument that a call writes to, or None."""
    return args[0] if contract.mutates and args else kwargs.get("out")


@contextmanager
def restored_on_failure(written: Nested) -> Iterator[None]:
    """Restore the old values of the Arrays among the leaves if the block raises."""
    arrays = [leaf for _, leaf in leaves_with_path(written) if isinstance(leaf, Array)]
    before = [_Before(array) for array in arrays]
    nodes = list(_nodes(written))
    try:
        try:
            yield
        except BaseException:
            _restore(nodes, before)
            raise
    except BaseException:  # once more: the restoration itself may have been interrupted
        _restore(nodes, before)
        raise


def _nodes(nested: Nested) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Find the nodes of a nest, each with a copy of its contents."""
    nodes = nested._nodes
    yield nodes, dict(nodes)
    for value in nodes.values():
        if isinstance(value, Nested):
            yield from _nodes(value)


def _restore(nodes: list[tuple[dict[str, Any], dict[str, Any]]], before: list[_Before]) -> None:
    """Restore the contents of a nest, and the Arrays' old values."""
    commit([(dict.update, *pair) for pair in nodes])
    for one in before:
        # Leaves that can't be written to keep their values.
        with suppress(RuntimeError, ValueError):
            one.restore()


class _Before:
    """The old state of an Array: its data, and a copy if writes modify memory."""

    __slots__ = ("_array", "_backend", "_data", "_values", "_version")

    def __init__(self, array: Array) -> None:
        self._array = array
        self._backend = backend = backends.load(array.backend)
        self._data = data = array._data
        self._values = data if backend.VIEW_EMULATION is True else backend.copy(data)
        self._version = backend.version_of(data)

    def restore(self) -> None:
        array, backend = self._array, self._backend
        if array._data is not self._data:
            writes.assign(array, self._data)
        version = self._version
        if self._values is not self._data and (
            version is None or backend.version_of(self._data) != version
        ):
            writes.update(array, backend.write_through, self._values)
