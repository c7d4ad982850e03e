"""Transformers beside test_against_torch: dropout of the attention, positions, and options."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Module
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.installed import INSTALLED
from tests.nn.networks import make_key
from tests.nn.torch_table import nn, torch
from tests.numbers import generator

every = pytest.mark.parametrize("backend", INSTALLED)
RNG = generator(10)


def given(backend: str, values: Any) -> Any:
    return unify.get_backend(backend).asarray(values)


@every
@pytest.mark.parametrize("features", [6, 7, 1])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_positional_encoding(backend: str, features: int, dtype: str) -> None:
    """The formula of the paper, element by element, also far from the start."""
    x = RNG.normal(size=(2, 3000, features)).astype(dtype)
    waves = np.empty((3000, features))
    for i in range(features):
        angle = np.arange(3000) / 10000 ** (2 * (i // 2) / features)
        waves[:, i] = np.cos(angle) if i % 2 else np.sin(angle)
    found = unify.to_numpy(unify.PositionalEncoding(features)(given(backend, x)))
    assert found.dtype == dtype
    tolerance = 1e-12 if dtype == "float64" else 1e-6
    np.testing.assert_allclose(found, x + waves, rtol=0, atol=tolerance)


@every
class TestDropoutOfAttention:
    """Queries of zeros give all keys the same weight, and values of one show what is left of it."""

    def make(self, backend: str) -> Any:
        layer = unify.MultiHeadAttention(4, 2, dropout=0.25, key=make_key(backend))
        xp = unify.get_backend(backend)
        layer.to_q.v.w = xp.zeros((4, 4))
        layer.to_kv.v.w = xp.zeros((8, 4))
        layer.to_kv.v.b = xp.ones(8)
        layer.to_out.v.w = xp.eye(4)
        return layer

    def test_shares(self, backend: str) -> None:
        layer, x = self.make(backend), given(backend, np.zeros((50, 8, 4)))
        found = unify.to_numpy(layer(x))
        # Each head has eight keys, of which as many count as weren't dropped.
        kept = found * 8 * 0.75
        np.testing.assert_allclose(kept, np.round(kept), atol=1e-12)
        assert abs(kept.mean() / 8 - 0.75) < 5 * np.sqrt(0.75 * 0.25 / (50 * 8 * 2 * 8))
        assert (unify.to_numpy(layer(x)) != found).any()
        assert (unify.to_numpy(layer.eval()(x)) == 1).all()

    def test_mask(self, backend: str) -> None:
        """A key that no query attends to has no weight, and a query without keys gets zeros."""
        layer, x = self.make(backend), given(backend, np.zeros((20, 3, 4)))
        mask = given(backend, np.asarray([[True, False, False], [True, True, False], [False] * 3]))
        found = unify.to_numpy(layer(x, mask=mask))
        assert set(np.round(found[:, 0] * 0.75, 12).flat) == {0.0, 1.0}
        assert set(np.round(found[:, 1] * 0.75, 12).flat) == {0.0, 0.5, 1.0}
        assert (found[:, 2] == 0).all()

    @pytest.mark.slow_on("jax")
    def test_without_dropout_it_is_the_function(self, backend: str) -> None:
        """A rate that drops nothing in float64 gives what the layer gives in evaluation."""
        layer = unify.MultiHeadAttention(
            4, 2, context_features=3, dropout=1e-300, key=make_key(backend)
        )
        x, context = given(backend, RNG.normal(size=(2, 5, 4))), RNG.normal(size=(2, 6, 3))
        mask = given(backend, RNG.integers(0, 2, size=(2, 5, 6)))
        results = [
            unify.to_numpy(layer.train(mode)(x, given(backend, context), mask))
            for mode in (True, False)
        ]
        np.testing.assert_allclose(*results, rtol=1e-12, atol=1e-14)


class TestConversion:
    def test_dropout_and_modes(self) -> None:
        theirs = nn.TransformerEncoderLayer(4, 2, 8, dropout=0.25, batch_first=True)
        theirs.dropout2.p = 0.5
        ours = Module.from_torch(theirs)
        assert [ours.dropout.rate, ours.dropout1.rate, ours.dropout2.rate] == [0.25, 0.25, 0.5]
        assert ours.self_attn.dropout.rate == 0.25
        keys = [leaf.tolist() for leaf in ours.buffers.leaves()]
        assert len(keys) == 4 == len({tuple(key) for key in keys})
        back = ours.to_torch()
        assert [back.self_attn.dropout, back.dropout.p, back.dropout2.p] == [0.25, 0.25, 0.5]
        assert not any(
            layer.training for layer in Module.from_torch(theirs.eval()).modules().values()
        )

    @pytest.mark.parametrize(
        ("activation", "told"),
        [("gelu", "gelu"), (nn.GELU(), "gelu"), (nn.ReLU(), "relu")],
    )
    def test_activations(self, activation: Any, told: str) -> None:
        theirs = nn.TransformerEncoderLayer(4, 2, 8, 0.0, activation, batch_first=True).double()
        ours, x = Module.from_torch(theirs), torch.from_numpy(RNG.normal(size=(2, 3, 4)))
        assert ours.activation == told
        expected = theirs(x).detach().numpy()
        np.testing.assert_allclose(
            unify.to_numpy(unify.stop_gradient(ours(x))), expected, rtol=1e-10
        )

    @pytest.mark.parametrize("activation", [unify.gelu, unify.tanh])
    def test_functions_of_ours(self, activation: Any) -> None:
        with unify.use_backend("torch"):
            ours = unify.TransformerEncoderLayer(4, 2, 8, dropout=0.0, activation=activation)
            both = unify.TransformerEncoder([ours], norm=unify.tanh)
        wrapped = activation is unify.tanh
        assert (type(ours.to_torch()).__name__ == "Wrapped") == wrapped
        x = torch.from_numpy(RNG.normal(size=(2, 3, 4)))
        for net in (ours, both):
            found = net.to_torch()(x).detach().numpy()
            wanted = unify.to_numpy(unify.stop_gradient(net(x)))
            np.testing.assert_allclose(found, wanted, rtol=1e-10)

    @pytest.mark.parametrize(
        ("make", "told"),
        [
            (lambda: nn.TransformerEncoderLayer(4, 2), "TransformerEncoderLayer with batch_first"),
            (
                lambda: nn.TransformerEncoderLayer(
                    4, 2, 8, activation=torch.tanh, batch_first=True
                ),
                "with activation=",
            ),
            (
                lambda: nn.TransformerEncoder(
                    nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 1, nn.Linear(4, 4),
                    enable_nested_tensor=False,
                ),
                "TransformerEncoder with norm=",
            ),
            (
                lambda: nn.TransformerEncoder(nn.Linear(4, 4), 1, enable_nested_tensor=False),
                "TransformerEncoder with layers='Linear'",
            ),
        ],
    )  # fmt: skip
    def test_options_that_ours_lack(self, make: Callable[[], Any], told: str) -> None:
        with pytest.raises(UnifyValueError, match=re.escape(told)):
            Module.from_torch(make())


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: unify.TransformerEncoderLayer(5, 2), "'num_heads' is 2, which doesn't divide 5"),
        (lambda: unify.TransformerEncoderLayer(4, 2, 0), "argument 'dim_feedforward' is 0"),
        (
            lambda: unify.TransformerEncoderLayer(4, 2, activation="swish"),
            "TransformerEncoderLayer: argument 'activation' is 'swish'",
        ),
        (lambda: unify.TransformerEncoderLayer(4, 2, activation=3), "argument 'activation' is 3"),
        (lambda: unify.TransformerEncoderLayer(4, 2, dropout=2), "Dropout: argument 'rate' is 2"),
        (lambda: unify.TransformerEncoder(3), "TransformerEncoder: argument 'layers' is 3"),
        (lambda: unify.TransformerEncoder([3]), "TransformerEncoder: argument 'layers[0]' is 3"),
        (lambda: unify.TransformerEncoder([], norm=3), "TransformerEncoder: argument 'norm' is 3"),
        (lambda: unify.PositionalEncoding(0), "PositionalEncoding: argument 'features' is 0"),
        (
            lambda: unify.PositionalEncoding(3)(unify.ones((2, 4))),
            "PositionalEncoding: argument 'x' has shape (2, 4)",
        ),
        (
            lambda: unify.TransformerEncoderLayer(4, 2, 8)(unify.ones((2, 3))),
            "TransformerEncoderLayer: argument 'x' has shape (2, 3)",
        ),
        (lambda: unify.RNN(2, 3, activation="elu"), "RNN: argument 'activation' is 'elu'"),
        (lambda: unify.RNNCell(2, 3, activation="elu"), "RNNCell: argument 'activation' is 'elu'"),
        (lambda: unify.GRUCell(2, 0), "GRUCell: argument 'hidden_size' is 0"),
        (lambda: unify.LSTMCell(2.0, 3), "LSTMCell: argument 'input_size' is 2.0"),
    ],
)
def test_what_does_not_fit(make: Callable[[], Any], told: str) -> None:
    with pytest.raises((UnifyTypeError, UnifyValueError), match=re.escape(told)):
        make()


def test_lstm_cell_begins_by_remembering() -> None:
    assert unify.LSTMCell(2, 3).v.bias.tolist() == [0.0] * 3 + [1.0] * 3 + [0.0] * 6


def test_reprs() -> None:
    assert repr(unify.RNN(2, 3, activation="relu")).startswith("RNN(2, 3, activation='relu'):")
    assert repr(unify.RNNCell(2, 3, bias=False)).startswith("RNNCell(2, 3)  kernel")
    layer = unify.TransformerEncoderLayer(4, 2, 8, activation="gelu", norm_first=True)
    head = "TransformerEncoderLayer(4, 2, 8, norm_first=True, activation='gelu'): "
    assert repr(layer).startswith(head)
