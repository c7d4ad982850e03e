"""Training steps in each framework's own names: derivatives of the loss, and Adam."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["RATE", "Step", "Weights", "jax_step", "keras_step", "torch_step"]

Weights = dict[str, Any]
Step = Callable[[], float]
RATE: Final = 1e-3
_BETA1, _BETA2, _EPSILON = 0.9, 0.999, 1e-8


def torch_step(net: Any, images: Any, true: Any, compiled: bool) -> Step:
    """Return a step of a `torch.nn` network with `torch.optim.Adam`."""
    torch = importlib.import_module("torch")
    adam, labels = torch.optim.Adam(net.parameters(), RATE), torch.tensor(true)

    def loss() -> Any:
        return torch.nn.functional.cross_entropy(net(images), labels)

    update = torch.compile(adam.step) if compiled else adam.step
    loss = torch.compile(loss) if compiled else loss

    def step() -> float:
        adam.zero_grad()
        value = loss()
        value.backward()
        update()
        return float(value.detach())

    return step


def keras_step(net: Any, x: Any, true: Any, compiled: bool) -> Step:
    """Return a step of a Keras network under a `GradientTape` with Keras' Adam."""
    tf, keras = (importlib.import_module(name) for name in ("tensorflow", "keras"))
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


def jax_step(
    scores: Callable[..., tuple[Any, Any]], p: Weights, running: Any, x: Any, true: Any,
    compiled: bool,
) -> Step:  # fmt: skip
    """Return a step of ``scores(p, running, key, x)``, which returns scores and new statistics.

    There is a key of random numbers where there are statistics, None elsewhere.
    """
    jax = importlib.import_module("jax")
    jnp = jax.numpy
    p = {k: jnp.asarray(w) for k, w in p.items()}
    zeros, images, labels = jax.tree.map(jnp.zeros_like, p), jnp.asarray(x), jnp.asarray(true)

    def loss(p: Weights, running: Any, key: Any, x: Any, true: Any) -> Any:
        found, renewed = scores(p, running, key, x)
        found = jax.nn.log_softmax(found)
        return -jnp.mean(jnp.take_along_axis(found, true[:, None], axis=1)), renewed

    derivative = jax.value_and_grad(loss, has_aux=True)

    def update(p: Weights, state: Any, running: Any, key: Any, *data: Any) -> Any:
        key, own = jax.random.split(key) if running else (key, None)
        (value, running), g = derivative(p, running, own, *data)
        return value, (*_adam(jax, p, g, state), running, key)

    made = jax.jit(update) if compiled else update
    held = [(p, (zeros, zeros, np.float32(0)), running, jax.random.key(0))]

    def step() -> float:
        value, held[0] = made(*held[0], images, labels)
        return float(value)

    return step


def _adam(jax: Any, p: Weights, g: Weights, state: Any) -> tuple[Weights, Any]:
    """Make a step of Adam (arXiv:1412.6980), as optax writes it."""
    jnp, tree, (m, v, t) = jax.numpy, jax.tree.map, state
    t = t + 1
    m = tree(lambda m, g: _BETA1 * m + (1 - _BETA1) * g, m, g)
    v = tree(lambda v, g: _BETA2 * v + (1 - _BETA2) * g * g, v, g)
    first, second = 1 - _BETA1**t, 1 - _BETA2**t
    p = tree(lambda p, m, v: p - RATE * (m / first) / (jnp.sqrt(v / second) + _EPSILON), p, m, v)
    return p, (m, v, t)
