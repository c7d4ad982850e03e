"""Lazy functions made of NumPy's natives: the only module that touches Dask's graph layer.

Four rules make a native function of NumPy arrays one of Dask arrays:

- *elementwise*: each block of the result is the native of the operands' blocks;
- *reduction*: the native of each block, and another one of what these give;
- *core axes*: the axes that the native needs whole are joined for it, the others stay in blocks;
- *places*: each block is computed from its place in the result.

No function runs on data to find out data types and shapes: a stand-in of a few elements tells them,
and raises the library's errors. Natives go to the workers by name, with every keyword and default
data type that they depend on.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import dask
import dask.array as da
import numpy as np
from dask.highlevelgraph import HighLevelGraph
from dask.layers import ArraySliceDep

from arrayapi_unify.backends._common.checks.sizes import check_whole, memory
from arrayapi_unify.backends.dask._alignment import aligned
from arrayapi_unify.backends.dask._natives import (
    Block,
    DaskArray,
    NativeDType,
    NDArray,
    known,
    meta,
    of_blocks,
    one,
    token,
)
from arrayapi_unify.backends.dask._sizes import carried, inherited

Label: TypeAlias = Hashable
"""The name of an axis: arrays that have it in common are cut at the same places along it."""
Labels: TypeAlias = tuple[Label, ...]

LIMIT: Final = "arrayapi-unify.whole-axes"
"""The setting of Dask's configuration that limits the bytes of a block with whole axes."""


def lazily(
    function: Block,
    labels: Labels,
    operands: Sequence[tuple[Any, Labels | None]],
    dtype: NativeDType,
    *,
    sizes: Mapping[Any, Any] | None = None,
    each: Mapping[Any, int] | None = None,
) -> DaskArray:
    """Return the array of which each block is a function of the operands' blocks.

    Axes with a label that the result lacks are joined. `sizes` has those of the labels that no
    operand has, `each` the sizes of the result's blocks where they aren't the operands'. An operand
    with None in place of labels is a scalar.
    """
    numbers: dict[Label, int] = {}  # Dask sorts the labels
    pairs = [
        (x, None if at is None else tuple(numbers.setdefault(a, len(numbers)) for a in at))
        for x, at in operands
    ]
    out = tuple(numbers.setdefault(a, len(numbers)) for a in labels)
    pairs, cut = aligned(pairs, out)
    new = {numbers[a]: size for a, size in (sizes or {}).items()}
    blocks = {numbers[a]: size for a, size in (each or {}).items()}
    named = [(x.name if isinstance(x, da.Array) else (type(x), x), at) for x, at in pairs]
    arrays = [x for x, _ in pairs if isinstance(x, da.Array)]
    # The sizes of blocks become known while the names stay, and Dask cuts operands by the sizes.
    sized = [x.chunks for x in arrays] if arrays[1:] else None
    what = (function.__dask_tokenize__(), out, named, sized, new, blocks, dtype)
    found = da.blockwise(
        _joining(function, out, pairs),
        out,
        *itertools.chain.from_iterable(pairs),
        name=f"{function.__name__}-{token(what)}",
        new_axes=new or None,
        adjust_chunks=blocks or None,
        align_arrays=cut is None,
        dtype=dtype,
        meta=meta(dtype, len(labels)),
    )
    if cut is not None:
        chunks = tuple(
            (blocks[a],) * len(sizes) if a in blocks else cut.get(a, sizes)
            for a, sizes in zip(out, found.chunks, strict=True)
        )
        found = da.Array(found.dask, found.name, chunks, meta=found._meta)
    if not known(found):
        inherited(found, out, pairs)
    return found


def elementwise(function: Block, *operands: Any, dtype: NativeDType | None = None) -> DaskArray:
    """Return a function of each element; the operands broadcast.

    A call with stand-ins tells errors and the data type, unless that is given.
    """
    arrays = [x for x in operands if isinstance(x, da.Array)]
    if dtype is None:
        found = function.tried(*[one(x) if isinstance(x, da.Array) else x for x in operands])
        dtype = found.dtype
    if len({x.shape for x in arrays}) > 1 and all(map(known, arrays)):
        np.broadcast_shapes(*[x.shape for x in arrays])
    rank = max(x.ndim for x in arrays)
    labels = tuple(range(rank))
    pairs = [(x, labels[rank - x.ndim :] if isinstance(x, da.Array) else None) for x in operands]
    return lazily(function, labels, pairs, dtype)


def reduction(
    x: DaskArray,
    axes: tuple[int, ...],
    keepdims: bool,
    function: Block,
    combine: Block,
    dtype: NativeDType,
    *,
    parts: int = 0,
    finish: Block | None = None,
) -> DaskArray:
    """Return a function of each block, and another one of what these give, until one is left.

    Both get `axis` and `keepdims`. If `parts` isn't 0, they give arrays with one more axis of this
    size, the last one, of which `finish` makes the result of the data type.
    """
    labels: Labels = tuple(range(x.ndim))
    extra: Labels = ("parts",) if parts else ()
    sizes = {"parts": parts} if parts else None
    kept = labels if keepdims else tuple(a for a in labels if a not in axes)
    pairs = [(x, labels)]
    between = function.result or dtype
    if all(len(x.chunks[a]) == 1 for a in axes):
        alone = function.having(axis=axes, keepdims=keepdims)
        each = dict.fromkeys(axes, 1) if keepdims else None
        found = lazily(alone, kept + extra, pairs, between, sizes=sizes, each=each)
    else:
        every = function.having(axis=axes, keepdims=True)
        each = dict.fromkeys(axes, 1)
        found = lazily(every, labels + extra, pairs, between, sizes=sizes, each=each)
        found = _tree(found, axes, keepdims, combine)
    if finish is None:
        return found
    return lazily(finish, kept, [(found, kept + extra)], dtype)


def _tree(x: DaskArray, axes: tuple[int, ...], keepdims: bool, combine: Block) -> DaskArray:
    """Combine neighbouring blocks along axes until one is left."""
    most = int(dask.config.get("split_every", None) or 16)
    step = max(2, int(most ** (1 / len(axes))))
    last = False
    while not last:
        last = all(x.numblocks[a] <= step for a in axes)
        kept = keepdims or not last
        join = combine.having(axis=axes, keepdims=kept)
        x = _joined(x, axes, step, join, kept)
    return x


def _joined(
    x: DaskArray, axes: tuple[int, ...], step: int, combine: Block, keepdims: bool
) -> DaskArray:
    """Combine up to a number of neighbouring blocks along each of the axes."""
    groups = [
        [range(i, min(i + size, n)) for i in range(0, n, size)]
        for n, size in ((n, step if a in axes else 1) for a, n in enumerate(x.numblocks))
    ]
    kept = [a for a in range(x.ndim) if keepdims or a not in axes]
    name = f"{combine.__name__}-combine-{token(combine.__dask_tokenize__(), x.name, step)}"
    join = _Joining(combine, axes)
    graph: dict[Any, Any] = {
        (name, *[place[a] for a in kept]): (
            join,
            _nested(x.name, [groups[a][i] for a, i in enumerate(place)], axes),
        )
        for place in itertools.product(*[range(len(group)) for group in groups])
    }
    layers = HighLevelGraph.from_collections(name, graph, dependencies=[x])
    chunks = tuple((1,) * len(groups[a]) if a in axes else x.chunks[a] for a in kept)
    return da.Array(layers, name, chunks, meta=meta(x.dtype, len(kept)))


def _nested(name: str, ranges: list[range], axes: tuple[int, ...]) -> Any:
    """Return keys of blocks as lists in lists, one level for each of the axes."""

    def level(axis: int, place: tuple[int, ...]) -> Any:
        if axis == len(ranges):
            return (name, *place)
        if axis not in axes:
            return level(axis + 1, (*place, ranges[axis][0]))
        return [level(axis + 1, (*place, i)) for i in ranges[axis]]

    return level(0, ())


def _joining(function: Block, out: Labels, pairs: Sequence[tuple[Any, Labels | None]]) -> Any:
    """Return a function that joins the axes of operands that the result lacks, if there are any."""
    axes = [tuple(i for i, a in enumerate(at or ()) if a not in out) for _, at in pairs]
    return _Joining(function, *axes) if any(axes) else function


class _Joining:
    """A function of blocks that come as lists in lists, by the axes of each operand.

    Dask itself would copy a block that is alone in its list.
    """

    __slots__ = ("__name__", "axes", "function")

    def __init__(self, function: Block, *axes: tuple[int, ...]) -> None:
        self.function, self.axes, self.__name__ = function, axes, function.__name__

    def __call__(self, *operands: Any) -> Any:
        pairs = zip(operands, self.axes, strict=True)
        return self.function(*[_concatenated(blocks, axes) for blocks, axes in pairs])

    def __reduce__(self) -> tuple[Any, ...]:
        return _Joining, (self.function, *self.axes)

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return self.function.__dask_tokenize__(), self.axes


def _concatenated(blocks: Any, axes: Sequence[int]) -> Any:
    if not isinstance(blocks, list):
        return blocks
    parts = [_concatenated(part, axes[1:]) for part in blocks]
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axes[0])


def whole_axes(function: str, x: DaskArray, axes: Sequence[int]) -> DaskArray:
    """Return an array of which blocks with these axes whole are as small as they can be.

    Raise for vectors, or matrices, that alone exceed the limit.
    """
    if all(len(x.chunks[a]) == 1 for a in axes) or not known(x) or 0 in x.shape:
        return x
    alone = math.prod(x.shape[a] for a in axes) * x.dtype.itemsize
    limit = dask.utils.parse_bytes(dask.config.get(LIMIT, memory() // 4))
    check_whole(function, len(axes), alone, limit, f"dask.config.set({{{LIMIT!r}: ...}})")
    others = [a for a in range(x.ndim) if a not in axes]
    blocks = alone * math.prod(max(x.chunks[a]) for a in others)
    if others and blocks > chunk_size():
        return x.rechunk(dict.fromkeys(axes, -1) | dict.fromkeys(others, "auto"))
    return x


def along(
    function: Block, x: DaskArray, axes: tuple[int, ...], like: NDArray, name: str = ""
) -> DaskArray:
    """Return a function of whole axes of an array, which keeps all axes.

    `like` has the result's data type, and its sizes along these axes.
    """
    x = whole_axes(name or function.__name__, x, axes)
    labels = tuple(("core", a) if a in axes else a for a in range(x.ndim))
    out = tuple(("new", a) if a in axes else a for a in range(x.ndim))
    sizes = {("new", a): like.shape[a] for a in axes}
    return lazily(function, out, [(x, labels)], like.dtype, sizes=sizes)


def stacked(
    function: Block, arrays: Sequence[DaskArray], cores: Sequence[int], name: str = ""
) -> Any:
    """Return a function of stacks of arrays, whose last axes it needs whole; the others broadcast.

    `cores` has the number of whole axes of each array. A call with a stack of no arrays tells the
    shapes, data types and errors.
    """
    rank = max(x.ndim - n for x, n in zip(arrays, cores, strict=True))
    found = function.tried(
        *[_empty_stack(x, n, max(rank, 1)) for x, n in zip(arrays, cores, strict=True)]
    )
    if len(arrays) > 1:
        np.broadcast_shapes(*[x.shape[: x.ndim - n] for x, n in zip(arrays, cores, strict=True)])
    loop: Labels = tuple(range(rank))
    pairs: list[tuple[Any, Labels]] = []
    for k, (x, n) in enumerate(zip(arrays, cores, strict=True)):
        x = whole_axes(name or function.__name__, x, range(x.ndim - n, x.ndim))
        pairs.append((x, (*loop[rank - (x.ndim - n) :], *[("core", k, i) for i in range(n)])))
    results = found if isinstance(found, tuple) else (found,)
    described = [(r.dtype, r.shape[max(rank, 1) :]) for r in results]
    if not isinstance(found, tuple):
        return _part(function, loop, pairs, *described[0])
    together = lazily(function, loop, pairs, np.dtype(object))
    return tuple(
        _part(of_blocks("part", number=i), loop, [(together, loop)], *what)
        for i, what in enumerate(described)
    )


def _empty_stack(x: DaskArray, core: int, rank: int) -> NDArray:
    return np.zeros((0,) * rank + x.shape[x.ndim - core :], x.dtype)


def _part(
    function: Block, loop: Labels, pairs: Any, dtype: NativeDType, shape: tuple[int, ...]
) -> DaskArray:
    new = tuple(("new", i) for i in range(len(shape)))
    return lazily(function, (*loop, *new), pairs, dtype, sizes=dict(zip(new, shape, strict=True)))


def whole(
    function: Block, arrays: Sequence[DaskArray], results: Sequence[tuple[Any, tuple[Any, ...]]]
) -> list[DaskArray]:
    """Return several results of a function of whole arrays, by their data types and shapes.

    A size of NaN isn't known before the function runs.
    """
    pairs = []
    for k, x in enumerate(arrays):
        x = whole_axes(function.__name__, x, range(x.ndim))
        pairs.append((x, tuple(("core", k, i) for i in range(x.ndim))))
    together = lazily(function, (), pairs, np.dtype(object))
    return [
        _part(of_blocks("part", number=i), (), [(together, ())], dtype, shape)
        for i, (dtype, shape) in enumerate(results)
    ]


def by_place(
    function: Block,
    chunks: tuple[tuple[int, ...], ...],
    dtype: NativeDType,
    operands: Sequence[tuple[DaskArray, Labels]] = (),
) -> DaskArray:
    """Return an array whose blocks are a function of their places, as slices.

    Operands have the labels of the result's axes, by number, if they have the same blocks there.
    """
    numbers: dict[Label, int] = {axis: axis for axis in range(len(chunks))}
    labels = tuple(numbers)
    pairs = [(x, tuple(numbers.setdefault(a, len(numbers)) for a in at)) for x, at in operands]
    named = [(x.name, at) for x, at in pairs]
    name = f"{function.__name__}-{token(function.__dask_tokenize__(), chunks, named, dtype)}"
    places = ArraySliceDep(chunks)
    return da.blockwise(
        _joining(function, labels, [(places, labels), *pairs]),
        labels,
        places,
        labels,
        *itertools.chain.from_iterable(pairs),
        name=name,
        align_arrays=False,
        dtype=dtype,
        meta=meta(dtype, len(labels)),
    )


def in_one_task(
    function: Block, arrays: Sequence[DaskArray], shape: tuple[int, ...], dtype: NativeDType
) -> DaskArray:
    """Return the array of one block that is a function of arrays of one block."""
    name = f"{function.__name__}-{token(function.__dask_tokenize__(), [x.name for x in arrays])}"
    keys = [(x.name, *[0] * x.ndim) for x in arrays]
    graph: dict[Any, Any] = {(name, *[0] * len(shape)): (function, *keys)}
    layers = HighLevelGraph.from_collections(name, graph, dependencies=arrays)
    return da.Array(layers, name, tuple((n,) for n in shape), meta=meta(dtype, len(shape)))


def chunk_size() -> int:
    """Return the bytes of a block, as Dask is configured."""
    return dask.utils.parse_bytes(dask.config.get("array.chunk-size"))


def chunks_of(shape: Sequence[int], dtype: NativeDType) -> tuple[tuple[int, ...], ...]:
    """Return the blocks into which Dask cuts a new array."""
    sizes = tuple(shape)
    if math.prod(sizes) * dtype.itemsize <= chunk_size():
        return tuple((n,) for n in sizes)
    # Dask's "auto" divides by zero where an axis is empty.
    asked: Any = sizes if 0 in sizes else "auto"
    return da.core.normalize_chunks(asked, sizes, dtype=dtype)


def constant(values: NDArray) -> DaskArray:
    """Return an array of values that nobody else writes to."""
    return da.from_array(values, chunks=chunks_of(values.shape, values.dtype), name=False)


def alias(x: DaskArray) -> DaskArray:
    """Return another array of the same graph."""
    return carried(da.Array(x.dask, x.name, x.chunks, meta=x._meta), x)
