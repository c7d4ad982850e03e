"""Oracles of the activation functions, from their formulas in extended precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.differential.oracle._registry import floating, narrow, oracle, wide

__all__: list[str] = []


def _formula(name: str, formula: Callable[..., Any], *limits: float) -> None:
    """Register a formula of extended precision, and its limits towards minus and plus infinity."""

    def found(x: Any, /, *args: Any, **kwargs: Any) -> Any:
        values = wide(x)
        result = formula(values, *args, **kwargs)
        for sign, limit in zip((-1, 1), limits, strict=False):
            result = np.where(values == sign * np.inf, limit, result)
        return narrow(result, floating(x))

    oracle(name)(found)


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def _elu(x: Any, alpha: float = 1.0) -> Any:
    return np.where(x > 0, x, alpha * np.expm1(x))


def _selu(x: Any) -> Any:
    alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
    return scale * _elu(x, alpha)


def _celu(x: Any, alpha: float = 1.0) -> Any:
    return np.maximum(0, x) + np.minimum(0, alpha * np.expm1(x / alpha))


_formula("nn.hardsigmoid", lambda x: np.clip(x + 3, 0, 6) / 6)
_formula("nn.hardswish", lambda x: x * np.clip(x + 3, 0, 6) / 6, 0.0, np.inf)
_formula("nn.leaky_relu", lambda x, negative_slope=0.01: np.where(x > 0, x, x * negative_slope))
_formula("nn.celu", _celu)
_formula("nn.elu", _elu)
_formula("nn.selu", _selu)
_formula("nn.logsigmoid", lambda x: -np.logaddexp(0, -x))
_formula("nn.mish", lambda x: x * np.tanh(np.logaddexp(0, x)), 0.0, np.inf)
_formula("nn.silu", lambda x: x * _sigmoid(x), 0.0, np.inf)
_formula("nn.softsign", lambda x: x / (1 + np.abs(x)), -1.0, 1.0)


@oracle("nn.hardtanh")
def _hardtanh(x: Any, /, *, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    return np.clip(x.astype(floating(x)), min_val, max_val)


@oracle("nn.relu6")
def _relu6(x: Any, /) -> Any:
    return np.clip(x.astype(np.int64) if x.dtype.kind == "b" else x, 0, 6)


@oracle("nn.threshold")
def _threshold(x: Any, threshold: float, value: float, /) -> Any:
    x = x.astype(floating(x))
    return np.where(x <= threshold, x.dtype.type(value), x)


@oracle("nn.prelu")
def _prelu(x: Any, slope: Any, /, *, axis: int = 1) -> Any:
    target = floating(x, slope)
    if slope.size == 1:
        moved = wide(x)
        return narrow(np.where(moved > 0, moved, moved * wide(slope).item()), target)
    moved = np.moveaxis(wide(x), axis, -1)
    found = np.where(moved > 0, moved, moved * wide(slope))
    return narrow(np.moveaxis(found, -1, axis), target)


@oracle("nn.glu")
def _glu(x: Any, /, *, axis: int = -1) -> Any:
    first, gate = np.split(wide(x), 2, axis)
    return narrow(first * _sigmoid(gate), floating(x))
