"""Small arrays whose values a look keeps: a loop with a look in each step takes linear time.

A look computes a graph from its beginning, and in a loop each graph has all those before it in it.
The small arrays on the way that somebody still has are results of the same computation. Their
graphs are replaced by their values, so that the next step begins there. Names stay, since the
values are those that the names stand for, and since one assignment is whole for other threads.

A cluster's scheduler may still know a name by its graph, and two graphs of one name can end in a
deadlock there. Nothing is kept on a cluster, which has `persist`.
"""

from __future__ import annotations

import functools
import itertools
import weakref
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar, cast

import dask.array as da
import numpy as np
from dask.array.core import slices_from_chunks
from dask.base import compute, get_scheduler
from dask.highlevelgraph import HighLevelGraph

from arrayapi_unify.backends.dask._natives import DaskArray, NDArray, known

__all__ = ["MOST_BYTES", "computed", "noting", "sizes_computed"]

F = TypeVar("F", bound=Callable[..., Any])
MOST_BYTES: Final = 2**20
"""The bytes of the largest array whose values are kept."""

_alive: Final[weakref.WeakValueDictionary[int, Any]] = weakref.WeakValueDictionary()


def noting(native: F) -> F:
    """Return a native function whose results are known here as long as they are in use."""

    @functools.wraps(native)
    def noted(*args: Any, **kwargs: Any) -> Any:
        found = native(*args, **kwargs)
        for x in found if isinstance(found, list | tuple) else (found,):
            if isinstance(x, da.Array):
                _alive[id(x)] = x
        return found

    return cast(F, noted)


def computed(*xs: DaskArray) -> tuple[Any, ...]:
    """Compute arrays in one pass, and with them the small arrays of which they are made."""
    kept = _on_the_way(xs)
    values: tuple[Any, ...] = compute(*xs, *kept)
    for x, found in zip(kept, values[len(xs) :], strict=True):
        _keep(x, found)
    return values[: len(xs)]


def _on_the_way(xs: Sequence[DaskArray]) -> list[DaskArray]:
    """List the small arrays in use whose names are in a graph, and whose graphs are longer."""
    if hasattr(get_scheduler(collections=list(xs)), "__self__"):  # a method: that of a client
        return []
    names = set(itertools.chain.from_iterable(x.dask.layers for x in xs))
    # A list of references is made at once; other threads may add some in the meantime.
    alive = [x for x in (reference() for reference in _alive.valuerefs()) if x is not None]
    return [x for x in alive if x.name in names and len(x.dask.layers) > 1 and _is_small(x)]


def _is_small(x: DaskArray) -> bool:
    return known(x) and not x.dtype.hasobject and bool(x.nbytes <= MOST_BYTES)


def _keep(x: DaskArray, values: NDArray) -> None:
    """Put values in place of a graph, in one assignment, which other threads see whole or not."""
    places = itertools.product(*[range(n) for n in x.numblocks])
    blocks: dict[Any, Any] = {
        (x.name, *place): np.array(values[part])
        for place, part in zip(places, slices_from_chunks(x.chunks), strict=True)
    }
    x.dask = HighLevelGraph.from_collections(x.name, blocks, dependencies=())


def sizes_computed(x: DaskArray) -> tuple[int, ...]:
    """Compute the sizes of blocks, and store them in the array."""
    ones = tuple((1,) * n for n in x.numblocks)
    shapes = computed(da.map_blocks(_shape, x, chunks=ones, dtype=object, meta=np.empty(0, object)))
    found = np.asarray(shapes[0])
    x._chunks = tuple(
        tuple(int(shape[axis]) for shape in found[_line(axis, x.ndim)]) for axis in range(x.ndim)
    )
    return tuple(x.shape)


def _line(axis: int, ndim: int) -> tuple[Any, ...]:
    """Return the key of the first blocks along an axis."""
    return tuple(slice(None) if a == axis else 0 for a in range(ndim))


def _shape(block: NDArray) -> Any:
    """Return an array of one element: the shape of a block."""
    found = np.empty((1,) * block.ndim, object)
    found[(0,) * block.ndim] = block.shape
    return found
