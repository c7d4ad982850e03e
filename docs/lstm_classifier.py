"""The forward pass of an LSTM classifier over a batch, on any backend.

`python -m docs.lstm_classifier` prints the probabilities that each backend computes.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import arrayapi_unify as unify
from arrayapi_unify import backends

BATCH, TIME, FEATURES, HIDDEN, CLASSES = 4, 6, 3, 5, 3


def numbers(xp: ModuleType, *shape: int, step: float) -> Any:
    """Return numbers between -1 and 1 that are the same on every backend."""
    size = 1
    for side in shape:
        size *= side
    # Whole numbers modulo a prime: no rounding, and nothing to fetch.
    places = xp.arange(size, dtype=xp.float64) * 37 % 101
    return xp.reshape(places / 50 - 1, shape) * step


def make_parameters(xp: ModuleType) -> Any:
    """Return the weights of both layers."""
    weights = {
        "lstm": {
            "kernel": numbers(xp, FEATURES, 4 * HIDDEN, step=0.5),
            "recurrent_kernel": numbers(xp, HIDDEN, 4 * HIDDEN, step=0.4),
            "bias": numbers(xp, 4 * HIDDEN, step=0.1),
        },
        "head": {"w": numbers(xp, CLASSES, HIDDEN, step=1.0), "b": numbers(xp, CLASSES, step=0.2)},
    }
    return unify.Container(weights)


def classify(v: Any, x: Any) -> Any:
    """Return the probability of each class, from the last hidden state of each sequence."""
    xp = x.__array_namespace__()
    start = xp.zeros((x.shape[0], HIDDEN), dtype=x.dtype, device=x.device)
    hidden, _ = xp.nn.lstm_update(
        x, start, start, v.lstm.kernel, v.lstm.recurrent_kernel, bias=v.lstm.bias
    )
    logits = xp.nn.linear(hidden[:, -1, :], v.head.w, bias=v.head.b)
    return xp.nn.softmax(logits, axis=-1)


def loss(v: Any, x: Any, labels: Any) -> Any:
    """Return the mean cross entropy of a batch."""
    xp = x.__array_namespace__()
    true = xp.one_hot(labels, CLASSES, dtype=x.dtype)
    return xp.mean(xp.nn.cross_entropy(true, classify(v, x), reduction="sum"))


def run(backend: str) -> tuple[Any, Any]:
    """Make data and parameters on a backend; return the probabilities and the loss."""
    xp = unify.get_backend(backend)
    v, x = make_parameters(xp), numbers(xp, BATCH, TIME, FEATURES, step=2.0)
    labels = xp.arange(BATCH) % CLASSES
    return classify(v, x), loss(v, x, labels)


if __name__ == "__main__":
    # torch before tensorflow: loaded the other way round in one process they don't get along.
    for name in backends.names():
        probabilities, value = run(name)
        print(f"{name}: loss {float(value):.15f}\n{probabilities}")
