"""Recurrent layers compared with PyTorch's modules, on every backend."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.numbers import generator
from tests.ulps import assert_ulps

FLOATS = pytest.mark.parametrize("dtype", ["float32", "float64"])
GENERATOR = generator(12)


def random_array(*shape: int, dtype: str = "float64") -> Any:
    return GENERATOR.normal(size=shape).astype(dtype)


def parameters(module: Any) -> list[Any]:
    """Return the parameters as kernels: transposed weights, and biases."""
    return [
        p.detach().numpy().T if p.ndim == 2 else p.detach().numpy() for p in module.parameters()
    ]


class TestLstmUpdate:
    @FLOATS
    @pytest.mark.parametrize("bias", [True, False])
    def test_equals_pytorchs_module(self, xp: ModuleType, dtype: str, bias: bool) -> None:
        """B24: recurrent layers."""
        torch = pytest.importorskip("torch")
        kind = getattr(torch, dtype)
        module = torch.nn.LSTM(3, 5, batch_first=True, bias=bias, dtype=kind)
        x, h, c = (random_array(*s, dtype=dtype) for s in ((2, 7, 3), (2, 5), (2, 5)))
        with torch.no_grad():
            outputs, (_, last) = module(
                torch.from_numpy(x), (torch.from_numpy(h[None]), torch.from_numpy(c[None]))
            )
        given = map(xp.asarray, (x, h, c, *parameters(module)))
        states, cell = xp.lstm_update(*given)
        assert (states.shape, cell.shape) == ((2, 7, 5), (2, 5))
        assert_ulps(states, outputs.numpy(), 64, magnitude=1)
        assert_ulps(cell, last[0].numpy(), 64, magnitude=2)

    def test_one_bias_only(self, xp: ModuleType) -> None:
        x, h, c = (xp.asarray(random_array(*s)) for s in ((2, 3, 4), (2, 5), (2, 5)))
        kernel, recurrent, bias = (xp.asarray(random_array(*s)) for s in ((4, 20), (5, 20), (20,)))
        first = xp.lstm_update(x, h, c, kernel, recurrent, bias)
        second = xp.lstm_update(x, h, c, kernel, recurrent, recurrent_bias=bias)
        for one, other in zip(first, second, strict=True):
            np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-12)

    def test_batches_and_native_arrays(self, xp: ModuleType) -> None:
        x, h, c = (xp.asarray(random_array(*s)) for s in ((2, 3, 4, 1), (2, 3, 2), (2, 3, 2)))
        kernel, recurrent = xp.asarray(random_array(1, 8)), xp.asarray(random_array(2, 8))
        states, cell = unify.lstm_update(*(a.data for a in (x, h, c, kernel, recurrent)))
        assert (states.shape, cell.shape) == ((2, 3, 4, 2), (2, 3, 2))
        alone, _ = x[1, 2, ...].lstm_update(h[1, 2, :], c[1, 2, :], kernel, recurrent)
        np.testing.assert_allclose(np.asarray(states)[1, 2], np.asarray(alone), rtol=1e-12)

    def test_no_time_at_all(self, xp: ModuleType) -> None:
        h, c = xp.ones((2, 5)), xp.full((2, 5), 2.0)
        states, cell = xp.lstm_update(xp.ones((2, 0, 3)), h, c, xp.ones((3, 20)), xp.ones((5, 20)))
        assert states.shape == (2, 0, 5)
        assert cell.tolist() == c.tolist()

    def test_mistakes(self, xp: ModuleType) -> None:
        h = xp.ones((2, 5))
        with pytest.raises(UnifyValueError, match="lstm_update: argument 'recurrent_kernel'"):
            xp.lstm_update(xp.ones((2, 1, 3)), h, h, xp.ones((3, 20)), xp.ones((5, 15)))
        with pytest.raises(UnifyValueError, match="lstm_update: argument 'x'"):
            xp.lstm_update(xp.ones((2, 1, 4)), h, h, xp.ones((3, 20)), xp.ones((5, 20)))
        with pytest.raises(UnifyTypeError, match="lstm_update: argument 'init_h'"):
            xp.lstm_update(xp.ones((2, 1, 3)), h * 1j, h, xp.ones((3, 20)), xp.ones((5, 20)))


class TestGruUpdate:
    @FLOATS
    @pytest.mark.parametrize("bias", [True, False])
    def test_equals_pytorchs_module(self, xp: ModuleType, dtype: str, bias: bool) -> None:
        torch = pytest.importorskip("torch")
        kind = getattr(torch, dtype)
        module = torch.nn.GRU(3, 5, batch_first=True, bias=bias, dtype=kind)
        x, h = random_array(2, 7, 3, dtype=dtype), random_array(2, 5, dtype=dtype)
        with torch.no_grad():
            outputs, _ = module(torch.from_numpy(x), torch.from_numpy(h[None]))
        states = xp.gru_update(*map(xp.asarray, (x, h, *parameters(module))))
        assert_ulps(states, outputs.numpy(), 64, magnitude=1)

    def test_out_no_time_and_mistakes(self, xp: ModuleType) -> None:
        h, kernel, recurrent = xp.ones((2, 5)), xp.ones((3, 15)), xp.ones((5, 15))
        out = xp.zeros((2, 1, 5))
        assert xp.gru_update(xp.ones((2, 1, 3)), h, kernel, recurrent, out=out) is out
        assert xp.gru_update(xp.ones((2, 0, 3)), h, kernel, recurrent).shape == (2, 0, 5)
        with pytest.raises(UnifyValueError, match="gru_update: argument 'recurrent_kernel'"):
            xp.gru_update(xp.ones((2, 1, 3)), h, kernel, xp.ones((5, 20)))


class TestRnnUpdate:
    @FLOATS
    @pytest.mark.parametrize("activation", ["tanh", "relu"])
    def test_equals_pytorchs_module(self, xp: ModuleType, dtype: str, activation: Any) -> None:
        torch = pytest.importorskip("torch")
        kind = getattr(torch, dtype)
        module = torch.nn.RNN(3, 5, nonlinearity=activation, batch_first=True, dtype=kind)
        x, h = (random_array(*s, dtype=dtype) for s in ((2, 7, 3), (2, 5)))
        with torch.no_grad():
            outputs, _ = module(torch.from_numpy(x), torch.from_numpy(h[None]))
        given = map(xp.asarray, (x, h, *parameters(module)))
        states = xp.rnn_update(*given, activation=activation)
        assert_ulps(states, outputs.numpy(), 64, magnitude=2)

    def test_another_activation(self, xp: ModuleType) -> None:
        x, one = xp.ones((2, 1)), xp.ones((1, 1))
        with pytest.raises(UnifyValueError, match="rnn_update: argument 'activation' is 'sin'"):
            xp.rnn_update(x, xp.ones(1), one, one, activation="sin")


class TestTracedOverTime:
    """A framework that traces without values traces one step, not all of them."""

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["lstm_update", "gru_update", "rnn_update"])
    def test_jax_makes_one_loop(self, name: str) -> None:
        jax, xp = pytest.importorskip("jax"), unify.get_backend("jax")
        gates = {"lstm_update": 4, "gru_update": 3, "rnn_update": 1}[name]
        states = [xp.asarray(random_array(2, 5))] * (2 if name == "lstm_update" else 1)
        kernels = [xp.asarray(random_array(n, gates * 5)) for n in (3, 5)]
        x = xp.asarray(random_array(2, 9, 3))

        def function(x: Any) -> Any:
            found = getattr(unify, name)(xp.asarray(x), *states, *kernels)
            return (found[0] if name == "lstm_update" else found).data

        text = str(jax.make_jaxpr(function)(x.data))
        assert text.count("scan[") == 1
        assert text.count("tanh") <= 2
        expected = function(x.data)
        np.testing.assert_allclose(
            np.asarray(jax.jit(function)(x.data)), np.asarray(expected), rtol=1e-12
        )

    def test_tensorflow_makes_one_loop(self) -> None:
        tf, xp = pytest.importorskip("tensorflow"), unify.get_backend("tensorflow")
        x, h, kernel, recurrent = (
            xp.asarray(random_array(*s)) for s in ((2, 9, 3), (2, 5), (3, 15), (5, 15))
        )

        def function(x: Any) -> Any:
            return unify.gru_update(xp.asarray(x), h, kernel, recurrent).data

        traced = tf.function(function, autograph=False)
        graph = traced.get_concrete_function(x.data).graph
        assert sum(node.type in ("While", "StatelessWhile") for node in graph.get_operations()) == 1
        np.testing.assert_allclose(traced(x.data).numpy(), np.asarray(function(x.data)), rtol=1e-12)


class TestCells:
    @pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
    def test_equal_pytorchs_cells(self, xp: ModuleType, kind: str) -> None:
        torch = pytest.importorskip("torch")
        module = getattr(torch.nn, f"{kind}Cell")(3, 5, dtype=torch.float64)
        x, h, c = (random_array(*s) for s in ((2, 3), (2, 5), (2, 5)))
        states = (h, c) if kind == "LSTM" else (h,)
        tensors = tuple(map(torch.from_numpy, states))
        with torch.no_grad():
            expected = module(torch.from_numpy(x), tensors if kind == "LSTM" else tensors[0])
        found = getattr(xp, f"{kind.lower()}_cell")(
            *map(xp.asarray, (x, *states, *parameters(module)))
        )
        pairs = zip(found, expected, strict=True) if kind == "LSTM" else [(found, expected)]
        for one, other in pairs:
            np.testing.assert_allclose(np.asarray(one), other.numpy(), rtol=1e-12, atol=1e-14)

    @pytest.mark.parametrize("name", ["rnn_cell", "gru_cell"])
    def test_what_does_not_fit(self, xp: ModuleType, name: str) -> None:
        with pytest.raises(UnifyValueError, match=f"{name}: argument"):
            getattr(xp, name)(xp.ones(3), xp.ones(1), xp.ones((2, 3)), xp.ones((1, 3)))
