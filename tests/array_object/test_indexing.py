"""`x[key]` and `x[key] = value` against NumPy's own, and the casting rule of assignments."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

import arrayapi_unify as unify
from arrayapi_unify import dtypes
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import UnifyError, UnifyTypeError
from tests.tables import each

MASK = np.arange(12).reshape(3, 4) % 3 == 0

# Every kind of key of B45, alone and combined, on an array of shape (3, 4).
KEYS: list[Any] = [
    0,
    -1,
    (1, 2),
    (-1, -4),
    slice(None),
    slice(1, None),
    slice(None, None, -1),
    slice(2, None, -2),
    (slice(None), slice(None, None, -1)),
    (0, slice(3, 0, -1)),
    slice(2, 1),
    ...,
    (..., 0),
    (0, ...),
    (..., slice(None, None, -2)),
    None,
    (None, 0),
    (0, None, slice(None), None),
    (),
    np.asarray([0, 2]),
    np.asarray([2, 0]),
    np.asarray([[0, -1], [1, 2]]),
    np.asarray(1),
    np.asarray([], np.int64),
    np.asarray([0, 2], np.uint8),
    (np.asarray([0, 2]), np.asarray([1, -1])),
    (np.asarray([[0], [2]]), np.asarray([1, 3])),
    (slice(None), np.asarray([3, 0])),
    (np.asarray([2, 0]), slice(None, None, -1)),
    (np.asarray([0, 1]), 2),
    (np.asarray([0, 1]), None, np.asarray([1, 2])),
    (..., np.asarray([1, 2])),
    MASK,
    MASK[:, 0],
    (MASK[:, 0], 1),
    (slice(None), MASK[0]),
    (MASK[:, 0], slice(None, None, -1)),
    (np.asarray([1, 2]), MASK[0, :]),
    np.zeros((3, 4), bool),
    np.asarray(True),
    True,
    False,
    [0, 2],
    [[0, 1], [2, 0]],
    [True, False, True],
    (slice(None), [1, 0]),
    [],
    (slice(None), []),
    np.int64(1),
    (np.int8(1), np.uint8(2)),
]
every_key = pytest.mark.parametrize("key", KEYS, ids=repr)


def ours(xp: ModuleType, key: Any) -> Any:
    """The key with Arrays in place of NumPy's arrays."""
    if isinstance(key, tuple):
        return tuple(ours(xp, part) for part in key)
    return xp.asarray(key) if isinstance(key, np.ndarray) else key


def sample() -> np.ndarray[Any, Any]:
    return np.arange(12).reshape(3, 4)


class TestGetitem:
    @every_key
    def test_as_numpy_does(self, either: ModuleType, key: Any) -> None:
        x, expected = either.asarray(sample()), sample()[key]
        for spelling in (ours(either, key), key):
            result = x[spelling]
            assert type(result) is type(x)
            assert result.shape == np.shape(expected)
            assert result.tolist() == expected.tolist()
            assert unify.get_item(x, spelling).tolist() == expected.tolist()
            assert either.get_item(x.data, spelling).tolist() == expected.tolist()

    @given(st.data())
    def test_any_basic_key(self, data: st.DataObject) -> None:
        shape = data.draw(hnp.array_shapes(min_dims=0, min_side=0))
        key = data.draw(hnp.basic_indices(shape, allow_newaxis=True))
        a = np.arange(np.prod(shape, dtype=int)).reshape(shape)
        assert unify.asarray(a)[key].tolist() == a[key].tolist()

    @pytest.mark.parametrize(
        "key", [3, -4, (0, 4), (0, 0, 0), (..., ...), np.asarray([3])], ids=repr
    )
    def test_out_of_bounds(self, either: ModuleType, key: Any) -> None:
        with pytest.raises(UnifyError, match=r"get_item\(.*backend.*; ") as caught:
            either.asarray(sample())[ours(either, key)]
        assert isinstance(caught.value, IndexError)

    @pytest.mark.parametrize("key", ["a", 1.5, 1j, [1.5], object()], ids=lambda v: type(v).__name__)
    def test_unfit_keys(self, either: ModuleType, key: Any) -> None:
        with pytest.raises(UnifyError, match="get_item"):
            either.asarray(sample())[key]

    def test_mask_of_another_shape(self, either: ModuleType) -> None:
        with pytest.raises(IndexError, match="get_item"):
            either.asarray(sample())[either.asarray([True, False])]

    def test_zero_dimensional(self, either: ModuleType) -> None:
        """docs/design.md, "Array API consumers": `x[()]` works."""
        x = either.asarray(5)
        assert type(x[()]) is type(x)
        assert x[()].item() == x[...].item() == 5
        assert x[None].tolist() == x[either.asarray(True)].tolist() == [5]


class TestSetitem:
    """B45: indexing."""

    @every_key
    @each("kind", ["scalar", "array", "native"])
    def test_as_numpy_does(self, either: ModuleType, key: Any, kind: str) -> None:
        a, x = sample(), either.asarray(sample())
        value: Any = 77
        if kind != "scalar":
            native = 100 + np.arange(np.size(a[key])).reshape(np.shape(a[key]))
            value = either.asarray(native) if kind == "array" else either.asarray(native).data
            a[key] = native
        else:
            a[key] = 77
        alias = x
        x[ours(either, key)] = value
        assert alias.tolist() == a.tolist()
        assert x.dtype is either.int64

    @given(st.data())
    def test_any_basic_key(self, data: st.DataObject) -> None:
        shape = data.draw(hnp.array_shapes(min_dims=0, min_side=0))
        key = data.draw(hnp.basic_indices(shape, allow_newaxis=True))
        a = np.zeros(shape, int)
        x = unify.asarray(a, copy=True)
        a[key] = value = 1 + np.arange(np.size(a[key])).reshape(np.shape(a[key]))
        x[key] = unify.asarray(value)
        assert x.tolist() == a.tolist()

    def test_value_broadcasts(self, either: ModuleType) -> None:
        x = either.zeros((2, 3))
        x[:] = either.asarray([1.0, 2.0, 3.0])
        x[0] = [7, 8, 9]
        x[1, 1:] = either.asarray(5)
        assert x.tolist() == [[7.0, 8.0, 9.0], [1.0, 5.0, 5.0]]

    def test_overlapping_value(self, either: ModuleType) -> None:
        x = either.asarray([1, 2, 3, 4])
        x[1:] = x[:-1]
        assert x.tolist() == [1, 1, 2, 3]

    def test_function_returns_the_array(self, either: ModuleType) -> None:
        x = either.asarray([1, 2])
        for function in (unify.set_item, either.set_item):
            assert function(x, 0, 5) is x
        assert x.tolist() == [5, 2]
        assert either.set_item(x.data, 0, 6).tolist() == [6, 2]

    @each("source", dtypes.ALL)
    @each("target", dtypes.ALL)
    def test_casts_as_astype_does(self, either: ModuleType, source: DType, target: DType) -> None:
        x = either.zeros(3, dtype=target)
        value = either.asarray([0, 1, 1], dtype=source)
        if source.kind == "c" and target.kind in "iuf":
            with pytest.raises(UnifyTypeError, match=r"set_item.*complex.*real"):
                x[:] = value
            assert x.tolist() == [0, 0, 0]
        else:
            x[:] = value
            assert x.dtype is target
            assert x.tolist() == either.astype(value, target).tolist()

    @each("target", dtypes.ALL)
    @each("scalar", [True, 0, 1, 1.75, -0.0, np.float32(1.5), 0j, 1j])
    def test_casts_scalars_as_astype_does(
        self, either: ModuleType, target: DType, scalar: Any
    ) -> None:
        x = either.zeros(2, dtype=target)
        if isinstance(scalar, complex) and target.kind in "iuf":
            with pytest.raises(UnifyTypeError, match=r"set_item.*complex.*real"):
                x[0] = scalar
            assert x.tolist() == [0, 0]
        else:
            x[0] = scalar
            assert x.dtype is target
            assert x[0].item() == either.astype(either.asarray(scalar), target).item()

    @pytest.mark.parametrize("scalar", [float("nan"), float("inf"), -1e300], ids=repr)
    def test_floats_that_no_integer_holds_give_no_warning(
        self, either: ModuleType, scalar: float
    ) -> None:
        x = either.zeros(2, dtype=either.int64)
        x[0] = scalar
        x[1:] = either.asarray([scalar])
        assert x.dtype is either.int64

    @pytest.mark.parametrize("as_array", [False, True])
    def test_floats_that_float32_rounds_to_infinity_give_no_warning(
        self, either: ModuleType, as_array: bool
    ) -> None:
        """As with `astype(asarray(1e300), float32)`."""
        x = either.zeros(2, dtype=either.float32)
        x[:1] = either.asarray([1e300]) if as_array else 1e300
        assert x.tolist() == [float("inf"), 0.0]

    @pytest.mark.parametrize(
        ("dtype", "key", "value", "error"),
        [
            ("uint8", 0, 256, OverflowError),
            ("int8", slice(None), -129, OverflowError),
            ("uint8", 0, -1, OverflowError),
            ("float64", 0, 10**400, OverflowError),
            ("float32", 0, 2**200, OverflowError),
            ("int64", 3, 1, IndexError),
            ("int64", (0, 0), 1, IndexError),
            ("int64", np.asarray([0, 9]), 5, IndexError),
            ("int64", np.asarray([True]), 5, IndexError),
            ("int64", slice(None), [1, 2], ValueError),
            ("int64", slice(None), [[1], [2]], ValueError),
            ("int64", np.asarray([0, 1]), [1, 2, 3], ValueError),
            ("int64", 0, [1, 2], ValueError),
            ("int64", 0, 1j, TypeError),
            ("int64", 0, "a", TypeError),
            ("int64", 0, None, TypeError),
            ("int64", 0, object(), TypeError),
            ("int64", "a", 1, IndexError),
        ],
    )
    def test_failure_leaves_the_array_untouched(
        self, either: ModuleType, dtype: str, key: Any, value: Any, error: type[Exception]
    ) -> None:
        x = either.asarray([1, 2, 3], dtype=dtype)
        with pytest.raises(UnifyError, match="set_item") as caught:
            x[ours(either, key)] = value
        assert isinstance(caught.value, error)
        assert x.tolist() == [1, 2, 3]
        assert x.dtype.name == dtype

    @pytest.mark.parametrize("key", [[0, 3], [-4, 1], (slice(None), [2, 9]), ([0, 5], [1, 1])])
    @pytest.mark.parametrize("value", [8.0, 1])
    def test_a_write_out_of_bounds_writes_nothing(
        self, xp: ModuleType, key: Any, value: Any
    ) -> None:
        """Not even where the indices before the wrong one point."""
        x = xp.asarray(sample())
        before = x.tolist()
        parts = [xp.asarray(part) if type(part) is list else part for part in key]
        with pytest.raises(IndexError, match="set_item"):
            x[tuple(parts) if type(key) is tuple else xp.asarray(key)] = value
        assert x.tolist() == before
