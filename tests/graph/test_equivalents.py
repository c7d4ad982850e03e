"""Equivalents, the library's own functions that a graph calls, agree with ours.

Only special values could differ, because data types and shapes are fixed in a graph.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.contracts import CONTRACTS
from tests.installed import EAGER

UNARY = (
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "exp",
    "expm1", "floor", "isfinite", "isinf", "isnan", "log", "log10", "log1p", "log2", "negative",
    "reciprocal", "round", "sign", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc",
)  # fmt: skip
BINARY = (
    "add", "subtract", "multiply", "divide", "equal", "not_equal", "less", "less_equal",
    "greater", "greater_equal", "maximum", "minimum", "logaddexp", "atan2", "hypot", "copysign",
    "nextafter", "pow", "remainder", "floor_divide",
)  # fmt: skip
REDUCTIONS = ("sum", "prod", "mean", "max", "min", "var", "std")
DTYPES = ("float64", "float32", "int64", "uint8", "bool", "complex128")
EXACT = ("numpy", "torch")
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.5, 1e300, -1e300, 1e-310, np.inf, -np.inf, np.nan]
FINITE = [1.5, -2.0, 0.25, 4.0, 3.0, -1.0]


def values(dtype: str, special: bool = True) -> Any:
    plain = np.asarray(SPECIAL if special else FINITE)
    with np.errstate(all="ignore"):
        if dtype.startswith("float"):
            return plain.astype(dtype)
        if dtype == "complex128":
            return plain[:7] + 0.5j
        return np.asarray([0, 1, 2, 3, 100, 200]).astype(dtype)


def outcome(call: Any, *args: Any) -> Any:
    try:
        with np.errstate(all="ignore"):
            return np.asarray(unify.to_numpy(call(*args)))
    except (unify.UnifyError, TypeError) as error:
        return type(error)


def crossed(backend: str, data: Any) -> tuple[Any, Any]:
    """Return numbers as a column and as a row, which broadcast to all pairs."""
    xp = unify.get_backend(backend)
    return xp.asarray(data[:, None]), xp.asarray(data[None, :])


def compare(functions: Mapping[str, Callable[..., Any]], *args: Any) -> None:
    """Compare one graph of all these calls with the calls themselves, including their errors.

    One graph for each call would be traced and compiled hundreds of times on each backend.
    """
    wanted = {name: outcome(function, *args) for name, function in functions.items()}
    refused = {name for name, result in wanted.items() if isinstance(result, type)}
    for name in refused:
        with pytest.raises((unify.UnifyError, TypeError)):
            unify.compile_graph(functions[name], *args)
    answered = {name: function for name, function in functions.items() if name not in refused}
    if not answered:
        return
    graph = unify.compile_graph(lambda *xs: [f(*xs) for f in answered.values()], *args)
    with np.errstate(all="ignore"):
        results = graph(*args)
    for name, result in zip(answered, results, strict=True):
        same(name, np.asarray(unify.to_numpy(result)), wanted[name])


def same(name: str, found: Any, wanted: Any) -> None:
    assert found.dtype == wanted.dtype, name
    assert found.shape == wanted.shape, name
    exact = np.dtype(found.dtype).kind not in "fc"
    close = 0 if exact else 1e-5 if found.dtype == np.float32 else 1e-12
    np.testing.assert_allclose(found, wanted, close, 0, equal_nan=True, err_msg=name)
    if not exact:
        nonzero = (wanted == 0) & (np.dtype(found.dtype).kind == "f")
        assert (np.signbit(found.real) == np.signbit(wanted.real))[nonzero].all(), name


@pytest.mark.sample(5)
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("backend", EAGER)
class TestEquivalents:
    @pytest.mark.slow_on("jax")
    def test_unary(self, backend: str, dtype: str) -> None:
        # TensorFlow's threads flush subnormal numbers, its caller's thread doesn't. Either may run
        # a node of a graph.
        full = values(dtype)
        flushes = backend == "tensorflow" and "f" in dtype
        x = unify.get_backend(backend).asarray(np.delete(full, 9) if flushes else full)
        compare({name: CONTRACTS[name].public for name in UNARY}, x)

    def test_binary(self, backend: str, dtype: str) -> None:
        # XLA's compiled code flushes subnormal numbers to 0, and so does TensorFlow's own pow,
        # which traced programs call.
        full = values(dtype)
        normal = np.delete(full, 9) if "f" in dtype else full
        functions = {name: CONTRACTS[name].public for name in BINARY}
        others = {name: function for name, function in functions.items() if name != "pow"}
        x, y = crossed(backend, normal if backend == "jax" else full)
        compare(others, x, y)
        compare({"pow": functions["pow"]}, *crossed(backend, full if backend in EXACT else normal))
        with_numbers: dict[str, Callable[..., Any]] = {}
        for name, function in functions.items():
            with_numbers[f"{name} of 2"] = lambda x, f=function: f(x, 2)
            with_numbers[f"{name} to 2.5"] = lambda x, f=function: f(2.5, x)
        compare(with_numbers, x)

    @pytest.mark.slow_on("jax")
    def test_reductions(self, backend: str, dtype: str) -> None:
        data = values(dtype, special=False)[:6].reshape(2, 3)
        cases = [data, data[:, :0], data[0, 0]]
        if dtype.startswith("float"):
            cases.append(np.asarray([[1.0, np.nan], [np.inf, -np.inf], [0.0, -0.0]], dtype))
        for case in cases:
            x = unify.get_backend(backend).asarray(case)
            calls: dict[str, Callable[..., Any]] = {}
            for name in REDUCTIONS:
                function = calls[name] = CONTRACTS[name].public
                if case.ndim:
                    calls[f"{name} of an axis"] = lambda x, f=function: f(x, axis=0)
                    calls[f"{name} of both"] = lambda x, f=function: f(
                        x, axis=(0, 1), keepdims=True
                    )
            for correction in (1, 2.5, 10):
                calls[f"var less {correction}"] = lambda x, c=correction: unify.var(x, correction=c)
            compare(calls, x)

    def test_of_two_data_types(self, backend: str, dtype: str) -> None:
        x = unify.get_backend(backend).asarray(values(dtype, special=False)[:3])
        y = unify.get_backend(backend).asarray(np.asarray([1.0, 2.0, 3.0], np.float32))
        names = ("add", "divide", "less", "matmul", "maximum")
        calls: dict[str, Callable[..., Any]] = {name: CONTRACTS[name].public for name in names}
        calls["concat"] = lambda x, y: unify.concat([x, y])
        calls["stack"] = lambda x, y: unify.stack([x, y])
        calls["where"] = lambda x, y: unify.where(y > 1.5, x, y)
        compare(calls, x, y)


def test_tables_hold_nothing_unknown() -> None:
    for backend in EAGER:
        unify.compile_graph(unify.abs, unify.get_backend(backend).ones(2))
        engine: Any = importlib.import_module(f"arrayapi_unify.backends.{backend}._equivalents")
        names = {
            "numpy": ("_FLOATING", "_REAL", "FAST_CALLS", "_EQUIVALENTS"),
            "torch": ("_FLOATING", "_BINARY", "_EQUIVALENTS"),
        }.get(backend, ("unary", "binary", "others"))
        tables = [getattr(getattr(engine, "_OWN", engine), name) for name in names]
        assert {name for table in tables for name in table} <= set(CONTRACTS)
