"""Linear algebra functions of the main namespace, for the Dask backend."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import dask.array as da
import numpy as np

from arrayapi_unify.backends._common.checks.axes import axis_from_end
from arrayapi_unify.backends._common.checks.linalg import contraction
from arrayapi_unify.backends.dask._core import cast
from arrayapi_unify.backends.dask._lazy import known_shape
from arrayapi_unify.backends.dask._lift import elementwise, lazily, reduction
from arrayapi_unify.backends.dask._natives import DaskArray, native, of_blocks, one
from arrayapi_unify.backends.dask._sizes import carried
from arrayapi_unify.backends.dask.manipulation import reshape
from arrayapi_unify.backends.numpy import linear_algebra as numpy
from arrayapi_unify.backends.numpy.elementwise import multiply


def matmul(x1: DaskArray, x2: DaskArray, /) -> DaskArray:
    """Multiply blocks, and add up along the contracted axis."""
    dtype = numpy.matmul(*_thin(known_shape(x1), known_shape(x2), x1, x2)).dtype
    np.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    left = x1[None, :] if x1.ndim == 1 else x1
    right = x2[:, None] if x2.ndim == 1 else x2
    found = _product(left, right, dtype)
    first = 0 if x1.ndim == 1 else slice(None)
    last = 0 if x2.ndim == 1 else slice(None)
    vectors = x1.ndim == 1 or x2.ndim == 1
    return found[..., first, last] if vectors else found


def outer(x1: DaskArray, x2: DaskArray, /) -> DaskArray:
    """Multiply each element with each other: one task for each pair of blocks."""
    vectors = [x if x.ndim == 1 else reshape(x, (-1,)) for x in (x1, x2)]
    dtype = multiply(one(vectors[0]), one(vectors[1])).dtype
    pairs = [(vectors[0], (0,)), (vectors[1], (1,))]
    return lazily(native("linalg", "outer"), (0, 1), pairs, dtype)


def _thin(shape1: Any, shape2: Any, x1: DaskArray, x2: DaskArray) -> tuple[Any, Any]:
    """Return stand-ins for factors; their sizes fit if those of the factors do."""
    fit = bool(shape1 and shape2) and shape1[-1] == shape2[-2:][0]
    rows = (1,) if fit else (2,)
    small2 = (*rows, 1)[: len(shape2)]
    return np.ones((1, 1)[: len(shape1)], x1.dtype), np.ones(small2, x2.dtype)


def _product(x1: DaskArray, x2: DaskArray, dtype: np.dtype[Any]) -> DaskArray:
    rank = max(x1.ndim, x2.ndim) - 2
    stack = tuple(range(rank))
    pairs = [
        (x1, (*stack[rank - x1.ndim + 2 :], "row", "inner")),
        (x2, (*stack[rank - x2.ndim + 2 :], "inner", "column")),
    ]
    out = (*stack, "row", "column")
    if x1.shape[-1] == 0 or (len(x1.chunks[-1]) == 1 and len(x2.chunks[-2]) == 1):
        return lazily(native("linear_algebra", "matmul"), out, pairs, dtype)
    function = of_blocks("product_of_blocks")
    parts = lazily(function, (*out, "inner"), pairs, dtype, each={"inner": 1})
    name = "total" if dtype.kind != "b" else "any_of"
    add = of_blocks(name, dtype=dtype)
    return reduction(parts, (parts.ndim - 1,), False, add, add, dtype)


def matrix_transpose(x: DaskArray, /) -> DaskArray:
    """Transpose."""
    numpy.matrix_transpose(one(x))
    return carried(da.swapaxes(x, -1, -2), x, (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2))


def tensordot(
    x1: DaskArray, x2: DaskArray, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2
) -> DaskArray:
    """Contract, as a product of matrices."""
    shape1, shape2 = known_shape(x1), known_shape(x2)
    found = contraction(shape1, shape2, axes)
    if isinstance(found, int):
        found = tuple(range(x1.ndim - found, x1.ndim)), tuple(range(found))
    inner1, inner2 = (
        [operator.index(a) % x.ndim for a in along]
        for along, x in zip(found, (x1, x2), strict=True)
    )
    outer1 = [a for a in range(x1.ndim) if a not in inner1]
    outer2 = [a for a in range(x2.ndim) if a not in inner2]
    size = math.prod(shape1[a] for a in inner1)
    sizes1, sizes2 = [shape1[a] for a in outer1], [shape2[a] for a in outer2]
    left = reshape(da.transpose(x1, outer1 + inner1), (math.prod(sizes1), size))
    right = reshape(da.transpose(x2, inner2 + outer2), (size, math.prod(sizes2)))
    return reshape(matmul(left, right), (*sizes1, *sizes2))


def vecdot(x1: DaskArray, x2: DaskArray, /, *, axis: int = -1) -> DaskArray:
    """Multiply and add up."""
    shapes = known_shape(x1), known_shape(x2)
    axis = axis_from_end("vecdot", *shapes, axis)
    sizes = (1, 1 if shapes[0][axis] == shapes[1][axis] else 2)
    dtype = numpy.vecdot(np.ones(sizes[0], x1.dtype), np.ones(sizes[1], x2.dtype)).dtype
    left = elementwise(native("elementwise", "conj"), cast(x1, dtype))
    products = elementwise(native("elementwise", "multiply"), left, cast(x2, dtype))
    name = "total" if dtype.kind != "b" else "any_of"
    add = of_blocks(name, dtype=dtype)
    return reduction(products, (products.ndim + axis,), False, add, add, dtype)
