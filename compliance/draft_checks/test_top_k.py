"""`top_k`: values, indices, order left open, NaN as the largest, axes and refusals."""

import math
from typing import Any

import pytest

from .conftest import REAL, dtype_of

NUMBERS = [3, 1, 4, 1, 5, 9, 2, 6]
MODES = ("largest", "smallest")


def items(x: Any) -> list[Any]:
    """Return the elements of an array with one axis as Python numbers."""
    return [x[i].__complex__().real for i in range(x.shape[0])]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", REAL)
def test_top_k_values(xp: Any, name: str, mode: str) -> None:
    """The largest or smallest elements, at the places that the indices name."""
    x = xp.asarray(NUMBERS, dtype=dtype_of(xp, name))
    values, indices = xp.top_k(x, 3, mode=mode)
    ordered = sorted(NUMBERS, reverse=mode == "largest")
    assert values.dtype == x.dtype
    assert values.shape == indices.shape == (3,)
    assert sorted(items(values)) == sorted(ordered[:3])
    assert [NUMBERS[int(i)] for i in items(indices)] == items(values)


def test_top_k_indices_have_the_default_index_type(xp: Any) -> None:
    """Indices have the default data type of indices."""
    _, indices = xp.top_k(xp.asarray(NUMBERS), 2)
    assert indices.dtype == xp.__array_namespace_info__().default_dtypes()["indexing"]


@pytest.mark.parametrize("mode", MODES)
def test_top_k_ties_have_other_places(xp: Any, mode: str) -> None:
    """Equal elements are taken from different places."""
    values, indices = xp.top_k(xp.asarray([2, 2, 2, 1, 3]), 4, mode=mode)
    assert len(set(items(indices))) == 4
    assert sorted(items(values)) == ([2, 2, 2, 3] if mode == "largest" else [1, 2, 2, 2])


@pytest.mark.parametrize("name", ["float32", "float64"])
def test_top_k_nan_is_the_largest(xp: Any, name: str) -> None:
    """NaN is the largest, as in `sort`."""
    x = xp.asarray([1.0, math.nan, 3.0, -math.inf], dtype=dtype_of(xp, name))
    largest, smallest = xp.top_k(x, 2), xp.top_k(x, 3, mode="smallest")
    found = items(largest[0])
    assert sum(map(math.isnan, found)) == 1
    assert 3.0 in found
    assert sorted(items(smallest[0])) == [-math.inf, 1.0, 3.0]


@pytest.mark.parametrize("axis", [0, 1, -1, -2])
def test_top_k_axes(xp: Any, axis: int) -> None:
    """Each axis, by either number."""
    rows = [[3, 1, 2], [6, 5, 4]]
    values, indices = xp.top_k(xp.asarray(rows), 1, axis=axis)
    expected = [3, 6] if axis % 2 else [6, 5, 4]
    assert values.shape == indices.shape == ((2, 1) if axis % 2 else (1, 3))
    assert items(xp.reshape(values, (-1,))) == expected


@pytest.mark.parametrize("k", [0, 8])
def test_top_k_of_none_and_all(xp: Any, k: int) -> None:
    """No element, and all of them."""
    values, indices = xp.top_k(xp.asarray(NUMBERS), k)
    assert values.shape == indices.shape == (k,)
    assert sorted(items(values)) == sorted(NUMBERS)[:k]


def test_top_k_result_has_names(xp: Any) -> None:
    """The result is a named tuple."""
    found = xp.top_k(xp.asarray(NUMBERS), 1)
    assert items(found.values) == [9]
    assert items(found.indices) == [5]
