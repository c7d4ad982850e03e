"""`batches`: the rows of arrays in parts, in order or shuffled by a key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arrayapi_unify._core.failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.container.tree_map import SEPARATOR
from arrayapi_unify.errors import BackendError, describe, raise_type_error, raise_value_error
from arrayapi_unify.functional._traversal import is_nest, items, leaves, tree_unflatten
from arrayapi_unify.nn.core.variables import as_array
from arrayapi_unify.nn.training.initializers import check_sizes

__all__ = ["batches"]


@naming("batches")
def batches(
    *arrays: Any, size: int, key: Array | None = None, drop_last: bool = False
) -> Iterator[tuple[Any, ...]]:
    """Iterate over tuples of arrays, each with the next rows of the given ones.

    Rows are parts along the first axis. All arrays stay on their backend and device, and a batch
    has its own memory. The same key gives the same order on every backend. The iterator has a
    length, the number of all batches.

    Parameters
    ----------
    *arrays
        Arrays with the same number of rows, or nests of such arrays, as lists, dicts and
        Containers are. A batch has the same structure.
    size
        Number of rows in a batch.
    key
        Key of `random.key` that determines the order of the rows. Without one they keep theirs.
    drop_last
        If True, rows that are too few for a batch at the end are left out. Otherwise the last batch
        is smaller.

    Raises
    ------
    UnifyTypeError
        If an argument holds something other than arrays, `size` isn't an integer, or `key` no key.
    UnifyValueError
        If the numbers of rows differ, an array has no axes, or `size` is below 1.
    BackendError
        If the arrays, or the key, are on different backends.

    References
    ----------
    PyTorch's ``torch.utils.data.DataLoader``.

    Examples
    --------
    >>> x, y = unify.arange(5) * 10, unify.arange(5)
    >>> [rows.tolist() for rows, _ in unify.nn.batches(x, y, size=2)]
    [[0, 10], [20, 30], [40]]
    >>> for rows, labels in unify.nn.batches(x, y, size=2, key=unify.random.key(0), drop_last=True):
    ...     assert unify.all(rows == labels * 10)
    """
    check_sizes("batches", size=size)
    first, count = _checked(arrays, key)
    order = None if key is None else _order(key, first, count)
    return _Batches(arrays, count, size, order, drop_last)


class _Batches(Iterator[tuple[Any, ...]]):
    """The iterator, which knows the number of its batches."""

    def __init__(
        self, arrays: tuple[Any, ...], count: int, size: int, order: Array | None, drop_last: bool
    ) -> None:
        self._arrays, self._size, self._order = arrays, size, order
        end = count - count % size if drop_last else count
        self._starts = iter(starts := range(0, end, size))
        self._length = len(starts)

    def __len__(self) -> int:
        """Return the number of all batches, also of those that were taken."""
        return self._length

    def __next__(self) -> tuple[Any, ...]:
        start = next(self._starts)
        rows = slice(start, start + self._size)
        return _mapped(self._arrays, rows, self._order)


def _mapped(node: Any, rows: slice, order: Array | None) -> Any:
    """Return a nest of rows."""
    if is_nest(node):
        return tree_unflatten(node, [(k, _mapped(part, rows, order)) for k, part in items(node)])
    x = as_array("batches", "arrays", node)
    xp = x.__array_namespace__()
    if order is None:
        return xp.asarray(x[rows, ...], copy=True)
    return xp.take(x, order[rows], axis=0)


def _checked(arrays: tuple[Any, ...], key: Any) -> tuple[Array, int]:
    """Return the first array and its number of rows, if all others have as many."""
    named = [
        (SEPARATOR.join([f"arrays[{place}]", *map(str, path)]), leaf)
        for (place, *path), leaf in leaves(arrays)
    ]
    given = [(name, as_array("batches", name, leaf)) for name, leaf in named]
    if not given:
        raise_type_error("batches", "arrays", "holds no arrays", "pass at least one array")
    (start, first), *_ = given
    if key is not None and not isinstance(key, Array):
        raise_type_error(
            "batches", "key", f"is {describe(key)}", "pass a key, made by unify.random.key(seed)"
        )
    for name, x in [*given, *([] if key is None else [("key", key)])]:
        if x.backend != first.backend:
            raise BackendError(
                f"batches: argument {name!r} is on {x.backend}, but {start!r} is on "
                f"{first.backend}; convert it: unify.to_backend(x, {first.backend!r})"
            )
    for name, x in given:
        if x.ndim == 0:
            raise_value_error("batches", name, "has no axes", "pass an array of rows")
        if x.shape[0] is None or x.shape[0] != first.shape[0]:
            raise_value_error(
                "batches", name, f"has {x.shape[0]} rows, and {start} has {first.shape[0]}",
                "pass arrays with the same number of rows",
            )  # fmt: skip
    return first, int(first.shape[0])


def _order(key: Array, first: Array, count: int) -> Array:
    """Return the places of the rows as the key orders them, on the device of the arrays."""
    made: Array = key.__array_namespace__().random.permutation(key, count)
    return made.to_device(first.device)
