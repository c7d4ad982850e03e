"""PCA: the first components by the covariance's eigenvectors, and the data in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from benchmarks.programs.program import Program

__all__ = ["PROGRAM"]

_COUNT: Final = 2


def _inputs(
    generator: np.random.Generator, points: int, features: int
) -> Sequence[np.ndarray[Any, Any]]:
    widths = 4.0 / (1.0 + np.arange(features))
    turned, _ = np.linalg.qr(generator.normal(size=(features, features)))
    return (3.0 + (generator.normal(size=(points, features)) * widths) @ turned,)


def _portable(xp: Any, x: Any) -> Sequence[Any]:
    centered = x - xp.mean(x, axis=0)
    covariance = xp.matmul(centered.T, centered) / (x.shape[0] - 1)
    values, vectors = xp.linalg.eigh(covariance)
    # The eigenvalues ascend, and the signs of the vectors are fixed here.
    first = xp.flip(vectors[:, -_COUNT:], axis=1)
    first = first * xp.sign(xp.sum(first, axis=0))
    share = xp.flip(values[-_COUNT:]) / xp.sum(values)
    return xp.matmul(centered, first), first, share


def _numpy(np: Any, x: Any) -> Sequence[Any]:
    centered = x - np.mean(x, axis=0)
    covariance = (centered.T @ centered) / (x.shape[0] - 1)
    values, vectors = np.linalg.eigh(covariance)
    first = np.flip(vectors[:, -_COUNT:], axis=1)
    first = first * np.sign(np.sum(first, axis=0))
    share = np.flip(values[-_COUNT:]) / np.sum(values)
    return centered @ first, first, share


def _torch(torch: Any, x: Any) -> Sequence[Any]:
    centered = x - torch.mean(x, dim=0)
    covariance = (centered.T @ centered) / (x.shape[0] - 1)
    values, vectors = torch.linalg.eigh(covariance)
    first = torch.flip(vectors[:, -_COUNT:], dims=(1,))
    first = first * torch.sign(torch.sum(first, dim=0))
    share = torch.flip(values[-_COUNT:], dims=(0,)) / torch.sum(values)
    return centered @ first, first, share


def _tensorflow(tf: Any, x: Any) -> Sequence[Any]:
    centered = x - tf.reduce_mean(x, axis=0)
    covariance = tf.matmul(centered, centered, transpose_a=True) / (x.shape[0] - 1)
    values, vectors = tf.linalg.eigh(covariance)
    first = tf.reverse(vectors[:, -_COUNT:], axis=[1])
    first = first * tf.sign(tf.reduce_sum(first, axis=0))
    share = tf.reverse(values[-_COUNT:], axis=[0]) / tf.reduce_sum(values)
    return tf.matmul(centered, first), first, share


def _keras(ops: Any, x: Any) -> Sequence[Any]:
    centered = x - ops.mean(x, axis=0)
    covariance = ops.matmul(ops.transpose(centered), centered) / (x.shape[0] - 1)
    values, vectors = ops.eigh(covariance)
    first = ops.flip(vectors[:, -_COUNT:], axis=1)
    first = first * ops.sign(ops.sum(first, axis=0))
    share = ops.flip(values[-_COUNT:]) / ops.sum(values)
    return ops.matmul(centered, first), first, share


def _reference(x: np.ndarray[Any, Any]) -> Sequence[np.ndarray[Any, Any]]:
    from scipy import linalg

    centered = x - x.mean(axis=0)
    # By singular values of the data, without a covariance.
    _, widths, rows = linalg.svd(centered, full_matrices=False)
    first = rows[:_COUNT].T
    first = first * np.where(first.sum(axis=0) < 0, -1.0, 1.0)
    return centered @ first, first, widths[:_COUNT] ** 2 / np.sum(widths**2)


PROGRAM: Final = Program(
    "PCA",
    {
        "small": {"points": 20, "features": 4},
        "middle": {"points": 5_000, "features": 64},
        "large": {"points": 20_000, "features": 96},
    },
    _inputs,
    _portable,
    {"numpy": _numpy, "torch": _torch, "tensorflow": _tensorflow, "jax": _numpy},
    _keras,
    _reference,
)
