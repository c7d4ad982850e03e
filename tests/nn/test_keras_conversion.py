"""Conversion of Keras' layers: outputs of Keras' own layers, in float32 and float64."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify import Module
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError
from tests.numbers import generator

pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")
of = keras.layers
RNG = generator(6)


def numbers(*shape: int) -> Any:
    return RNG.normal(size=shape)


def indices(*shape: int) -> Any:
    return RNG.integers(0, 6, size=shape)


def small() -> Any:
    return keras.Sequential(
        [
            of.Dense(5, "tanh"),
            keras.Sequential([of.BatchNormalization(), of.ReLU(), of.Dropout(0.3), of.Dense(4)]),
            of.Activation("softmax"),
        ]
    )


def pooling(kind: str, axes: int, padding: str) -> Any:
    return getattr(of, f"{kind}Pooling{axes}D")(3, 2, padding=padding)


# A layer of Keras, and its input.
LAYERS: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
    "Dense": (lambda: of.Dense(3), lambda: numbers(2, 4)),
    "Dense with activation": (
        lambda: of.Dense(3, "silu", use_bias=False), lambda: numbers(2, 5, 4)
    ),
    "Conv1D": (lambda: of.Conv1D(6, 3, 2, "same", groups=2), lambda: numbers(2, 9, 4)),
    "Conv1D causal": (
        lambda: of.Conv1D(3, 3, padding="causal", dilation_rate=2), lambda: numbers(2, 9, 4)
    ),
    "Conv2D": (
        lambda: of.Conv2D(3, (3, 2), (1, 2), activation="relu"), lambda: numbers(2, 6, 5, 2)
    ),
    "Conv2D same": (lambda: of.Conv2D(3, 4, 2, "same"), lambda: numbers(2, 7, 6, 2)),
    "Conv2D dilated": (lambda: of.Conv2D(3, 2, dilation_rate=2), lambda: numbers(2, 7, 6, 2)),
    "Conv3D": (lambda: of.Conv3D(3, 2, use_bias=False), lambda: numbers(2, 4, 4, 4, 2)),
    "Embedding": (lambda: of.Embedding(6, 3), lambda: indices(2, 4)),
    "LayerNormalization": (lambda: of.LayerNormalization(), lambda: numbers(2, 3, 4)),
    "LayerNormalization of two axes": (
        lambda: of.LayerNormalization([1, 2], epsilon=0.1, scale=False), lambda: numbers(2, 3, 4)
    ),
    "LayerNormalization alone": (
        lambda: of.LayerNormalization(center=False, scale=False), lambda: numbers(2, 4)
    ),
    "BatchNormalization": (lambda: of.BatchNormalization(), lambda: numbers(4, 3)),
    "BatchNormalization of an axis": (
        lambda: of.BatchNormalization(1, center=False), lambda: numbers(4, 3, 2)
    ),
    "Dropout": (lambda: of.Dropout(0.3), lambda: numbers(4, 3)),
    **{
        f"{kind}Pooling{n}D {padding}": (
            lambda kind=kind, n=n, padding=padding: pooling(kind, n, padding),
            lambda n=n: numbers(2, *(7, 6)[:n], 2),
        )
        for kind in ("Max", "Average")
        for n in (1, 2)
        for padding in ("valid", "same")
    },
    **{
        f"Global{kind}Pooling{n}D": (
            lambda kind=kind, n=n: getattr(of, f"Global{kind}Pooling{n}D")(keepdims=n == 2),
            lambda n=n: numbers(2, *(7, 6, 5)[:n], 2),
        )
        for kind in ("Max", "Average")
        for n in (1, 2, 3)
    },
    "Flatten": (lambda: of.Flatten(), lambda: numbers(2, 3, 4, 2)),
    "LSTM": (lambda: of.LSTM(4), lambda: numbers(2, 5, 3)),
    "LSTM of all times": (
        lambda: of.LSTM(4, use_bias=False, return_sequences=True), lambda: numbers(2, 5, 3)
    ),
    "GRU": (lambda: of.GRU(4), lambda: numbers(2, 5, 3)),
    "GRU of all times": (
        lambda: of.GRU(4, use_bias=False, return_sequences=True), lambda: numbers(2, 5, 3)
    ),
    "ReLU": (lambda: of.ReLU(), lambda: numbers(2, 3)),
    "ReLU6": (lambda: of.ReLU(6), lambda: numbers(2, 3) * 9),
    "LeakyReLU": (lambda: of.LeakyReLU(0.1), lambda: numbers(2, 3)),
    "ELU": (lambda: of.ELU(0.5), lambda: numbers(2, 3)),
    "Softmax": (lambda: of.Softmax(1), lambda: numbers(2, 3, 4)),
    "Sequential": (small, lambda: numbers(3, 4)),
}  # fmt: skip
ACTIVATIONS = [
    "celu", "elu", "exponential", "gelu", "hard_sigmoid", "hard_silu", "leaky_relu", "linear",
    "log_sigmoid", "log_softmax", "mish", "relu", "relu6", "selu", "sigmoid", "silu", "softmax",
    "softplus", "softsign", "tanh",
]  # fmt: skip
# Keras rounds their constants to float32.
ROUNDED = ("LeakyReLU", "gelu", "leaky_relu")
TOLERANCES = {"float32": 2e-5, "float64": 1e-10}


@contextmanager
def data_type(name: str) -> Iterator[None]:
    """Layers of Keras have this data type."""
    before = keras.config.dtype_policy()
    keras.config.set_dtype_policy(name)
    try:
        yield
    finally:
        keras.config.set_dtype_policy(before)


def called(make: Callable[[], Any], x: Any, dtype: str = "float64") -> Any:
    """A layer that was called, with biases and factors that have an effect."""
    with data_type(dtype):
        layer = make()
    layer(*x) if isinstance(x, tuple) else layer(x)
    for variable in layer.weights:
        if "seed" not in variable.path:
            variable.assign(np.abs(numbers(*variable.shape)) / 2 + 0.1)
    return layer


def of_dtype(x: Any, dtype: str) -> Any:
    return x.astype(dtype) if x.dtype.kind == "f" else x


def ours(x: Any) -> Any:
    return unify.get_backend("tensorflow").asarray(x)


def close(found: Any, wanted: Any, dtype: str, rounded: bool = False) -> None:
    found, wanted = np.asarray(found), np.asarray(wanted)
    assert found.dtype == wanted.dtype == dtype
    tolerance = 5e-8 if rounded and dtype == "float64" else TOLERANCES[dtype]
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", TOLERANCES)
class TestOutputs:
    @pytest.mark.parametrize("name", LAYERS)
    def test_of_layers(self, name: str, dtype: str) -> None:
        make, given = LAYERS[name]
        x = of_dtype(given(), dtype)
        theirs = called(make, x, dtype)
        found = Module.from_keras(theirs)
        close(found(ours(x)), theirs(x), dtype, name in ROUNDED)

    @pytest.mark.parametrize("name", ACTIVATIONS)
    def test_of_activations(self, name: str, dtype: str) -> None:
        x = of_dtype(3 * numbers(40, 3), dtype)
        theirs = called(lambda: of.Activation(name), x, dtype)
        close(Module.from_keras(theirs)(ours(x)), theirs(x), dtype, name in ROUNDED)

    @pytest.mark.parametrize("bias", [False, True])
    def test_of_attention(self, dtype: str, bias: bool) -> None:
        x, other = (of_dtype(numbers(2, *shape), dtype) for shape in ((4, 6), (5, 3)))
        theirs = called(lambda: of.MultiHeadAttention(2, 4, use_bias=bias), (x, other), dtype)
        found = Module.from_keras(theirs)
        close(found(ours(x), ours(other)), theirs(x, other), dtype)
        mask = RNG.random((2, 4, 5)) > 0.3
        mask[..., 0] = True
        wanted = theirs(x, other, attention_mask=mask)
        close(found(ours(x), ours(other), ours(mask)), wanted, dtype)

    @pytest.mark.parametrize("axis", [-1, 1])
    def test_of_batch_normalization_in_training(self, dtype: str, axis: int) -> None:
        x = of_dtype(numbers(50, 4, 3), dtype)
        theirs = called(lambda: of.BatchNormalization(axis, momentum=0.7), x, dtype)
        found, before = Module.from_keras(theirs).train(), theirs.moving_variance.numpy()
        close(found(ours(x)), theirs(x, training=True), dtype)
        close(found.buffers.running_mean, theirs.moving_mean.numpy(), dtype)
        # Ours divides by n - 1, as PyTorch does, and Keras by n.
        count = x.size // x.shape[axis]
        batch = (theirs.moving_variance.numpy() - 0.7 * before) * count / (count - 1)
        close(found.buffers.running_var, (batch + 0.7 * before).astype(dtype), dtype)


@pytest.mark.parametrize("kind", ["Max", "Average"])
@pytest.mark.parametrize("padding", ["valid", "same"])
def test_of_pooling_over_three_axes(kind: str, padding: str) -> None:
    """TensorFlow's kernels take float32 alone."""
    x = of_dtype(numbers(2, 7, 6, 5, 2), "float32")
    theirs = called(lambda: pooling(kind, 3, padding), x, "float32")
    close(Module.from_keras(theirs)(ours(x)), theirs(x), "float32")


class TestConversion:
    def test_names_and_mode(self) -> None:
        layers = [of.Dense(3, "relu", name="first"), of.LSTM(2, name="second")]
        theirs = called(lambda: keras.Sequential(layers), numbers(2, 5, 4))
        net = Module.from_keras(theirs)
        assert [name for name, _ in net._named_layers()] == [
            "first", "first_relu", "second", "second_last",
        ]  # fmt: skip
        assert not any(layer.training for layer in net.modules().values())
        assert net.num_parameters == theirs.count_params()

    def test_training_drops(self) -> None:
        x = np.ones((50, 20))
        net = Module.from_keras(called(lambda: of.Dropout(0.25), x)).train()
        share = np.mean(np.asarray(net(ours(x))) == 0)
        assert 0.2 < share < 0.3

    def test_has_memory_of_its_own(self) -> None:
        theirs = called(lambda: of.Dense(2), numbers(3, 2))
        net = Module.from_keras(theirs)
        before = net.v.w.tolist()
        theirs.kernel.assign(np.zeros((2, 2)))
        assert net.v.w.tolist() == before != theirs.kernel.numpy().T.tolist()

    def test_one_layer_in_two_places(self) -> None:
        layer = of.Dense(3, "tanh")
        theirs = called(lambda: keras.Sequential([layer, keras.Sequential([layer])]), numbers(2, 3))
        net = Module.from_keras(theirs)
        x = numbers(2, 3)
        close(net(ours(x.astype("float32"))), theirs(x), "float32")
        assert net.num_parameters == 12

    def test_goes_to_other_backends(self) -> None:
        x = numbers(3, 4)
        theirs = called(small, x)
        net = Module.from_keras(theirs).to_backend("numpy")
        close(net(unify.asarray(x)), theirs(x), "float64")


class Custom(of.Dense):  # type: ignore[misc, name-defined]  # known when it runs
    """A layer whose call may be any."""


class TestRefuses:
    @pytest.mark.parametrize(
        ("make", "told"),
        [
            (lambda: of.Embedding(6, 2, mask_zero=True), "Embedding with mask_zero=True"),
            (lambda: of.Dense(2, lambda x: x + 1), "Dense with activation="),
            (lambda: of.Dense(2, "hard_tanh"), "activation='hard_tanh'"),
            (lambda: of.ReLU(3.0), "max_value=3.0"),
            (lambda: of.ReLU(threshold=1.0), "threshold=1.0"),
            (lambda: of.Dropout(0.5, noise_shape=(1, 4)), "noise_shape=(1, 4)"),
            (lambda: of.Dense(2, dtype="mixed_float16"), "dtype='mixed_float16'"),
            (lambda: of.LayerNormalization(0), "axis="),
            (lambda: Custom(2), "whose call isn't known"),
            (lambda: of.RMSNormalization(), "whose call isn't known"),
        ],
    )
    def test_layers(self, make: Callable[[], Any], told: str) -> None:
        theirs = make()
        theirs(np.ones((3, 4), dtype="int64" if isinstance(theirs, of.Embedding) else "float32"))
        with pytest.raises((UnifyTypeError, UnifyValueError), match=re.escape(told)):
            Module.from_keras(theirs)

    @pytest.mark.parametrize("kind", [of.LSTM, of.GRU])
    @pytest.mark.parametrize(
        ("option", "value"),
        [
            ("return_state", True), ("go_backwards", True), ("dropout", 0.5),
            ("recurrent_dropout", 0.5), ("activation", "relu"),
            ("recurrent_activation", "hard_sigmoid"),
        ],
    )  # fmt: skip
    def test_recurrent_ones(self, kind: Any, option: str, value: Any) -> None:
        theirs = kind(2, **{option: value})
        theirs(np.ones((1, 3, 2)))
        with pytest.raises(UnifyValueError, match=f"{kind.__name__} with {option}={value!r}"):
            Module.from_keras(theirs)

    @pytest.mark.parametrize(
        "options",
        [
            {"dropout": 0.5}, {"value_dim": 3}, {"output_shape": 3}, {"attention_axes": (2,)},
        ],
    )  # fmt: skip
    def test_attention(self, options: dict[str, Any]) -> None:
        theirs = of.MultiHeadAttention(2, 4, **options)
        x = np.ones((2, 3, 4, 5) if "attention_axes" in options else (2, 3, 5))
        theirs(x, x)
        (option,) = options
        with pytest.raises(UnifyValueError, match=f"MultiHeadAttention with {option}="):
            Module.from_keras(theirs)

    def test_the_reset_gate_before(self) -> None:
        theirs = of.GRU(2, reset_after=False)
        theirs(np.ones((1, 3, 2)))
        with pytest.raises(UnifyValueError, match="GRU with reset_after=False"):
            Module.from_keras(theirs)

    @pytest.mark.parametrize("make", [lambda: of.Dense(2), lambda: keras.Sequential([of.Dense(2)])])
    def test_what_has_no_variables_yet(self, make: Callable[[], Any]) -> None:
        with pytest.raises(UnifyValueError, match="without variables yet; call it once"):
            Module.from_keras(make())

    @pytest.mark.parametrize("given", [3, None, "Dense", unify.Linear(2, 2)])
    def test_other_things(self, given: Any) -> None:
        with pytest.raises(UnifyTypeError, match=r"Module\.from_keras: argument 'layer' is"):
            Module.from_keras(given)

    def test_functional_models(self) -> None:
        x = keras.Input((3,))
        with pytest.raises(UnifyTypeError, match="whose call isn't known"):
            Module.from_keras(keras.Model(x, of.Dense(2)(x)))
