"""B29: programs that inductor generates have the values of NumPy and SciPy.

Vectors have more than 32 elements here: inductor's formulas for shorter ones are others.
"""

from __future__ import annotations

import importlib
import time
from types import SimpleNamespace
from typing import Any

import mpmath
import numpy as np
import pytest
import torch._dynamo

import arrayapi_unify as unify
import arrayapi_unify.torch as xp
from arrayapi_unify import Array
from arrayapi_unify.backends.torch import _inductor

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Torchinductor does not support.*complex:UserWarning"),
]

SIZE = 40


def arrays(values: Any, dtype: str) -> tuple[np.ndarray[Any, Any], Array]:
    """Repeat values up to a size at which code for vectors runs."""
    repeated = np.resize(np.asarray(values, dtype), SIZE)
    return repeated, xp.asarray(repeated.copy())


def ulps(found: Any, wanted: Any) -> float:
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.dtype == wanted.dtype
    np.testing.assert_array_equal(np.isfinite(found), np.isfinite(wanted))
    finite = np.isfinite(wanted)
    np.testing.assert_array_equal(found[~finite], wanted[~finite])
    found, wanted = found[finite], wanted[finite]
    return float(np.max(np.abs(found - wanted) / np.spacing(np.abs(wanted))))


DIGITS: dict[str, Any] = {
    "expm1": mpmath.expm1, "atanh": mpmath.atanh, "acosh": mpmath.acosh, "erf": mpmath.erf,
    "log1p": mpmath.log1p, "asinh": mpmath.asinh, "sinh": mpmath.sinh, "tanh": mpmath.tanh,
}  # fmt: skip
POINTS: dict[str, list[float]] = {
    "acosh": [1.0, 1.0001, 1.5, 2.0, 10.0, 1e10, 1e25, 3e38],
    "atanh": [1e-30, -1e-15, 1e-8, -0.1, 0.5, -0.9, 0.999],
}
ALL = [1e-30, -1e-20, 1e-15, -1e-8, 1e-5, 0.01, -0.3, 0.49, 0.6, -0.99, 1.01, -1.5, 3.0, 9.0, -20.0]


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_digits(dtype: str) -> None:
    given = {
        name: arrays([x for x in POINTS.get(name, ALL) if name != "log1p" or x > -1], dtype)
        for name in DIGITS
    }

    def function(xs: dict[str, Array]) -> dict[str, Array]:
        return {name: getattr(unify, name)(x) for name, x in xs.items()}

    found = unify.compile(function)({name: x for name, (_, x) in given.items()})
    errors = {}
    for name, (points, _) in given.items():
        exact = [float(DIGITS[name](mpmath.mpf(float(x)))) for x in points]
        errors[name] = ulps(found[name], np.asarray(exact, dtype))
    assert max(errors.values()) <= 4, errors


@pytest.mark.slow
def test_quotients() -> None:
    """Remainders keep their digits, and an infinite divisor."""
    numbers = [5.3, -5.3, 1e10, -1e-8, 0.0, 7.0]
    for dtype in ("float32", "float64"):
        x, a = arrays(numbers, dtype)
        y, b = arrays([0.7, np.inf, 3.0, 3e38, -2.0, -np.inf, 0.1], dtype)
        found = unify.compile(lambda a, b: (a % b, a // b, a % np.inf))(a, b)
        assert ulps(found[0], np.remainder(x, y)) <= 1
        # The standard's quotient by infinity, as NumPy's own of another one.
        wanted = np.where(np.isinf(y), np.floor(x / y), np.floor_divide(x, y))
        np.testing.assert_array_equal(np.asarray(found[1]), wanted)
        assert ulps(found[2], np.remainder(x, np.asarray(np.inf, dtype))) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_products_with_zero(dtype: str) -> None:
    x = xp.asarray(np.asarray([np.inf, np.nan, 1.0], dtype))
    found = unify.compile(lambda x: (x * 0, 0 * x, x - x, x * False, xp.isnan(x * 0)))(x)
    for one in found[:-1]:
        assert np.isnan(np.asarray(one)).tolist() == [True, True, False]
    assert found[-1].tolist() == [True, True, False]


def _reductions(x: Any, y: Any) -> list[Any]:
    """Reductions, by the names that NumPy and we share, of `x` and of what is made of it."""
    module = np if isinstance(x, np.ndarray) else xp
    names = ("min", "max", "argmin", "argmax")
    return [getattr(module, name)(one) for name in names for one in (x, y)]


@pytest.mark.parametrize("dtype", [
    pytest.param("uint8"),
    *[pytest.param(d, marks=pytest.mark.slow) for d in ("int8", "int16", "bool")],
])  # fmt: skip
def test_narrow_integers(dtype: str) -> None:
    x = np.full(36, 100).astype(dtype)
    x[:3] = [5, 1, 128 if dtype == "uint8" else 0]

    def function(x: Any) -> list[Any]:
        module = np if isinstance(x, np.ndarray) else xp
        y = ~x if dtype == "bool" else -module.abs(x)
        return [*_reductions(x, y), module.sum(y)]

    found = unify.compile(function)(xp.asarray(x))
    assert [int(one) for one in found] == [int(one) for one in function(x)]


def _shifted(x: Any, index: Any) -> Any:
    x[index] = x * 2.0
    x[1:] = x[:-1]
    return x * 1.0


def _gathered(x: Any, index: Any) -> Any:
    x[index] = x[::2]
    return x + 1.0


def _stepwise(x: Any, index: Any) -> Any:
    x[index] = x[1:5]
    x[index] = x[2:6]
    x[2:] += x[:-2]
    return x[1:] - x[:-1]


@pytest.mark.slow
@pytest.mark.parametrize("function", [_shifted, _gathered, _stepwise])
def test_writes_of_what_is_read(function: Any) -> None:
    size = 8
    count = {_shifted: size, _gathered: size // 2, _stepwise: 4}[function]
    index = np.arange(size)[:count]
    x = np.arange(1.0, size + 1)
    y = xp.asarray(x.copy())
    found = unify.compile(lambda y: function(y, xp.asarray(index)))(y)
    np.testing.assert_array_equal(np.asarray(found), function(x, index))
    np.testing.assert_array_equal(np.asarray(y), x)


@pytest.mark.slow
def test_quotients_of_constants() -> None:
    """Inductor computes the bounds of constants, and stops at bools that it takes for numbers."""

    def function(x: Any, module: Any) -> list[Any]:
        y = module.zeros(3, dtype=module.float32)
        y.real[...] = 0.5
        y += 3
        return [y // 2, y % 2, y % -2, y // -2, y // y, x % y[0]]

    x = np.arange(-2.0, 2.0, dtype="float32")
    found = unify.compile(lambda x: function(x, xp))(xp.asarray(x))
    for one, wanted in zip(found, function(x, np), strict=True):
        np.testing.assert_array_equal(np.asarray(one), wanted)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["uint16", "uint32", "uint64"])
def test_writes_of_unsigned_integers(dtype: str) -> None:
    """C++ code promotes no wide unsigned integers with the mask of a write to a slice."""

    def function(x: Any) -> Any:
        x[1] = x[0]
        x[:2, ::2] = x[1:, ::2]
        x[1:] += x[:2]
        return x.T.reshape((-1,)) if isinstance(x, np.ndarray) else xp.reshape(x.T, (-1,))

    x = np.arange(33).reshape(3, 11).astype(dtype)
    y = xp.asarray(x.copy())
    found = unify.compile(function)(y)
    np.testing.assert_array_equal(np.asarray(found), function(x))
    np.testing.assert_array_equal(np.asarray(y), x)


@pytest.mark.slow
def test_writes_of_views_of_what_is_written() -> None:
    def function(x: Any) -> Any:
        x[1:] = x[:-1]
        y = x * 3
        y[2:] = (y * 2)[:-2]
        return y + 1

    x = np.arange(1000)
    y = xp.asarray(x.copy())
    found = unify.compile(function)(y)
    np.testing.assert_array_equal(np.asarray(found), function(x))
    np.testing.assert_array_equal(np.asarray(y), x)


@pytest.mark.slow
def test_branches() -> None:
    """Branches return views of other places, and have constants that aren't few or real."""
    many = [float(i) for i in range(40)]
    cases: list[tuple[Any, Any]] = [
        (lambda a: a[1:], lambda a: a[:-1]),
        (lambda a: a.reshape(5, 8).T, lambda a: a.reshape(8, 5)),
        (lambda a: 1j - a, lambda a: a * 2j),
        (lambda a: a + xp.asarray(many), lambda a: a),
    ]
    for one, other in cases:
        compiled = unify.compile(lambda x, one=one, other=other: unify.cond(
            unify.real(xp.sum(x)) > 0, one, other, x))  # fmt: skip
        for x in (np.arange(SIZE) + 0.0, -np.arange(SIZE) + 0.0):
            x = x + 1j if one is cases[2][0] else x
            branch = one if x[1].real > 0 else other
            wanted = np.asarray(branch(xp.asarray(x)))
            np.testing.assert_array_equal(np.asarray(compiled(xp.asarray(x))), wanted)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["uint16", "uint32", "uint64"])
def test_choices_of_unsigned_integers(dtype: str) -> None:
    """Inductor promotes the values of a choice with the condition, also in a list of constants."""
    x = np.arange(1, 40).astype(dtype)
    found = unify.compile(lambda x: [xp.diag(x, k=-2), xp.asarray([7, True], dtype=dtype)])
    for one, wanted in zip(found(xp.asarray(x)), [np.diag(x, k=-2), [7, 1]], strict=True):
        np.testing.assert_array_equal(np.asarray(one), wanted)
        assert str(one.dtype) == dtype


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(3, 3), (2, 3), (3, 2), (2, 4, 3)])
def test_complex_pseudo_inverses(shape: tuple[int, ...]) -> None:
    """PyTorch's kernel forgets a conjugation in every compiled program."""
    draw = np.random.default_rng(1).standard_normal
    x: Any = draw(shape) + 1j * draw(shape)
    x[..., -1] = 2 * x[..., 0]  # of smaller rank
    found = unify.compile(lambda x: xp.linalg.pinv(x))(xp.asarray(x))
    np.testing.assert_allclose(np.asarray(found), np.linalg.pinv(x), rtol=1e-10, atol=1e-12)
    found = unify.compile(lambda x: xp.linalg.pinv(x, rtol=0.5))(xp.asarray(x))
    wanted = np.linalg.pinv(x, rcond=0.5)
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-10, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(2, 1), (1, 2)])
def test_sums_of_complex_numbers_of_any_layout(shape: tuple[int, ...]) -> None:
    """Inductor's own sum refuses results whose last axis isn't the innermost, and has no -0."""
    x = np.array([[1 + 2j], [complex(-0.0, -0.0)]]).reshape(shape)
    y = np.array([complex(-0.0, -0.0), 3 - 1j])
    found = unify.compile(lambda x, y: x.T + y)(xp.asarray(x), xp.asarray(y))
    np.testing.assert_array_equal(np.asarray(found), x.T + y)
    for part in (np.real, np.imag):
        signs = np.signbit(part(np.asarray(found))), np.signbit(part(x.T + y))
        np.testing.assert_array_equal(*signs)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32"])
def test_products_of_integers(dtype: str) -> None:
    """Inductor computes stacks of matrices by vectors in int64, and keeps that data type."""
    x = (37 * np.arange(24).reshape(2, 4, 3)).astype(dtype)
    y = (53 * np.arange(6).reshape(2, 3, 1)).astype(dtype)
    found = unify.compile(lambda x, y: (x @ y, (x @ y) // 3))(xp.asarray(x), xp.asarray(y))
    for one, wanted in zip(found, (x @ y, (x @ y) // 3), strict=True):
        assert np.asarray(one).dtype == wanted.dtype
        np.testing.assert_array_equal(np.asarray(one), wanted)


@pytest.mark.slow
def test_data_types_that_pytorch_does_not_promote() -> None:
    """The trace goes on where PyTorch's own function raises, as an eager call does."""
    x, y = np.arange(4, dtype="uint32"), np.array([3, 2, 1, 0], "uint16")
    compiled = unify.compile(lambda x, y: [x * y, x + y])
    with torch._dynamo.error_on_graph_break(True):
        found = compiled(xp.asarray(x), xp.asarray(y))
    for one, wanted in zip(found, [x * y, x + y], strict=True):
        np.testing.assert_array_equal(np.asarray(one), wanted)


def test_rules_of_data_types_are_made_once() -> None:
    """Inductor makes them again in each operation, in a third of the time of a large program."""
    assert unify.compile(lambda x: x + 1)(xp.ones(2)).tolist() == [2.0, 2.0]
    rules: Any = importlib.import_module("torch._inductor.dtype_propagation")
    before = rules.DtypePropagationOpsHandler().add
    assert rules.DtypePropagationOpsHandler().add is before


def test_versions_without_these_decompositions() -> None:
    assert torch.ops.aten.add.Tensor not in _inductor._decompositions({})


@pytest.mark.parametrize("limit", [0.01, 60.0])
def test_a_long_compilation_is_announced(limit: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Silence for a minute looks like a program that hangs (FAULTS 7.8)."""

    def compile_fx(*args: Any, **options: Any) -> Any:
        time.sleep(0.3)
        return lambda *inputs: [inputs[0] * 7.0]

    said: list[str] = []
    logger = SimpleNamespace(warning=lambda text, *values: said.append(text % values))
    monkeypatch.setattr(_inductor, "_LOGGER", logger)
    monkeypatch.setattr(_inductor, "_LONG", limit)
    monkeypatch.setattr("torch._inductor.compile_fx.compile_fx", compile_fx)
    assert unify.compile(lambda x: x + 1.0)(xp.ones(2)).tolist() == [7.0, 7.0]
    assert len(said) == (limit < 1)
    assert all(line.startswith("compile: PyTorch's compiler has been at ") for line in said)
