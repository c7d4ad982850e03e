"""Blocks without elements, which masks leave, change no result; Dask's own are wrong then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dask.array
import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of

XP: Any = namespace_of("dask")
CHUNKS: list[tuple[tuple[int, ...], ...]] = [
    ((0, 1, 1, 0),), ((1, 0, 1),), ((2, 0),),
    ((2, 0, 2), (3,)), ((4,), (0, 2, 1)), ((0, 4), (1, 0, 2)), ((1, 0, 3, 0), (0, 1, 0, 2)),
]  # fmt: skip
# The same call for NumPy's own arrays and functions.
CALLS: dict[str, Callable[[Any, Any], Any]] = {
    name: lambda xp, x, name=name: getattr(xp, name)(x)
    for name in (
        "abs", "all", "any", "argmax", "argmin", "argwhere", "average", "count_nonzero", "diff",
        "exp", "flip", "max", "mean", "median", "min", "nanmax", "nansum", "nonzero", "prod",
        "ptp", "ravel", "std", "sum", "unique_values", "var",
    )
} | {
    "argmax, axis": lambda xp, x: xp.argmax(x, axis=0),
    "argsort": lambda xp, x: xp.argsort(x, axis=0),
    "broadcast_to": lambda xp, x: xp.broadcast_to(x, (2, *x.shape)),
    "concat": lambda xp, x: xp.concat([x, x]),
    "cumprod": lambda xp, x: xp.cumprod(x, axis=0),
    "cumsum": lambda xp, x: xp.cumsum(x, axis=0),
    "einsum": lambda xp, x: xp.einsum("i...,i...->i...", x, x),
    "expand_dims": lambda xp, x: xp.expand_dims(x, axis=0),
    "gradient": lambda xp, x: xp.gradient(x, axis=0),
    "matrix product": lambda xp, x: xp.reshape(x, (1, -1)) @ xp.reshape(x, (-1, 1)),
    "max, axes": lambda xp, x: xp.max(x, axis=tuple(range(x.ndim)), keepdims=True),
    "operators": lambda xp, x: (x + 1.0) / x - x[:1] * x,
    "percentile": lambda xp, x: xp.percentile(x, 30.0, axis=0),
    "repeat": lambda xp, x: xp.repeat(x, 2, axis=0),
    "reshape": lambda xp, x: xp.reshape(x, (-1, 1)),
    "roll": lambda xp, x: xp.roll(x, 1, axis=0),
    "searchsorted": lambda xp, x: xp.searchsorted(xp.sort(xp.ravel(x)), xp.ravel(x)),
    "sort": lambda xp, x: xp.sort(x, axis=0),
    "stack": lambda xp, x: xp.stack([x, -x], axis=-1),
    "take": lambda xp, x: xp.take(x, xp.asarray([1, 0, 1]), axis=0),
    "tensordot": lambda xp, x: xp.tensordot(x, x, axes=x.ndim),
    "tile": lambda xp, x: xp.tile(x, (2,) * x.ndim),
    "where": lambda xp, x: xp.where(x > 2.0, x, -x),
}  # fmt: skip
KEYS: list[Any] = [
    slice(None, None, -1), 1, -1, slice(1, None), slice(None, 1), slice(None, None, 2), None,
    (..., 0), np.array([1, 0, 1]), np.array([True, False]),
]  # fmt: skip


def made(chunks: tuple[tuple[int, ...], ...]) -> tuple[Any, Any]:
    """Return NumPy's values, and an Array that is cut at these places."""
    shape = tuple(map(sum, chunks))
    values = np.arange(1.0, 1 + np.prod(shape))[::-1].reshape(shape) * 1.25
    return values, unify.Array(dask.array.from_array(values.copy(), chunks=chunks))


def computed(found: Any) -> list[Any]:
    return [np.asarray(part) for part in (found if isinstance(found, tuple) else (found,))]


@pytest.mark.parametrize("chunks", CHUNKS, ids=str)
class TestAmongOthers:
    @pytest.mark.parametrize("name", CALLS)
    def test_functions(self, chunks: tuple[tuple[int, ...], ...], name: str) -> None:
        values, x = made(chunks)
        expected = computed(CALLS[name](np, values))
        found = computed(CALLS[name](XP, x))
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert one.shape == other.shape
            np.testing.assert_allclose(one, other, rtol=1e-14)

    @pytest.mark.parametrize("key", KEYS, ids=repr)
    def test_reads_and_writes(self, chunks: tuple[tuple[int, ...], ...], key: Any) -> None:
        values, x = made(chunks)
        if isinstance(key, np.ndarray) and key.dtype == bool:
            key = np.arange(len(values)) % 2 == 0
        assert np.array_equal(np.asarray(x[key]), values[key])
        values[key] = 7.0
        x[key] = 7.0
        assert np.array_equal(np.asarray(x), values)


def masked() -> tuple[np.ndarray, Any]:
    """Return NumPy's values, and an Array of unknown size of which the first block is empty."""
    values = np.arange(1.0, 7.0)
    x = unify.Array(dask.array.from_array(values.copy(), chunks=2))
    return values[values > 2.5], x[x > 2.5]


class TestOfUnknownSize:
    @pytest.mark.parametrize("name", CALLS)
    def test_functions(self, name: str) -> None:
        values, x = masked()
        expected, found = computed(CALLS[name](np, values)), computed(CALLS[name](XP, x))
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert one.shape == other.shape
            np.testing.assert_allclose(one, other, rtol=1e-14)

    @pytest.mark.parametrize("key", KEYS, ids=repr)
    def test_reads_and_writes(self, key: Any) -> None:
        values, x = masked()
        if isinstance(key, np.ndarray) and key.dtype == bool:
            key = np.arange(len(values)) % 2 == 0
        assert np.array_equal(np.asarray(x[key]), values[key])
        values[key] = 7.0
        _, x = masked()
        x[key] = 7.0
        assert np.array_equal(np.asarray(x), values)


class TestOfMasks:
    """Sizes become known while an array is in use: graphs from before and after fit together."""

    def test_results_from_before_and_after(self) -> None:
        values = np.arange(12.0).reshape(6, 2)
        x = unify.Array(dask.array.from_array(values, chunks=(2, 1)))
        part = x[x[:, 0] > 7.0]
        before = part / 2.0 + part
        assert XP.sum(part).tolist() == values[4:].sum()
        assert part.tolist() == values[4:].tolist()
        sizes = part.data.compute_chunk_sizes().chunks
        assert sizes[0] == (0, 0, 2)
        after = part / 2.0 + part
        both = XP.concat([before[:1], after[::-1]])
        expected = values[4:] * 1.5
        assert np.asarray(both).tolist() == [*expected[:1].tolist(), *expected[::-1].tolist()]

    def test_masks_of_what_masks_left(self) -> None:
        values = np.arange(8.0)
        x = unify.Array(dask.array.from_array(values, chunks=2))
        part = x[x > 5.0]
        kept = part > 6.0
        before = part[kept]
        assert part.tolist() == [6.0, 7.0]
        after = part[kept]
        assert np.asarray(XP.concat([before, after])).tolist() == [7.0, 7.0]

    def test_a_write_by_a_mask_of_several_blocks(self) -> None:
        """The values are found by running numbers, which are sums over all blocks."""
        x = unify.Array(dask.array.from_array(np.zeros((4, 2)), chunks=2))
        some = unify.Array(dask.array.from_array(np.arange(4.0), chunks=1))
        mask = some[(some > 0.0) & (some < 3.0)] > 1.0  # in blocks of 0, 1, 1 and 0 elements
        rows = x[:2]
        rows[mask] = unify.Array(dask.array.from_array(np.array([[5.0, 6.0]]), chunks=1))
        assert rows.tolist() == [[0.0, 0.0], [5.0, 6.0]]


@pytest.mark.parametrize(
    ("shape", "axis", "expected"),
    [((0,), 0, 0.0), ((0, 3), None, 0.0), ((0, 3), 0, [0.0] * 3), ((0, 3), 1, [])],
)
@pytest.mark.parametrize("ord", [1, 2, np.inf])
def test_norms_of_nothing(shape: Any, axis: Any, expected: Any, ord: float) -> None:
    """They are 0, for the largest of nothing too, as NumPy 2.4 has it."""
    assert XP.linalg.vector_norm(XP.zeros(shape), axis=axis, ord=ord).tolist() == expected
