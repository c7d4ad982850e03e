"""Functions that run on blocks, and are no native functions of NumPy by themselves."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.checks.arguments import trimmed_shape
from arrayapi_unify.backends._common.checks.indexing import check_bounds
from arrayapi_unify.backends.numpy import (
    elementwise as native,
    indexing,
    join_complex,
    linalg,
    random,
    searching,
    set as sets,
    statistical,
)

NDArray = npt.NDArray[Any]
NativeDType = np.dtype[Any]
Axes = tuple[int, ...]
Place = tuple[slice, ...]

# NumPy's stubs lack reductions without a data type.
_add: Any = np.add.reduce
_multiply: Any = np.multiply.reduce
_any: Any = np.logical_or.reduce

__all__ = ["join_complex"]


def part(results: Sequence[Any], number: int) -> Any:
    """Return one of several results."""
    return np.asarray(results[number])


def astype(x: NDArray, to: NativeDType) -> NDArray:
    """Cast."""
    return x.astype(to)


def real(x: NDArray) -> NDArray:
    """Return the real components, in memory of their own: a view would keep the others alive."""
    return x.real.copy()


def imag(x: NDArray) -> NDArray:
    """Return the imaginary components, in memory of their own."""
    return native.imag(x).copy()


def clip(x: NDArray, low: Any, high: Any) -> NDArray:
    """Clamp to a range."""
    return native.clip(x, low, high)


# --- reductions -------------------------------------------------------------------------------


def _reduced(reduce: Callable[..., Any]) -> Callable[..., NDArray]:
    """Make a reduction that leaves no elements of a block that has none: it has no identity."""

    def extreme(x: NDArray, axis: Axes, keepdims: bool) -> NDArray:
        if keepdims and any(x.shape[a] == 0 for a in axis):
            return np.empty([min(n, 1) if a in axis else n for a, n in enumerate(x.shape)], x.dtype)
        return np.asarray(reduce(x, axis=axis, keepdims=keepdims))

    return extreme


largest = _reduced(np.maximum.reduce)
smallest = _reduced(np.minimum.reduce)
largest_number = _reduced(np.fmax.reduce)
smallest_number = _reduced(np.fmin.reduce)


def total(x: NDArray, axis: Axes, keepdims: bool, dtype: NativeDType) -> NDArray:
    """Add up what blocks give."""
    return np.asarray(_add(x, axis, dtype, None, keepdims))


def product(x: NDArray, axis: Axes, keepdims: bool, dtype: NativeDType) -> NDArray:
    """Multiply what blocks give."""
    return np.asarray(_multiply(x, axis, dtype, None, keepdims))


def over(total: NDArray, size: float, dtype: NativeDType) -> NDArray:
    """Divide by a number, complex numbers by components as `mean` does."""
    if total.dtype.kind == "c":
        found = np.array(total)
        found.real /= size
        found.imag /= size
        return found
    return np.asarray(total / size).astype(dtype, copy=False)


def moments(x: NDArray, axis: Axes, keepdims: bool) -> NDArray:
    """Return count, mean and sum of squared distances of a block, along one more axis."""
    exact = x.dtype.kind not in "fc"
    size = math.prod(x.shape[a] for a in axis)
    sums = _add(x, axis, np.float64 if exact else None, None, True)
    middle = np.asarray(sums / (size or 1))
    distance = x - middle
    squares = _add(_squared(distance), axis, None, None, True)
    return _together(np.full(middle.shape, size), middle, squares, axis, keepdims)


def _squared(distance: NDArray) -> NDArray:
    if distance.dtype.kind == "c":
        return np.asarray(distance.real**2 + distance.imag**2)
    distance = np.asarray(distance)
    distance *= distance
    return distance


def _together(count: Any, middle: Any, squares: Any, axis: Axes, keepdims: bool) -> NDArray:
    wide = np.complex128 if middle.dtype.kind == "c" else np.float64
    found = np.stack([np.asarray(part, wide) for part in (count, middle, squares)], -1)
    return found if keepdims else found.squeeze(axis)


def merged_moments(x: NDArray, axis: Axes, keepdims: bool) -> NDArray:
    """Return the moments of several blocks."""
    counts, middles, squares = x[..., 0].real, x[..., 1], x[..., 2].real
    count = counts.sum(axis, keepdims=True)
    middle = np.asarray((counts * middles).sum(axis, keepdims=True) / np.maximum(count, 1))
    moved = counts * _squared(np.where(counts > 0, middles - middle, 0))
    return _together(count, middle, (squares + moved).sum(axis, keepdims=True), axis, keepdims)


def variance(x: NDArray, correction: float, root: bool, dtype: NativeDType) -> NDArray:
    """Return the variance that belongs to moments, or its root."""
    freedom = x[..., 0].real - correction
    found = x[..., 2].real / np.where(freedom > 0, freedom, math.nan)
    return np.asarray(np.sqrt(found) if root else found).astype(dtype, copy=False)


def average(x: NDArray, dtype: NativeDType) -> NDArray:
    """Return the mean that belongs to moments; NaN of no elements."""
    return np.asarray(np.where(x[..., 0].real > 0, x[..., 1], math.nan)).astype(dtype, copy=False)


# --- from places ------------------------------------------------------------------------------


def joined_blocks(*arrays: NDArray, axis: int, new: bool) -> NDArray:
    """Join arrays, along a new axis or one that they have."""
    return np.stack(arrays, axis) if new else np.concatenate(arrays, axis)


def tiled_block(x: NDArray, counts: Sequence[int]) -> NDArray:
    """Repeat an array along each of its axes."""
    return np.tile(x, counts)


def filled(place: Place, value: Any, dtype: NativeDType) -> NDArray:
    """Return a block of one value."""
    return np.full([part.stop - part.start for part in place], value, dtype)


def filled_like(x: NDArray, value: Any, to: NativeDType) -> NDArray:
    """Return a block of one value, of which only the block tells the shape."""
    return np.full_like(x, value, dtype=to)


def second(x: NDArray, value: NDArray) -> NDArray:
    """Return a value as often as x has elements."""
    return np.broadcast_to(value, x.shape)


def progression(
    place: Place, start: float, step: float, compute: NativeDType, dtype: NativeDType
) -> NDArray:
    """Count in a data type, and cast: see `_common.algorithms.creation.Progression`."""
    (part,) = place
    if compute.kind in "iu":
        first = start + part.start * step
        size = part.stop - part.start
        counted: Any = np.arange(first, first + size * step, step, dtype=compute)
        return np.asarray(counted).astype(dtype, copy=False)
    values: Any = np.arange(part.start, part.stop, dtype=compute)
    values *= step
    values += start
    return np.asarray(values).astype(dtype, copy=False)


def interval(
    place: Place, start: complex, stop: complex, num: int, endpoint: bool, dtype: NativeDType
) -> NDArray:
    """Divide an interval as np.linspace does, step by step."""
    (part,) = place
    compute = np.result_type(start, stop, float(num))
    values: Any = np.arange(part.start, part.stop, dtype=compute)
    gaps, width = num - endpoint, np.subtract(stop, start, dtype=compute)
    step = width / gaps if gaps > 0 else width
    if gaps > 0 and step == 0:  # it underflows
        values /= gaps
        step = width
    values *= step
    values += start
    if endpoint and 1 < num == part.stop:
        values[-1] = stop
    if dtype.kind in "iu":
        np.floor(values, out=values)
    return np.asarray(values).astype(dtype, copy=False)


def frequencies(place: Place, n: int, positive: int, unit: float, dtype: NativeDType) -> NDArray:
    """Count from zero, behind the positive ones from -n, in a unit."""
    (part,) = place
    values: Any = np.arange(part.start, part.stop)
    values[max(positive - part.start, 0) :] -= n
    return np.asarray(values * unit).astype(dtype, copy=False)


def diagonal_ones(place: Place, k: int, dtype: NativeDType) -> NDArray:
    """Return a block of a matrix with one diagonal of ones."""
    rows, columns = place
    size = rows.stop - rows.start, columns.stop - columns.start
    return np.eye(*size, k + rows.start - columns.start, dtype)


def triangle(place: Place, x: NDArray, k: int, lower: bool) -> NDArray:
    """Keep one side of a diagonal."""
    offset = k + place[-2].start - place[-1].start
    rows, columns = x.shape[-2:]
    offset = max(-rows - 1, min(offset, columns + 1))
    return np.tril(x, offset) if lower else np.triu(x, offset)


def random_bits(place: Place, key: NDArray, strides: Sequence[int], dtype: NativeDType) -> NDArray:
    """Encrypt the numbers of a block's elements."""
    counts = np.zeros((), np.uint64)
    for part, stride in zip(place, strides, strict=True):
        along = np.arange(part.start, part.stop, dtype=np.uint64) * np.uint64(stride)
        counts = counts[..., None] + along
    return random.encrypted_counts(key, counts, dtype)


# --- selection --------------------------------------------------------------------------------


def search(x2: NDArray, x1: NDArray, sorter: NDArray | None = None, side: Any = "left") -> NDArray:
    """Search in all of an array."""
    return np.asarray(searching.searchsorted(x1, x2, side=side, sorter=sorter))


def member(x1: NDArray, x2: NDArray, invert: bool) -> NDArray:
    """Test for membership in all of an array."""
    return sets.isin(x1, x2, invert=invert)


def gather(x: NDArray, *indices: NDArray, axes: Axes) -> NDArray:
    """Select at index arrays along axes, which become the first ones of the result."""
    for axis, index in zip(axes, indices, strict=True):
        check_bounds(index, x.shape[axis], axis)
    moved = np.moveaxis(x, axes, range(len(axes)))
    return np.asarray(moved[tuple(indices)])


take = gather


def taken_of_block(index: NDArray, x: NDArray, axis: int) -> NDArray:
    """Select at integers along an axis."""
    return np.take(x, index, axis)


def take_along_axis(indices: NDArray, x: NDArray, axis: int) -> NDArray:
    """Select along each vector."""
    return indexing.take_along_axis(x, indices, axis=axis)


def scatter(place: Place, x: NDArray, *operands: NDArray, axes: Axes, sizes: Axes) -> NDArray:
    """Assign to what lies in this block of the elements at index arrays along axes.

    The last operand are the values, with the axes of the index arrays first.
    """
    *indices, values = operands
    found = x.copy()
    moved = np.moveaxis(found, axes, range(len(axes)))
    shape = np.broadcast_shapes(*[i.shape for i in indices])
    inside = np.ones(shape, bool)
    local = []
    for number, (axis, size) in enumerate(zip(axes, sizes, strict=True)):
        index = np.broadcast_to(indices[number], shape).astype(np.int64)
        check_bounds(index, size, axis)
        index = np.where(index < 0, index + size, index)
        inside &= (index >= place[axis].start) & (index < place[axis].stop)
        local.append(index - place[axis].start)
    values = np.broadcast_to(values, shape + moved.shape[len(axes) :])
    moved[tuple(index[inside] for index in local)] = values[inside]
    return found


def put_masked(
    x: NDArray, mask: NDArray, number: NDArray, count: NDArray, values: NDArray
) -> NDArray:
    """Assign to the elements of a mask the values of their running numbers."""
    found = np.array(x)  # NumPy's copy of an array without axes is a scalar
    if values.shape[0] != 1:
        trimmed_shape(values.shape, (int(count), *values.shape[1:]))
        values = values[number[mask]]
    found[mask] = values
    return found


# --- linear algebra ---------------------------------------------------------------------------


def product_of_blocks(x1: NDArray, x2: NDArray) -> NDArray:
    """Multiply blocks; the contracted axis stays the last one, of size one, to be added up."""
    return np.asarray(np.matmul(x1, x2))[..., None]


def solve_vector(x1: NDArray, x2: NDArray) -> NDArray:
    """Solve for one vector, which a stand-in brings as an empty stack."""
    if x2.ndim > 1:
        return linalg.solve(x1, x2[..., None])[..., 0]
    return linalg.solve(x1, x2)


def matrix_rank(x: NDArray, rtol: NDArray) -> NDArray:
    """Find the rank, with a tolerance for each matrix."""
    return linalg.matrix_rank(x, rtol=rtol)


def pinv(x: NDArray, rtol: NDArray) -> NDArray:
    """Invert, with a tolerance for each matrix."""
    return linalg.pinv(x, rtol=rtol)


def matrix_power(x: NDArray, n: int) -> NDArray:
    """Multiply a matrix with itself."""
    return linalg.matrix_power(x, n)


# --- sums along the way -------------------------------------------------------------------------


def accumulated(x: NDArray, name: str, axis: int, dtype: NativeDType | None = None) -> NDArray:
    """Accumulate by a ufunc, given by its name, in the data type of x."""
    ufunc: np.ufunc = getattr(np, name)
    return ufunc.accumulate(x, axis, dtype or x.dtype)


def segments(x: NDArray, ids: NDArray, number: int) -> NDArray:
    """Add up a block at indices, along one more axis before those of the result."""
    return statistical.segment_sum(x, ids, number)[None]


def any_of(x: NDArray, axis: Axes, keepdims: bool, dtype: NativeDType) -> NDArray:
    """Add up bools, as products of matrices of them do."""
    return np.asarray(_any(x, axis, None, None, keepdims))
