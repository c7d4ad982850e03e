"""The networks in each framework's own layers: `torch.nn`, Keras, and `jax.numpy` by hand."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["BLOCKS", "DROPPED", "FEATURES", "OWN", "RATE", "Weights"]

Weights = dict[str, Any]
BLOCKS: Final = {"0": (1, 16), "1": (16, 32)}
"""The channels of each block: a convolution, ReLU, and the maximum of four."""
FEATURES: Final = 7 * 7 * 32
DROPPED: Final = 0.25
RATE: Final = 1e-3
_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8


def _torch(weights: Weights, whole: bool, compiled: bool, x: Any, true: Any) -> Callable[[], Any]:
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
        for name, layer in zip((*BLOCKS, "head"), held, strict=True):
            w = weights[f"{name}/w"]
            # Channels come first here, and so they do in the features.
            head = name == "head"
            w = w.reshape(10, 7, 7, 32).transpose(0, 3, 1, 2) if head else w.transpose(3, 2, 0, 1)
            layer.weight.copy_(torch.tensor(w.copy()).reshape(layer.weight.shape))
            layer.bias.copy_(torch.tensor(weights[f"{name}/b"]))
    adam = torch.optim.Adam(net.parameters(), RATE)
    images, labels = torch.tensor(x).movedim(-1, 1).contiguous(), torch.tensor(true)

    def loss() -> Any:
        return nn.functional.cross_entropy(net(images), labels)

    update = torch.compile(adam.step) if compiled else adam.step
    loss = torch.compile(loss) if compiled else loss

    def step() -> float:
        adam.zero_grad()
        value = loss()
        value.backward()
        update()
        return float(value.detach())

    return step


def _tensorflow(
    weights: Weights, whole: bool, compiled: bool, x: Any, true: Any
) -> Callable[[], Any]:
    tf, keras = (importlib.import_module(name) for name in ("tensorflow", "keras"))
    layers, given = [], []
    for name, (_, outputs) in BLOCKS.items():
        layers += [keras.layers.Conv2D(outputs, 3, padding="same")]
        norm = keras.layers.BatchNormalization(momentum=0.9, epsilon=1e-5)
        layers += [norm] if whole else []
        layers += [keras.layers.ReLU(), keras.layers.MaxPooling2D(2)]
        given += [(layers[-4 if whole else -3], name)]
    drop = [keras.layers.Dropout(DROPPED)] if whole else []
    head = keras.layers.Dense(10)
    net = keras.Sequential([*layers, keras.layers.Flatten(), *drop, head])
    net.build(x.shape)
    for layer, name in [*given, (head, "head")]:
        w = weights[f"{name}/w"]
        layer.set_weights([w.T if name == "head" else w, weights[f"{name}/b"]])
    adam = keras.optimizers.Adam(RATE, epsilon=_EPSILON)
    images, labels = tf.constant(x), tf.constant(true)
    cross_entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    def update() -> Any:
        with tf.GradientTape() as tape:
            value = cross_entropy(labels, net(images, training=True))
        variables = net.trainable_variables
        adam.apply_gradients(zip(tape.gradient(value, variables), variables, strict=True))
        return value

    adam.build(net.trainable_variables)
    made = tf.function(update) if compiled else update
    return lambda: float(made())


def _normalized(jnp: Any, p: Weights, running: Any, name: str, x: Any) -> tuple[Any, Any]:
    """Return the batch norm of a batch, and the new running mean and variance."""
    found = jnp.mean(x, (0, 1, 2)), jnp.var(x, (0, 1, 2))
    renewed = tuple(0.9 * a + 0.1 * b for a, b in zip(running[name], found, strict=True))
    x = (x - found[0]) / jnp.sqrt(found[1] + 1e-5)
    return x * p[f"{name}/scale"] + p[f"{name}/offset"], renewed


def _jax_loss(jax: Any, p: Weights, running: Any, key: Any, x: Any, true: Any) -> Any:
    jnp, layout, renewed = jax.numpy, ("NHWC", "HWIO", "NHWC"), {}
    for name in BLOCKS:
        w, b = p[f"{name}/w"], p[f"{name}/b"]
        x = jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=layout) + b
        if running:
            x, renewed[name] = _normalized(jnp, p, running, name, x)
        window = (1, 2, 2, 1)
        x = jax.lax.reduce_window(jax.nn.relu(x), -jnp.inf, jax.lax.max, window, window, "VALID")
    x = x.reshape(x.shape[0], -1)
    if running:
        kept = 1 - DROPPED
        x = jnp.where(jax.random.bernoulli(key, kept, x.shape), x / kept, 0.0)
    scores = jax.nn.log_softmax(x @ p["head/w"].T + p["head/b"])
    return -jnp.mean(jnp.take_along_axis(scores, true[:, None], axis=1)), renewed


def _adam(jax: Any, p: Weights, g: Weights, state: Any) -> tuple[Weights, Any]:
    """Make a step of Adam (arXiv:1412.6980), as optax writes it."""
    jnp, tree, (m, v, t) = jax.numpy, jax.tree.map, state
    t = t + 1
    m = tree(lambda m, g: _BETA1 * m + (1 - _BETA1) * g, m, g)
    v = tree(lambda v, g: _BETA2 * v + (1 - _BETA2) * g * g, v, g)
    first, second = 1 - _BETA1**t, 1 - _BETA2**t
    p = tree(lambda p, m, v: p - RATE * (m / first) / (jnp.sqrt(v / second) + _EPSILON), p, m, v)
    return p, (m, v, t)


def _jax(weights: Weights, whole: bool, compiled: bool, x: Any, true: Any) -> Callable[[], Any]:
    jax = importlib.import_module("jax")
    jnp, p, running = jax.numpy, {k: jax.numpy.asarray(w) for k, w in weights.items()}, {}
    for name, (_, size) in BLOCKS.items() if whole else ():
        zeros, ones = jnp.zeros(size, "float32"), jnp.ones(size, "float32")
        p |= {f"{name}/scale": ones, f"{name}/offset": zeros}
        running[name] = (zeros, ones)
    zeros = jax.tree.map(jnp.zeros_like, p)
    images, labels = jnp.asarray(x), jnp.asarray(true)
    derivative = jax.value_and_grad(lambda *args: _jax_loss(jax, *args), has_aux=True)

    def update(p: Weights, state: Any, running: Any, key: Any, *data: Any) -> Any:
        key, own = jax.random.split(key) if whole else (key, None)
        (value, running), g = derivative(p, running, own, *data)
        return value, (*_adam(jax, p, g, state), running, key)

    made = jax.jit(update) if compiled else update
    held = [(p, (zeros, zeros, np.float32(0)), running, jax.random.key(0))]

    def step() -> float:
        value, held[0] = made(*held[0], images, labels)
        return float(value)

    return step


OWN: Final[dict[str, Callable[..., Callable[[], float]]]] = {
    "torch": _torch, "tensorflow": _tensorflow, "jax": _jax,
}  # fmt: skip
"""A training step in each framework's own names: of weights, whole or not, compiled or not."""
