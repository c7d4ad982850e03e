"""k-means: ten steps of Lloyd's algorithm from given centers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from benchmarks.programs.program import Program

__all__ = ["PROGRAM"]

_STEPS: Final = 10


def _inputs(
    generator: np.random.Generator, points: int, features: int, centers: int
) -> Sequence[np.ndarray[Any, Any]]:
    middles = generator.normal(scale=4.0, size=(centers, features))
    # Each center has its points, and starts at the first of these.
    x = np.resize(middles, (points, features)) + generator.normal(size=(points, features))
    return x, x[:centers].copy()


def _portable(xp: Any, x: Any, centers: Any) -> Sequence[Any]:
    for _ in range(_STEPS):
        distances = xp.sum(centers * centers, axis=1) - 2.0 * xp.matmul(x, centers.T)
        labels = xp.argmin(distances, axis=1)
        chosen = xp.astype(labels[:, None] == xp.arange(centers.shape[0]), x.dtype)
        centers = xp.matmul(chosen.T, x) / xp.sum(chosen, axis=0)[:, None]
    return centers, labels


def _numpy(np: Any, x: Any, centers: Any) -> Sequence[Any]:
    for _ in range(_STEPS):
        distances = np.sum(centers * centers, axis=1) - 2.0 * (x @ centers.T)
        labels = np.argmin(distances, axis=1)
        chosen = (labels[:, None] == np.arange(centers.shape[0])).astype(x.dtype)
        centers = (chosen.T @ x) / np.sum(chosen, axis=0)[:, None]
    return centers, labels


def _torch(torch: Any, x: Any, centers: Any) -> Sequence[Any]:
    for _ in range(_STEPS):
        distances = torch.sum(centers * centers, dim=1) - 2.0 * (x @ centers.T)
        labels = torch.argmin(distances, dim=1)
        chosen = (labels[:, None] == torch.arange(centers.shape[0])).to(x.dtype)
        centers = (chosen.T @ x) / torch.sum(chosen, dim=0)[:, None]
    return centers, labels


def _tensorflow(tf: Any, x: Any, centers: Any) -> Sequence[Any]:
    for _ in range(_STEPS):
        products = tf.matmul(x, centers, transpose_b=True)
        distances = tf.reduce_sum(centers * centers, axis=1) - 2.0 * products
        labels = tf.argmin(distances, axis=1)
        places = tf.range(centers.shape[0], dtype=labels.dtype)
        chosen = tf.cast(labels[:, None] == places, x.dtype)
        sums = tf.matmul(chosen, x, transpose_a=True)
        centers = sums / tf.reduce_sum(chosen, axis=0)[:, None]
    return centers, labels


def _keras(ops: Any, x: Any, centers: Any) -> Sequence[Any]:
    for _ in range(_STEPS):
        products = ops.matmul(x, ops.transpose(centers))
        distances = ops.sum(centers * centers, axis=1) - 2.0 * products
        labels = ops.argmin(distances, axis=1)
        places = ops.arange(centers.shape[0], dtype=labels.dtype)
        chosen = ops.cast(ops.equal(labels[:, None], places), x.dtype)
        centers = ops.matmul(ops.transpose(chosen), x) / ops.sum(chosen, axis=0)[:, None]
    return centers, labels


def _reference(
    x: np.ndarray[Any, Any], centers: np.ndarray[Any, Any]
) -> Sequence[np.ndarray[Any, Any]]:
    from scipy.cluster.vq import kmeans2

    found, labels = kmeans2(x, centers, iter=_STEPS, minit="matrix", missing="raise")
    return found, labels.astype("int64")


PROGRAM: Final = Program(
    "k-means",
    {
        "small": {"points": 20, "features": 2, "centers": 3},
        "middle": {"points": 4_000, "features": 8, "centers": 8},
        "large": {"points": 20_000, "features": 16, "centers": 16},
    },
    _inputs,
    _portable,
    {"numpy": _numpy, "torch": _torch, "tensorflow": _tensorflow, "jax": _numpy},
    _keras,
    _reference,
)
