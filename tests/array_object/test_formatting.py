"""String representations of arrays."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyError, UnifyTypeError


class TestRepr:
    @pytest.mark.parametrize(
        ("data", "dtype", "text"),
        [
            ([1, 2], None, "unify.array([1, 2])"),
            ([1.5, 2.0], None, "unify.array([1.5, 2. ])"),
            ([True, False], None, "unify.array([ True, False])"),
            ([1j], None, "unify.array([0.+1.j])"),
            ([1, 2], "int8", "unify.array([1, 2], dtype=int8)"),
            ([1, 2], "uint64", "unify.array([1, 2], dtype=uint64)"),
            ([1, 2], "float32", "unify.array([1., 2.], dtype=float32)"),
            ([1], "complex64", "unify.array([1.+0.j], dtype=complex64)"),
            (6, None, "unify.array(6)"),
            (6, "int32", "unify.array(6, dtype=int32)"),
            (True, None, "unify.array(True)"),
            (2.5, None, "unify.array(2.5)"),
            ([], None, "unify.array([])"),
            ([], "int64", "unify.array([], dtype=int64)"),
            ([], "float32", "unify.array([], dtype=float32)"),
            ([[], []], None, "unify.array([], shape=(2, 0))"),
            ([[], []], "bool", "unify.array([], shape=(2, 0), dtype=bool)"),
            ([float("nan"), float("inf")], None, "unify.array([nan, inf])"),
            ([[1, 2], [3, 4]], None, "unify.array([[1, 2],\n             [3, 4]])"),
        ],
    )
    def test_values_and_what_is_not_the_default(self, data: Any, dtype: Any, text: str) -> None:
        """B21: prod."""
        x = unify.asarray(data, dtype=dtype)
        assert repr(x) == str(x) == f"{x}" == text

    def test_another_backend_is_named(self, frozen: ModuleType) -> None:
        assert repr(frozen.asarray([1, 2])) == "unify.array([1, 2], backend='frozen')"

    def test_default_dtypes_are_those_that_are_set(self) -> None:
        with unify.default_dtype("float32"):
            assert repr(unify.ones(1)) == "unify.array([1.])"
            assert repr(unify.asarray([1.0], dtype="float64")) == "unify.array([1.], dtype=float64)"

    def test_large_arrays_are_shortened(self) -> None:
        text = repr(unify.zeros((2000, 2000)))
        assert "..." in text
        assert len(text) < 1000

    def test_subclass(self) -> None:
        class Mine(unify.Array):
            """A user's subclass."""

        assert repr(Mine([1, 2])) == "unify.array([1, 2])"

    @pytest.mark.parametrize("data", [[1, 2], [[1.5, 2.5]], [True], 3, [1j, 2.0]])
    @pytest.mark.parametrize("dtype", [None, "complex64"])
    def test_is_python_source_of_the_array(self, data: Any, dtype: Any) -> None:
        x = unify.asarray(data, dtype=dtype)
        names = {"unify": unify, "complex64": unify.complex64}
        again = eval(repr(x), names)
        assert again.dtype is x.dtype
        assert again.tolist() == x.tolist()


class TestFormat:
    @pytest.mark.parametrize(
        ("data", "spec", "text"),
        [(2.5, ".2f", "2.50"), (7, "03d", "007"), (255, "x", "ff"), (1.5, ">6", "   1.5")],
    )
    def test_single_element(self, xp: ModuleType, data: Any, spec: str, text: str) -> None:
        assert format(xp.asarray(data), spec) == text

    def test_other_arrays_have_only_the_plain_form(self, xp: ModuleType) -> None:
        x = xp.ones(2)
        assert f"{x}" == repr(x)
        with pytest.raises(UnifyTypeError, match=r"'\.2f' needs a 0-d array.*shape \(2,\)"):
            format(x, ".2f")

    def test_wrong_spec(self, xp: ModuleType) -> None:
        with pytest.raises(ValueError, match="format code") as caught:
            format(xp.asarray(1.5), "d")
        assert not isinstance(caught.value, UnifyError)
