"""A Kalman filter: many objects in uniform motion, each observed ten times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from benchmarks.programs.program import Program

__all__ = ["PROGRAM"]

_TIMES: Final = 10


def _inputs(generator: np.random.Generator, objects: int) -> Sequence[np.ndarray[Any, Any]]:
    moving = np.eye(4) + 0.1 * np.eye(4, k=2)
    seeing = np.eye(2, 4)
    seen = np.cumsum(generator.normal(size=(_TIMES, objects, 2, 1)), axis=0)
    means = np.zeros((objects, 4, 1))
    spreads = np.tile(np.diag([1.0, 1.0, 4.0, 4.0]), (objects, 1, 1))
    return seen, means, spreads, moving, seeing, 0.01 * np.eye(4), 0.25 * np.eye(2)


def _portable(
    xp: Any, seen: Any, mean: Any, spread: Any, moving: Any, seeing: Any, drift: Any, noise: Any
) -> Sequence[Any]:
    means = []
    for time in range(_TIMES):
        mean = xp.matmul(moving, mean)
        spread = xp.matmul(xp.matmul(moving, spread), moving.T) + drift
        shared = xp.matmul(seeing, spread)
        gain = xp.linalg.solve(xp.matmul(shared, seeing.T) + noise, shared).mT
        mean = mean + xp.matmul(gain, seen[time, ...] - xp.matmul(seeing, mean))
        spread = spread - xp.matmul(gain, shared)
        means.append(mean)
    return xp.stack(means), spread


def _numpy(
    np: Any, seen: Any, mean: Any, spread: Any, moving: Any, seeing: Any, drift: Any, noise: Any
) -> Sequence[Any]:
    means = []
    for time in range(_TIMES):
        mean = moving @ mean
        spread = moving @ spread @ moving.T + drift
        shared = seeing @ spread
        gain = np.linalg.solve(shared @ seeing.T + noise, shared).mT
        mean = mean + gain @ (seen[time] - seeing @ mean)
        spread = spread - gain @ shared
        means.append(mean)
    return np.stack(means), spread


def _tensorflow(
    tf: Any, seen: Any, mean: Any, spread: Any, moving: Any, seeing: Any, drift: Any, noise: Any
) -> Sequence[Any]:
    means = []
    for time in range(_TIMES):
        mean = moving @ mean
        spread = tf.matmul(moving @ spread, moving, transpose_b=True) + drift
        shared = seeing @ spread
        both = tf.matmul(shared, seeing, transpose_b=True) + noise
        gain = tf.linalg.matrix_transpose(tf.linalg.solve(both, shared))
        mean = mean + gain @ (seen[time] - seeing @ mean)
        spread = spread - gain @ shared
        means.append(mean)
    return tf.stack(means), spread


def _keras(
    ops: Any, seen: Any, mean: Any, spread: Any, moving: Any, seeing: Any, drift: Any, noise: Any
) -> Sequence[Any]:
    means = []
    for time in range(_TIMES):
        mean = ops.matmul(moving, mean)
        spread = ops.matmul(ops.matmul(moving, spread), ops.transpose(moving)) + drift
        shared = ops.matmul(seeing, spread)
        both = ops.matmul(shared, ops.transpose(seeing)) + noise
        gain = ops.transpose(ops.solve(both, shared), (0, 2, 1))
        mean = mean + ops.matmul(gain, seen[time] - ops.matmul(seeing, mean))
        spread = spread - ops.matmul(gain, shared)
        means.append(mean)
    return ops.stack(means), spread


def _reference(
    seen: np.ndarray[Any, Any], mean: np.ndarray[Any, Any], spread: np.ndarray[Any, Any],
    moving: np.ndarray[Any, Any], seeing: np.ndarray[Any, Any], drift: np.ndarray[Any, Any],
    noise: np.ndarray[Any, Any],
) -> Sequence[np.ndarray[Any, Any]]:  # fmt: skip
    """Condition the joint normal distribution of all states on the observations directly."""
    powers = [np.linalg.matrix_power(moving, i) for i in range(_TIMES + 1)]
    width = len(moving)
    joint = np.zeros((_TIMES * width, _TIMES * width))
    at = [slice(width * i, width * (i + 1)) for i in range(_TIMES)]
    alone = spread[0]  # the same initial state for all objects
    for i in range(_TIMES):
        alone = moving @ alone @ moving.T + drift
        for j in range(i, _TIMES):
            joint[at[j], at[i]] = powers[j - i] @ alone
            joint[at[i], at[j]] = joint[at[j], at[i]].T
    means = []
    for i in range(_TIMES):
        so_far = slice(0, width * (i + 1))
        eye = np.kron(np.eye(i + 1), seeing)
        variance = eye @ joint[so_far, so_far] @ eye.T + np.kron(np.eye(i + 1), noise)
        gain = np.linalg.solve(variance, eye @ joint[so_far, at[i]]).T
        expected = np.concatenate([seeing @ (powers[j + 1] @ mean) for j in range(i + 1)], axis=-2)
        missed = np.concatenate(list(seen[: i + 1]), axis=-2) - expected
        means.append(powers[i + 1] @ mean + gain @ missed)
        last = joint[at[i], at[i]] - gain @ eye @ joint[so_far, at[i]]
    return np.stack(means), np.broadcast_to(last, spread.shape)


PROGRAM: Final = Program(
    "Kalman filter",
    {"small": {"objects": 1}, "middle": {"objects": 500}, "large": {"objects": 5_000}},
    _inputs,
    _portable,
    {
        "numpy": _numpy,
        # PyTorch's functions have the same names for these operations.
        "torch": _numpy,
        "tensorflow": _tensorflow,
        "jax": _numpy,
    },
    _keras,
    _reference,
)
