"""Functions written with Arrays pass through `torch.compile`, `jax.jit` and `tf.function` whole."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Array
from tests.installed import INSTALLED

Function = Callable[[ModuleType, Array], Array]


def _operators(xp: ModuleType, x: Array) -> Array:
    y = xp.ones(3) * 2.0
    return -(x + y) / (1.5 - x) + x[0] ** 2


def _functions(xp: ModuleType, x: Array) -> Array:
    return xp.sum(xp.exp(xp.add(x, 1.0)), axis=0, keepdims=True)


def _top_level(xp: ModuleType, x: Array) -> Array:
    return unify.sum(unify.multiply(unify.sin(x), x))


def _keywords(xp: ModuleType, x: Array) -> Array:
    both = xp.reshape(xp.concat([x, xp.zeros(3)]), (2, 3))
    return xp.std(both, axis=1, correction=1)


def _indices(xp: ModuleType, x: Array) -> Array:
    return x[::-1] + x[xp.asarray([0, 2, 1])] + xp.where(x > 1, x, 0.0)


def _writes(xp: ModuleType, x: Array) -> Array:
    y = xp.zeros(3) + x
    y[1] = 5.0
    y += x
    y[y > 4] = 0.0
    return y


def _methods(xp: ModuleType, x: Array) -> Array:
    return x.mean() + x.astype(xp.float32).sum(dtype=xp.float64)


def _linear_algebra(xp: ModuleType, x: Array) -> Array:
    matrix = xp.reshape(x, (3, 1))
    return xp.matmul(matrix, matrix.mT) + xp.permute_dims(matrix, (1, 0))


def _own_namespace(xp: ModuleType, x: Array) -> Array:
    own = x.__array_namespace__()
    return own.astype(x, own.float32).astype(own.float64) + own.zeros(3, dtype=own.float64)


FUNCTIONS = [
    _operators, _functions, _top_level, _keywords, _indices, _writes, _methods, _linear_algebra,
    _own_namespace,
]  # fmt: skip


def _compiled_by_torch(f: Callable[[Any], Any], native: Any) -> Any:
    import torch

    torch._dynamo.reset()
    return torch.compile(f, fullgraph=True, backend="eager")(native)


def _compiled_by_tensorflow(f: Callable[[Any], Any], native: Any) -> Any:
    import tensorflow as tf

    return tf.function(f)(native)


def _compiled_by_jax(f: Callable[[Any], Any], native: Any) -> Any:
    import jax

    return jax.jit(f)(native)


COMPILERS = {
    "torch": _compiled_by_torch,
    "tensorflow": _compiled_by_tensorflow,
    "jax": _compiled_by_jax,
}


@pytest.mark.parametrize("backend", [name for name in COMPILERS if name in INSTALLED])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_traced_as_run(backend: str, function: Function, caplog: pytest.LogCaptureFixture) -> None:
    xp = importlib.import_module(f"arrayapi_unify.{backend}")
    values = np.array([0.5, 1.25, 2.5])

    def on_native(native: Any) -> Any:
        return function(xp, xp.asarray(native)).data

    native = xp.asarray(values).data
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = COMPILERS[backend](on_native, native)
    np.testing.assert_allclose(np.asarray(found), np.asarray(on_native(native)), rtol=1e-14)
    assert "AutoGraph could not transform" not in caplog.text


@pytest.mark.parametrize("function", FUNCTIONS)
def test_torch_compiles_functions_of_arrays(function: Function) -> None:
    torch = pytest.importorskip("torch")
    xp = importlib.import_module("arrayapi_unify.torch")
    x = xp.asarray([0.5, 1.25, 2.5])
    torch._dynamo.reset()
    found = torch.compile(lambda x: function(xp, x), fullgraph=True, backend="eager")(x)
    assert isinstance(found, Array)
    np.testing.assert_allclose(np.asarray(found), np.asarray(function(xp, x)), rtol=1e-14)
