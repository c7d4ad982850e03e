"""Oracles of the losses, straight from their formulas in extended precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.special

from tests.differential.oracle._registry import floating, narrow, oracle, wide
from tests.differential.oracle.layers import _clipped, _reduced

__all__: list[str] = []


def _loss(name: str, formula: Callable[..., Any]) -> None:
    """Register the terms of a loss of two arrays, which are reduced according to the call."""

    def found(
        true: Any, pred: Any, /, *, axis: Any = None, reduction: str = "mean", **options: Any
    ) -> Any:
        terms = formula(wide(true), wide(pred), **options)
        return narrow(_reduced(terms, reduction, axis), floating(true, pred))

    oracle(name)(found)


def _huber(t: Any, p: Any, delta: float = 1.0) -> Any:
    gap = np.abs(t - p)
    return np.where(gap <= delta, gap**2 / 2, delta * (gap - np.longdouble(delta) / 2))


def _smooth_l1(t: Any, p: Any, beta: float = 1.0) -> Any:
    return _huber(t, p, beta) / beta if beta else np.abs(t - p)


def _kl_div(t: Any, p: Any, log_target: bool = False) -> Any:
    share = np.exp(t) if log_target else t
    logarithm = t if log_target else np.log(t)
    return np.where((share == 0) & ~np.isnan(p), 0, share * (logarithm - p))


def _poisson(
    t: Any, p: Any, log_input: bool = True, full: bool = False, epsilon: float = 1e-8
) -> Any:
    found = np.exp(p) - t * p if log_input else p - t * np.log(p + epsilon)
    stirling = t * np.log(t) - t + np.log(2 * np.pi * t) / 2
    return found + np.where(t > 1, stirling, 0) if full else found


_loss("nn.huber", _huber)
_loss("nn.hinge", lambda t, p: np.maximum(0, 1 - t * p))
_loss("nn.kl_div", _kl_div)
_loss("nn.mae", lambda t, p: np.abs(t - p))
_loss("nn.mse", lambda t, p: (t - p) ** 2)
_loss("nn.poisson_nll", _poisson)
_loss("nn.smooth_l1", _smooth_l1)


@oracle("nn.sparse_cross_entropy")
def _sparse_cross_entropy(
    true: Any, pred: Any, /, *, axis: int = -1, epsilon: float = 1e-7, from_logits: bool = False,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    target = floating(pred)
    values = np.moveaxis(wide(pred), axis, -1)
    if from_logits:
        logs = values - scipy.special.logsumexp(values, axis=-1, keepdims=True)
    else:
        logs = np.log(_clipped(values, epsilon, target))
    terms = np.full(true.shape, np.nan, np.longdouble)
    # Rounded, because the computation of conditions perturbs all numbers.
    classes = np.rint(true.astype(np.float64)).astype(np.int64)
    for place in np.ndindex(true.shape):
        if 0 <= classes[place] < values.shape[-1]:
            terms[place] = -logs[place][classes[place]]
    return narrow(_reduced(terms, reduction, None), target)


@oracle("nn.cosine_similarity")
def _cosine_similarity(x1: Any, x2: Any, /, *, axis: int = -1, epsilon: float = 1e-8) -> Any:
    a, b = np.broadcast_arrays(wide(x1), wide(x2))
    lengths = [np.maximum(np.linalg.norm(v, axis=axis), epsilon) for v in (a, b)]
    return narrow(np.sum(a * b, axis=axis) / (lengths[0] * lengths[1]), floating(x1, x2))
