"""Oracles of losses, norms, attention and recurrent layers, straight from their formulas.

They are computed in extended precision and rounded once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.differential.oracle._registry import ORACLES, floating, narrow, oracle, wide
from tests.differential.oracle.promotion import promoted

__all__: list[str] = []


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


# --- losses -------------------------------------------------------------------------------------


def _reduced(loss: Any, reduction: str, axis: Any) -> Any:
    if reduction == "none":
        return loss
    return np.sum(loss, axis=axis) if reduction == "sum" else np.mean(loss, axis=axis)


def _clipped(p: Any, epsilon: float, dtype: Any) -> Any:
    """Clip at numbers of the result's data type: in float32, 1 - epsilon is rounded."""
    low, high = (np.longdouble(dtype.type(v)) for v in (epsilon, 1 - epsilon))
    return np.clip(p, low, high)


@oracle("nn.cross_entropy")
def _cross_entropy(
    true: Any, pred: Any, /, *, axis: int = -1, epsilon: float = 1e-7, reduction: str = "mean"
) -> Any:
    target = floating(true, pred)
    loss = -(wide(true) * np.log(_clipped(wide(pred), epsilon, target)))
    return narrow(_reduced(loss, reduction, axis), target)


@oracle("nn.binary_cross_entropy")
def _binary_cross_entropy(
    true: Any, pred: Any, /, *, axis: Any = None, epsilon: float = 1e-7, from_logits: bool = False,
    pos_weight: Any = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    arrays = [v for v in (true, pred, pos_weight) if isinstance(v, np.ndarray)]
    target = floating(*arrays)
    weight = wide(1.0 if pos_weight is None else pos_weight)
    t, p = wide(true), wide(pred)
    if from_logits:
        loss = weight * t * np.logaddexp(0, -p) + (1 - t) * np.logaddexp(0, p)
    else:
        p = _clipped(p, epsilon, target)
        loss = -(weight * t * np.log(p) + (1 - t) * np.log1p(-p))
    return narrow(_reduced(loss, reduction, axis), target)


# --- norms --------------------------------------------------------------------------------------


@oracle("nn.layer_norm")
def _layer_norm(
    x: Any, normalized_idxs: Any, /, *, scale: Any = None, offset: Any = None, eps: float = 1e-5,
    new_std: float = 1.0,
) -> Any:  # fmt: skip
    target = floating(*(v for v in (x, scale, offset) if v is not None))
    values = wide(x)
    axis = tuple(normalized_idxs) if isinstance(normalized_idxs, list | tuple) else normalized_idxs
    mean, variance = (f(values, axis=axis, keepdims=True) for f in (np.mean, np.var))
    found = (values - mean) / np.sqrt(variance + eps) * new_std
    found = found if scale is None else found * wide(scale)
    return narrow(found if offset is None else found + wide(offset), target)


@oracle("nn.clip_vector_norm")
def _clip_vector_norm(x: Any, max_norm: float, /, *, p: float = 2.0, axis: Any = None) -> Any:
    values = wide(x)
    norm = np.linalg.vector_norm(values, axis=axis, keepdims=True, ord=p)
    factor = np.where(norm > max_norm, max_norm / np.where(norm > max_norm, norm, 1), 1)
    return narrow(values * factor, floating(x))


# --- attention ----------------------------------------------------------------------------------


@oracle("nn.linear")
def _linear(x: Any, weight: Any, /, *, bias: Any = None) -> Any:
    given = [v for v in (x, weight, bias) if v is not None]
    target = np.dtype(promoted(*(v.dtype.name for v in given)))
    given = [wide(v) if target.kind in "fc" else v.astype(target) for v in given]
    outer = weight.ndim - 2
    found = np.zeros((*x.shape[:-1], weight.shape[-2]), given[0].dtype)
    found = found.astype(np.result_type(*given))
    stack = np.broadcast_shapes(x.shape[:outer], weight.shape[:outer])
    found = np.broadcast_to(found, (*stack, *found.shape[outer:])).copy()
    rows = np.broadcast_to(given[0], (*stack, *x.shape[outer:]))
    maps = np.broadcast_to(given[1], (*stack, *weight.shape[outer:]))
    for place in np.ndindex(stack):
        found[place] = rows[place] @ maps[place].T
        if bias is not None:
            own = (
                given[2] if bias.ndim == 1 else np.broadcast_to(given[2], (*stack, maps.shape[-2]))
            )
            found[place] += own if bias.ndim == 1 else own[place]
    return narrow(found, target)


def _attended(q: Any, k: Any, v: Any, scale: Any, mask: Any, causal: bool) -> Any:
    """Attend in the precision of the arrays; a query without unmasked keys gets zeros."""
    scores = q @ np.swapaxes(k, -1, -2) * scale
    if causal:
        scores = np.where(np.tri(*scores.shape[-2:], dtype=bool), scores, -np.inf)
    if mask is not None:
        hidden = np.where(mask, scores, -np.inf) if mask.dtype.kind == "b" else None
        scores = scores + wide(mask) if hidden is None else hidden
    largest = np.max(scores, axis=-1, keepdims=True, initial=-np.inf)
    powers = np.exp(scores - np.where(np.isneginf(largest), 0, largest))
    total = np.sum(powers, axis=-1, keepdims=True)
    return powers / np.where(total == 0, 1, total) @ v


@oracle("nn.scaled_dot_product_attention")
def _attention(
    query: Any, keys: Any, values: Any, /, *, scale: Any = None, mask: Any = None,
    is_causal: bool = False,
) -> Any:  # fmt: skip
    added = [] if mask is None or mask.dtype.kind == "b" else [mask]
    target = floating(query, keys, values, *added)
    scale = 1 / np.sqrt(np.longdouble(query.shape[-1] or 1)) if scale is None else scale
    wides = (wide(v) for v in (query, keys, values))
    return narrow(_attended(*wides, scale, mask, is_causal), target)


@oracle("nn.multi_head_attention")
def _multi_head_attention(
    x: Any, scale: float, num_heads: int, context: Any = None, mask: Any = None,
    to_q_fn: Any = None, to_kv_fn: Any = None, to_out_fn: Any = None, to_q_v: Any = None,
    to_kv_v: Any = None, to_out_v: Any = None,
) -> Any:  # fmt: skip
    given = [v for v in (x, context) if v is not None]
    target = floating(*given)
    x, source = wide(x), wide(x if context is None else context)
    query = x if to_q_fn is None else to_q_fn(x, v=to_q_v)
    kv = source if to_kv_fn is None else to_kv_fn(source, v=to_kv_v)
    if isinstance(kv, tuple | list):
        keys, values = kv
    elif context is None and to_kv_fn is None:
        keys = values = kv
    else:
        keys, values = np.split(kv, 2, axis=-1)
    seen = None if mask is None else mask.astype(bool)
    heads = []
    parts = (np.split(v, num_heads, axis=-1) for v in (query, keys, values))
    for q, k, v in zip(*parts, strict=True):
        heads.append(_attended(q, k, v, scale, seen, False))
    joined = np.concatenate(heads, axis=-1)
    return narrow(joined if to_out_fn is None else to_out_fn(joined, v=to_out_v), target)


# --- tables and noise ---------------------------------------------------------------------------


@oracle("nn.embedding")
def _embedding(weights: Any, indices: Any, /) -> Any:
    found = np.empty((*indices.shape, *weights.shape[1:]), weights.dtype)
    for place in np.ndindex(indices.shape):
        found[place] = weights[indices[place]]
    return found


@oracle("nn.dropout")
def _dropout(
    x: Any, key: Any, /, rate: float = 0.5, *, noise_shape: Any = None, training: bool = True
) -> Any:
    target = floating(x)
    if not training:
        return x.astype(target)
    kept = ORACLES["random.bernoulli"](
        key, 1 - rate, x.shape if noise_shape is None else noise_shape
    )
    scaled = x.astype(target) / target.type(1 - rate) if rate < 1 else x.astype(target)
    return np.where(kept, scaled, target.type(0))


# --- recurrent layers ---------------------------------------------------------------------------


def _recurrent(*arrays: Any) -> tuple[Any, list[Any]]:
    target = floating(*(v for v in arrays if v is not None))
    return target, [np.longdouble(0) if v is None else wide(v) for v in arrays]


def _over_time(steps: list[Any], first: Any) -> Any:
    return np.stack(steps, axis=-2) if steps else np.zeros((*first.shape[:-1], 0, first.shape[-1]))


@oracle("nn.lstm_update")
def _lstm_update(
    x: Any, init_h: Any, init_c: Any, kernel: Any, recurrent_kernel: Any, bias: Any = None,
    recurrent_bias: Any = None,
) -> Any:  # fmt: skip
    arrays = (x, init_h, init_c, kernel, recurrent_kernel, bias, recurrent_bias)
    target, (x, h, c, kernel, recurrent_kernel, bias, recurrent_bias) = _recurrent(*arrays)
    steps: list[Any] = []
    for t in range(x.shape[-2]):
        gates = x[..., t, :] @ kernel + bias + h @ recurrent_kernel + recurrent_bias
        i, f, g, o = np.split(gates, 4, axis=-1)
        c = _sigmoid(f) * c + _sigmoid(i) * np.tanh(g)
        h = _sigmoid(o) * np.tanh(c)
        steps.append(h)
    return narrow(_over_time(steps, h), target), narrow(c, target)


@oracle("nn.rnn_update")
def _rnn_update(
    x: Any, init_h: Any, kernel: Any, recurrent_kernel: Any, bias: Any = None,
    recurrent_bias: Any = None, *, activation: str = "tanh",
) -> Any:  # fmt: skip
    arrays = (x, init_h, kernel, recurrent_kernel, bias, recurrent_bias)
    target, (x, h, kernel, recurrent_kernel, bias, recurrent_bias) = _recurrent(*arrays)
    steps: list[Any] = []
    for t in range(x.shape[-2]):
        total = x[..., t, :] @ kernel + bias + h @ recurrent_kernel + recurrent_bias
        h = np.tanh(total) if activation == "tanh" else np.maximum(total, 0)
        steps.append(h)
    return narrow(_over_time(steps, h), target)


@oracle("nn.rnn_cell")
def _rnn_cell(x: Any, h: Any, *weights: Any, **options: Any) -> Any:
    return _rnn_update(x[..., None, :], h, *weights, **options)[..., 0, :]


@oracle("nn.lstm_cell")
def _lstm_cell(x: Any, h: Any, c: Any, *weights: Any, **options: Any) -> Any:
    states, cell = _lstm_update(x[..., None, :], h, c, *weights, **options)
    return states[..., 0, :], cell


@oracle("nn.gru_cell")
def _gru_cell(x: Any, h: Any, *weights: Any, **options: Any) -> Any:
    return _gru_update(x[..., None, :], h, *weights, **options)[..., 0, :]


@oracle("nn.gru_update")
def _gru_update(
    x: Any, init_h: Any, kernel: Any, recurrent_kernel: Any, bias: Any = None,
    recurrent_bias: Any = None,
) -> Any:  # fmt: skip
    arrays = (x, init_h, kernel, recurrent_kernel, bias, recurrent_bias)
    target, (x, h, kernel, recurrent_kernel, bias, recurrent_bias) = _recurrent(*arrays)
    steps: list[Any] = []
    for t in range(x.shape[-2]):
        new = np.split(x[..., t, :] @ kernel + bias, 3, axis=-1)
        old = np.split(h @ recurrent_kernel + recurrent_bias, 3, axis=-1)
        reset, update = _sigmoid(new[0] + old[0]), _sigmoid(new[1] + old[1])
        candidate = np.tanh(new[2] + reset * old[2])
        h = (1 - update) * candidate + update * h
        steps.append(h)
    return narrow(_over_time(steps, h), target)
