"""The table of differences accepts its elements, and no other wrong answer.

Each row is tested with results in which another element is wrong, or an accepted one has a wrong
finite number.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from arrayapi_unify.contracts import CONTRACTS
from tests.differential.case import ArrayArg, Case
from tests.differential.compare import compare
from tests.differential.differences import (
    CALL_DIFFERENCES,
    DIFFERENCES,
    Difference,
    accepted,
    documented,
    render,
)
from tests.differential.outcome import Outcome, Result

ROWS = [pytest.param(d, id=f"{d.function}-{d.backend}") for d in DIFFERENCES]
_X = np.array([[2 + 1j, complex(np.inf, 0)], [3 - 2j, 1 + 1j]])


def _case(difference: Difference) -> tuple[Case, Any]:
    """Return a call with an accepted element among others, and its expected result."""
    function = difference.function
    if function.startswith("fft."):
        x = np.array([[1.0, 2.0, 3.0], [1.0, np.nan, 2.0]])
        along = {"axes": (1,)} if function.endswith("n") else {"axis": 1}
        values = getattr(np.fft, function.removeprefix("fft."))(x, **along)
        return Case(function, (ArrayArg(x),), along), values
    if function in ("multiply", "pow"):
        y = np.full_like(_X, 2)
        with np.errstate(all="ignore"):
            values = getattr(np, function)(_X, y)
        values[0, 1] = complex(np.nan, np.nan)
        return Case(function, (ArrayArg(_X), ArrayArg(y))), values
    with np.errstate(all="ignore"):
        if function == "square":
            values = np.where(np.isinf(_X), complex(np.inf, np.nan), np.square(_X))
            return Case(function, (ArrayArg(_X),)), values
        fold = np.cumprod if function.startswith("cumulative") else np.prod
        values = fold(_X, axis=1)
    return Case(function, (ArrayArg(_X),), {"axis": 1}), values


def _outcome(values: Any) -> Outcome:
    return Outcome(Result(values.dtype.name, values))


@pytest.mark.parametrize("difference", ROWS)
class TestRows:
    def test_excuses_something_and_not_everything(self, difference: Difference) -> None:
        case, values = _case(difference)
        mask = accepted(difference.backend, case, values)
        assert mask.shape == values.shape
        assert mask.any()
        assert not mask.all()

    def test_excuses_what_it_speaks_of(self, difference: Difference) -> None:
        case, values = _case(difference)
        mask = accepted(difference.backend, case, values)
        other = np.where(
            mask, complex(np.nan, -np.inf) if np.iscomplexobj(values) else -np.inf, values
        )
        assert compare(case, _outcome(values), _outcome(other), difference.backend) is None
        assert compare(case, _outcome(values), _outcome(other)) is not None

    def test_notices_wrong_answers_beside_it(self, difference: Difference) -> None:
        case, values = _case(difference)
        mask = accepted(difference.backend, case, values)
        with np.errstate(invalid="ignore"):
            wrongs = 3 * values + 7, values * 1.001, np.zeros_like(values), values[..., ::-1]
        for wrong in wrongs:
            other = np.where(mask, values, wrong)
            found = compare(case, _outcome(values), _outcome(other), difference.backend)
            assert found is not None, wrong

    def test_notices_finite_numbers_in_its_place(self, difference: Difference) -> None:
        case, values = _case(difference)
        mask = accepted(difference.backend, case, values)
        other = np.where(mask, 3, values)
        assert compare(case, _outcome(values), _outcome(other), difference.backend) is not None

    def test_excuses_no_data_type_shape_or_exception(self, difference: Difference) -> None:
        case, values = _case(difference)
        for other in (
            _outcome(values.astype("c8")),
            _outcome(values[None]),
            Outcome(error=ValueError("refused")),
        ):
            assert compare(case, _outcome(values), other, difference.backend) is not None

    def test_excuses_nothing_in_finite_results(self, difference: Difference) -> None:
        case, values = _case(difference)
        finite = np.where(np.isfinite(values), values, 1)
        assert not accepted(difference.backend, case, finite).any()


def test_rows_are_of_functions() -> None:
    assert {d.function for d in (*DIFFERENCES, *CALL_DIFFERENCES)} <= set(CONTRACTS)
    assert render().startswith("# Differences")


def test_whole_calls_are_excused_by_their_row_only() -> None:
    case, error = Case("add", (1, 2)), Outcome(error=ValueError("refused"))
    assert not documented("torch", case, Outcome(3), error)
    assert compare(case, Outcome(3), error, "torch") is not None


@pytest.mark.parametrize("backend", ["tensorflow", "jax"])
def test_subnormal_numbers_excuse_no_other_data_type(backend: str) -> None:
    """Positions don't depend on a number that may count as zero."""
    x1, x2 = ArrayArg(np.array([0.0, 5e-324, 1.0])), ArrayArg(np.array([5e-324]))
    case = Case("searchsorted", (x1, x2), {"side": "left"})
    exact, as_zero = _outcome(np.array([1])), _outcome(np.array([0]))
    assert documented(backend, case, exact, as_zero)
    assert not documented(backend, case, exact, _outcome(np.array([0.0])))
    assert not documented(backend, case, exact, _outcome(np.array([3])))


class TestOverflowedBesideZero:
    CASE = Case(
        "nanprod", (ArrayArg(np.array([[0, 2e30, 3e30], [0, 2e3, 3e3]], "f4")),), {"axis": 1}
    )
    RIGHT = np.array([0, 0], "f4")

    @pytest.mark.parametrize("backend", ["torch", "tensorflow", "jax"])
    def test_nan_for_the_zero_of_the_row_that_overflows(self, backend: str) -> None:
        found = _outcome(np.array([np.nan, 0], "f4"))
        assert documented(backend, self.CASE, _outcome(self.RIGHT), found)
        assert compare(self.CASE, _outcome(self.RIGHT), found, "numpy") is not None

    @pytest.mark.parametrize(
        "wrong",
        [
            np.array([0, np.nan], "f4"), np.array([np.nan, 1], "f4"), np.array([1, 0], "f4"),
            np.array([np.inf, 0], "f4"), np.array([np.nan, 0]), np.array([np.nan], "f4"),
        ],
    )  # fmt: skip
    def test_nothing_else(self, wrong: Any) -> None:
        assert not documented("torch", self.CASE, _outcome(self.RIGHT), _outcome(wrong))


class TestGateOfNothing:
    CASE = Case(
        "nn.glu", (ArrayArg(np.array([[np.inf, np.inf, 1], [-87.375, 0, 0]], "f4")),), {"axis": 0}
    )
    RIGHT = np.array([[np.inf, np.inf, 0.5]], "f4")

    @pytest.mark.parametrize("backend", ["torch", "tensorflow", "jax"])
    def test_nan_where_the_gate_is_subnormal(self, backend: str) -> None:
        found = _outcome(np.array([[np.nan, np.inf, 0.5]], "f4"))
        assert documented(backend, self.CASE, _outcome(self.RIGHT), found)
        assert not documented("numpy", self.CASE, _outcome(self.RIGHT), found)

    def test_zero_where_the_number_is_finite(self) -> None:
        x = np.array([[52.875, 52.875], [-89.5, -80]], "f4")
        case = Case("nn.glu", (ArrayArg(x),), {"axis": 0})
        right = _outcome(np.array([[7.143224e-38, 9.54351e-34]], "f4"))
        assert documented("jax", case, right, _outcome(np.array([[0, 9.54351e-34]], "f4")))
        for wrong in ([[np.nan, 9.54351e-34]], [[1e-38, 9.54351e-34]], [[7.143224e-38, 0]]):
            assert not documented("jax", case, right, _outcome(np.array(wrong, "f4")))

    @pytest.mark.parametrize("function", ["nn.mish", "nn.silu"])
    def test_where_a_number_is_its_own_gate(self, function: str) -> None:
        case = Case(function, (ArrayArg(np.array([-89, -80, 25.5], "f4")),), {})
        right = _outcome(np.array([-1.982353e-37, -1.4438812e-33, 25.5], "f4"))
        found = _outcome(np.array([-0.0, -1.4438812e-33, 25.5], "f4"))
        assert documented("jax", case, right, found)
        assert documented("torch", case, right, found) == (function == "nn.silu")
        for wrong in ([-1e-38, -1.4438812e-33, 25.5], [-0.0, 0, 25.5], [-0.0, -1.4438812e-33, 25]):
            assert not documented("jax", case, right, _outcome(np.array(wrong, "f4")))

    def test_a_last_digit_elsewhere(self) -> None:
        """The row doesn't apply, so the tolerance does."""
        case = Case("nn.silu", (ArrayArg(np.array([-2.0, 3.0], "f4")),), {})
        right = _outcome(np.array([-0.23840584, 2.8577225], "f4"))
        assert not documented("jax", case, right, _outcome(np.array([-0.2384049, 2.8577225], "f4")))

    @pytest.mark.parametrize(
        "wrong", [[[np.nan, np.nan, 0.5]], [[np.nan, np.inf, 0.6]], [[0, np.inf, 0.5]]]
    )
    def test_nothing_else(self, wrong: Any) -> None:
        found = _outcome(np.array(wrong, "f4"))
        assert not documented("jax", self.CASE, _outcome(self.RIGHT), found)
