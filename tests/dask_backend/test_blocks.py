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

    @pytest.mark.parametrize("rows", [16, 2])  # blocks of two rows are joined
    @pytest.mark.parametrize(
        ("name", "options"),
        [
            ("svdvals", {}),
            ("matrix_rank", {}),
            ("matrix_rank", {"rtol": 0.7}),
            ("matrix_norm", {"ord": "nuc"}),
            ("matrix_norm", {"ord": 2}),
            ("pinv", {}),
            ("pinv", {"rtol": 0.7}),
        ],
    )
    def test_functions_of_singular_values_stay_in_blocks(
        self, xp: ModuleType, rows: int, name: str, options: dict[str, Any]
    ) -> None:
        values = np.random.default_rng(1).normal(size=(50, 3)) * [1.0, 0.5, 1e-15]
        expected = getattr(unify.numpy.linalg, name)(unify.numpy.asarray(values), **options)
        with dask.config.set({"arrayapi-unify.whole-axes": 20 * 3 * 8}):
            found = getattr(xp.linalg, name)(_cut(xp, values, (rows, 3)), **options)
        assert found.dtype == expected.dtype
        assert np.allclose(found.to_numpy(), expected.to_numpy(), rtol=1e-12, atol=1e-14)

    @pytest.mark.parametrize("right", [(), (2,)])
    @pytest.mark.parametrize("options", [{}, {"rcond": 0.5}, {"rcond": -1}])
    def test_a_fit_stays_in_blocks(
        self, xp: ModuleType, right: tuple[int, ...], options: dict[str, Any]
    ) -> None:
        random = np.random.default_rng(2)
        a, b = random.normal(size=(67, 3)) * [1.0, 0.6, 0.1], random.normal(size=(67, *right))
        expected = unify.numpy.linalg.lstsq(
            unify.numpy.asarray(a), unify.numpy.asarray(b), **options
        )
        with (
            dask.config.set({"arrayapi-unify.whole-axes": 20 * 5 * 8}),
            unify.computing("refuse"),
        ):
            found = xp.linalg.lstsq(_cut(xp, a, (16, 3)), _cut(xp, b, (10, *right)), **options)
        assert type(found) is type(expected)
        for part, other in zip(found, expected, strict=True):
            assert (part.shape, part.dtype) == (other.shape, other.dtype)
            assert np.allclose(part.to_numpy(), other.to_numpy(), rtol=1e-12)

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
            found = x[xp.asarray([0, 8]) + xp.asarray([0, 1])]
        with pytest.raises(
            UnifyIndexError, match="index 9 is out of bounds for axis 0 with size 8"
        ):
            found.to_numpy()

    def test_a_known_index_out_of_bounds_raises_at_once(self, xp: ModuleType) -> None:
        x = _cut(xp, np.arange(8.0), 4)
        with (
            unify.computing("refuse"),
            pytest.raises(UnifyIndexError, match="index 9 is out of bounds for axis 0 with size 8"),
        ):
            x[xp.asarray([0, 9])]

    def test_out_of_a_result_of_unknown_size(self, xp: ModuleType) -> None:
        out = xp.zeros(3)
        assert xp.union1d(xp.asarray([1.0, 2.0]), xp.asarray([2.0, 3.0]), out=out) is out
        assert out.tolist() == [1.0, 2.0, 3.0]
        with pytest.raises(UnifyValueError, match=r"has shape \(3,\), the result has \(2,\)"):
            xp.union1d(xp.asarray([1.0]), xp.asarray([2.0]), out=out)

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
