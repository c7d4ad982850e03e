"""Attributes of Dask arrays alone: computing, sizes that aren't known, Dask's protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dask.array as da
import numpy as np
import numpy.typing as npt

from arrayapi_unify._core import lazy_access
from arrayapi_unify.backends._common.protocols.lazy import Rebuild, forwarded, rebuilding
from arrayapi_unify.backends.dask._kept import computed, noting as noting, sizes_computed
from arrayapi_unify.backends.dask._sizes import sizes_found

__all__ = ["compute", "known_shape", "members", "noting", "summary", "values_of"]


def compute(xs: Sequence[da.Array]) -> list[npt.NDArray[Any]]:
    """Compute arrays in one pass; the results are NumPy's, in memory of their own."""
    found = computed(*xs)
    # One block may be a constant of the graph, which must not change.
    return [
        np.array(values) if x.npartitions == 1 else np.asarray(values)
        for x, values in zip(xs, found, strict=True)
    ]


def values_of(x: da.Array, values: str = "the values") -> npt.NDArray[Any]:
    """Look at the values."""
    lazy_access.look(x, values)
    return compute([x])[0]


def known_shape(x: da.Array) -> tuple[int, ...]:
    """Return the shape, of which what isn't known is computed, and then stored in the array."""
    shape: tuple[int, ...] = x.shape
    for size in shape:
        if size != size:  # Dask writes NaN for a size that isn't known
            if sizes_found(x):
                return tuple(x.shape)
            lazy_access.look(x, "the sizes that aren't known")
            return sizes_computed(x)
    return shape


def summary(x: da.Array) -> str:
    """Return the blocks, as Dask shows them."""
    return f"chunksize={tuple(None if n != n else n for n in x.chunksize)}"


def members(rebuild: Rebuild) -> Mapping[str, Any]:
    """Return the protocol of Dask's collections: the native array's answers."""
    return {
        **forwarded(
            "__dask_graph__", "__dask_keys__", "__dask_layers__", "__dask_optimize__",
            "__dask_scheduler__",
        ),
        **rebuilding(rebuild, "__dask_postcompute__", "__dask_postpersist__"),
        "__dask_tokenize__": lambda self: ("arrayapi_unify", self.data.name),
    }  # fmt: skip
