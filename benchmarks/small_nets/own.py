"""The convolutions in each framework's own layers: `torch.nn`, Keras, `jax.numpy` by hand."""

from __future__ import annotations

import importlib
from typing import Any, Final

from benchmarks.small_nets.steps import Step, Weights, jax_step, keras_step, torch_step

__all__ = ["BLOCKS", "DROPPED", "FEATURES", "of_jax", "of_tensorflow", "of_torch"]

BLOCKS: Final = {"0": (1, 16), "1": (16, 32)}
"""The channels of each block: a convolution, ReLU, and the maximum of four."""
FEATURES: Final = 7 * 7 * 32
DROPPED: Final = 0.25


def of_torch(whole: bool, weights: Weights, compiled: bool, x: Any, true: Any) -> Step:
    """Return a training step in layers of `torch.nn`."""
    torch = importlib.import_module("torch")
    nn, layers = torch.nn, []
    for inputs, outputs in BLOCKS.values():
        layers += [nn.Conv2d(inputs, outputs, 3, padding="same")]
        layers += [nn.BatchNorm2d(outputs)] if whole else []
        layers += [nn.ReLU(), nn.MaxPool2d(2)]
    drop = [nn.Dropout(DROPPED)] if whole else []
    net = nn.Sequential(*layers, nn.Flatten(), *drop, nn.Linear(FEATURES, 10))
    held = [layer for layer in net if isinstance(layer, nn.Conv2d | nn.Linear)]
    with torch.no_grad():
        for name, layer in zip(("blocks/0/conv", "blocks/1/conv", "head"), held, strict=True):
            w = weights[f"{name}/w"]
            # Channels come first here, and so they do in the features.
            head = name == "head"
            w = w.reshape(10, 7, 7, 32).transpose(0, 3, 1, 2) if head else w.transpose(3, 2, 0, 1)
            layer.weight.copy_(torch.tensor(w.copy()).reshape(layer.weight.shape))
            layer.bias.copy_(torch.tensor(weights[f"{name}/b"]))
    return torch_step(net, torch.tensor(x).movedim(-1, 1).contiguous(), true, compiled)


def of_tensorflow(whole: bool, weights: Weights, compiled: bool, x: Any, true: Any) -> Step:
    """Return a training step in layers of Keras."""
    keras = importlib.import_module("keras")
    layers, given = [], []
    for name, (_, outputs) in BLOCKS.items():
        layers += [keras.layers.Conv2D(outputs, 3, padding="same")]
        norm = keras.layers.BatchNormalization(momentum=0.9, epsilon=1e-5)
        layers += [norm] if whole else []
        layers += [keras.layers.ReLU(), keras.layers.MaxPooling2D(2)]
        given += [(layers[-4 if whole else -3], f"blocks/{name}/conv")]
    drop = [keras.layers.Dropout(DROPPED)] if whole else []
    head = keras.layers.Dense(10)
    net = keras.Sequential([*layers, keras.layers.Flatten(), *drop, head])
    net.build(x.shape)
    for layer, name in [*given, (head, "head")]:
        w = weights[f"{name}/w"]
        layer.set_weights([w.T if name == "head" else w, weights[f"{name}/b"]])
    return keras_step(net, x, true, compiled)


def of_jax(whole: bool, weights: Weights, compiled: bool, x: Any, true: Any) -> Step:
    """Return a training step in functions of `jax`."""
    jnp = importlib.import_module("jax").numpy
    running = {}
    for name, (_, size) in BLOCKS.items() if whole else ():
        running[name] = (jnp.zeros(size, "float32"), jnp.ones(size, "float32"))
    return jax_step(_jax_scores, weights, running, x, true, compiled)


def _jax_scores(p: Weights, running: Any, key: Any, x: Any) -> tuple[Any, Any]:
    jax = importlib.import_module("jax")
    layout, renewed = ("NHWC", "HWIO", "NHWC"), {}
    for name in BLOCKS:
        w, b = p[f"blocks/{name}/conv/w"], p[f"blocks/{name}/conv/b"]
        x = jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=layout) + b
        if running:
            x, renewed[name] = _normalized(jax.numpy, p, running, name, x)
        window = (1, 2, 2, 1)
        x = jax.lax.reduce_window(
            jax.nn.relu(x), -jax.numpy.inf, jax.lax.max, window, window, "VALID"
        )
    x = x.reshape(x.shape[0], -1)
    if running:
        kept = 1 - DROPPED
        x = jax.numpy.where(jax.random.bernoulli(key, kept, x.shape), x / kept, 0.0)
    return x @ p["head/w"].T + p["head/b"], renewed


def _normalized(jnp: Any, p: Weights, running: Any, name: str, x: Any) -> tuple[Any, Any]:
    """Return the batch norm of a batch, and the new running mean and variance."""
    found = jnp.mean(x, (0, 1, 2)), jnp.var(x, (0, 1, 2))
    renewed = tuple(0.9 * a + 0.1 * b for a, b in zip(running[name], found, strict=True))
    x = (x - found[0]) / jnp.sqrt(found[1] + 1e-5)
    return x * p[f"blocks/{name}/norm/scale"] + p[f"blocks/{name}/norm/offset"], renewed
