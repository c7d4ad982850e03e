"""Layers compared with PyTorch's, in float64 and with the same values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.installed import INSTALLED
from tests.nn.networks import make_key
from tests.numbers import generator

every = pytest.mark.parametrize("backend", INSTALLED)
RNG = generator(3)


def given(backend: str, values: Any) -> Any:
    return unify.get_backend(backend).asarray(values)


def torch_with(make: Callable[[Any], Any], **values: Any) -> Any:
    """A layer of PyTorch with these values of its parameters."""
    torch = pytest.importorskip("torch")
    layer = make(torch.nn).double()
    own = dict(layer.named_parameters())
    assert own.keys() == values.keys()
    with torch.no_grad():
        for name, value in values.items():
            own[name].copy_(torch.from_numpy(np.array(value)))
    return layer


def theirs(layer: Any, *xs: Any, **options: Any) -> Any:
    torch = pytest.importorskip("torch")
    with torch.no_grad():
        return layer(*(torch.from_numpy(x) for x in xs), **options)


def close(ours: Any, expected: Any) -> None:
    np.testing.assert_allclose(np.asarray(ours), expected.numpy(), rtol=1e-11, atol=1e-13)


def randomized(layer: Any) -> Any:
    """The layer with other values everywhere, so that biases and factors have an effect."""
    xp = next(layer.v.leaves()).__array_namespace__()
    rng = np.random.default_rng(11)
    layer.v = layer.v.map(lambda x, _: xp.asarray(rng.normal(size=x.shape)))
    return layer


@every
class TestLayers:
    @pytest.mark.parametrize("bias", [True, False])
    def test_linear(self, backend: str, bias: bool) -> None:
        layer = randomized(unify.Linear(4, 3, bias=bias, key=make_key(backend)))
        values = {"weight": layer.v.w, **({"bias": layer.v.b} if bias else {})}
        x = RNG.normal(size=(2, 5, 4))
        other = torch_with(lambda nn: nn.Linear(4, 3, bias=bias), **values)
        close(layer(given(backend, x)), theirs(other, x))

    @pytest.mark.slow_on("jax")
    @pytest.mark.parametrize(("axes", "name"), [(1, "Conv1D"), (2, "Conv2D"), (3, "Conv3D")])
    def test_convolutions(self, backend: str, axes: int, name: str) -> None:
        window = (3, 2, 2)[:axes]
        layer = randomized(
            getattr(unify, name)(4, 6, window, strides=2, dilations=2, padding=1, groups=2,
                                 key=make_key(backend))
        )  # fmt: skip
        filters = np.moveaxis(np.asarray(layer.v.w), (-1, -2), (0, 1))
        other = torch_with(
            lambda nn: getattr(nn, f"Conv{axes}d")(4, 6, window, 2, 1, 2, groups=2),
            weight=filters, bias=layer.v.b,
        )  # fmt: skip
        x = RNG.normal(size=(2, 4, *(9, 8, 7)[:axes]))
        found = np.moveaxis(np.asarray(layer(given(backend, np.moveaxis(x, 1, -1)))), -1, 1)
        close(found, theirs(other, x))
        layer.data_format = "channels_first"
        close(layer(given(backend, x)), theirs(other, x))

    @pytest.mark.slow_on("jax")
    def test_embedding(self, backend: str) -> None:
        layer = unify.Embedding(7, 3, key=make_key(backend))
        other = torch_with(lambda nn: nn.Embedding(7, 3), weight=layer.v.w)
        indices = np.asarray([[0, 6, 3], [2, 2, 5]])
        close(layer(given(backend, indices)), theirs(other, indices))

    @pytest.mark.slow_on("jax")
    @pytest.mark.parametrize("count", [1, 2])
    @pytest.mark.parametrize("name", ["LSTM", "GRU"])
    def test_recurrent(self, backend: str, name: str, count: int) -> None:
        """B24: recurrent layers."""
        layer = randomized(getattr(unify, name)(3, 5, num_layers=count, key=make_key(backend)))
        values = {}
        for place in range(count):
            v = layer.v.layers[str(place)]
            values[f"weight_ih_l{place}"] = np.asarray(v.kernel).T
            values[f"weight_hh_l{place}"] = np.asarray(v.recurrent_kernel).T
            values[f"bias_ih_l{place}"] = np.asarray(v.bias)
            second = v["recurrent_bias"] if "recurrent_bias" in v else v.bias * 0
            values[f"bias_hh_l{place}"] = np.asarray(second)
        other = torch_with(lambda nn: getattr(nn, name)(3, 5, count, batch_first=True), **values)
        x = RNG.normal(size=(2, 6, 3))
        states, last = layer(given(backend, x))
        expected, end = theirs(other, x)
        close(states, expected)
        parts = zip(last, end, strict=True) if name == "LSTM" else [(last, end)]
        for ours, wanted in parts:
            close(ours, wanted)
        # A sequence in two parts gives the same as the whole.
        first, state = layer(given(backend, x[:, :4]))
        second, _ = layer(given(backend, x[:, 4:]), state)
        close(np.concatenate([np.asarray(first), np.asarray(second)], axis=1), expected)

    def test_attention(self, backend: str) -> None:
        """B15: multi-head attention."""
        layer = randomized(
            unify.MultiHeadAttention(8, 2, context_features=6, key=make_key(backend))
        )
        v, torch = layer.v, pytest.importorskip("torch")
        k, value = np.split(np.asarray(v.to_kv.w), 2)
        bias = np.concatenate([np.asarray(v.to_q.b), np.asarray(v.to_kv.b)])
        other = torch_with(
            lambda nn: nn.MultiheadAttention(8, 2, kdim=6, vdim=6, batch_first=True),
            q_proj_weight=v.to_q.w, k_proj_weight=k, v_proj_weight=value, in_proj_bias=bias,
            **{"out_proj.weight": v.to_out.w, "out_proj.bias": v.to_out.b},
        )  # fmt: skip
        x, context = RNG.normal(size=(3, 4, 8)), RNG.normal(size=(3, 5, 6))
        mask = RNG.integers(0, 2, size=(4, 5)).astype(bool)
        mask[:, 0] = True
        found = layer(given(backend, x), given(backend, context), given(backend, mask))
        options = {"attn_mask": torch.from_numpy(~mask), "need_weights": False}
        close(found, theirs(other, x, context, context, **options)[0])

    def test_layer_norm(self, backend: str) -> None:
        layer = randomized(unify.LayerNorm((3, 4), eps=1e-3, key=make_key(backend)))
        other = torch_with(
            lambda nn: nn.LayerNorm((3, 4), eps=1e-3), weight=layer.v.scale, bias=layer.v.offset
        )
        x = RNG.normal(size=(2, 5, 3, 4))
        close(layer(given(backend, x)), theirs(other, x))

    def test_batch_norm(self, backend: str) -> None:
        """Three batches in training, then one with the running statistics."""
        layer = randomized(unify.BatchNorm(3, axis=1, momentum=0.3, key=make_key(backend)))
        other = torch_with(
            lambda nn: nn.BatchNorm1d(3, momentum=0.3), weight=layer.v.scale, bias=layer.v.offset
        )
        for _ in range(3):
            x = RNG.normal(size=(4, 3, 5))
            close(layer(given(backend, x)), theirs(other, x))
        close(layer.buffers.running_mean, other.running_mean)
        close(layer.buffers.running_var, other.running_var)
        close(layer.eval()(given(backend, x)), theirs(other.eval(), x))

    def test_dropout(self, backend: str) -> None:
        layer, x = unify.Dropout(0.3, key=make_key(backend)), np.ones(10_000)
        first, second = (np.asarray(layer(given(backend, x))) for _ in range(2))
        for found in (first, second):
            assert set(np.unique(found)) == {0.0, 1 / (1 - 0.3)}
            # Five standard deviations of a binomial share.
            assert abs((found == 0).mean() - 0.3) < 5 * np.sqrt(0.3 * 0.7 / x.size)
        assert (first != second).mean() == pytest.approx(2 * 0.3 * 0.7, abs=0.03)
        again = np.asarray(unify.Dropout(0.3, key=make_key("numpy"))(given("numpy", x)))
        assert np.array_equal(first, again)
        assert layer.eval()(given(backend, x)).tolist() == x.tolist()

    def test_sequential(self, backend: str) -> None:
        layers = [unify.Linear(3, 4, key=make_key(backend)), unify.tanh,
                  unify.Linear(4, 2, key=make_key(backend, 1))]  # fmt: skip
        net, x = unify.Sequential(*layers), RNG.normal(size=(5, 3))
        first, second = (np.asarray(net.v[name]) for name in ("0/w", "2/w"))
        found = np.asarray(net(given(backend, x)))
        np.testing.assert_allclose(found, np.tanh(x @ first.T) @ second.T, rtol=1e-12)
        assert (len(net), net[1]) == (3, unify.tanh)

    def test_float32(self, backend: str) -> None:
        options = {"key": make_key(backend), "dtype": "float32"}
        net = unify.Sequential(
            unify.Linear(3, 4, **options),
            unify.BatchNorm(4, **options),
            unify.LayerNorm(4, **options),
        )
        y = net(unify.get_backend(backend).ones((2, 3), dtype="float32"))
        arrays = [y, *net.v.leaves(), *net.buffers.leaves()]
        assert {x.dtype for x in arrays} == {unify.float32}


class TestKeys:
    def test_the_hidden_state_serves_where_there_is_none(self) -> None:
        unify.random.seed(4)
        first, second = unify.Linear(3, 3), unify.Linear(3, 3)
        unify.random.seed(4)
        assert unify.Linear(3, 3).v.identical(first.v)
        assert not second.v.identical(first.v)

    @pytest.mark.slow_on("jax")
    @every
    def test_the_backend_that_is_set(self, backend: str) -> None:
        with unify.use_backend(backend):
            assert unify.LSTM(2, 2).v["layers/0/bias"].backend == backend

    def test_lstm_begins_by_remembering(self) -> None:
        bias = unify.LSTM(2, 3).v["layers/0/bias"].tolist()
        assert bias == [0.0] * 3 + [1.0] * 3 + [0.0] * 6


class TestRefused:
    @pytest.mark.parametrize(
        ("make", "told"),
        [
            (lambda: unify.Linear(0, 3), "Linear: argument 'in_features' is 0"),
            (lambda: unify.Linear(2.0, 3), "Linear: argument 'in_features' is 2.0"),
            (lambda: unify.Linear(2, 3, key=7), "Linear: argument 'key' is 7"),
            (lambda: unify.Conv2D(3, 4, (1, 2, 3)), "Conv2D: argument 'kernel_size'"),
            (lambda: unify.Conv2D(3, 4, 2, groups=2), "Conv2D: argument 'groups' is 2"),
            (lambda: unify.GRU(3, -1), "GRU: argument 'hidden_size' is -1"),
            (lambda: unify.MultiHeadAttention(5, 2), "'num_heads' is 2, which doesn't divide 5"),
            (lambda: unify.Dropout(2), "Dropout: argument 'rate' is 2"),
            (lambda: unify.Dropout("a"), "Dropout: argument 'rate' is 'a'"),
            (lambda: unify.Sequential(3), r"Sequential: argument 'layers\[0\]' is 3"),
            (lambda: unify.LayerNorm(3)(unify.ones((2, 4))), r"LayerNorm: argument 'x' has shape"),
            (lambda: unify.LayerNorm(3)("a"), r"LayerNorm: argument 'x' is 'a'"),
        ],
    )
    def test_what_does_not_fit(self, make: Callable[[], Any], told: str) -> None:
        with pytest.raises((UnifyTypeError, UnifyValueError), match=told):
            make()
