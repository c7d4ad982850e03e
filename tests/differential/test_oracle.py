"""The oracles: every compared function has one, and none of them uses `arrayapi_unify`."""

from __future__ import annotations

import ast
import itertools
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify
from arrayapi_unify import dtypes
from tests.differential import oracle
from tests.differential.arguments import cases
from tests.differential.case import ArrayArg, Case
from tests.differential.compare import compare
from tests.differential.coverage import compared
from tests.differential.expected import answer, expected, plain_arguments
from tests.differential.oracle import ORACLES
from tests.differential.oracle.promotion import promoted, promoted_with
from tests.differential.outcome import Outcome, Result
from tests.differential.runner import check_examples
from tests.sources import OURS
from tests.tables import each

_SOURCES = sorted(Path(oracle.__file__).parent.glob("*.py"))


def test_every_function_has_one() -> None:
    assert set(ORACLES) == set(compared())


@pytest.mark.parametrize("source", _SOURCES, ids=lambda path: path.name)
def test_imports_nothing_of_the_package(source: Path) -> None:
    for node in ast.walk(ast.parse(source.read_text())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            assert name.partition(".")[0] != "arrayapi_unify", f"{source.name}: {name}"
            ours = name.startswith("tests.") and not name.startswith("tests.differential.oracle")
            assert not ours, f"{source.name} imports {name}, which may call arrayapi_unify"


@each("function", compared())
def test_calls_nothing_of_the_package(function: str) -> None:
    """Indirect calls of the package by an oracle are noticed."""
    _calls_nothing_of_the_package(function)


def _calls_nothing_of_the_package(function: str) -> None:
    called: list[str] = []

    def watch(frame: FrameType, event: str, argument: Any) -> None:
        ours = event == "call" and frame.f_code.co_filename.startswith(OURS)
        # Any import, such as einops' if PyTorch is loaded, calls all finders.
        if ours and frame.f_code.co_name != "find_spec":
            called.append(frame.f_code.co_name)

    def check(case: Case) -> str | None:
        args, kwargs = plain_arguments(case)
        before = sys.getprofile()
        sys.setprofile(watch)
        try:
            answer(function, args, kwargs)
        except Exception:  # every library may refuse the call
            return None
        finally:
            sys.setprofile(before)
        return f"{case} called {called}" if called else None

    check_examples(cases(function), check, share=0.1)


def test_watching_notices_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = arrayapi_unify.numpy.add
    monkeypatch.setitem(ORACLES, "add", lambda x, y, /: np.asarray(ours(x, y)))
    with pytest.raises(AssertionError, match="called"):
        _calls_nothing_of_the_package("add")


# --- promotion ------------------------------------------------------------------------------------


def test_promotion_is_the_tables() -> None:
    """The tests' table agrees with the package's and NumPy's."""
    for a, b in itertools.product(dtypes.ALL, repeat=2):
        found = promoted(a.name, b.name)
        assert found == dtypes.promote(a, b).name == np.result_type(a.name, b.name).name


def test_promotion_of_three_is_in_no_order() -> None:
    """NumPy promotes int8, uint16 and float32 to float32, although the first two give int32."""
    for three in itertools.product(dtypes.ALL, repeat=3):
        names = [dtype.name for dtype in three]
        found = promoted(*names)
        assert found == dtypes.promote(*three).name == np.result_type(*names).name


@pytest.mark.parametrize(
    ("dtype", "scalar", "wanted"),
    [
        ("int8", True, "int8"), ("int8", 1, "int8"), ("uint8", -1, "uint8"), ("bool", 1, "int64"),
        ("int8", 1.0, "float64"), ("float32", 1.0, "float32"), ("float32", 1j, "complex64"),
        ("float64", 1j, "complex128"), ("int64", 1j, "complex128"), ("complex64", 1, "complex64"),
    ],
)  # fmt: skip
def test_scalars_promote_weakly(dtype: str, scalar: complex, wanted: str) -> None:
    assert promoted_with(dtype, scalar) == wanted


# --- deviations of NumPy from the standard --------------------------------------------------------


def _value(function: str, *args: Any, **kwargs: Any) -> Any:
    outcome = expected(Case(function, args, kwargs))
    assert isinstance(outcome.value, Result), outcome
    return outcome.value


def test_infinity_divided_by_a_finite_number() -> None:
    found = _value("floor_divide", ArrayArg(np.array([np.inf, -np.inf, 7.0])), 2.0)
    np.testing.assert_array_equal(found.values, [np.inf, -np.inf, 3])


def test_a_finite_number_divided_by_an_infinity() -> None:
    found = _value("floor_divide", ArrayArg(np.array([-2.0, 2.0, -np.inf])), np.inf).values
    np.testing.assert_array_equal(found, [0, 0, np.nan])
    assert np.signbit(found).tolist()[:2] == [True, False]


def test_hyperbolic_tangent_of_an_infinity() -> None:
    """The standard: 1 + 0j for inf + bj of all positive b, and tanh is odd."""
    found = _value("tanh", ArrayArg(np.array([complex(np.inf, 2), complex(-np.inf, -2)])))
    assert found.values.tolist() == [1, -1]
    np.testing.assert_array_equal(np.signbit(found.values.imag), [False, True])


def test_integers_count_as_float64() -> None:
    found = _value("sqrt", ArrayArg(np.array([4, 9], "int8")))
    assert found.dtype == "float64"


def test_quantile_of_nothing() -> None:
    found = _value("quantile", ArrayArg(np.zeros((2, 0))), 0.5, axis=1)
    np.testing.assert_array_equal(found.values, [np.nan, np.nan])


# --- errors within the units of the tolerances ----------------------------------------------------


def _accepts(function: str, wrong: Any, *args: Any, **kwargs: Any) -> bool:
    case = Case(function, args, kwargs)
    wanted = expected(case)
    values = np.asarray(wrong, wanted.value.values.dtype)
    return compare(case, wanted, Outcome(Result(values.dtype.name, values))) is None


_MATRIX = np.array([[24, 1, 2], [1, 48, 3], [0, 2, 72]], "float32")


@pytest.mark.parametrize("function", ["linalg.inv", "linalg.pinv"])
def test_zeros_are_no_inverse(function: str) -> None:
    right = np.linalg.inv(_MATRIX)
    assert _accepts(function, right, ArrayArg(_MATRIX))
    assert not _accepts(function, np.zeros((3, 3)), ArrayArg(_MATRIX))
    assert not _accepts(function, right * np.float32(1.001), ArrayArg(_MATRIX))


def test_zeros_are_no_negative_power() -> None:
    right = np.linalg.matrix_power(_MATRIX, -2)
    assert _accepts("linalg.matrix_power", right, ArrayArg(_MATRIX), -2)
    assert not _accepts("linalg.matrix_power", np.zeros((3, 3)), ArrayArg(_MATRIX), -2)


def test_an_ill_conditioned_inverse_may_lose_digits() -> None:
    """For a matrix with a condition of 4e6, float64 keeps at least nine digits."""
    x = np.array([[1, 1], [1, 1 + 1e-6]])
    right = np.linalg.inv(x)
    assert not _accepts("linalg.inv", right * 1.001, ArrayArg(x))
    assert not _accepts("linalg.inv", right * (1 + 1e-6), ArrayArg(x))
    assert _accepts("linalg.inv", right * (1 + 1e-10), ArrayArg(x))


def test_the_variance_of_near_numbers() -> None:
    """A variance computed as mean(x**2) - mean(x)**2 in float32 is noticed."""
    x = np.array([100, 100.5, 101, 101.5], "float32")
    assert _accepts("var", np.var(x), ArrayArg(x))
    assert not _accepts("var", np.mean(x**2) - np.mean(x) ** 2 + np.float32(1e-3), ArrayArg(x))


def test_expm1_of_zeros_infinities_and_nan() -> None:
    """The standard: 0 + 0j for both zeros as the real part; inf + 0j and NaN + 0j stay so."""
    x = np.array([complex(-0.0, 0.0), complex(np.inf, 0), complex(np.nan, 0), complex(-np.inf, 1)])
    found = _value("expm1", ArrayArg(x)).values
    np.testing.assert_array_equal(found.real, [0, np.inf, np.nan, -1])
    np.testing.assert_array_equal(found.imag, [0, 0, 0, 0])
    assert not np.signbit(found[0].real)


class TestWhereNumpyIsEasilyMistaken:
    """Results of NumPy and einops themselves that are often stated wrongly."""

    @pytest.mark.parametrize(
        ("given", "dtype"),
        [([0, 2**63], "uint64"), ([[2**64 - 1]], "uint64"), ([0.0, 2**63], "float64"),
         ([], "float64"), ([1, 2], "int64")],
    )  # fmt: skip
    def test_integers_beyond_int64_are_no_floats(self, given: Any, dtype: str) -> None:
        found = ORACLES["asarray"](given)
        assert found.dtype == dtype
        assert found.tolist() == given

    def test_a_reduction_of_no_axis_leaves_the_data_type(self) -> None:
        x = np.zeros((2, 3), "u1")
        for reduction in ("all", "mean", "sum", "max"):
            assert ORACLES["einops_reduce"](x, "a b -> a () b", reduction).dtype == np.uint8
        assert ORACLES["einops_reduce"](x, "a b -> a", "mean").dtype == np.float64
        assert ORACLES["einops_reduce"](x, "a b -> a", "all").dtype == np.bool_

    @pytest.mark.parametrize(
        ("x", "q", "wanted"),
        [([np.inf], 0.0, np.inf), ([1, np.inf], 0.0, 1), ([1, np.inf], 0.25, np.inf),
         ([-np.inf, 1], 0.5, -np.inf), ([-np.inf, np.inf], 0.5, np.nan),
         ([1, np.nan, np.inf], 0.0, np.nan), ([1, 3], 0.25, 1.5)],
    )  # fmt: skip
    def test_quantiles_beside_infinities(self, x: list[float], q: float, wanted: float) -> None:
        found = ORACLES["quantile"](np.asarray(x, np.float64), q)
        np.testing.assert_equal(float(found), wanted)
