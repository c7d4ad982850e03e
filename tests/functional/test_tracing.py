"""Bodies and native functions trace, with right derivatives at special points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from tests.numbers import generator

GENERATOR = generator(11)


def random_array(*shape: int) -> Any:
    return GENERATOR.normal(size=shape)


def lstm(x: Any, kernel: Any, recurrent: Any) -> Any:
    return unify.lstm_update(x, x[:, 0, :], x[:, 0, :], kernel, recurrent)[0]


def gru(x: Any, kernel: Any, recurrent: Any) -> Any:
    return unify.gru_update(x, x[:, 0, :], kernel, recurrent)


CALLS: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "gelu": (unify.gelu, [random_array(3)]),
    "softmax": (unify.softmax, [random_array(2, 3)]),
    "softplus": (unify.softplus, [random_array(3)]),
    "log_softmax of integers": (unify.log_softmax, [np.arange(3)]),
    "cross_entropy": (unify.cross_entropy, [random_array(2, 3) ** 2, random_array(2, 3) ** 2]),
    "binary_cross_entropy": (
        lambda t, p: unify.binary_cross_entropy(t, p, from_logits=True),
        [random_array(3), random_array(3)],
    ),
    "clip_vector_norm": (lambda x: unify.clip_vector_norm(x, 1.0), [random_array(3)]),
    "layer_norm": (lambda x: unify.layer_norm(x, (0,)), [random_array(3, 2)]),
    "linear": (unify.linear, [random_array(2, 3), random_array(4, 3)]),
    "linear of a batch": (unify.linear, [random_array(2, 5, 3), random_array(2, 4, 3)]),
    "scaled_dot_product_attention": (
        lambda q, m: unify.scaled_dot_product_attention(q, q, q, mask=m, is_causal=True),
        [random_array(2, 3, 4), random_array(3, 3) > 0],
    ),
    "multi_head_attention": (lambda x: unify.multi_head_attention(x, 1.0, 2),
        [random_array(2, 3, 4)]),
    "lstm_update": (lstm, [random_array(2, 3, 4), random_array(4, 16), random_array(4, 16)]),
    "gru_update": (gru, [random_array(2, 3, 4), random_array(4, 12), random_array(4, 12)]),
    "median": (unify.median, [random_array(4)]),
    "quantile": (unify.quantile, [random_array(5), np.asarray([0.1, 0.5])]),
    "nanvar": (unify.nanvar, [random_array(4)]),
    "nanmax": (unify.nanmax, [random_array(4)]),
    "nan_to_num": (unify.nan_to_num, [random_array(4)]),
    "einsum": (lambda x: unify.einsum("ij,kj->ik", x, x), [random_array(2, 3)]),
    "einsum of integers": (
        lambda x: unify.einsum("ij,kj->ik", x, x), [np.arange(6).reshape(2, 3)],
    ),
    "kron": (unify.kron, [random_array(2), random_array(3)]),
    "diag": (unify.diag, [random_array(3)]),
    "logspace": (lambda a, b: unify.logspace(a, b, 4), [random_array(2), random_array(2)]),
    "one_hot": (lambda i: unify.one_hot(i, 4), [np.asarray([1, 2])]),
    "pad": (lambda x: unify.pad(x, 2, mode="reflect"), [random_array(3)]),
    "isclose": (unify.isclose, [random_array(3), random_array(3)]),
    "split": (lambda x: unify.split(x, num_or_size_splits=2)[1], [random_array(4)]),
    "erfcx": (unify.special.erfcx, [random_array(3)]),
    "where of two numbers": (lambda x: unify.where(x > 0, 1, -0.5), [random_array(3)]),
    "stable_divide": (unify.stable_divide, [random_array(3), random_array(3) ** 2]),
}  # fmt: skip

every_call = pytest.mark.parametrize("name", CALLS)


@every_call
class TestTracing:
    @pytest.mark.sample(6)
    def test_jit(self, name: str) -> None:
        jax = pytest.importorskip("jax")
        function, args = CALLS[name]
        xp = unify.get_backend("jax")  # loaded before tracing

        def traced(*given: Any) -> Any:
            return unify.to_native(function(*given))

        result = jax.jit(traced)(*(xp.asarray(arg).data for arg in args))
        expected = np.asarray(function(*args))
        np.testing.assert_allclose(np.asarray(result), expected, rtol=1e-12, atol=1e-13)

    def test_tf_function(self, name: str) -> None:
        tf = pytest.importorskip("tensorflow")
        function, args = CALLS[name]
        unify.get_backend("tensorflow")

        def traced(*given: Any) -> Any:
            return unify.to_native(function(*given))

        result = tf.function(traced, autograph=False)(*map(tf.constant, args))
        expected = np.asarray(function(*args))
        np.testing.assert_allclose(result.numpy(), expected, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(
    "name", ["gelu", "softmax", "linear", "einsum", "split", "erfcx", "where of two numbers"]
)
def test_torch_compile(name: str) -> None:
    """Native functions, also partial ones, and the simplest bodies: one graph, without a break."""
    torch = pytest.importorskip("torch")
    function, args = CALLS[name]
    given = [unify.Array(torch.from_numpy(arg)) for arg in args]
    torch.compiler.reset()
    compiled = torch.compile(function, backend="eager", fullgraph=True)
    expected = np.asarray(function(*args))
    np.testing.assert_allclose(np.asarray(compiled(*given)), expected, rtol=1e-12, atol=1e-13)


# A function, a point, and its derivative there.
DERIVATIVES: dict[str, tuple[Callable[[Any], Any], list[float], list[float]]] = {
    "sigmoid": (unify.sigmoid, [-800.0, 0.0, 800.0], [0.0, 0.25, 0.0]),
    "softplus": (unify.softplus, [-800.0, 0.0, 800.0], [0.0, 0.5, 1.0]),
    "relu": (unify.relu, [-1.0, 0.0, 2.0], [0.0, 0.0, 1.0]),
    "gelu": (unify.gelu, [-30.0, 0.0, 30.0], [0.0, 0.5, 1.0]),
    "clip_vector_norm": (lambda x: unify.clip_vector_norm(x, 9.0), [0.0, 0.0], [1.0, 1.0]),
    "softmax": (lambda x: unify.softmax(x)[0], [800.0, -800.0], [0.0, 0.0]),
    "nansum": (unify.nansum, [1.0, np.nan, 3.0], [1.0, 0.0, 1.0]),
    "quantile": (lambda x: unify.quantile(x, 0.25), [3.0, 1.0, 2.0], [0.0, 0.5, 0.5]),
}


@pytest.mark.parametrize("name", DERIVATIVES)
class TestDerivatives:
    def test_torch(self, name: str) -> None:
        torch = pytest.importorskip("torch")
        function, at, expected = DERIVATIVES[name]
        x = torch.tensor(at, dtype=torch.float64, requires_grad=True)
        unify.to_native(function(x)).sum().backward()
        np.testing.assert_allclose(x.grad.numpy(), expected, atol=1e-15)

    def test_tensorflow(self, name: str) -> None:
        tf = pytest.importorskip("tensorflow")
        function, at, expected = DERIVATIVES[name]
        x = tf.constant(at, tf.float64)
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = tf.reduce_sum(unify.to_native(function(x)))
        found = tf.convert_to_tensor(tape.gradient(value, x))
        np.testing.assert_allclose(found.numpy(), expected, atol=1e-15)

    @pytest.mark.sample(3)
    def test_jax(self, name: str) -> None:
        jax = pytest.importorskip("jax")
        function, at, expected = DERIVATIVES[name]
        xp = unify.get_backend("jax")
        gradient = jax.grad(lambda x: unify.to_native(function(x)).sum())
        found = np.asarray(gradient(xp.asarray(at).data))
        np.testing.assert_allclose(found, expected, atol=1e-15)
