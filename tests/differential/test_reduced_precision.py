"""float16 and bfloat16 on every backend, against float64 on NumPy, rounded (B51).

The calls are drawn as in the other tests, with float32 arrays whose values are rounded to float16
or bfloat16. The reference computes with these values in float64, so that a correct result has only
a rounding error of 0.5 ulp.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, Final

import ml_dtypes
import numpy as np
import pytest
from hypothesis import strategies as st

from arrayapi_unify import dtypes, limits
from arrayapi_unify.binding import namespace_of
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import Contract
from arrayapi_unify.dtypes import DType
from arrayapi_unify.limits import IInfo
from tests.differential.arguments import CallBuilder, Pair, draw_case, legal_dtypes
from tests.differential.case import ArrayArg, Case, leaves, replaced
from tests.differential.check import report
from tests.differential.compare import compare
from tests.differential.coverage import parameters, slow_but_first
from tests.differential.outcome import Outcome, Result, run
from tests.differential.runner import check_examples, is_enough
from tests.differential.strategies import Draw
from tests.differential.tolerances import tolerance_of, units

NATIVE: Final = {"float16": np.dtype(np.float16), "bfloat16": np.dtype(ml_dtypes.bfloat16)}
EPS: Final = {"float16": 2.0**-10, "bfloat16": 2.0**-7}
TINY: Final = {"float16": 2.0**-14, "bfloat16": 2.0**-126}
REDUCED_PRECISION: Final = [dtypes.float16, dtypes.bfloat16]
_SINGLE: Final = np.dtype(np.float32)

# Functions for which the precision of float32 determines zeros or equality, or its range a finite
# difference of differences.
_BY_PRECISION: Final = {
    "linalg.matrix_rank", "linalg.pinv", "isclose", "allclose", "nn.binary_cross_entropy", "diff",
    "sinc",
}  # fmt: skip
# Arbitrary in sign, phase, order or values: `test_factors` checks them.
_OPEN: Final = {
    "linalg.eigh", "linalg.svd", "linalg.qr", "linalg.eig", "linalg.eigvals", "empty", "empty_like",
}  # fmt: skip
# Functions with a count as the number, which isn't an operand.
_COUNTED: Final = {"repeat"}
_LIMITS: Final = {"nan_to_num": ("posinf", "neginf")}
# Functions with indices or counts as the other array, which doesn't take part in promotion.
_INDEXED: Final = {"take", "take_along_axis", "repeat", "get_item", "set_item"}
_LEFT_OUT: Final = {"can_cast", "finfo", "isdtype", "result_type", "iinfo", "dtype", "one_hot"}


def _takes_floats(name: str) -> bool:
    contract = CONTRACTS[name]
    if any(p.role is Role.DTYPE for p in contract.parameters) or contract.converts:
        return True
    return bool(contract.array_parameters) and any(
        dtypes.float32 in pair for pair in legal_dtypes(name)[0]
    )


FUNCTIONS: Final = slow_but_first(
    parameters(lambda name: name not in _LEFT_OUT and _takes_floats(name))
)


class ReducedPrecisionDrawer(CallBuilder):
    """Draws float32 if possible, to be replaced by float16 or bfloat16."""

    def __init__(self, draw: Draw, contract: Contract) -> None:
        """Draw no faults."""
        super().__init__(draw, contract)
        self.fault = None

    def pair(self) -> list[DType]:
        """Draw float32, sometimes with another data type."""
        if self._dtypes is None:
            legal = legal_dtypes(self.contract.qualified_name)[0]
            both: tuple[Pair, ...] = tuple(p for p in legal if set(p) == {dtypes.float32})
            one: tuple[Pair, ...] = tuple(p for p in legal if dtypes.float32 in p)
            if not one:
                return super().pair()
            self._dtypes = list(self.one_of(*(one if self.chance(3) or not both else both)))
        return self._dtypes

    def any_dtype(self, kinds: str = "buifc") -> DType:
        """Draw float32 in two of three cases if it is allowed."""
        return super().any_dtype(kinds) if "f" not in kinds or self.chance(3) else dtypes.float32


def _rounded(values: Any, half: str, integers: DType | None = None) -> Any:
    """Round to float16 or bfloat16, without subnormal numbers, which XLA flushes to zero.

    Numbers to convert to integers remain within their range: see `castable`.
    """
    with np.errstate(all="ignore"):
        near = np.asarray(values).astype(NATIVE[half])
        near = np.where(np.abs(near.astype("f4")) < TINY[half], 0, near).astype(NATIVE[half])
        return near if integers is None else _within(near, limits.iinfo(integers))


def _within(near: Any, info: IInfo) -> Any:
    """Return the next number towards zero for numbers that were rounded out of range."""
    wide = near.astype("f8")
    beyond = np.isinf(wide) | (wide >= float(info.max) + 1) | (wide < float(info.min))
    return np.where(beyond, np.nextafter(near, near.dtype.type(0)), near)


def _integers(case: Case) -> DType | None:
    """Return the integer data type to which a call converts floating-point numbers."""
    names = {str(dtype) for dtype in dtypes.ALL}
    given = [
        dtypes.as_dtype(v)
        for v in leaves([*case.args, *case.kwargs.values()])
        if isinstance(v, DType) or (isinstance(v, str) and v in names)
    ]
    if case.function == "set_item":
        given = [dtypes.as_dtype(case.arrays()[0].dtype.name)]
    return next((dtype for dtype in given if dtype.kind in "iu"), None)


def _with(case: Case, half: str, wide: bool, scalars: bool) -> Case:
    """Return a call with float16 or bfloat16 instead of float32, or with its values as float64."""
    integers = _integers(case)

    def array(arg: ArrayArg) -> ArrayArg:
        if arg.values.dtype != _SINGLE:
            return arg
        values = _rounded(arg.values, half, integers)
        return ArrayArg(values.astype("f8") if wide else values, arg.view)

    def other(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return type(value)([other(part) for part in value])
        if value is dtypes.float32 or value == "float32":
            return dtypes.float64 if wide else dtypes.as_dtype(half)
        if wide and scalars and type(value) in (int, float):
            return float(_rounded(float(value), half))
        return value

    contract = CONTRACTS[case.function]
    scalars = scalars and case.function not in _COUNTED
    roles = {p.name: p.role for p in contract.parameters}
    weak = (Role.OPERAND, Role.OPTIONAL)
    args = list(replaced(case.args, array))
    for i, (parameter, _) in enumerate(zip(contract.parameters, args, strict=False)):
        if parameter.role in (*weak, Role.DTYPE):
            args[i] = other(args[i])
    kwargs = replaced(case.kwargs, array)
    kwargs = {k: other(v) if roles.get(k) in (*weak, Role.DTYPE) else v for k, v in kwargs.items()}
    if wide and case.function in _LIMITS:
        largest = float(np.asarray(limits.finfo(dtypes.as_dtype(half)).max))
        for name, value in zip(_LIMITS[case.function], (largest, -largest), strict=True):
            if kwargs.get(name) is None:
                kwargs[name] = value
    return Case(case.function, tuple(args), kwargs)


@st.composite
def _calls(draw: Draw, function: str) -> tuple[Case, str]:
    case = draw_case(draw, CONTRACTS[function], ReducedPrecisionDrawer)
    if case.kwargs.get("copy") is False:  # float64 may not need a cast that reduced precision needs
        case = Case(case.function, case.args, {**case.kwargs, "copy": None})
    return case, draw(st.sampled_from(sorted(NATIVE)))


def _arrays(value: Any) -> list[Any]:
    if isinstance(value, Result):
        return [value]
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], list):
        return [array for part in value[1] for array in _arrays(part)]
    return []


def _expected_dtype(case: Case, half: str, single: str) -> str:
    """Return the data type of a result, given the one for float32."""
    if single != "float32":
        return single
    if any(v is dtypes.float32 or v == "float32" for v in (*case.args, *case.kwargs.values())):
        return half  # requested by the call
    # Data types that promote with reduced precision to float32, or to its complex numbers.
    single_too = any(a.dtype in ("int16", "uint16", "complex64") for a in case.arrays())
    return "float32" if single_too and case.function not in _INDEXED else half


def _far(wide: Case, part: int, half: str, expected: Any, got: Any) -> str | None:
    """Compare floating-point values with those of float64: within an ulp of the reduced precision.

    `part` is the index of this array in the result.
    """
    kind = "float32" if got.dtype.name.startswith("float32") else half
    near = expected.astype(NATIVE[half] if kind == half else "f4").astype("f8")
    found = got.astype("f8")
    if not np.array_equal(np.isnan(near), np.isnan(found)):
        return "place of NaN"
    largest = float(limits.finfo(dtypes.as_dtype(kind)).max)
    eps = EPS[half] if kind == half else float(np.finfo("f4").eps)
    # Infinity, if the exact result is out of range or almost.
    beyond = np.abs(expected) > largest * (1 - eps)
    if np.any((np.isinf(near) != np.isinf(found)) & ~beyond):
        return "infinity"
    if np.any((near != found) & np.isinf(near) & np.isinf(found)):
        return "sign of infinity"
    finite = np.isfinite(near) & np.isfinite(found)
    unit = units(wide, part, expected)
    single = tolerance_of(wide.function).real * float(np.finfo("f4").eps) * unit
    allowed = 0.5001 * eps * np.abs(expected) + 2 * single + TINY[half]
    exact = CONTRACTS[wide.function].category in ("indexing", "manipulation", "sorting")
    error = np.abs(found - expected)
    if np.any((error > (0 if exact else allowed)) & finite):
        return f"{found} instead of {expected}"
    return None


def _differs(case: Case, half: str, xp: ModuleType) -> tuple[str, Outcome, Outcome] | None:
    """Make a call in reduced precision; return its difference from float64 on NumPy."""
    numpy = namespace_of("numpy")
    only = {a.dtype.name for a in case.arrays() if a.dtype.kind in "fc"} <= {"float32"}
    narrow, wide = _with(case, half, False, only), _with(case, half, True, only)
    got, expected = run(narrow, xp), run(wide, numpy)
    single = run(case, numpy)
    if case.function in _BY_PRECISION:
        expected = run(_as_single(wide), numpy)
    if expected.error or got.error:
        same = expected.error_class == got.error_class
        return None if same else ("one of them raises", expected, got)
    pairs = zip(_arrays(expected.value), _arrays(got.value), _arrays(single.value), strict=True)
    if not _arrays(got.value) and compare(narrow, expected, got):
        return "value", expected, got
    for part, (e, g, s) in enumerate(pairs):
        problem = None
        dtype = _expected_dtype(case, half, s.dtype)
        if g.dtype != dtype:
            problem = f"{g.dtype} instead of {dtype}"
        elif case.function == "nextafter":
            neighbour = _neighbour(wide, g.dtype)
            same = np.array_equal(neighbour, g.values.astype("f8"), equal_nan=True)
            problem = None if same else f"{g} instead of {neighbour}"
        elif e.values.shape != g.values.shape:
            problem = "shape"
        elif case.function in _OPEN:
            problem = None
        elif g.dtype in ("float32", half):
            with np.errstate(all="ignore"):
                problem = _far(wide, part, half, e.values, g.values)
        elif g.values.dtype.kind in "bui":
            problem = None if np.array_equal(e.values, g.values) else "value"
        if problem:
            return problem, expected, got
    return None


def _neighbour(wide: Case, dtype: str) -> Any:
    """Return the result of `nextafter` in a data type, which float64 can't predict."""
    operands = [v.values if isinstance(v, ArrayArg) else v for v in wide.args]
    native = NATIVE.get(dtype) or np.dtype(dtype)
    return np.nextafter(*[np.asarray(v).astype(native) for v in operands]).astype("f8")


def _as_single(case: Case) -> Case:
    def array(arg: ArrayArg) -> ArrayArg:
        floats = arg.values.dtype == np.dtype("f8")
        return ArrayArg(arg.values.astype("f4"), arg.view) if floats else arg

    return Case(case.function, tuple(replaced(case.args, array)), replaced(case.kwargs, array))


def _has_reduced_precision(case: Case) -> bool:
    given = leaves([*case.args, *case.kwargs.values()])
    return any(
        value is dtypes.float32 or (isinstance(value, ArrayArg) and value.values.dtype == _SINGLE)
        for value in given
    )


@pytest.mark.sample(12)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_halves_are_float64_rounded(function: str, xp: ModuleType) -> None:
    met: list[bool] = []

    def check(drawn: tuple[Case, str]) -> str | None:
        case, half = drawn
        if is_enough(sum(met), xp):
            return None
        met.append(_has_reduced_precision(case))
        found = _differs(case, half, xp) if met[-1] else None
        return (
            None
            if found is None
            else f"{half}: " + report(_with(case, half, False, False), xp, found)
        )

    check_examples(_calls(function), check, xp, share=0.3)
    assert any(met) or len(met) < 10, "no call has a half"


@pytest.mark.parametrize("half", sorted(NATIVE))
def test_differences_out_of_range(half: str, xp: ModuleType) -> None:
    """First differences of bfloat16 exceed the range of float32, those of float16 don't."""
    largest = float(limits.finfo(dtypes.as_dtype(half)).max)
    for signs in ([1, -1, 1], [1, -1, -1], [-1, 1, 0], [1, -1, -1, 1]):
        values = np.asarray(signs, np.float32) * np.float32(largest)
        found = _differs(Case("diff", (ArrayArg(values),), {"n": len(signs) - 1}), half, xp)
        assert found is None, found
