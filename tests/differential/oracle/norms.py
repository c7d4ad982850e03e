"""Oracles of the normalizations beyond those of `layers`, from their formulas."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tests.differential.oracle._registry import floating, narrow, oracle, wide

__all__: list[str] = []


class BatchNormResult(NamedTuple):
    output: Any
    mean: Any
    variance: Any


def _target(*arrays: Any) -> Any:
    return floating(*(a for a in arrays if a is not None))


def _scaled(x: Any, scale: Any, offset: Any, axis: int) -> Any:
    moved = np.moveaxis(x, axis, -1)
    moved = moved if scale is None else moved * wide(scale)
    moved = moved if offset is None else moved + wide(offset)
    return np.moveaxis(moved, -1, axis)


def _standard(x: Any, axes: tuple[int, ...], eps: float) -> Any:
    mean, variance = (f(x, axis=axes, keepdims=True) for f in (np.mean, np.var))
    return (x - mean) / np.sqrt(variance + eps)


@oracle("nn.batch_norm")
def _batch_norm(
    x: Any, mean: Any, variance: Any, /, *, scale: Any = None, offset: Any = None,
    training: bool = False, momentum: float = 0.1, eps: float = 1e-5, axis: int = 1,
) -> Any:  # fmt: skip
    target = _target(x, mean, variance, scale, offset)
    values, mean, variance = wide(x), wide(mean), wide(variance)
    rows = np.moveaxis(values, axis, -1)
    if training:
        axes = tuple(range(rows.ndim - 1))
        output = _standard(rows, axes, eps)
        mean = (1 - momentum) * mean + momentum * np.mean(rows, axis=axes)
        variance = (1 - momentum) * variance + momentum * np.var(rows, axis=axes, ddof=1)
    else:
        output = (rows - mean) / np.sqrt(variance + eps)
    output = _scaled(output, scale, offset, -1)
    found = (np.moveaxis(output, -1, axis), mean, variance)
    return BatchNormResult(*(narrow(part, target) for part in found))


@oracle("nn.group_norm")
def _group_norm(
    x: Any, num_groups: int, /, *, scale: Any = None, offset: Any = None, eps: float = 1e-5,
    axis: int = 1,
) -> Any:  # fmt: skip
    moved = np.moveaxis(wide(x), axis, 1)
    parts = np.split(moved, num_groups, axis=1)
    parts = [_standard(part, tuple(range(1, moved.ndim)), eps) for part in parts]
    found = np.moveaxis(np.concatenate(parts, axis=1), 1, axis)
    return narrow(_scaled(found, scale, offset, axis), _target(x, scale, offset))


@oracle("nn.instance_norm")
def _instance_norm(
    x: Any, /, *, scale: Any = None, offset: Any = None, eps: float = 1e-5, axis: int = 1
) -> Any:
    axes = tuple(a for a in range(1, x.ndim) if a != axis % x.ndim)
    found = _standard(wide(x), axes, eps)
    return narrow(_scaled(found, scale, offset, axis), _target(x, scale, offset))


@oracle("nn.local_response_norm")
def _local_response_norm(
    x: Any, size: int, /, *, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0, axis: int = 1
) -> Any:
    moved = np.moveaxis(wide(x), axis, 0)
    found = np.empty_like(moved)
    for i in range(moved.shape[0]):
        near = moved[max(i - size // 2, 0) : i + (size - 1) // 2 + 1]
        found[i] = moved[i] / (k + alpha * np.sum(near**2, axis=0) / size) ** beta
    return narrow(np.moveaxis(found, 0, axis), floating(x))


def _unit(order: int) -> Any:
    def found(x: Any, /, *, axis: Any = None, eps: float = 1e-12) -> Any:
        values = wide(x)
        length = np.linalg.vector_norm(values, axis=axis, keepdims=True, ord=order)
        return narrow(values / np.maximum(length, eps), floating(x))

    return found


oracle("nn.l1_normalize")(_unit(1))
oracle("nn.l2_normalize")(_unit(2))


@oracle("nn.rms_norm")
def _rms_norm(x: Any, normalized_idxs: Any, /, *, scale: Any = None, eps: float = 1e-5) -> Any:
    axis = tuple(normalized_idxs) if isinstance(normalized_idxs, list | tuple) else normalized_idxs
    values = wide(x)
    found = values / np.sqrt(np.mean(values**2, axis=axis, keepdims=True) + eps)
    return narrow(found if scale is None else found * wide(scale), _target(x, scale))
