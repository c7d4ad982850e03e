"""The functions of einops compared with einops itself on NumPy arrays, on every backend."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import einops
import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyRuntimeError, UnifyTypeError, UnifyValueError

X = np.arange(24.0).reshape(2, 3, 4)


class TestEinopsRearrange:
    @pytest.mark.parametrize(
        ("pattern", "lengths"),
        [
            ("a b c -> c a b", {}), ("a b c -> (c a) b", {}), ("a b (c d) -> d (a b) c", {"c": 2}),
            ("... c -> c ...", {}), ("a b c -> a 1 b c", {}), ("a b c -> (a b c)", {}),
        ],
    )  # fmt: skip
    def test_as_einops(self, xp: ModuleType, pattern: str, lengths: dict[str, int]) -> None:
        expected = einops.rearrange(X, pattern, **lengths)
        x = xp.asarray(X)
        for found in (
            xp.einops_rearrange(x, pattern, **lengths),
            xp.einops_rearrange(x.data, pattern, **lengths),
            unify.einops_rearrange(x, pattern, **lengths),
            x.einops_rearrange(pattern, **lengths),
        ):
            assert type(found) is type(x)
            np.testing.assert_array_equal(np.asarray(found), expected)

    def test_is_a_view_as_in_numpy(self, xp: ModuleType) -> None:
        x = xp.asarray(np.array(X))
        view = xp.einops_rearrange(x, "a b c -> c b a")
        view[0, 0, 0] = 99.0
        assert x[0, 0, 0].item() == 99

    def test_out(self, xp: ModuleType) -> None:
        out = xp.zeros((4, 6))
        assert xp.einops_rearrange(xp.asarray(X), "a b (c d) -> (d c) (a b)", c=2, out=out) is out
        expected = einops.rearrange(X, "a b (c d) -> (d c) (a b)", c=2)
        np.testing.assert_array_equal(np.asarray(out), expected)

    def test_halves_and_containers(self, xp: ModuleType) -> None:
        half = xp.astype(xp.asarray(X), xp.float16)
        found = xp.einops_rearrange(half, "a b (c d) -> (a b) c d", d=2)
        assert (found.dtype, found.shape) == (xp.float16, (6, 2, 2))
        nest = unify.Container(p=xp.asarray(X), q=xp.asarray(X[:, :2]))
        found = xp.einops_rearrange(nest, "a b (c d) -> (a b) c d", d=2)
        assert (found.p.shape, found.q.shape) == ((6, 2, 2), (4, 2, 2))

    @pytest.mark.parametrize(
        "pattern", ["a b c", "a -> a", "a b c -> d", "(a b c -> a b c", "a b c -> a b c -> a"]
    )
    def test_wrong_patterns(self, xp: ModuleType, pattern: str) -> None:
        with pytest.raises(UnifyValueError, match="einops_rearrange: argument 'pattern' is"):
            xp.einops_rearrange(xp.asarray(X), pattern)

    def test_wrong_lengths(self, xp: ModuleType) -> None:
        for length in (2.0, True, "2"):
            with pytest.raises(UnifyTypeError, match="'axes_lengths' has the length"):
                xp.einops_rearrange(xp.asarray(X), "a b (c d) -> a b c d", c=length)
        with pytest.raises(UnifyValueError, match="einops_rearrange: argument 'pattern' is"):
            xp.einops_rearrange(xp.asarray(X), "a b (c d) -> a b c d", c=3)

    def test_without_einops(self, xp: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
        """The error names the package to install; the pattern isn't cached."""
        monkeypatch.setitem(sys.modules, "einops", None)
        with pytest.raises(UnifyRuntimeError, match="pip install einops"):
            xp.einops_rearrange(xp.asarray(X), "without einops c -> c einops without")


class TestEinopsReduce:
    @pytest.mark.parametrize("reduction", ["max", "mean", "min", "prod", "sum"])
    @pytest.mark.parametrize("pattern", ["a b c -> b", "a b (c d) -> (d a)", "... c -> ..."])
    def test_as_einops(self, xp: ModuleType, reduction: str, pattern: str) -> None:
        lengths = {"d": 2} if "d" in pattern else {}
        expected = einops.reduce(X, pattern, reduction, **lengths)
        found = xp.einops_reduce(xp.asarray(X), pattern, reduction, **lengths)
        np.testing.assert_allclose(np.asarray(found), expected, rtol=1e-14)

    def test_truth(self, xp: ModuleType) -> None:
        x = xp.asarray([[True, False], [True, True]])
        assert xp.einops_reduce(x, "a b -> a", "all").tolist() == [False, True]
        assert xp.einops_reduce(x, "a b -> b", "any").tolist() == [True, True]

    def test_unknown_reduction(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match="einops_reduce: argument 'reduction' is 'median"):
            xp.einops_reduce(xp.asarray(X), "a b c -> a", "median")


class TestEinopsRepeat:
    @pytest.mark.parametrize(
        ("pattern", "lengths"),
        [
            ("a b c -> a b (c n)", {"n": 3}),
            ("a b c -> n a b c", {"n": 2}),
            ("... -> ... n", {"n": 0}),
        ],
    )
    def test_as_einops(self, xp: ModuleType, pattern: str, lengths: dict[str, int]) -> None:
        found = xp.einops_repeat(xp.asarray(X), pattern, **lengths)
        np.testing.assert_array_equal(np.asarray(found), einops.repeat(X, pattern, **lengths))

    def test_can_be_written(self, xp: ModuleType) -> None:
        """It shares no memory, neither with x nor among the repeated elements."""
        x = xp.zeros(2)
        found: Any = xp.einops_repeat(x, "a -> n a", n=2)
        found[0, 0] = 1.0
        assert found.tolist() == [[1, 0], [0, 0]]
        assert x.tolist() == [0, 0]

    def test_a_missing_length(self, xp: ModuleType) -> None:
        with pytest.raises(UnifyValueError, match="einops_repeat: argument 'pattern' is"):
            xp.einops_repeat(xp.ones(2), "a -> a n")
