"""B50: integers become the default floating-point data type in floating-point results.

The calls are drawn with integers and bools only. The expected result is that of the oracle in
float64, cast to float32.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any, Final

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import dtypes
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import Returns
from arrayapi_unify.dtypes import DType
from tests.differential.arguments import CallBuilder, Pair, draw_case, legal_dtypes
from tests.differential.case import Case
from tests.differential.check import report
from tests.differential.coverage import compared
from tests.differential.expected import expected
from tests.differential.outcome import Outcome, Result, run
from tests.differential.runner import check_examples, is_enough
from tests.differential.strategies import Draw, st
from tests.differential.tracing import COMPILERS
from tests.installed import INSTALLED

_EXACT: Final = frozenset({dtypes.bool, *dtypes.KINDS["integral"]})
_NARROW: Final = {"float64": "float32", "complex128": "complex64"}
# Arbitrary in sign, phase, order or values; or with another 1 - epsilon or other random bits in
# float32.
_OPEN: Final = {
    "nn.binary_cross_entropy", "random.exponential", "random.normal", "random.uniform",
    "linalg.eigh", "linalg.svd", "linalg.qr", "linalg.eig", "linalg.eigvals", "empty", "empty_like",
}  # fmt: skip
FUNCTIONS: Final = [
    name
    for name in compared()
    if CONTRACTS[name].array_parameters and CONTRACTS[name].returns is not Returns.OTHER
]
CATEGORIES: Final = sorted({CONTRACTS[name].category for name in FUNCTIONS})


class IntegerDrawer(CallBuilder):
    """Draws arrays of integers and bools."""

    def __init__(self, draw: Draw, contract: Any) -> None:
        """Draw no faults."""
        super().__init__(draw, contract)
        self.fault = None

    def pair(self) -> list[DType]:
        """Draw two of these data types."""
        if self._dtypes is None:
            legal = legal_dtypes(self.contract.qualified_name)[0]
            exact: tuple[Pair, ...] = tuple(pair for pair in legal if set(pair) <= _EXACT)
            self._dtypes = list(self.one_of(*exact))
        return self._dtypes

    def any_dtype(self, kinds: str = "buifc") -> DType:
        """Draw one of these data types if one is allowed."""
        return super().any_dtype("".join(k for k in kinds if k in "bui") or kinds)


@st.composite
def _calls(draw: Draw, function: str) -> Case:
    return draw_case(draw, CONTRACTS[function], IntegerDrawer)


def _given(case: Case) -> list[Any]:
    """List the data types in the arguments of a call."""
    named = CONTRACTS[case.function].named(case.args, case.kwargs)
    return [value for parameter, value in named if parameter.role is Role.DTYPE]


def _concerned(case: Case) -> bool:
    """Return True if all arrays are of exact data types, and no data type or `out` is given."""
    arrays = case.arrays()
    exact = bool(arrays) and all(array.dtype.kind in "bui" for array in arrays)
    return (
        exact and not any(value is not None for value in _given(case)) and "out" not in case.kwargs
    )


def _arrays(value: Any) -> list[Result]:
    if isinstance(value, Result):
        return [value]
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], list):
        return [array for part in value[1] for array in _arrays(part)]
    return []


def _difference(case: Case, wanted: Outcome, got: Outcome) -> str | None:
    for expected_part, part in zip(_arrays(wanted.value), _arrays(got.value), strict=True):
        name = _NARROW.get(expected_part.dtype, expected_part.dtype)
        if part.dtype != name:
            return f"{part.dtype} instead of {name}"
        if case.function in _OPEN or name == expected_part.dtype:
            continue
        with np.errstate(all="ignore"):
            values = expected_part.values.astype(name)
        scale = np.max(np.abs(values), initial=1.0, where=np.isfinite(values))
        if not np.allclose(part.values, values, rtol=1e-4, atol=1e-5 * scale, equal_nan=True):
            return "values"
    return None


def _takes_integers(function: str) -> bool:
    return any(set(pair) <= _EXACT for pair in legal_dtypes(function)[0])


@pytest.mark.slow_on("jax")
@pytest.mark.sample(3)
@pytest.mark.parametrize("category", CATEGORIES)
def test_integers_become_the_default(category: str, xp: ModuleType) -> None:
    for function in FUNCTIONS:
        if CONTRACTS[function].category == category and _takes_integers(function):
            _compare(function, xp)


def _compare(function: str, xp: ModuleType) -> None:
    met = 0

    def check(case: Case) -> str | None:
        nonlocal met
        if not _concerned(case) or is_enough(met, xp):
            return None
        wanted = expected(case)
        with unify.default_dtype("float32"):
            got = run(case, xp)
        if wanted.error or got.error:
            return None  # a refused call has no data type
        met += 1
        found = _difference(case, wanted, got)
        return None if found is None else report(case, xp, (found, wanted, got))

    check_examples(_calls(function), check, xp, share=0.3)


def test_most_functions_are_drawn() -> None:
    """Functions that convert integers to floats are drawn."""
    some = {"sqrt", "divide", "mean", "fft.fft", "linalg.inv", "nn.softmax", "quantile"}
    assert some <= {*filter(_takes_integers, some & {*FUNCTIONS})}


CALLS: Final = {
    "sqrt": lambda xp, x: xp.sqrt(x),
    "operator": lambda xp, x: x / x,
    "scalar": lambda xp, x: x + 1.5,
    "reflected": lambda xp, x: 2 / x,
    "body": lambda xp, x: xp.quantile(x, 0.5),
    "complex": lambda xp, x: xp.fft.fft(x),
    "matrix": lambda xp, x: xp.linalg.vector_norm(x),
    "method": lambda xp, x: x.exp(),
    "top level": lambda xp, x: unify.divide(x, 2),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_as_numpy_casts(call: Any, xp: ModuleType) -> None:
    x = xp.asarray([1, 2, 4])
    before = call(xp, x)
    with unify.default_dtype("float32"):
        within = call(xp, x)
        of_floats = call(xp, xp.astype(x, xp.float64))
    after = call(xp, x)
    assert before.dtype is after.dtype is of_floats.dtype
    assert before.dtype.name in _NARROW
    assert within.dtype.name == _NARROW[before.dtype.name]
    assert np.allclose(np.asarray(within), np.asarray(before), rtol=1e-6)


def test_the_result_is_cast_before_it_is_stored(xp: ModuleType) -> None:
    x, out = xp.asarray([2, 3]), xp.zeros(2)
    with unify.default_dtype("float32"):
        assert xp.sqrt(x, out=out) is out
    assert np.array_equal(np.asarray(out), np.sqrt([2.0, 3.0]).astype("f4"))


@pytest.mark.slow_on("torch")
@pytest.mark.sample(3)
@pytest.mark.parametrize("framework", [name for name in INSTALLED if name in COMPILERS])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_traced(call: Any, framework: str) -> None:
    xp = importlib.import_module(f"arrayapi_unify.{framework}")
    native = xp.asarray([1, 2, 4]).data
    with unify.default_dtype("float32"):
        expected_dtype = call(xp, xp.asarray(native)).dtype
        traced = COMPILERS[framework](lambda x: call(xp, xp.asarray(x)).data)(native)
    assert xp.asarray(traced).dtype is expected_dtype
    assert expected_dtype in (unify.float32, unify.complex64)


def test_out(xp: ModuleType) -> None:
    x = xp.asarray([1, 2, 4])
    with unify.default_dtype("float32"):
        for make in (lambda out: xp.sqrt(x, out=out), lambda out: xp.divide(x, x, out=out)):
            narrow, wide = xp.zeros(3), xp.zeros(3, dtype=xp.float64)
            assert make(narrow) is narrow
            assert make(wide) is wide
            assert np.array_equal(np.asarray(narrow, np.float64), np.asarray(wide))


def test_result_type_agrees(xp: ModuleType) -> None:
    x, big = xp.asarray([1, 2]), xp.asarray([1, 2], dtype=xp.uint64)
    with unify.default_dtype("float32"):
        for given in ((x, 1.5), (x, 1j), (x, big)):
            assert (given[0] + given[1]).dtype is unify.result_type(*given)
            assert unify.result_type(*given) in (unify.float32, unify.complex64)
        assert unify.result_type(unify.float64, 1.5) is unify.float64
        assert unify.result_type(unify.int64, unify.float32) is unify.float64


def test_the_innermost_block_holds(xp: ModuleType) -> None:
    with unify.default_dtype("float32"), unify.default_dtype("float64"):
        assert xp.sqrt(xp.asarray([4])).dtype is unify.float64
