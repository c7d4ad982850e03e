"""Loss functions against their definitions in extended precision, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.ulps import assert_ulps

FLOATS = pytest.mark.parametrize("dtype", ["float32", "float64"])
GENERATOR = np.random.default_rng(5)
LOSSES = ["binary_cross_entropy", "cross_entropy"]


def probabilities(shape: tuple[int, ...], dtype: str) -> Any:
    return GENERATOR.uniform(0.01, 0.99, shape).astype(dtype)


class TestCrossEntropy:
    @pytest.mark.parametrize(
        ("reduction", "expected"),
        [("sum", 1.386294), ("mean", 0.346574), ("none", [0, 1.386294, 0, 0])],
    )
    def test_documented_numbers(self, xp: ModuleType, reduction: str, expected: Any) -> None:
        """Behaviour 5."""
        true, pred = xp.asarray([0, 1, 0, 0]), xp.asarray([0.25] * 4)
        result = xp.cross_entropy(true, pred, reduction=reduction)
        assert result.tolist() == pytest.approx(expected, abs=1e-6)

    def test_zero_is_clipped(self, xp: ModuleType) -> None:
        """Behaviour 5."""
        result = xp.cross_entropy(xp.asarray([1.0]), xp.asarray([0.0]), reduction="sum")
        assert result.item() == pytest.approx(16.118, abs=1e-3)

    def test_is_compositional(self) -> None:
        """Behaviour 5."""
        assert unify.cross_entropy.kind == "compositional"

    @FLOATS
    @pytest.mark.parametrize("axis", [0, 1, -1])
    def test_batched_within_8_ulps(self, xp: ModuleType, dtype: str, axis: int) -> None:
        true, pred = probabilities((3, 4), dtype), probabilities((3, 4), dtype)
        terms = -true.astype("g") * np.log(pred.astype("g"))
        arrays = xp.asarray(true), xp.asarray(pred)
        assert_ulps(xp.cross_entropy(*arrays, axis=axis, reduction="none"), terms, 8)
        assert_ulps(xp.cross_entropy(*arrays, axis=axis, reduction="sum"), terms.sum(axis), 8)
        assert_ulps(xp.cross_entropy(*arrays, axis=axis), terms.mean(axis), 8)


class TestBinaryCrossEntropy:
    @FLOATS
    @pytest.mark.parametrize("weight", [None, 3.0])
    def test_within_16_ulps(self, xp: ModuleType, dtype: str, weight: float | None) -> None:
        true, pred = probabilities((3, 4), dtype), probabilities((3, 4), dtype)
        t, p = true.astype("g"), pred.astype("g")
        terms = -((weight or 1) * t * np.log(p) + (1 - t) * np.log1p(-p))
        options: dict[str, Any] = {"pos_weight": weight}
        result = xp.binary_cross_entropy(
            xp.asarray(true), xp.asarray(pred), reduction="none", **options
        )
        assert_ulps(result, terms, 16)
        mean = xp.binary_cross_entropy(xp.asarray(true), xp.asarray(pred), **options)
        assert_ulps(mean, terms.mean(), 16)

    @FLOATS
    def test_of_logits_within_16_ulps(self, xp: ModuleType, dtype: str) -> None:
        logits = np.asarray([-500.0, -30, -1, 0, 1e-3, 2, 40, 500], dtype)
        true = np.asarray([1.0, 0.25, 0.5, 1, 0, 0.75, 0, 1], dtype)
        z, t = logits.astype("g"), true.astype("g")
        terms = t * np.logaddexp(0, -z) + (1 - t) * np.logaddexp(0, z)
        result = xp.binary_cross_entropy(
            xp.asarray(true), xp.asarray(logits), from_logits=True, reduction="none"
        )
        assert_ulps(result, terms, 16)

    def test_weights_may_be_an_array(self, xp: ModuleType) -> None:
        true, pred = xp.asarray([1.0, 1.0]), xp.asarray([0.5, 0.5])
        weight = xp.asarray([1.0, 10.0])
        result = xp.binary_cross_entropy(true, pred, pos_weight=weight, reduction="none")
        assert result.tolist() == pytest.approx([np.log(2), 10 * np.log(2)])

    def test_axes(self, xp: ModuleType) -> None:
        true, pred = xp.ones((2, 3, 4)), xp.full((2, 3, 4), 0.5)
        result = xp.binary_cross_entropy(true, pred, axis=(0, 2), reduction="sum")
        assert result.tolist() == pytest.approx([8 * np.log(2)] * 3)


@pytest.mark.parametrize("name", LOSSES)
class TestAll:
    def test_unknown_reduction(self, xp: ModuleType, name: str) -> None:
        """Behaviour 5."""
        with pytest.raises(UnifyValueError, match=f"{name}: argument 'reduction' is 'foo'"):
            getattr(xp, name)(xp.ones(2), xp.ones(2), reduction="foo")

    def test_complex_numbers_are_refused(self, xp: ModuleType, name: str) -> None:
        with pytest.raises(UnifyTypeError, match=f"{name}: argument 'true'"):
            getattr(xp, name)(xp.asarray([1j]), xp.ones(1))

    def test_out_broadcasting_and_native_arrays(self, xp: ModuleType, name: str) -> None:
        true, pred, out = xp.ones((2, 1)), xp.full(3, 0.5), xp.zeros((2, 3))
        result = getattr(xp, name)(true, pred.data, reduction="none", out=out)
        assert result is out
        assert out.tolist() == [[pytest.approx(np.log(2))] * 3] * 2

    def test_zero_size(self, xp: ModuleType, name: str) -> None:
        x = xp.zeros((2, 0))
        assert getattr(xp, name)(x, x, axis=1, reduction="sum").tolist() == [0, 0]
