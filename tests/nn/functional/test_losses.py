"""Loss functions compared with their definitions in extended precision, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest
import scipy.special

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyIndexError, UnifyTypeError, UnifyValueError
from tests.functional.differentiating import DIFFERENTIATING
from tests.numbers import generator
from tests.ulps import assert_ulps

FLOATS = pytest.mark.parametrize("dtype", ["float32", "float64"])
GENERATOR = generator(5)
LOSSES = ["binary_cross_entropy", "cross_entropy"]


def probabilities(shape: tuple[int, ...], dtype: str) -> Any:
    return GENERATOR.uniform(0.01, 0.99, shape).astype(dtype)


class TestCrossEntropy:
    @pytest.mark.parametrize(
        ("reduction", "expected"),
        [("sum", 1.386294), ("mean", 0.346574), ("none", [0, 1.386294, 0, 0])],
    )
    def test_documented_numbers(self, xp: ModuleType, reduction: str, expected: Any) -> None:
        """B5: compositional functions."""
        true, pred = xp.asarray([0, 1, 0, 0]), xp.asarray([0.25] * 4)
        result = xp.cross_entropy(true, pred, reduction=reduction)
        assert result.tolist() == pytest.approx(expected, abs=1e-6)

    def test_zero_is_clipped(self, xp: ModuleType) -> None:
        """B5: compositional functions."""
        result = xp.cross_entropy(xp.asarray([1.0]), xp.asarray([0.0]), reduction="sum")
        assert result.item() == pytest.approx(16.118, abs=1e-3)

    def test_is_compositional(self) -> None:
        """B5: compositional functions."""
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


class TestHinge:
    @FLOATS
    def test_within_8_ulps_of_what_is_subtracted(self, xp: ModuleType, dtype: str) -> None:
        true = GENERATOR.choice([-1, 1], (3, 4)).astype("int8")
        pred = GENERATOR.normal(0, 2, (3, 4)).astype(dtype)
        terms = np.maximum(0, 1 - true * pred.astype("g"))
        arrays = xp.asarray(true), xp.asarray(pred)
        size = 1 + np.abs(pred)
        assert_ulps(xp.hinge(*arrays, reduction="none"), terms, 8, size)
        assert_ulps(xp.hinge(*arrays, axis=0), terms.mean(0), 8, size.mean(0))

    def test_special_values(self, xp: ModuleType) -> None:
        pred = xp.asarray([1.0, np.inf, -np.inf, np.nan, 1e300])
        result = xp.hinge(xp.ones(5), pred, reduction="none")
        np.testing.assert_array_equal(np.asarray(result), [0, 0, np.inf, np.nan, 0])

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_slopes(self, backend: str) -> None:
        xp: Any = unify.get_backend(backend)
        true = xp.asarray([1.0, 1.0, -1.0, 1.0])
        found = unify.grad(lambda p: xp.hinge(true, p, reduction="sum"))
        assert found(xp.asarray([1.0, 0.5, 0.5, 9.0])).tolist() == [0, -1, 1, 0]


class TestKlDiv:
    @FLOATS
    @pytest.mark.parametrize("log_target", [False, True])
    def test_within_16_ulps(self, xp: ModuleType, dtype: str, log_target: bool) -> None:
        true, pred = probabilities((3, 4), dtype), -5 * probabilities((3, 4), dtype)
        given = np.log(true) if log_target else true
        t = np.exp(given.astype("g")) if log_target else true.astype("g")
        terms = t * (np.log(t) - pred.astype("g"))
        arrays = xp.asarray(given), xp.asarray(pred)
        size = t * (np.abs(np.log(t)) + np.abs(pred))
        for reduction, expected in (("none", terms), ("sum", terms.sum(1))):
            unit = size if reduction == "none" else size.sum(1)
            result = xp.kl_div(*arrays, axis=1, log_target=log_target, reduction=reduction)
            assert_ulps(result, expected, 16, unit)

    def test_is_the_relative_entropy(self, xp: ModuleType) -> None:
        true, pred = np.asarray([0.0, 0.25, 0.75]), np.asarray([0.5, 0.5, 0.0])
        logs = np.log(pred, where=pred > 0, out=np.full(3, -np.inf))
        result = xp.kl_div(xp.asarray(true), xp.asarray(logs), reduction="none")
        expected = scipy.special.rel_entr(true, pred)
        np.testing.assert_allclose(np.asarray(result), expected, rtol=1e-15)

    @pytest.mark.parametrize("log_target", [False, True])
    def test_a_probability_of_zero(self, xp: ModuleType, log_target: bool) -> None:
        true = xp.full(4, -np.inf if log_target else 0.0)
        pred = xp.asarray([-1.0, -np.inf, 0.0, np.nan])
        result = xp.kl_div(true, pred, log_target=log_target, reduction="none")
        np.testing.assert_array_equal(np.asarray(result), [0, 0, 0, np.nan])

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    @pytest.mark.parametrize("log_target", [False, True])
    def test_slopes(self, backend: str, log_target: bool) -> None:
        xp: Any = unify.get_backend(backend)
        true = xp.asarray([-np.inf, 0.0] if log_target else [0.0, 1.0])
        pred = xp.asarray([-np.inf, -2.0])
        grads = unify.grad(lambda both: xp.kl_div(*both, log_target=log_target, reduction="sum"))(
            (true, pred)
        )
        assert grads[1].tolist() == [0, -1]
        assert grads[0].tolist() == [0, 3]


class TestSparseCrossEntropy:
    @FLOATS
    @pytest.mark.parametrize("axis", [0, 1, -1])
    @pytest.mark.parametrize("from_logits", [False, True])
    def test_within_16_ulps(self, xp: ModuleType, dtype: str, axis: int, from_logits: bool) -> None:
        pred = probabilities((3, 4, 5), dtype)
        pred = 40 * pred if from_logits else pred
        shape = np.delete(pred.shape, axis)
        true = GENERATOR.integers(0, 3, shape)
        wide = pred.astype("g")
        logs = wide - np.log(np.exp(wide).sum(axis, keepdims=True)) if from_logits else np.log(wide)
        terms = -np.take_along_axis(logs, np.expand_dims(true, axis), axis).squeeze(axis)
        arrays = xp.asarray(true), xp.asarray(pred)
        options: dict[str, Any] = {"axis": axis, "from_logits": from_logits}
        result = xp.sparse_cross_entropy(*arrays, reduction="none", **options)
        assert_ulps(result, terms, 16, np.abs(terms) + 40 * from_logits)
        mean = xp.sparse_cross_entropy(*arrays, **options)
        assert_ulps(mean, terms.mean(), 16, 40)

    @pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "uint64", "int64"])
    def test_any_integers(self, xp: ModuleType, dtype: str) -> None:
        true, pred = xp.asarray([1, 0], dtype=dtype), xp.asarray([[0.25, 0.75], [0.0, 1.0]])
        result = xp.sparse_cross_entropy(true, pred, epsilon=0.125, reduction="sum")
        assert result.item() == pytest.approx(-np.log(0.75) - np.log(0.125))

    def test_no_class_gives_nan(self, xp: ModuleType) -> None:
        true = xp.asarray([-1, 2, 2**62])
        result = xp.sparse_cross_entropy(true, xp.full((3, 2), 0.5), reduction="none")
        assert np.isnan(np.asarray(result)).all()

    def test_far_logits(self, xp: ModuleType) -> None:
        logits = xp.asarray([[0.0, -1000.0], [-np.inf, 0.0]])
        result = xp.sparse_cross_entropy(
            xp.asarray([1, 1]), logits, from_logits=True, reduction="none"
        )
        assert result.tolist() == [1000, 0]

    @pytest.mark.parametrize("backend", DIFFERENTIATING)
    def test_slopes_of_logits(self, backend: str) -> None:
        xp: Any = unify.get_backend(backend)
        true, logits = xp.asarray([1]), xp.asarray([[0.0, np.log(3.0)]])
        found = unify.grad(lambda x: xp.sparse_cross_entropy(true, x, from_logits=True))(logits)
        np.testing.assert_allclose(np.asarray(found), [[0.25, -0.25]])

    def test_mistakes(self, xp: ModuleType) -> None:
        name = "sparse_cross_entropy"
        function, pred = getattr(xp, name), xp.ones((2, 3))
        with pytest.raises(UnifyTypeError, match=f"{name}: argument 'true' has data type float64"):
            function(xp.ones(2), pred)
        with pytest.raises(UnifyTypeError, match=f"{name}: argument 'pred'"):
            function(xp.asarray([1]), xp.asarray([[1j]]))
        for true in (xp.asarray([1]), xp.asarray([[1], [2]])):
            with pytest.raises(UnifyValueError, match=f"{name}: argument 'true' has the shape"):
                function(true, pred)
        with pytest.raises(UnifyValueError, match="at least one class"):
            function(xp.asarray([1]), xp.zeros((1, 0)))
        with pytest.raises(UnifyIndexError, match=f"{name}: argument 'axis'"):
            function(xp.asarray([1]), pred, axis=2)
        with pytest.raises(UnifyValueError, match=f"{name}: argument 'reduction'"):
            function(xp.asarray([1, 1]), pred, reduction="foo")


@pytest.mark.parametrize("name", LOSSES)
class TestAll:
    def test_unknown_reduction(self, xp: ModuleType, name: str) -> None:
        """B5: compositional functions."""
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
