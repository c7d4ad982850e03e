"""In-place operators: they keep object, dtype and shape, and change nothing when they fail."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify import dtypes
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import UnifyError
from tests.in_place import IN_PLACE
from tests.tables import each

Operator = Callable[..., Any]

every = pytest.mark.parametrize("symbol", list(IN_PLACE))


def values(dtype: DType, first: int = 1) -> np.ndarray[Any, Any]:
    """Three small numbers that no operation overflows."""
    return np.asarray([first, 2, 3]).astype(dtype.name)


class TestSuccess:
    @every
    @each("dtype", dtypes.ALL)
    def test_one_dtype(self, either: ModuleType, symbol: str, dtype: DType) -> None:
        """The result is cast to x's dtype if it is of no higher kind; else x stays as it was."""
        in_place, op = IN_PLACE[symbol]
        a, b = values(dtype), values(dtype, 3)
        x, y = either.asarray(a, copy=True), either.asarray(b)
        try:
            expected = op(a, b)
        except TypeError:
            expected = None
        if expected is None or not np.can_cast(expected.dtype, a.dtype, "same_kind"):
            with pytest.raises(UnifyError) as caught:
                in_place(x, y)
            assert isinstance(caught.value, TypeError)
            expected = a
        else:
            assert in_place(x, y) is x
        assert x.dtype is dtype
        np.testing.assert_array_equal(np.asarray(x), expected.astype(dtype.name))

    @every
    def test_every_kind_of_operand(self, either: ModuleType, symbol: str) -> None:
        in_place, op = IN_PLACE[symbol]
        if symbol == "/=":
            dtype, others = dtypes.float32, [2, 1.5, [1.0, 2.0, 4.0]]
        else:
            dtype, others = dtypes.int16, [True, 2, [1, 2, 3], (1, 2, 3), np.int64(2)]
        for other in others:
            x = before = either.asarray(values(dtype))
            x = in_place(x, other)
            assert x is before
            assert x.dtype is dtype
            expected = op(values(dtype), np.asarray(other)).astype(dtype.name)
            np.testing.assert_array_equal(np.asarray(x), expected)

    @every
    def test_native_operand(self, either: ModuleType, symbol: str) -> None:
        in_place, op = IN_PLACE[symbol]
        dtype = dtypes.float64 if symbol == "/=" else dtypes.int64
        x = before = either.asarray(values(dtype))
        x = in_place(x, either.asarray(values(dtype, 3)).data)
        assert x is before
        np.testing.assert_array_equal(np.asarray(x), op(values(dtype), values(dtype, 3)))

    def test_matmul(self, either: ModuleType) -> None:
        x = before = either.asarray([[1, 2], [3, 4]])
        x @= either.asarray([[0, 1], [1, 0]])
        assert x is before
        assert x.tolist() == [[2, 1], [4, 3]]
        x @= x
        assert x.tolist() == [[8, 5], [20, 13]]

    def test_float32_keeps_its_dtype(self, either: ModuleType) -> None:
        """docs/design.md, "Array API consumers": float32 `*=` a float64 array keeps float32."""
        x = either.asarray([1.0, 2.0], dtype=either.float32)
        x *= either.asarray([1.5, 2.5])
        assert x.dtype is either.float32
        assert x.tolist() == [1.5, 5.0]

    def test_result_may_be_dropped(self, either: ModuleType) -> None:
        """docs/design.md, "Array API consumers": they call `x.__iadd__(y)` and drop the result."""
        x = either.asarray([1, 2])
        x.__iadd__(either.asarray([1, 1]))
        assert x.tolist() == [2, 3]

    def test_other_names_see_it(self, either: ModuleType) -> None:
        x = other = either.asarray([1, 2])
        x += 1
        assert other.tolist() == [2, 3]

    def test_zero_dimensional(self, either: ModuleType) -> None:
        x = before = either.asarray(1)
        x += 2
        x *= either.asarray(3)
        assert x is before
        assert x.shape == ()
        assert x.item() == 9

    def test_broadcasts_the_operand(self, either: ModuleType) -> None:
        x = either.ones((2, 2))
        x += either.asarray([1.0, 2.0])
        assert x.tolist() == [[2.0, 3.0], [2.0, 3.0]]

    def test_overlapping_views(self, xp: ModuleType) -> None:
        x = xp.asarray([1, 2, 3])
        x += x[::-1]
        assert x.tolist() == [4, 4, 4]

    def test_unsigned_by_a_signed_scalar(self, either: ModuleType) -> None:
        x = either.asarray([3, 4], dtype=either.uint8)
        x -= 1
        assert x.dtype is either.uint8
        assert x.tolist() == [2, 3]

    def test_an_element_of_a_list(self, either: ModuleType) -> None:
        holder = [either.asarray([1])]
        before = holder[0]
        holder[0] += 1
        assert holder[0] is before

    def test_indexed(self, either: ModuleType) -> None:
        x = either.asarray([1, 2, 3])
        x[1:] += 10
        x[x > 12] *= 2
        assert x.tolist() == [1, 12, 26]


class TestFailure:
    @pytest.mark.parametrize(
        ("dtype", "make_other", "error"),
        [
            ("int64", lambda xp: 1.5, TypeError),
            ("int64", lambda xp: xp.asarray([1.0, 2.0, 3.0]), TypeError),
            ("int64", lambda xp: [1.5, 2.5, 3.5], TypeError),
            ("float32", lambda xp: 1j, TypeError),
            ("float64", lambda xp: xp.asarray([1j, 1, 1]), TypeError),
            ("uint8", lambda xp: xp.asarray([1, 1, 1], dtype=xp.int8), TypeError),
            ("bool", lambda xp: 1, TypeError),
            ("int8", lambda xp: 1000, OverflowError),
            ("uint8", lambda xp: -1, OverflowError),
            ("int64", lambda xp: 2**70, OverflowError),
            ("float64", lambda xp: xp.ones((2, 3)), ValueError),
            ("float64", lambda xp: xp.ones(2), ValueError),
            ("float64", lambda xp: xp.ones((1, 1, 3)), ValueError),
        ],
    )
    @pytest.mark.parametrize("symbol", ["+=", "*=", "//=", "**="])
    def test_leaves_the_array_untouched(
        self, either: ModuleType, symbol: str, dtype: str, make_other: Any, error: type[Exception]
    ) -> None:
        in_place, _ = IN_PLACE[symbol]
        x = either.asarray([1, 1, 1], dtype=dtype)
        with pytest.raises(UnifyError) as caught:
            in_place(x, make_other(either))
        assert isinstance(caught.value, error)
        assert x.dtype.name == dtype
        assert x.tolist() == [1, 1, 1]

    def test_true_division_of_integers(self, either: ModuleType) -> None:
        x = either.asarray([2, 4])
        with pytest.raises(TypeError, match=r"divide\("):
            x /= 2
        assert x.tolist() == [2, 4]

    @every
    @pytest.mark.parametrize("other", ["a", None, object()], ids=lambda v: type(v).__name__)
    def test_unknown_operand(self, either: ModuleType, symbol: str, other: Any) -> None:
        x = either.ones(2)
        with pytest.raises(TypeError, match="unsupported operand"):
            IN_PLACE[symbol][0](x, other)
        assert x.tolist() == [1.0, 1.0]

    def test_message_names_function_arguments_backend_and_remedy(self, either: ModuleType) -> None:
        x = either.asarray([1])
        with pytest.raises(UnifyError, match=r"add\(x1=int64 array.*x2=1\.5\).*backend.*;"):
            x += 1.5

    def test_matmul_that_changes_the_shape(self, either: ModuleType) -> None:
        x = either.ones((2, 2))
        with pytest.raises(ValueError, match="matmul"):
            x @= either.ones(2)
        assert x.shape == (2, 2)
