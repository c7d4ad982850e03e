"""Small arrays whose values a look keeps: a loop with a look in each step takes linear time.

A look computes a graph from its beginning, and in a loop each graph has all those before it in it.
The small arrays on the way that somebody still has are results of the same computation. Their
graphs are replaced by their values, so that the next step begins there. Other arrays' graphs begin
with the small ones on the way that nobody has. Names stay, since the values are those that the
names stand for, and since one assignment is whole for other threads.

A cluster's scheduler may still know a name by its graph, and two graphs of one name can end in a
deadlock there. Nothing is kept on a cluster, which has `persist`.
"""

from __future__ import annotations

import functools
import itertools
import weakref
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar, cast

import dask.array as da
import numpy as np
from dask._task_spec import GraphNode
from dask.array.core import slices_from_chunks
from dask.array.optimization import GETTERS
from dask.base import compute, get_scheduler
from dask.highlevelgraph import HighLevelGraph, MaterializedLayer

from arrayapi_unify.backends.dask._natives import DaskArray, NDArray
from arrayapi_unify.backends.dask._sizes import marked, masks_of, sizes_found, uncounted

__all__ = ["MOST_BYTES", "computed", "noting", "sizes_computed"]

F = TypeVar("F", bound=Callable[..., Any])
MOST_BYTES: Final = 2**20
"""The bytes of the largest array whose values are kept."""

LONG: Final = 256
"""The layers of a graph that is computed as it is, if each is one block."""

_alive: Final[weakref.WeakValueDictionary[int, Any]] = weakref.WeakValueDictionary()
_MADE: Final = "_made"  # in the dictionary of the layer of a result


def noting(native: F) -> F:
    """Return a native function whose results are known here as long as they are in use."""

    @functools.wraps(native)
    def noted(*args: Any, **kwargs: Any) -> Any:
        found = native(*args, **kwargs)
        if type(found) is da.Array:
            _note(found)
        elif isinstance(found, list | tuple):
            for x in found:
                if isinstance(x, da.Array):
                    _note(x)
        return found

    return cast(F, noted)


class _Made:
    """Of a result, the part that its layer lacks. It doesn't travel with the layer."""

    __slots__ = ("chunks", "masks", "meta")

    def __init__(self, x: DaskArray) -> None:
        self.chunks, self.meta, self.masks = x._chunks, x._meta, masks_of(x)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(None), ()


def _note(x: DaskArray) -> None:
    layers = x.dask.layers
    if len(layers) > 1:  # there is something to shorten
        _alive[id(x)] = x
        layer = layers.get(x.name)
        if layer is not None:
            layer.__dict__[_MADE] = _Made(x)


def computed(*xs: DaskArray) -> tuple[Any, ...]:
    """Compute arrays in one pass, and with them the small arrays of which they are made."""
    if hasattr(get_scheduler(collections=list(xs)), "__self__"):  # a method: that of a client
        return cast("tuple[Any, ...]", compute(*xs))
    names = {name: x.dask for x in xs for name, parts in x.dask.dependencies.items() if parts}
    # A list of references is made at once; other threads may add some in the meantime.
    alive = [x for x in (reference() for reference in _alive.valuerefs()) if x is not None]
    near = [x for x in alive if not names.keys().isdisjoint(x.dask.layers)]
    kept = [x for x in near if x.name in names and _is_small(x)]
    cuts = [_Cut(x, names) for x in near if x.name not in names]
    between = {name: x for cut in cuts for name, x in cut.parts.items()}
    fuses = not all(_is_long(x.dask) for x in xs)
    values: tuple[Any, ...] = compute(*xs, *kept, *between.values(), optimize_graph=fuses)
    for x, found in zip(kept, values[len(xs) :], strict=False):
        x.dask = _held(x, found)
        _alive.pop(id(x), None)
    first = len(xs) + len(kept)
    begun = {x.name: _held(x, v) for x, v in zip(between.values(), values[first:], strict=True)}
    for cut in cuts:
        cut.make(begun)
    return values[: len(xs)]


def _is_long(graph: HighLevelGraph) -> bool:
    """Return True for a graph that Dask only loses time to optimize: many layers of one block.

    Its fusion takes quadratic time, and nests the calls of a thousand layers too deeply for Python.
    It has a use for blocks that it leaves out, and for parts of what is stored.
    """
    return len(graph.layers) >= LONG and all(
        len(layer.get_output_keys()) == 1 and (graph.dependencies[name] or not _reads(layer))
        for name, layer in graph.layers.items()
    )


def _reads(layer: Any) -> bool:
    """Return True for a layer of Dask's own sources, of which a part may be read."""
    if isinstance(layer, MaterializedLayer):
        kinds = (np.ndarray, GraphNode, tuple)
        return not all(isinstance(part, kinds) for part in layer.mapping.values())
    return getattr(getattr(layer, "task", None), "func", None) in GETTERS


def _is_small(x: DaskArray) -> bool:
    return sizes_found(x) and not x.dtype.hasobject and bool(x.nbytes <= MOST_BYTES)


def _held(x: DaskArray, values: NDArray) -> HighLevelGraph:
    """Return a graph of values.

    To assign it to an array is one step, which other threads see whole or not.
    """
    places = itertools.product(*[range(n) for n in x.numblocks])
    blocks: dict[Any, Any] = {
        (x.name, *place): np.array(values[part])
        for place, part in zip(places, slices_from_chunks(x.chunks), strict=True)
    }
    return HighLevelGraph.from_collections(x.name, blocks, dependencies=())


def _small(name: str, graph: HighLevelGraph) -> DaskArray | None:
    """Return the array of that name in a graph, if it is a small one that a function made."""
    made: _Made | None = graph.layers[name].__dict__.get(_MADE)
    if made is None:
        return None
    found = marked(da.Array(graph, name, made.chunks, meta=made.meta), made.masks)
    if not _is_small(found):
        return None
    # Dask takes two arrays for one whose graphs have the same names.
    order = _reached(name, graph)
    layers = {n: graph.layers[n] for n in order}
    found.dask = HighLevelGraph(layers, {n: graph.dependencies[n] for n in order})
    return found


def _reached(
    name: str, graph: HighLevelGraph, ends: Callable[[str], bool] = lambda name: False
) -> list[str]:
    """Go from a name to the beginnings of a graph, or to names where the way ends."""
    reached, ahead, seen = [], [name], {name}
    while ahead:
        here = ahead.pop()
        reached.append(here)
        new = set() if ends(here) else graph.dependencies[here] - seen
        seen |= new
        ahead += new
    return reached


class _Cut:
    """The part of an array's graph that is left once small arrays on the way are computed."""

    def __init__(self, x: DaskArray, names: Mapping[str, HighLevelGraph]) -> None:
        """Go from the array to its beginnings, or to the names in graphs that are computed."""
        self.x, self.graph = x, x.dask
        self.names = names
        self.parts: dict[str, DaskArray] = {}
        reached = _reached(x.name, self.graph, self._ends)
        self.left = [name for name in reached if name not in self.parts]

    def _ends(self, name: str) -> bool:
        part = _small(name, self.names[name]) if name in self.names else None
        if part is not None:
            self.parts[name] = part
        return part is not None

    def make(self, begun: Mapping[str, HighLevelGraph]) -> None:
        """Begin the graph with what was computed, unless another thread has changed it."""
        if self.parts and self.x.dask is self.graph:
            layers = {name: self.graph.layers[name] for name in self.left}
            dependencies = {name: self.graph.dependencies[name] for name in self.left}
            for name in self.parts:
                layers[name], dependencies[name] = begun[name].layers[name], set()
            self.x.dask = HighLevelGraph(layers, dependencies)


def sizes_computed(x: DaskArray) -> tuple[int, ...]:
    """Compute the sizes of blocks, and store them in the array: by masks, if these decide them."""
    masks = uncounted(x)
    if masks is not None:
        counts = computed(*[_each(_count, mask.x) for mask in masks])
        for mask, found in zip(masks, counts, strict=True):
            mask.store(found.ravel())
        if sizes_found(x):
            return tuple(x.shape)
    shapes = np.asarray(computed(_each(_shape, x))[0])
    x._chunks = tuple(
        tuple(int(shape[axis]) for shape in shapes[_line(axis, x.ndim)]) for axis in range(x.ndim)
    )
    return tuple(x.shape)


def _each(function: Any, x: DaskArray) -> DaskArray:
    """Return a function of each block, as an array of one element for each."""
    ones = tuple((1,) * n for n in x.numblocks)
    return da.map_blocks(function, x, chunks=ones, dtype=object, meta=np.empty(0, object))


def _line(axis: int, ndim: int) -> tuple[Any, ...]:
    """Return the key of the first blocks along an axis."""
    return tuple(slice(None) if a == axis else 0 for a in range(ndim))


def _shape(block: NDArray) -> NDArray:
    """Return an array of one element: the shape of a block."""
    return _single(block, block.shape)


def _count(block: NDArray) -> NDArray:
    """Return an array of one element: how many of a block are true."""
    return _single(block, int(np.count_nonzero(block)))


def _single(block: NDArray, value: Any) -> NDArray:
    found = np.empty((1,) * block.ndim, object)
    found[(0,) * block.ndim] = value
    return found
