"""The attention in each framework's own layers: `torch.nn`, Keras, `jax.numpy` by hand.

A token is a row of the image. A layer of a transformer's encoder, with the norms after the sums,
is between two linear layers; the second one takes the mean over the tokens.
"""

from __future__ import annotations

import importlib
from typing import Any, Final

from benchmarks.small_nets.steps import Step, Weights, jax_step, keras_step, torch_step

__all__ = ["HEADS", "HIDDEN", "SIZE", "of_jax", "of_tensorflow", "of_torch"]

SIZE: Final = 64
HEADS: Final = 4
HIDDEN: Final = 128
_EPS: Final = 1e-5


def of_torch(weights: Weights, compiled: bool, x: Any, true: Any) -> Step:
    """Return a training step in layers of `torch.nn`."""
    torch = importlib.import_module("torch")
    nn = torch.nn

    class Net(nn.Module):  # type: ignore[misc,name-defined]  # known at run time only
        """Rows as tokens, the encoder, and the head."""

        def __init__(self) -> None:
            super().__init__()
            self.embed, self.head = nn.Linear(28, SIZE), nn.Linear(SIZE, 10)
            self.encoder = nn.TransformerEncoderLayer(
                SIZE, HEADS, HIDDEN, dropout=0.0, layer_norm_eps=_EPS, batch_first=True
            )

        def forward(self, x: Any) -> Any:
            return self.head(self.encoder(self.embed(x)).mean(1))

    net, names = Net(), {"w": "weight", "b": "bias", "scale": "weight", "offset": "bias"}
    given = {}
    for path, value in weights.items():
        layer, _, name = path.rpartition("/")
        given[f"{layer}/{names[name]}".replace("/", ".")] = torch.tensor(value)
    for name in ("weight", "bias"):
        parts = [given.pop(f"encoder.self_attn.{part}.{name}") for part in ("to_q", "to_kv")]
        given[f"encoder.self_attn.in_proj_{name}"] = torch.cat(parts)
        given[f"encoder.self_attn.out_proj.{name}"] = given.pop(f"encoder.self_attn.to_out.{name}")
    net.load_state_dict(given)
    return torch_step(net, torch.tensor(x[..., 0]), true, compiled)


def of_tensorflow(weights: Weights, compiled: bool, x: Any, true: Any) -> Step:
    """Return a training step in layers of Keras."""
    keras, inputs = importlib.import_module("keras"), x[..., 0]
    layers, given = keras.layers, keras.Input(inputs.shape[1:])
    attention = layers.MultiHeadAttention(HEADS, SIZE // HEADS)
    norms = [layers.LayerNormalization(epsilon=_EPS) for _ in range(2)]
    embed, first, second, head = (
        layers.Dense(size, activation=activation)
        for size, activation in ((SIZE, None), (HIDDEN, "relu"), (SIZE, None), (10, None))
    )
    tokens = embed(given)
    tokens = norms[0](tokens + attention(tokens, tokens))
    tokens = norms[1](tokens + second(first(tokens)))
    net = importlib.import_module("keras").Model(
        given, head(layers.GlobalAveragePooling1D()(tokens))
    )
    dense = {"embed": embed, "encoder/linear1": first, "encoder/linear2": second, "head": head}
    for name, layer in dense.items():
        layer.set_weights([weights[f"{name}/w"].T, weights[f"{name}/b"]])
    for name, layer in zip(("norm1", "norm2"), norms, strict=True):
        layer.set_weights([weights[f"encoder/{name}/{part}"] for part in ("scale", "offset")])
    attention.set_weights(_keras_attention(weights))
    return keras_step(net, inputs, true, compiled)


def _keras_attention(weights: Weights) -> list[Any]:
    """Return the weights of Keras' attention: queries, keys, values and output."""
    found, prefix, heads = [], "encoder/self_attn", (HEADS, SIZE // HEADS)
    for name, rows in (("to_q", slice(SIZE)), ("to_kv", slice(SIZE)), ("to_kv", slice(SIZE, None))):
        found.append(weights[f"{prefix}/{name}/w"][rows].T.reshape(SIZE, *heads))
        found.append(weights[f"{prefix}/{name}/b"][rows].reshape(heads))
    found.append(weights[f"{prefix}/to_out/w"].T.reshape(*heads, SIZE))
    return [*found, weights[f"{prefix}/to_out/b"]]


def of_jax(weights: Weights, compiled: bool, x: Any, true: Any) -> Step:
    """Return a training step in functions of `jax`."""
    return jax_step(_jax_scores, weights, {}, x[..., 0], true, compiled)


def _jax_scores(p: Weights, running: Any, key: Any, x: Any) -> tuple[Any, Any]:
    jax = importlib.import_module("jax")

    def linear(name: str, x: Any) -> Any:
        return x @ p[f"{name}/w"].T + p[f"{name}/b"]

    def normalized(name: str, x: Any) -> Any:
        centred = x - jax.numpy.mean(x, -1, keepdims=True)
        variance = jax.numpy.mean(centred * centred, -1, keepdims=True)
        found = centred / jax.numpy.sqrt(variance + _EPS)
        return found * p[f"encoder/{name}/scale"] + p[f"encoder/{name}/offset"]

    x = linear("embed", x)
    x = normalized("norm1", x + _jax_attention(jax, linear, x))
    hidden = jax.nn.relu(linear("encoder/linear1", x))
    x = normalized("norm2", x + linear("encoder/linear2", hidden))
    return linear("head", jax.numpy.mean(x, 1)), running


def _jax_attention(jax: Any, linear: Any, x: Any) -> Any:
    def heads(x: Any) -> Any:
        return x.reshape(*x.shape[:-1], HEADS, SIZE // HEADS).swapaxes(-2, -3)

    both = jax.numpy.split(linear("encoder/self_attn/to_kv", x), 2, axis=-1)
    query, keys, values = map(heads, (linear("encoder/self_attn/to_q", x), *both))
    found = query @ keys.swapaxes(-1, -2) / (SIZE // HEADS) ** 0.5
    joined = (jax.nn.softmax(found) @ values).swapaxes(-2, -3).reshape(x.shape)
    return linear("encoder/self_attn/to_out", joined)
