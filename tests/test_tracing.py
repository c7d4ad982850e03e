"""Functions of Arrays pass through `torch.compile`, `jax.jit` and `tf.function` as one graph."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Array
from tests.conftest import Logged
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
def test_traced_as_run(backend: str, function: Function, logged: Logged) -> None:
    xp = importlib.import_module(f"arrayapi_unify.{backend}")
    values = np.array([0.5, 1.25, 2.5])

    def on_native(native: Any) -> Any:
        return function(xp, xp.asarray(native)).data

    native = xp.asarray(values).data
    found = COMPILERS[backend](on_native, native)
    np.testing.assert_allclose(np.asarray(found), np.asarray(on_native(native)), rtol=1e-14)
    assert not any("AutoGraph could not transform" in text for text in logged.messages)


def _wave(x: Array) -> Array:
    return unify.sum(unify.sin(x) * x)


class TestArraysAreTaken:
    """B29: the frameworks' own transformations take and return Arrays."""

    X = (0.5, 1.25, 2.5)
    WAVE = float(np.sum(np.sin(X) * X))
    SLOPE = np.cos(X) * X + np.sin(X)

    def test_jax(self) -> None:
        jax, xp = pytest.importorskip("jax"), unify.get_backend("jax")
        x, rows = xp.asarray(self.X), xp.asarray([self.X] * 2)
        found = jax.jit(lambda c: {"w": _wave(c.a)})(unify.Container(a=x))["w"]
        self._same(found, self.WAVE)
        self._same(jax.vmap(_wave)(rows), [self.WAVE] * 2)
        # JAX requires its own scalar, not a tree of one leaf.
        self._same(jax.grad(lambda x: _wave(x).data)(x), self.SLOPE)
        self._same(jax.jvp(_wave, (x,), (xp.ones(3),))[1], self.SLOPE.sum())
        self._same(jax.vjp(_wave, x)[1](xp.asarray(1.0))[0], self.SLOPE)

    def test_tensorflow(self) -> None:
        tf, xp = pytest.importorskip("tensorflow"), unify.get_backend("tensorflow")
        x = xp.asarray(self.X)
        self._same(tf.function(_wave)(x), self.WAVE)
        found = tf.function(lambda c: {"w": _wave(c.a)})(unify.Container(a=x))["w"]
        self._same(found, self.WAVE)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = _wave(x)
        self._same(tape.gradient(y, x), self.SLOPE)

    @pytest.mark.filterwarnings("ignore:.*torch.jit.script:DeprecationWarning")  # of torch.func
    def test_torch(self) -> None:
        torch, xp = pytest.importorskip("torch"), unify.get_backend("torch")
        x, rows = xp.asarray(self.X), xp.asarray([self.X] * 2)
        torch._dynamo.reset()
        compiled = torch.compile(lambda c: {"w": _wave(c.a)}, fullgraph=True, backend="eager")
        self._same(compiled(unify.Container(a=x))["w"], self.WAVE)
        self._same(torch.func.vmap(_wave)(rows), [self.WAVE] * 2)
        self._same(torch.func.grad(lambda x: _wave(x).data)(x), self.SLOPE)
        self._same(torch.func.jvp(_wave, (x,), (xp.ones(3),))[1], self.SLOPE.sum())
        self._same(torch.func.vjp(_wave, x)[1](xp.asarray(1.0))[0], self.SLOPE)

    @staticmethod
    def _same(found: Any, wanted: Any) -> None:
        assert isinstance(found, Array)
        np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-12)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_torch_compiles_functions_of_arrays(function: Function) -> None:
    torch = pytest.importorskip("torch")
    xp = importlib.import_module("arrayapi_unify.torch")
    x = xp.asarray([0.5, 1.25, 2.5])
    torch._dynamo.reset()
    found = torch.compile(lambda x: function(xp, x), fullgraph=True, backend="eager")(x)
    assert isinstance(found, Array)
    np.testing.assert_allclose(np.asarray(found), np.asarray(function(xp, x)), rtol=1e-14)
