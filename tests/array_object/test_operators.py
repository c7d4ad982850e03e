"""Operators against NumPy's own, on every data type and with every kind of operand."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import dtypes
from arrayapi_unify.array_object.operators import ARITHMETIC, COMPARISON, UNARY
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import BackendError
from tests.tables import each

Operator = Callable[..., Any]

ARITHMETIC_OPERATORS: dict[str, Operator] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": operator.lshift,
    ">>": operator.rshift,
}
COMPARISON_OPERATORS: dict[str, Operator] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
BINARY = ARITHMETIC_OPERATORS | COMPARISON_OPERATORS
UNARY_OPERATORS: dict[str, Operator] = {
    "-": operator.neg,
    "+": operator.pos,
    "abs": operator.abs,
    "~": operator.invert,
}
SCALARS = (True, 2, 1.5, 2j)

# Exact powers use NumPy's function, because its operator squares a bool array to int8.
REFERENCE = BINARY | {"**": np.power}

every_binary = each("symbol", list(BINARY))
every_arithmetic = each("symbol", [*ARITHMETIC_OPERATORS, "@"])


def values(dtype: DType, first: int = 1) -> np.ndarray[Any, Any]:
    """Three small numbers that no operation overflows."""
    return np.asarray([first, 2, 3]).astype(dtype.name)


def pairs(xp: ModuleType, symbol: str) -> list[tuple[DType, DType]]:
    """Return the pairs of data types with which to test an operator on a backend.

    JAX compiles a kernel for each of them, half a minute in all. There each operator is tested with
    a sixth, and the next operator with the next sixth, so that each pair is tested with two
    arithmetic operators and one comparison.
    """
    every = itertools.product(enumerate(dtypes.ALL), repeat=2)
    if xp.__unify_backend__ != "jax":
        return [(a, b) for (_, a), (_, b) in every]
    sixth = list(BINARY).index(symbol)
    return [(a, b) for (i, a), (j, b) in every if (i + j + sixth) % 6 == 0]


def outcome(expected: Callable[[], Any]) -> Any:
    """Return the result that NumPy computes, or the class of the error that it raises."""
    try:
        return expected()
    except OverflowError:
        return OverflowError
    except ValueError:
        return ValueError
    except TypeError:
        return TypeError


def check(compute: Callable[[], Any], expected: Callable[[], Any], epsilons: int = 0) -> None:
    """Compare with NumPy: the same values and dtype in our class, or an error like NumPy's.

    Floating-point values may differ by the given number of epsilons of their data type.
    """
    native = outcome(expected)
    if isinstance(native, type):
        with pytest.raises(unify.UnifyError) as caught:
            compute()
        assert isinstance(caught.value, native)
        return
    result = compute()
    assert isinstance(result, unify.Array)
    assert result.dtype.name == native.dtype.name
    assert result.shape == native.shape
    inexact = native.dtype.kind in "fc"
    tolerance = epsilons * float(np.finfo(native.dtype).eps) if inexact else 0.0
    np.testing.assert_allclose(np.asarray(result), native, rtol=tolerance)


class TestTables:
    def test_every_operator_of_the_standard_is_there(self) -> None:
        assert set(ARITHMETIC) == {
            "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul",
            "and", "or", "xor", "lshift", "rshift",
        }  # fmt: skip
        assert set(COMPARISON) == {"lt", "le", "gt", "ge", "eq", "ne"}
        assert set(UNARY) == {"neg", "pos", "abs", "invert"}

    def test_backends_own_operators_have_their_names(self, xp: ModuleType) -> None:
        cls = type(xp.ones(1))
        for name in [*ARITHMETIC, *COMPARISON, *UNARY, "getitem", "setitem"]:
            assert getattr(cls, f"__{name}__").__name__ == f"__{name}__"
        for name in ARITHMETIC:
            for prefix in "ri":
                assert getattr(cls, f"__{prefix}{name}__").__name__ == f"__{prefix}{name}__"


class TestArrays:
    """B44: special methods."""

    @every_binary
    @pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
    def test_one_dtype(self, either: ModuleType, symbol: str, dtype: DType) -> None:
        op, ref, a, b = BINARY[symbol], REFERENCE[symbol], values(dtype), values(dtype, 3)
        check(lambda: op(either.asarray(a), either.asarray(b)), lambda: ref(a, b))

    @pytest.mark.slow_on("torch", "tensorflow", "jax", "dask")
    @every_binary
    def test_mixed_dtypes(self, xp: ModuleType, symbol: str) -> None:
        op, ref = BINARY[symbol], REFERENCE[symbol]
        for first, second in pairs(xp, symbol):
            a, b = values(first), values(second, 3)
            check(
                lambda a=a, b=b: op(xp.asarray(a), xp.asarray(b)),
                lambda a=a, b=b: ref(a, b),
                epsilons=4 if symbol == "**" else 0,
            )

    @pytest.mark.parametrize("operators", [ARITHMETIC_OPERATORS, COMPARISON_OPERATORS])
    def test_every_pair_is_met(self, xp: ModuleType, operators: dict[str, Operator]) -> None:
        """By an operator of each kind; each operator gets every data type on both sides."""
        met = {symbol: pairs(xp, symbol) for symbol in operators}
        assert {pair for one in met.values() for pair in one} == set(
            itertools.product(dtypes.ALL, repeat=2)
        )
        for one in met.values():
            assert {a for a, _ in one} == {b for _, b in one} == set(dtypes.ALL)

    @every_binary
    @pytest.mark.parametrize("shape", [(), (1,), (0,), (2, 1), (2, 3), (2, 0, 3)])
    def test_broadcasting(self, xp: ModuleType, symbol: str, shape: tuple[int, ...]) -> None:
        op, ref, a, b = BINARY[symbol], REFERENCE[symbol], np.full(shape, 2), values(dtypes.int64)
        if shape and shape[-1] == 0:
            b = b[:1]
        check(lambda: op(xp.asarray(a), xp.asarray(b)), lambda: np.asarray(ref(a, b)))
        check(lambda: op(xp.asarray(b), xp.asarray(a)), lambda: np.asarray(ref(b, a)))

    @every_binary
    def test_zero_dimensional_result_is_an_array(self, either: ModuleType, symbol: str) -> None:
        x = either.asarray(3)
        result = BINARY[symbol](x, x)
        assert type(result) is type(x)
        assert result.shape == ()
        assert BINARY[symbol](x, 2).shape == BINARY[symbol](2, x).shape == ()

    @pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
    @each("symbol", list(UNARY_OPERATORS))
    def test_unary(self, either: ModuleType, symbol: str, dtype: DType) -> None:
        op, a = UNARY_OPERATORS[symbol], values(dtype)
        check(lambda: op(either.asarray(a)), lambda: op(a))
        check(lambda: op(either.asarray(a[0])), lambda: np.asarray(op(a[:1])[0]))

    def test_positive_is_a_copy(self, xp: ModuleType) -> None:
        x = xp.ones(2)
        y = +x
        y[0] = 5
        assert x.tolist() == [1.0, 1.0]

    @pytest.mark.parametrize("dtype", dtypes.ALL, ids=str)
    def test_matmul(self, either: ModuleType, dtype: DType) -> None:
        a = np.asarray([[1, 2], [0, 1]]).astype(dtype.name)
        check(lambda: either.asarray(a) @ either.asarray(a), lambda: a @ a)
        check(lambda: either.asarray(a) @ either.asarray(a[0]), lambda: a @ a[0])
        check(lambda: either.asarray(a[0]) @ either.asarray(a[0]), lambda: np.asarray(a[0] @ a[0]))

    @pytest.mark.parametrize("scalar", SCALARS, ids=repr)
    def test_matmul_needs_dimensions(self, xp: ModuleType, scalar: Any) -> None:
        for call in (lambda: xp.ones(2) @ scalar, lambda: scalar @ xp.ones(2)):
            with pytest.raises(unify.UnifyError, match="matmul"):
                call()


class TestScalars:
    @every_binary
    @pytest.mark.parametrize("scalar", SCALARS, ids=repr)
    def test_on_both_sides(self, either: ModuleType, symbol: str, scalar: Any) -> None:
        op, ref = BINARY[symbol], REFERENCE[symbol]
        for dtype in dtypes.ALL:
            a = values(dtype)
            x = either.asarray(a)
            check(lambda x=x: op(x, scalar), lambda a=a: ref(a, scalar))
            check(lambda x=x: op(scalar, x), lambda a=a: ref(scalar, a))

    @every_binary
    @pytest.mark.parametrize(
        "scalar",
        [np.bool(True), np.int8(2), np.float32(1.5), np.float64(1.5)],
        ids=lambda s: s.dtype.name,
    )
    def test_numpys_count_as_pythons(self, either: ModuleType, symbol: str, scalar: Any) -> None:
        """`x * np.sqrt(2)` has x's dtype."""
        op, ref, weak = BINARY[symbol], REFERENCE[symbol], scalar.item()
        for dtype in (dtypes.bool, dtypes.int16, dtypes.float32, dtypes.complex64):
            a = values(dtype)
            x = either.asarray(a)
            check(lambda x=x: op(x, scalar), lambda a=a: ref(a, weak))
            check(lambda x=x: op(scalar, x), lambda a=a: ref(weak, a))

    @each("symbol", ["+", "-", "*", "//", "&"])
    def test_integer_out_of_range_names_the_remedy(self, xp: ModuleType, symbol: str) -> None:
        x = xp.asarray([1], dtype=xp.uint8)
        for scalar in (256, -1, 2**70):
            for call in (
                lambda s=scalar: BINARY[symbol](x, s),
                lambda s=scalar: BINARY[symbol](s, x),
            ):
                with pytest.raises(unify.UnifyError, match="use a wider data type") as caught:
                    call()
                assert isinstance(caught.value, OverflowError)

    def test_comparison_with_an_integer_out_of_range(self, xp: ModuleType) -> None:
        x = xp.asarray([0, 255], dtype=xp.uint8)
        assert (x > -1).tolist() == (x < 256).tolist() == (x != 2**70).tolist() == [True, True]

    def test_negative_power_of_integers(self, xp: ModuleType) -> None:
        with pytest.raises(ValueError, match="pow"):
            xp.asarray([2]) ** -1


class TestNativeArrays:
    """B46: x + native and native + x are Arrays."""

    @every_binary
    def test_on_both_sides(self, either: ModuleType, symbol: str) -> None:
        op, ref, a, b = (
            BINARY[symbol],
            REFERENCE[symbol],
            values(dtypes.int64),
            values(dtypes.int32, 2),
        )
        x, y = either.asarray(a), either.asarray(b)
        check(lambda: op(x, y.data), lambda: ref(a, b))
        check(lambda: op(x.data, y), lambda: ref(a, b))

    def test_matmul(self, either: ModuleType) -> None:
        x = either.asarray([[1, 2], [3, 4]])
        for result in (x @ x.data, x.data @ x):
            assert type(result) is type(x)
            assert result.tolist() == [[7, 10], [15, 22]]

    @pytest.mark.slow_on("jax")
    @every_binary
    def test_zero_dimensional(self, xp: ModuleType, symbol: str) -> None:
        """A 0-d array isn't a weak scalar."""
        op, ref, a, b = BINARY[symbol], REFERENCE[symbol], values(dtypes.int8), np.asarray(2)
        native = xp.asarray(b).data
        check(lambda: op(xp.asarray(a), native), lambda: ref(a, b))
        if xp.__unify_backend__ == "tensorflow" and symbol in COMPARISON_OPERATORS:
            # TensorFlow's comparisons never defer to the other operand (docs/backends.md).
            with pytest.raises(BackendError, match=r"x\.data"):
                op(native, xp.asarray(a))
            return
        check(lambda: op(native, xp.asarray(a)), lambda: ref(b, a))


class TestLists:
    @every_binary
    def test_on_both_sides(self, either: ModuleType, symbol: str) -> None:
        op, ref, a = BINARY[symbol], REFERENCE[symbol], values(dtypes.int64)
        x = either.asarray(a)
        for other in ([3, 2, 1], (3, 2, 1)):
            check(lambda o=other: op(x, o), lambda o=other: ref(a, np.asarray(o)))
            check(lambda o=other: op(o, x), lambda o=other: ref(np.asarray(o), a))


class TestUnknownOperands:
    @every_arithmetic
    @pytest.mark.parametrize(
        "other", ["a", None, object(), {}, b"a"], ids=lambda v: type(v).__name__
    )
    def test_arithmetic_is_a_type_error(self, xp: ModuleType, symbol: str, other: Any) -> None:
        op = BINARY.get(symbol, operator.matmul)
        x = xp.ones(2)
        if not (symbol == "%" and isinstance(other, str | bytes)):  # text formatting
            with pytest.raises(TypeError):
                op(other, x)
        # Python's own sequences implement `+` and `*` after the Array declines.
        match = None if isinstance(other, str | bytes) else "unsupported operand"
        with pytest.raises(TypeError, match=match):
            op(x, other)

    @pytest.mark.parametrize(
        "other", ["a", b"a", None, object(), {}, {1}, ..., int], ids=lambda v: type(v).__name__
    )
    @pytest.mark.parametrize("shape", [(2,), (), (0, 3), (2, 1)])
    def test_equality_is_elementwise(
        self, xp: ModuleType, other: Any, shape: tuple[int, ...]
    ) -> None:
        """Objects that aren't numbers differ from every element, as in NumPy."""
        numpys, x = np.ones(shape, dtype="float32"), xp.ones(shape, dtype=xp.float32)
        for found, expected in (
            (x == other, numpys == other), (other == x, other == numpys),
            (x != other, numpys != other), (other != x, other != numpys),
        ):  # fmt: skip
            assert type(found) is type(x)
            assert found.dtype is xp.bool
            assert found.shape == np.shape(expected)
            # NumPy 2.2 compares a zero-dimensional array with text to a bool.
            assert found.tolist() == np.asarray(expected).tolist()
        with pytest.raises(TypeError, match="not supported between"):
            _ = x < other

    def test_classes_that_know_better_are_asked(self, xp: ModuleType) -> None:
        class Anything:
            """Equals every object."""

            def __eq__(self, other: object) -> bool:
                return True

            __hash__ = None  # type: ignore[assignment]  # it has no value

        x = xp.ones(2)
        assert (x == Anything()) is True
        assert (x != Anything()) is False
        assert (x == unify.Container(a=x)).to_dict()["a"].tolist() == [True, True]

    def test_numpys_comparisons_of_what_is_no_number(self, xp: ModuleType) -> None:
        x = xp.ones(2)
        for found, expected in (
            (np.equal(x, None), [False, False]),  # type: ignore[call-overload]
            (np.not_equal(None, x), [True, True]),  # type: ignore[call-overload]
        ):
            assert type(found) is type(x)
            assert found.tolist() == expected
        with pytest.raises(TypeError):
            np.less(x, "a")  # type: ignore[arg-type]

    @every_binary
    def test_the_other_operand_is_asked(self, xp: ModuleType, symbol: str) -> None:
        class Greedy:
            """Implements every operator."""

            def answer(self, other: Any) -> str:
                return "mine"

            __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = answer
            __rpow__ = __rand__ = __ror__ = __rxor__ = __rlshift__ = __rrshift__ = answer
            __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = answer  # type: ignore[assignment]
            __hash__ = None  # type: ignore[assignment]

        assert BINARY[symbol](xp.ones(2), Greedy()) == "mine"

    def test_three_argument_power_is_not_defined(self, xp: ModuleType) -> None:
        x = xp.asarray([2])
        with pytest.raises(TypeError):
            pow(x, 2, 3)


INTEGERS = [0, 1, 4, 5, 6, 14, 15, 16, 25, 35, 45, 49, 50, 51, 95, 99, 100, 115, 125]


class TestPythonsRounding:
    """`round(x, digits)`, and `math`'s functions of an array."""

    @pytest.mark.parametrize("digits", [-4, -3, -2, -1, 0, 1, 3, 400, -400])
    @each("name", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
    def test_integers_stay_integers(self, xp: ModuleType, name: str, digits: int) -> None:
        """The results are those of Python, which rounds integers exactly."""
        limits = np.iinfo(name)
        given = [*INTEGERS, *([] if limits.min == 0 else [-v for v in INTEGERS])]
        given += [int(limits.max), int(limits.min)]
        fits = [v for v in given if limits.min <= round(v, digits) <= limits.max]
        x = xp.asarray(fits, dtype=getattr(xp, name))
        found = round(x, digits)
        assert found.dtype is x.dtype
        assert found.tolist() == [round(v, digits) for v in fits]

    @pytest.mark.parametrize("digits", [-1, 0, 1, 2])
    @each("name", ["float32", "float64", "complex64", "complex128"])
    def test_others_are_numpys(self, xp: ModuleType, name: str, digits: int) -> None:
        values = np.asarray([0.25, -1.35, 15.0, 25.0, 126.5], dtype=name)
        found = round(xp.asarray(values), digits)
        assert found.dtype.name == name
        assert np.allclose(np.asarray(found), np.round(values, digits), rtol=1e-6)

    def test_digits_beyond_every_number(self, xp: ModuleType) -> None:
        x = xp.asarray([1.5, -2.25])
        assert round(x, 400).tolist() == [1.5, -2.25]
        assert round(x, -400).tolist() == [0.0, 0.0]

    @pytest.mark.parametrize("value", [2.7, -2.7, 2.5, 7, True])
    @pytest.mark.parametrize("function", [math.floor, math.ceil, math.trunc, round])
    def test_one_number_gives_an_int(
        self, xp: ModuleType, function: Any, value: float | bool
    ) -> None:
        found = function(xp.asarray(value))
        assert type(found) is int
        assert found == function(value)

    @pytest.mark.parametrize("function", [math.floor, math.ceil, math.trunc, round])
    def test_more_numbers_give_an_array(self, xp: ModuleType, function: Any) -> None:
        x = xp.asarray([2.7, -2.5])
        found = function(x)
        assert type(found) is type(x)
        assert found.tolist() == [float(function(value)) for value in (2.7, -2.5)]

    @pytest.mark.parametrize("function", [math.floor, math.ceil, math.trunc, round])
    def test_what_has_no_integer(self, xp: ModuleType, function: Any) -> None:
        with pytest.raises(OverflowError, match="infinity"):
            function(xp.asarray(float("inf")))
        with pytest.raises(ValueError, match="NaN"):
            function(xp.asarray(float("nan")))
