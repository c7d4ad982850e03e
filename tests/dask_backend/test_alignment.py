"""Operands that are cut at different places, or whose sizes aren't known, give NumPy's results."""

from __future__ import annotations

from types import ModuleType

import dask
import dask.array as da
import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import ComputingError, UnifyError

X = np.arange(12.0).reshape(4, 3)
KEPT = np.asarray([True, False, True, True])


def cut(values: np.ndarray, chunks: tuple[int, ...]) -> unify.Array:
    return unify.Array(da.from_array(values, chunks=chunks))


@pytest.mark.parametrize("chunks", [(4, 3), (2, 3), (2, 2), (1, 1)])
def test_unknown_sizes_beside_an_axis_of_one_element(
    xp: ModuleType, chunks: tuple[int, int]
) -> None:
    x, kept = cut(X, chunks), cut(KEPT, chunks[:1])
    with unify.computing("refuse"):
        totals = xp.sum(x, axis=1)[kept]
        column = totals[:, None]
        found = [x[kept] / column, column - x[kept], x[kept] + x[kept, :1]]
        # A mask of one block has its values in the graph.
        assert [one.shape for one in found] == [(3 if chunks == (4, 3) else None, 3)] * 3
    rows, sums = X[KEPT], X.sum(1)[KEPT][:, None]
    for one, expected in zip(found, [rows / sums, sums - rows, rows + rows[:, :1]], strict=True):
        np.testing.assert_array_equal(np.asarray(one), expected)


def test_blocks_of_several_masks_are_a_look() -> None:
    """Blocks of zero and one element broadcast, as the arrays they are parts of don't."""
    x, kept = cut(X, (2, 3)), cut(KEPT, (2,))
    three, one, two = x[kept], x[~kept], x[x[:, 0] > 4.0]
    with unify.computing("refuse"), pytest.raises(ComputingError, match="sizes"):
        three + one
    np.testing.assert_array_equal(np.asarray(three + one), X[KEPT] + X[~KEPT])
    with pytest.raises(UnifyError, match="add"):
        three + two


def test_blocks_of_one_mask_are_none(xp: ModuleType) -> None:
    x, kept = cut(X, (2, 3)), cut(KEPT, (2,))
    with unify.computing("refuse"):
        part = x[kept]
        found = [
            part.T[None] * xp.permute_dims(x[kept], (1, 0)),
            xp.moveaxis(part, 0, 1) + xp.matrix_transpose(part),
            part[:, 0] - xp.sum(part, axis=1),
            xp.expand_dims(part, axis=(0, 2))[0, :, 0] + xp.asarray(part, copy=True),
            xp.zeros_like(part) + xp.astype(part, xp.float32) + part[:, ::-1],
        ]
    rows = X[KEPT]
    wanted = [
        rows.T[None] * rows.T, 2 * rows.T, rows[:, 0] - rows.sum(axis=1), 2 * rows,
        rows + rows[:, ::-1],
    ]  # fmt: skip
    for one, expected in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(np.asarray(one), expected)


def test_other_numbers_of_blocks_are_a_look() -> None:
    whole, parts = cut(X, (4, 3))[cut(KEPT, (4,))], cut(X, (2, 3))[cut(KEPT, (2,))]
    with unify.computing("refuse"), pytest.raises(ComputingError, match="sizes"):
        whole + parts
    np.testing.assert_array_equal(np.asarray(whole + parts), 2 * X[KEPT])


def test_in_place_with_a_size_that_is_not_known(xp: ModuleType) -> None:
    x, y = cut(np.ones(3), (3,)), cut(np.arange(4.0), (2,))
    x += y[y > 0.0]
    assert x.tolist() == [2.0, 3.0, 4.0]
    with pytest.raises(ValueError, match=r"add.*store the result"):
        x += xp.reshape(y[y > 0.0], (-1, 1))
    assert x.tolist() == [2.0, 3.0, 4.0]


def test_axes_that_are_joined_raise_no_warning(xp: ModuleType) -> None:
    """Warnings are errors here."""
    x, places = cut(np.arange(40.0), (1,)), cut(np.arange(40)[::-1].copy(), (1,))
    np.testing.assert_array_equal(
        np.asarray(xp.take_along_axis(x, places, axis=0)), np.arange(40.0)[::-1]
    )


def test_arrays_like_one_of_unknown_size(xp: ModuleType) -> None:
    x = cut(np.arange(4.0), (2,))
    with unify.computing("refuse"):
        kept = x[x > 1.0]
        made = [
            xp.ones_like(kept), xp.zeros_like(kept, dtype=xp.int8), xp.full_like(kept, 2.5),
            xp.full_like(kept, xp.max(x)), xp.empty_like(kept),
        ]  # fmt: skip
    *others, empty = unify.compute(*made)
    assert [one.tolist() for one in others] == [[1.0, 1.0], [0, 0], [2.5, 2.5], [3.0, 3.0]]
    assert str(others[1].dtype) == "int8"
    assert empty.shape == (2,)


def test_vectors_of_unknown_size_get_axes_of_one(xp: ModuleType) -> None:
    x = cut(np.arange(4.0), (2,))
    with unify.computing("refuse"):
        column, row = (xp.reshape(x[x > 1.0], shape) for shape in ((-1, 1), (1, 1, -1)))
    assert column.tolist() == [[2.0], [3.0]]
    assert row.tolist() == [[[2.0, 3.0]]]
    assert xp.reshape(column, (-1,)).tolist() == [2.0, 3.0]


def test_indices_that_are_known_are_dasks(xp: ModuleType) -> None:
    """As many tasks as with NumPy's indices; those out of bounds raise at once."""
    x, places = cut(np.arange(40.0), (4,)), np.asarray([3, -1, 17, 3])
    found = [xp.take(x, xp.asarray(places)), x[xp.asarray(places)], x[places]]
    bare = dask.optimize(x.data[places])[0].__dask_graph__()
    for one in found:  # before a look keeps values
        assert len(dict(dask.optimize(one.data)[0].__dask_graph__())) == len(dict(bare))
    assert [one.tolist() for one in found] == [[3.0, 39.0, 17.0, 3.0]] * 3
    with pytest.raises(UnifyError, match="take: argument 'indices' holds 40"):
        xp.take(x, xp.asarray([40]))
    with pytest.raises(IndexError):
        x[xp.asarray([-41])]
