"""Graphs of Dask arrays: what they depend on, how large their blocks are, and when they run."""

from __future__ import annotations

import pickle
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyIndexError, UnifyValueError

dask = pytest.importorskip("dask")


def _cut(xp: ModuleType, values: Any, size: int | tuple[int, ...]) -> Any:
    """Return an Array whose blocks have a size along each axis."""
    return unify.Array(dask.array.from_array(np.asarray(values), chunks=size))


class TestRandom:
    @pytest.mark.parametrize("size", ["8B", "40B", "1KiB"])
    def test_the_same_numbers_however_they_are_cut(self, xp: ModuleType, size: str) -> None:
        expected = unify.numpy.random.bits(unify.numpy.random.key(7), (5, 3, 4), dtype="uint64")
        with dask.config.set({"array.chunk-size": size}):
            found = xp.random.bits(xp.random.key(7), (5, 3, 4), dtype="uint64")
        assert (found.data.npartitions > 1) == (size != "1KiB")
        assert np.array_equal(found.to_numpy(), expected.to_numpy())

    def test_a_distribution(self, chunked: ModuleType) -> None:
        numpy, arguments = unify.numpy.random, {"shape": (7,)}
        expected = numpy.gamma(numpy.key(1), 2.0, **arguments).to_numpy()
        found = chunked.random.gamma(chunked.random.key(1), 2.0, **arguments)
        assert np.allclose(found.to_numpy(), expected, rtol=1e-14)


class TestNames:
    """Dask computes arrays of one name once: a name that misses an argument gives wrong results."""

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (lambda xp, x: xp.var(x), lambda xp, x: xp.var(x, correction=1)),
            (lambda xp, x: xp.sort(x), lambda xp, x: xp.sort(x, descending=True)),
            (lambda xp, x: x + 1, lambda xp, x: x + True),
            (lambda xp, x: x + 1, lambda xp, x: x + 1.0),
            (lambda xp, x: xp.sum(x), lambda xp, x: xp.sum(x, dtype=xp.float32)),
            (lambda xp, x: xp.tril(xp.ones((3, 3))), lambda xp, x: xp.tril(xp.ones((3, 3)), k=1)),
            (lambda xp, x: xp.full(3, 0.0), lambda xp, x: xp.full(3, -0.0)),
            (lambda xp, x: xp.max(x), lambda xp, x: xp.min(x)),
        ],
    )  # fmt: skip
    def test_tell_arguments_apart(self, chunked: ModuleType, one: Any, other: Any) -> None:
        x = chunked.asarray(np.arange(6).reshape(2, 3))
        assert one(chunked, x).data.name != other(chunked, x).data.name
        assert one(chunked, x).data.name == one(chunked, x).data.name

    def test_tell_default_data_types_apart(self, chunked: ModuleType) -> None:
        x = chunked.asarray(np.arange(6, dtype=np.int8).reshape(2, 3))
        with unify.default_dtype("int32"):
            narrow = chunked.sum(x)
        wide = chunked.sum(x)
        assert (narrow.dtype, wide.dtype) == (unify.int32, unify.int64)
        assert narrow.data.name != wide.data.name
        # The block runs in another thread, after the setting's end.
        assert narrow.to_numpy().dtype == np.int32


class TestSizeOfBlocks:
    def test_a_sort_cuts_the_other_axes(self, xp: ModuleType) -> None:
        x = _cut(xp, np.zeros((64, 64)), 16)
        with dask.config.set({"array.chunk-size": 64 * 8 * 8}):
            found = xp.sort(x, axis=0)
        assert max(found.data.chunks[0]) == 64
        assert max(found.data.chunks[1]) <= 8

    def test_a_limit_can_be_set(self, xp: ModuleType) -> None:
        x = _cut(xp, np.arange(64.0), 16)
        with (
            dask.config.set({"arrayapi-unify.whole-axes": 100}),
            pytest.raises(UnifyValueError, match=r"512 bytes of a worker's memory.*limit is 100"),
        ):
            xp.sort(x)
        assert xp.sort(x).tolist() == list(range(64))

    @pytest.mark.parametrize("name", ["qr", "svd"])
    def test_tall_matrices_stay_in_blocks(self, xp: ModuleType, name: str) -> None:
        values = np.random.default_rng(1).normal(size=(64, 3))
        options = {} if name == "qr" else {"full_matrices": False}
        with dask.config.set({"arrayapi-unify.whole-axes": 16 * 3 * 8}):
            parts = getattr(xp.linalg, name)(_cut(xp, values, (16, 3)), **options)
        assert parts[0].data.numblocks == (4, 1)
        left, *rest = (part.to_numpy() for part in parts)
        product = left @ rest[0] if name == "qr" else (left * rest[0]) @ rest[1]
        assert np.allclose(product, values, atol=1e-14)

    def test_moments_read_a_block_once(self, xp: ModuleType) -> None:
        """A second pass over the data would keep all of it in memory until the mean is known."""
        seen = []

        def block(part: Any) -> Any:
            seen.append(part.shape)
            return part

        data = dask.array.ones(64, chunks=16).map_blocks(block, dtype=float, meta=np.empty(0))
        xp.var(unify.Array(data)).item()
        assert seen == [(16,)] * 4


class TestLaziness:
    def test_an_array_of_petabytes_is_no_work(self, xp: ModuleType) -> None:
        x = xp.zeros((10**8, 10**8))
        with dask.config.set({"array.chunk-size": "1TiB"}), unify.computing("refuse"):
            y = xp.zeros((10**7, 10**7))[2:, ::2]
            y[0, 0] = 1.0
            assert xp.sum(y + 1, axis=0).shape == (5 * 10**6,)
        assert x.shape == (10**8, 10**8)

    def test_an_index_out_of_bounds_raises_when_its_block_runs(self, xp: ModuleType) -> None:
        x = _cut(xp, np.arange(8.0), 4)
        with unify.computing("refuse"):
            found = x[xp.asarray([0, 9])]
        with pytest.raises(
            UnifyIndexError, match="index 9 is out of bounds for axis 0 with size 8"
        ):
            found.to_numpy()

    def test_a_pickle_has_the_graph(self, chunked: ModuleType) -> None:
        x = chunked.arange(6.0) * 2
        y = pickle.loads(pickle.dumps(x))
        assert y.data.name == x.data.name
        assert y.tolist() == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]

    def test_constants_dont_change(self, xp: ModuleType) -> None:
        """One block of a graph may be the result as it is."""
        values = np.arange(3.0)
        x = xp.asarray(values)
        values[0] = 9
        np.asarray(x)[1] = 9
        unify.compute(x)[2] = 9
        assert x.tolist() == [0.0, 1.0, 2.0]
