"""Gaussian process regression: mean, variance and evidence by a Cholesky decomposition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from benchmarks.programs.program import Program

__all__ = ["PROGRAM"]

_NOISE: Final = 0.1
_LOG: Final = 0.5 * math.log(2.0 * math.pi)


def _inputs(
    generator: np.random.Generator, points: int, asked: int
) -> Sequence[np.ndarray[Any, Any]]:
    x, new = generator.uniform(-3.0, 3.0, (points, 2)), generator.uniform(-3.0, 3.0, (asked, 2))
    return x, np.sin(x[:, 0]) * x[:, 1] + 0.1 * generator.normal(size=points), new


def _portable(xp: Any, x: Any, y: Any, new: Any) -> Sequence[Any]:
    def kernel(a: Any, b: Any) -> Any:
        squares = xp.sum(a * a, axis=1)[:, None] + xp.sum(b * b, axis=1)
        return xp.exp(xp.matmul(a, b.T) - 0.5 * squares)

    count = x.shape[0]
    lower = xp.linalg.cholesky(kernel(x, x) + _NOISE * xp.eye(count, dtype=x.dtype))
    # The standard has no function for triangular matrices.
    white = xp.linalg.solve(lower, xp.concat((y[:, None], kernel(x, new)), axis=1))
    first, cross = white[:, 0], white[:, 1:]
    variance = 1.0 - xp.sum(cross * cross, axis=0)
    size = xp.sum(xp.log(xp.linalg.diagonal(lower)))
    evidence = -0.5 * xp.sum(first * first) - size - count * _LOG
    return xp.matmul(cross.T, first), variance, evidence


def _numpy(np: Any, x: Any, y: Any, new: Any) -> Sequence[Any]:
    def kernel(a: Any, b: Any) -> Any:
        squares = np.sum(a * a, axis=1)[:, None] + np.sum(b * b, axis=1)
        return np.exp(a @ b.T - 0.5 * squares)

    count = x.shape[0]
    lower = np.linalg.cholesky(kernel(x, x) + _NOISE * np.eye(count, dtype=x.dtype))
    white = np.linalg.solve(lower, np.concatenate((y[:, None], kernel(x, new)), axis=1))
    first, cross = white[:, 0], white[:, 1:]
    variance = 1.0 - np.sum(cross * cross, axis=0)
    size = np.sum(np.log(np.diagonal(lower)))
    evidence = -0.5 * np.sum(first * first) - size - count * _LOG
    return cross.T @ first, variance, evidence


def _torch(torch: Any, x: Any, y: Any, new: Any) -> Sequence[Any]:
    def kernel(a: Any, b: Any) -> Any:
        squares = torch.sum(a * a, dim=1)[:, None] + torch.sum(b * b, dim=1)
        return torch.exp(a @ b.T - 0.5 * squares)

    count = x.shape[0]
    lower = torch.linalg.cholesky(kernel(x, x) + _NOISE * torch.eye(count, dtype=x.dtype))
    white = torch.linalg.solve(lower, torch.cat((y[:, None], kernel(x, new)), dim=1))
    first, cross = white[:, 0], white[:, 1:]
    variance = 1.0 - torch.sum(cross * cross, dim=0)
    size = torch.sum(torch.log(torch.diagonal(lower)))
    evidence = -0.5 * torch.sum(first * first) - size - count * _LOG
    return cross.T @ first, variance, evidence


def _tensorflow(tf: Any, x: Any, y: Any, new: Any) -> Sequence[Any]:
    def kernel(a: Any, b: Any) -> Any:
        squares = tf.reduce_sum(a * a, axis=1)[:, None] + tf.reduce_sum(b * b, axis=1)
        return tf.exp(tf.matmul(a, b, transpose_b=True) - 0.5 * squares)

    count = x.shape[0]
    lower = tf.linalg.cholesky(kernel(x, x) + _NOISE * tf.eye(count, dtype=x.dtype))
    white = tf.linalg.solve(lower, tf.concat((y[:, None], kernel(x, new)), axis=1))
    first, cross = white[:, 0], white[:, 1:]
    variance = 1.0 - tf.reduce_sum(cross * cross, axis=0)
    size = tf.reduce_sum(tf.math.log(tf.linalg.diag_part(lower)))
    evidence = -0.5 * tf.reduce_sum(first * first) - size - count * _LOG
    return tf.linalg.matvec(cross, first, transpose_a=True), variance, evidence


def _keras(ops: Any, x: Any, y: Any, new: Any) -> Sequence[Any]:
    def kernel(a: Any, b: Any) -> Any:
        squares = ops.sum(a * a, axis=1)[:, None] + ops.sum(b * b, axis=1)
        return ops.exp(ops.matmul(a, ops.transpose(b)) - 0.5 * squares)

    count = x.shape[0]
    lower = ops.cholesky(kernel(x, x) + _NOISE * ops.eye(count, dtype=x.dtype))
    white = ops.solve(lower, ops.concatenate((y[:, None], kernel(x, new)), axis=1))
    first, cross = white[:, 0], white[:, 1:]
    variance = 1.0 - ops.sum(cross * cross, axis=0)
    size = ops.sum(ops.log(ops.diagonal(lower)))
    evidence = -0.5 * ops.sum(first * first) - size - count * _LOG
    return ops.matmul(ops.transpose(cross), first), variance, evidence


def _reference(
    x: np.ndarray[Any, Any], y: np.ndarray[Any, Any], new: np.ndarray[Any, Any]
) -> Sequence[np.ndarray[Any, Any]]:
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF

    # Another library's function, which uses that the factor is triangular.
    process = GaussianProcessRegressor(RBF(1.0), alpha=_NOISE, optimizer=None).fit(x, y)
    mean, deviation = process.predict(new, return_std=True)
    return mean, deviation**2, np.asarray(process.log_marginal_likelihood_value_)


PROGRAM: Final = Program(
    "Gaussian process",
    {
        "small": {"points": 8, "asked": 4},
        "middle": {"points": 300, "asked": 50},
        "large": {"points": 600, "asked": 100},
    },
    _inputs,
    _portable,
    {"numpy": _numpy, "torch": _torch, "tensorflow": _tensorflow, "jax": _numpy},
    _keras,
    _reference,
)
