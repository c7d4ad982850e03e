"""A small net: a training step, forward and backward by formulas that all libraries support."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from benchmarks.programs.program import Program

__all__ = ["PROGRAM"]

_RATE: Final = 0.5


def _inputs(
    generator: np.random.Generator, rows: int, features: int, hidden: int, classes: int
) -> Sequence[np.ndarray[Any, Any]]:
    return (
        generator.normal(size=(rows, features)),
        generator.integers(0, classes, rows),
        generator.normal(size=(features, hidden)) / features**0.5,
        0.1 * generator.normal(size=hidden),
        generator.normal(size=(hidden, classes)) / hidden**0.5,
        0.1 * generator.normal(size=classes),
    )


def _portable(xp: Any, x: Any, true: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Sequence[Any]:
    wanted = xp.astype(true[:, None] == xp.arange(b2.shape[0]), x.dtype)
    hidden = xp.maximum(xp.matmul(x, w1) + b1, 0.0)
    scores = xp.matmul(hidden, w2) + b2
    scores = scores - xp.max(scores, axis=1, keepdims=True)
    powers = xp.exp(scores)
    sums = xp.sum(powers, axis=1, keepdims=True)
    loss = xp.mean(xp.log(sums[:, 0]) - xp.sum(wanted * scores, axis=1))
    d_scores = (powers / sums - wanted) / x.shape[0]
    d_hidden = xp.where(hidden > 0.0, xp.matmul(d_scores, w2.T), 0.0)
    return (
        loss,
        w1 - _RATE * xp.matmul(x.T, d_hidden),
        b1 - _RATE * xp.sum(d_hidden, axis=0),
        w2 - _RATE * xp.matmul(hidden.T, d_scores),
        b2 - _RATE * xp.sum(d_scores, axis=0),
    )


def _numpy(np: Any, x: Any, true: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Sequence[Any]:
    wanted = (true[:, None] == np.arange(b2.shape[0])).astype(x.dtype)
    hidden = np.maximum(x @ w1 + b1, 0.0)
    scores = hidden @ w2 + b2
    scores = scores - np.max(scores, axis=1, keepdims=True)
    powers = np.exp(scores)
    sums = np.sum(powers, axis=1, keepdims=True)
    loss = np.mean(np.log(sums[:, 0]) - np.sum(wanted * scores, axis=1))
    d_scores = (powers / sums - wanted) / x.shape[0]
    d_hidden = np.where(hidden > 0.0, d_scores @ w2.T, 0.0)
    return (
        loss,
        w1 - _RATE * (x.T @ d_hidden),
        b1 - _RATE * np.sum(d_hidden, axis=0),
        w2 - _RATE * (hidden.T @ d_scores),
        b2 - _RATE * np.sum(d_scores, axis=0),
    )


def _torch(torch: Any, x: Any, true: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Sequence[Any]:
    wanted = (true[:, None] == torch.arange(b2.shape[0])).to(x.dtype)
    hidden = torch.clamp(x @ w1 + b1, min=0.0)
    scores = hidden @ w2 + b2
    scores = scores - torch.amax(scores, dim=1, keepdim=True)
    powers = torch.exp(scores)
    sums = torch.sum(powers, dim=1, keepdim=True)
    loss = torch.mean(torch.log(sums[:, 0]) - torch.sum(wanted * scores, dim=1))
    d_scores = (powers / sums - wanted) / x.shape[0]
    d_hidden = torch.where(hidden > 0.0, d_scores @ w2.T, 0.0)
    return (
        loss,
        w1 - _RATE * (x.T @ d_hidden),
        b1 - _RATE * torch.sum(d_hidden, dim=0),
        w2 - _RATE * (hidden.T @ d_scores),
        b2 - _RATE * torch.sum(d_scores, dim=0),
    )


def _tensorflow(tf: Any, x: Any, true: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Sequence[Any]:
    wanted = tf.cast(true[:, None] == tf.range(b2.shape[0], dtype=true.dtype), x.dtype)
    hidden = tf.maximum(tf.matmul(x, w1) + b1, 0.0)
    scores = tf.matmul(hidden, w2) + b2
    scores = scores - tf.reduce_max(scores, axis=1, keepdims=True)
    powers = tf.exp(scores)
    sums = tf.reduce_sum(powers, axis=1, keepdims=True)
    loss = tf.reduce_mean(tf.math.log(sums[:, 0]) - tf.reduce_sum(wanted * scores, axis=1))
    d_scores = (powers / sums - wanted) / x.shape[0]
    d_hidden = tf.where(hidden > 0.0, tf.matmul(d_scores, w2, transpose_b=True), 0.0)
    return (
        loss,
        w1 - _RATE * tf.matmul(x, d_hidden, transpose_a=True),
        b1 - _RATE * tf.reduce_sum(d_hidden, axis=0),
        w2 - _RATE * tf.matmul(hidden, d_scores, transpose_a=True),
        b2 - _RATE * tf.reduce_sum(d_scores, axis=0),
    )


def _keras(ops: Any, x: Any, true: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Sequence[Any]:
    wanted = ops.cast(ops.equal(true[:, None], ops.arange(b2.shape[0], dtype=true.dtype)), x.dtype)
    hidden = ops.maximum(ops.matmul(x, w1) + b1, 0.0)
    scores = ops.matmul(hidden, w2) + b2
    scores = scores - ops.max(scores, axis=1, keepdims=True)
    powers = ops.exp(scores)
    sums = ops.sum(powers, axis=1, keepdims=True)
    loss = ops.mean(ops.log(sums[:, 0]) - ops.sum(wanted * scores, axis=1))
    d_scores = (powers / sums - wanted) / x.shape[0]
    d_hidden = ops.where(hidden > 0.0, ops.matmul(d_scores, ops.transpose(w2)), 0.0)
    return (
        loss,
        w1 - _RATE * ops.matmul(ops.transpose(x), d_hidden),
        b1 - _RATE * ops.sum(d_hidden, axis=0),
        w2 - _RATE * ops.matmul(ops.transpose(hidden), d_scores),
        b2 - _RATE * ops.sum(d_scores, axis=0),
    )


def _reference(
    x: np.ndarray[Any, Any], true: np.ndarray[Any, Any], w1: np.ndarray[Any, Any],
    b1: np.ndarray[Any, Any], w2: np.ndarray[Any, Any], b2: np.ndarray[Any, Any],
) -> Sequence[np.ndarray[Any, Any]]:  # fmt: skip
    """Make the step by scikit-learn's network."""
    from sklearn.neural_network import MLPClassifier

    classes = np.arange(len(b2))
    net = MLPClassifier(
        (len(b1),), solver="sgd", alpha=0.0, batch_size=len(x), learning_rate_init=_RATE,
        momentum=0.0, shuffle=False, random_state=0,
    )  # fmt: skip
    net.partial_fit(x, true, classes=classes)  # creates the arrays that ours replace
    for place, given in zip(net.coefs_ + net.intercepts_, (w1, w2, b1, b2), strict=True):
        place[...] = given
    net.partial_fit(x, true)
    (after1, after2), (bias1, bias2) = net.coefs_, net.intercepts_
    return np.asarray(net.loss_curve_[-1]), after1, bias1, after2, bias2


PROGRAM: Final = Program(
    "small net",
    {
        "small": {"rows": 8, "features": 4, "hidden": 8, "classes": 3},
        "middle": {"rows": 256, "features": 128, "hidden": 256, "classes": 10},
        "large": {"rows": 512, "features": 784, "hidden": 256, "classes": 10},
    },
    _inputs,
    _portable,
    {"numpy": _numpy, "torch": _torch, "tensorflow": _tensorflow, "jax": _numpy},
    _keras,
    _reference,
)
