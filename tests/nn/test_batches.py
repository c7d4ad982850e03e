"""Batches of rows: NumPy's rows once each, in the same order on all backends."""

from __future__ import annotations

from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Container
from arrayapi_unify.errors import BackendError, UnifyTypeError, UnifyValueError
from tests.installed import INSTALLED

X, Y = np.arange(22.0).reshape(11, 2), np.arange(11) * 7


class Pair(NamedTuple):
    x: Any
    y: Any


def parts(xp: ModuleType, **options: Any) -> list[tuple[Any, Any]]:
    """The batches of X and Y, as arrays of NumPy."""
    found = unify.batches(xp.asarray(X), xp.asarray(Y), **options)
    return [(np.asarray(x), np.asarray(y)) for x, y in found]


class TestRows:
    @pytest.mark.parametrize("size", [1, 4, 11, 12])
    @pytest.mark.parametrize("drop_last", [False, True])
    def test_in_order(self, xp: ModuleType, size: int, drop_last: bool) -> None:
        found = parts(xp, size=size, drop_last=drop_last)
        wanted = [(X[i : i + size], Y[i : i + size]) for i in range(0, 11, size)]
        wanted = [(x, y) for x, y in wanted if not drop_last or len(x) == size]
        assert len(found) == len(wanted)
        for ours, theirs in zip(found, wanted, strict=True):
            assert all(map(np.array_equal, ours, theirs))

    @pytest.mark.parametrize("size", [3, 11])
    def test_shuffled(self, xp: ModuleType, size: int) -> None:
        """All rows once, the arrays alike; another key gives another order."""
        key = xp.random.key(5)
        found = parts(xp, size=size, key=key)
        assert [len(x) for x, _ in found] == {3: [3, 3, 3, 2], 11: [11]}[size]
        x, y = (np.concatenate(column) for column in zip(*found, strict=True))
        assert np.array_equal(np.sort(y), Y)
        assert np.array_equal(x, X[y // 7])
        other = np.concatenate([y for _, y in parts(xp, size=size, key=xp.random.key(6))])
        again = np.concatenate([y for _, y in parts(xp, size=size, key=key)])
        assert np.array_equal(y, again)
        assert not np.array_equal(y, Y)
        assert not np.array_equal(y, other)

    def test_the_same_order_as_on_numpy(self, xp: ModuleType) -> None:
        found, wanted = (
            [y.tolist() for _, y in parts(one, size=3, key=one.random.key(2), drop_last=True)]
            for one in (xp, unify.get_backend("numpy"))
        )
        assert found == wanted

    def test_orders_are_as_likely(self) -> None:
        """Each of four rows comes first in about a quarter of the orders."""
        x = unify.arange(4)
        firsts = [
            next(unify.batches(x, size=1, key=unify.random.key(seed)))[0].item()
            for seed in range(400)
        ]
        assert all(60 < firsts.count(row) < 140 for row in range(4))

    def test_no_rows(self, xp: ModuleType) -> None:
        assert list(unify.batches(xp.ones((0, 2)), size=3)) == []
        assert list(unify.batches(xp.ones((2, 2)), size=3, drop_last=True)) == []

    def test_a_length_and_an_iterator(self, xp: ModuleType) -> None:
        found = unify.batches(xp.asarray(X), size=4)
        assert len(found) == 3
        assert next(found)[0].shape == (4, 2)
        assert len(list(found)) == 2
        assert len(unify.batches(xp.asarray(X), size=4, drop_last=True)) == 2


class TestArrays:
    @pytest.mark.parametrize("keyed", [False, True])
    def test_stay_on_their_backend_with_memory_of_their_own(
        self, xp: ModuleType, keyed: bool
    ) -> None:
        x = xp.asarray(X, dtype="float32")
        (rows,) = next(unify.batches(x, size=20, key=xp.random.key(0) if keyed else None))
        assert (rows.backend, rows.device, str(rows.dtype)) == (x.backend, x.device, "float32")
        rows[...] = 0.0
        assert np.array_equal(np.asarray(x), X.astype("float32"))

    def test_nests(self, xp: ModuleType) -> None:
        x, y = xp.asarray(X), xp.asarray(Y)
        data = Container(images=x, more=[y, {"pair": Pair(x, y)}])
        for held, labels in unify.batches(data, y, size=4, key=xp.random.key(1)):
            assert isinstance(held, Container)
            pair = held.more[1]["pair"]
            assert type(pair) is Pair
            for one in (held.more[0], pair.y):
                assert one.tolist() == labels.tolist()
            assert held.images.tolist() == pair.x.tolist()

    def test_native_ones(self, xp: ModuleType) -> None:
        (rows,) = next(unify.batches(xp.asarray(X).data, size=4))
        assert isinstance(rows, unify.Array)
        assert np.array_equal(np.asarray(rows), X[:4])


class TestRefuses:
    def test_different_numbers_of_rows(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match=r"'arrays\[1\]/b' has 3 rows, and .* 11"):
            unify.batches(xp.asarray(X), {"b": xp.ones(3)}, size=4)
        with pytest.raises(UnifyValueError, match=r"'arrays\[0\]' has no axes"):
            unify.batches(xp.asarray(3.0), size=4)

    @pytest.mark.parametrize(
        ("size", "kind"),
        [
            (0, UnifyValueError), (-1, UnifyValueError), (2.5, UnifyTypeError),
            (True, UnifyTypeError),
        ],
    )  # fmt: skip
    def test_sizes(self, xp: ModuleType, size: Any, kind: type[Exception]) -> None:
        with pytest.raises(kind, match="batches: argument 'size'"):
            unify.batches(xp.asarray(X), size=size)

    @pytest.mark.parametrize("given", [(), ([],), (3,), ([1, 2],), ("text",)])
    def test_what_is_no_array(self, given: Any) -> None:
        with pytest.raises(UnifyTypeError, match="batches: argument 'arrays"):
            unify.batches(*given, size=2)

    @pytest.mark.parametrize("key", [3, "key"])
    def test_what_is_no_key(self, key: Any) -> None:
        with pytest.raises(UnifyTypeError, match="batches: argument 'key'"):
            unify.batches(unify.ones(3), size=2, key=key)
        with pytest.raises(UnifyTypeError, match="key"):
            unify.batches(unify.ones(3), size=2, key=unify.ones(3))

    @pytest.mark.parametrize("backend", [name for name in INSTALLED if name != "numpy"])
    def test_different_backends(self, backend: str) -> None:
        x, y = unify.ones(3), unify.get_backend(backend).ones(3)
        with pytest.raises(BackendError, match=rf"'arrays\[1\]' is on {backend}, but .* on numpy"):
            unify.batches(x, y, size=2)
        with pytest.raises(BackendError, match="'key' is on numpy"):
            unify.batches(y, size=2, key=unify.random.key(0))
