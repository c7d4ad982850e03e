"""Contracts of the functions that layers of neural networks compute."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from arrayapi_unify.array_object import Array, NativeArray
from arrayapi_unify.binding import compositional, mixed
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError, refuse
from arrayapi_unify.functional._bodies import Given, floating_together, real

__all__ = [
    "gru_update",
    "linear",
    "lstm_update",
    "multi_head_attention",
    "scaled_dot_product_attention",
]


@mixed
def linear(
    x: Array | NativeArray,
    weight: Array | NativeArray,
    /,
    *,
    bias: Array | NativeArray | None = None,
    out: Array | None = None,
) -> Array:
    """Linear map of the last axis: ``x @ weight.T + bias``, also of a batch of weights.

    Parameters
    ----------
    x
        Array of shape ``(*outer, *inner, in)``.
    weight
        Array of shape ``(*outer, out, in)``; for each entry of the outer axes another map.
    bias
        Array of shape ``(out,)`` or ``(*outer, out)``.
    out
        Array to write the result into; shape must match and the result must cast to its dtype
        without loss. It is returned.

    Returns
    -------
    Array of shape ``(*outer, *inner, out)`` and the promoted data type.

    Raises
    ------
    UnifyValueError
        If the shapes don't fit.

    Examples
    --------
    >>> x, weight = unify.array([[1.0, 2.0]]), unify.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> unify.linear(x, weight, bias=unify.array([0.0, 0.0, 10.0]))
    unify.array([[ 1.,  2., 13.]])
    """
    xp = x.__array_namespace__()
    outer = weight.ndim - 2
    if outer < 0 or x.ndim <= outer or x.shape[-1] != weight.shape[-1]:
        refuse(
            UnifyValueError, "linear", "weight", f"has shape {weight.shape}, x has {x.shape}",
            "pass x of shape (*outer, *inner, in) and a weight of shape (*outer, out, in)",
        )  # fmt: skip
    inner = x.shape[outer:-1]
    rows = xp.reshape(x, (*x.shape[:outer], math.prod(inner), x.shape[-1]))
    result = rows @ xp.matrix_transpose(weight)
    if bias is not None:
        # A bias of its own for each entry of the outer axes meets all rows there.
        result = result + (xp.expand_dims(bias, axis=-2) if bias.ndim > 1 else bias)
    return xp.reshape(result, (*result.shape[:outer], *inner, result.shape[-1]))


@mixed
def scaled_dot_product_attention(
    query: Array | NativeArray,
    keys: Array | NativeArray,
    values: Array | NativeArray,
    /,
    *,
    scale: float | None = None,
    mask: Array | NativeArray | None = None,
    is_causal: bool = False,
    out: Array | None = None,
) -> Array:
    """Attention: averages of values, weighted by the softmax of products of queries with keys.

    Parameters
    ----------
    query
        Array of shape ``(..., n, d)``.
    keys
        Array of shape ``(..., m, d)``.
    values
        Array of shape ``(..., m, e)``.
    scale
        What the products are multiplied with; ``1 / sqrt(d)`` unless given.
    mask
        Array that broadcasts to ``(..., n, m)``: of bool, true where a query may see a key; of
        another data type, what is added to the scaled products.
    is_causal
        Whether the i-th query sees the keys up to the i-th only.
    out
        Array to write the result into; shape must match and the result must cast to its dtype
        without loss. It is returned.

    Returns
    -------
    Array of shape ``(..., n, e)`` and the floating-point data type to which the inputs promote;
    integers give the default one. A query that sees no key gets zeros.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't fit.

    Source: Vaswani et al., "Attention Is All You Need", arXiv:1706.03762.

    Examples
    --------
    >>> query, keys = unify.array([[0.0]]), unify.array([[1.0], [5.0]])
    >>> unify.scaled_dot_product_attention(query, keys, unify.array([[1.0], [3.0]]))
    unify.array([[2.]])
    """
    given = (("query", query), ("keys", keys), ("values", values))
    _check_attention(query, keys, values)
    query, keys, values = floating_together(
        *(real("scaled_dot_product_attention", name, x) for name, x in given)
    )
    xp = query.__array_namespace__()
    scale = 1 / math.sqrt(query.shape[-1] or 1) if scale is None else scale
    scores = (query @ xp.matrix_transpose(keys)) * scale
    if is_causal:
        n, m = scores.shape[-2:]
        seen = xp.tril(xp.ones((n, m), dtype=xp.bool, device=query.device))
        scores = xp.where(seen, scores, -math.inf)
    if mask is not None and mask.dtype.kind == "b":
        scores = xp.where(mask, scores, -math.inf)
    elif mask is not None:
        scores = scores + mask
    return _attention_weights(scores) @ values


def _check_attention(query: Given, keys: Given, values: Given) -> None:
    shapes = [tuple(x.shape) for x in (query, keys, values)]
    deep = all(len(shape) >= 2 for shape in shapes)
    if not deep or shapes[0][-1] != shapes[1][-1] or shapes[1][-2] != shapes[2][-2]:
        refuse(
            UnifyValueError, "scaled_dot_product_attention", "keys",
            f"has shape {shapes[1]}, query has {shapes[0]}, values has {shapes[2]}",
            "pass shapes (..., n, d), (..., m, d) and (..., m, e)",
        )  # fmt: skip


def _attention_weights(scores: Array) -> Array:
    """Return the softmax over the last axis; zeros where every score is minus infinity."""
    xp = scores.__array_namespace__()
    if not scores.shape[-1]:
        return scores
    largest = xp.max(scores, axis=-1, keepdims=True)
    powers = xp.exp(scores - xp.where(largest == -math.inf, 0.0, largest))
    total = xp.sum(powers, axis=-1, keepdims=True)
    return powers / xp.where(total == 0, 1.0, total)


def _keys_and_values(kv: Any) -> Any:
    """Return keys and values: as two arrays, or the halves of the last axis of one."""
    if isinstance(kv, list | tuple):
        return kv
    xp = kv.__array_namespace__()
    return xp.split(kv, num_or_size_splits=2, axis=-1)


def _heads(x: Given, count: int, name: str) -> Array:
    """Reshape ``(..., n, heads * d)`` to ``(..., heads, n, d)``."""
    xp = x.__array_namespace__()
    if x.shape[-1] % count:
        refuse(
            UnifyValueError, "multi_head_attention", "num_heads",
            f"is {count}, which doesn't divide the {x.shape[-1]} features of the {name}",
            "use a number of heads that does",
        )  # fmt: skip
    split = xp.reshape(x, (*x.shape[:-1], count, x.shape[-1] // count))
    return xp.moveaxis(split, -2, -3)


@compositional
def multi_head_attention(
    x: Array | NativeArray,
    scale: float,
    num_heads: int,
    context: Array | NativeArray | None = None,
    mask: Array | NativeArray | None = None,
    to_q_fn: Callable[..., Any] | None = None,
    to_kv_fn: Callable[..., Any] | None = None,
    to_out_fn: Callable[..., Any] | None = None,
    to_q_v: Any = None,
    to_kv_v: Any = None,
    to_out_v: Any = None,
    *,
    out: Array | None = None,
) -> Array:
    """Attention of several heads, each with its part of the features.

    Parameters
    ----------
    x
        Array of shape ``(..., n, features)``, from which the queries come.
    scale
        What the products of queries with keys are multiplied with.
    num_heads
        Number of heads; it divides the features of queries, keys and values.
    context
        Array of shape ``(..., m, features)``, from which keys and values come; x unless given.
    mask
        Array that broadcasts to ``(..., n, m)``, true (or not zero) where a query sees a key.
    to_q_fn
        Makes the queries: called as ``to_q_fn(x, v=to_q_v)``. Without it they are x.
    to_kv_fn
        Makes keys and values, as two arrays or as one whose last axis holds both: called as
        ``to_kv_fn(context, v=to_kv_v)``. Without it they are the halves of the context's last axis,
        or both x where there is no context either.
    to_out_fn
        Makes the result of the joined heads: called as ``to_out_fn(joined, v=to_out_v)``.
    to_q_v
        Parameters of `to_q_fn`.
    to_kv_v
        Parameters of `to_kv_fn`.
    to_out_v
        Parameters of `to_out_fn`.
    out
        Array to write the result into; shape must match and the result must cast to its dtype
        without loss. It is returned.

    Returns
    -------
    Array of shape ``(..., n, features of the values)``, or what `to_out_fn` makes of it.

    Raises
    ------
    UnifyValueError
        If the number of heads doesn't divide the features.

    Source: Vaswani et al., "Attention Is All You Need", arXiv:1706.03762.

    Examples
    --------
    >>> x, context = unify.array([[0.0, 0.0]]), unify.array([[9.0, 9.0, 1.0, 2.0]])
    >>> unify.multi_head_attention(x, 1.0, 2, context)
    unify.array([[1., 2.]])
    """
    if num_heads < 1:
        refuse(
            UnifyValueError,
            "multi_head_attention",
            "num_heads",
            f"is {num_heads}",
            "pass 1 or more",
        )
    xp = x.__array_namespace__()
    query = x if to_q_fn is None else to_q_fn(x, v=to_q_v)
    source = x if context is None else context
    if to_kv_fn is None:
        keys, values = (x, x) if context is None else _keys_and_values(context)
    else:
        keys, values = _keys_and_values(to_kv_fn(source, v=to_kv_v))
    named = ((query, "queries"), (keys, "keys"), (values, "values"))
    query, keys, values = (_heads(part, num_heads, name) for part, name in named)
    if mask is not None:
        seen = xp.astype(mask, xp.bool)
        mask = xp.expand_dims(seen, axis=-3) if seen.ndim > 2 else seen
    joined = xp.scaled_dot_product_attention(query, keys, values, scale=scale, mask=mask)
    joined = xp.moveaxis(joined, -3, -2)
    joined = xp.reshape(joined, (*joined.shape[:-2], joined.shape[-2] * joined.shape[-1]))
    return joined if to_out_fn is None else to_out_fn(joined, v=to_out_v)


def _projected(function: str, x: Given, kernel: Given, bias: Given | None) -> Array:
    """Return the part of all gates that comes from the inputs, for all times at once."""
    if x.ndim < 2 or kernel.ndim < 2 or x.shape[-1] != kernel.shape[-2]:
        refuse(
            UnifyValueError, function, "x", f"has shape {x.shape}, the kernel {kernel.shape}",
            "pass x of shape (..., time, in) and a kernel of shape (in, gates * out)",
        )  # fmt: skip
    product = x @ kernel
    return product if bias is None else product + bias


def _gates(function: str, recurrent_kernel: Given, count: int) -> int:
    """Return the number of outputs, after a look at the shape of the recurrent kernel."""
    if (
        recurrent_kernel.ndim < 2
        or count * recurrent_kernel.shape[-2] != recurrent_kernel.shape[-1]
    ):
        refuse(
            UnifyValueError, function, "recurrent_kernel", f"has shape {recurrent_kernel.shape}",
            f"pass one of shape (out, {count} * out)",
        )  # fmt: skip
    return recurrent_kernel.shape[-2]


def _same_dtype(function: str, **arrays: Any) -> list[Any]:
    """Return arrays in the real floating-point data type to which they promote; None stays."""
    given = {name: array for name, array in arrays.items() if array is not None}
    for name, array in given.items():
        if array.dtype.kind == "c":
            problem = f"has data type {array.dtype}"
            refuse(UnifyTypeError, function, name, problem, "take real(x) or abs(x) first")
    converted = dict(zip(given, floating_together(*given.values()), strict=True))
    return [converted.get(name) for name in arrays]


def _over_time(steps: list[Array], x: Given, first: Given) -> Array:
    """Return the outputs of all times with the time as last axis but one."""
    xp = x.__array_namespace__()
    if steps:
        return xp.stack(steps, axis=-2)
    shape = (*first.shape[:-1], 0, first.shape[-1])
    return xp.zeros(shape, dtype=first.dtype, device=x.device)


@compositional
def lstm_update(
    x: Array | NativeArray,
    init_h: Array | NativeArray,
    init_c: Array | NativeArray,
    kernel: Array | NativeArray,
    recurrent_kernel: Array | NativeArray,
    bias: Array | NativeArray | None = None,
    recurrent_bias: Array | NativeArray | None = None,
) -> tuple[Array, Array]:
    """Run a long short-term memory layer over a sequence.

    The gates stand in the order input, forget, cell, output, as in `torch.nn.LSTM`, whose weights
    are the transposed kernels.

    Parameters
    ----------
    x
        Array of shape ``(..., time, in)``.
    init_h
        First hidden state, of shape ``(..., out)``.
    init_c
        First cell state, of shape ``(..., out)``.
    kernel
        Weights of the inputs, of shape ``(in, 4 * out)``.
    recurrent_kernel
        Weights of the hidden state, of shape ``(out, 4 * out)``.
    bias
        Array of shape ``(4 * out,)``.
    recurrent_bias
        Array of shape ``(4 * out,)``; it is added to the other one.

    Returns
    -------
    The hidden states of all times, of shape ``(..., time, out)``, and the last cell state, of shape
    ``(..., out)``, in the floating-point data type to which all inputs promote.

    Raises
    ------
    UnifyValueError
        If the shapes don't fit.
    UnifyTypeError
        If an array is complex.

    Source: Hochreiter and Schmidhuber, "Long Short-Term Memory", 1997; gates as in PyTorch.

    Examples
    --------
    >>> x, start = unify.ones((1, 2, 1)), unify.zeros((1, 1))
    >>> h, c = unify.lstm_update(x, start, start, unify.zeros((1, 4)), unify.zeros((1, 4)))
    >>> h.shape, c
    ((1, 2, 1), unify.array([[0.]]))
    """
    x, h, c, kernel, recurrent_kernel, bias, recurrent_bias = _same_dtype(
        "lstm_update", x=x, init_h=init_h, init_c=init_c, kernel=kernel,
        recurrent_kernel=recurrent_kernel, bias=bias, recurrent_bias=recurrent_bias,
    )  # fmt: skip
    xp, size = x.__array_namespace__(), _gates("lstm_update", recurrent_kernel, 4)
    inputs = _projected("lstm_update", x, kernel, bias)
    if recurrent_bias is not None:
        inputs = inputs + recurrent_bias
    steps: list[Array] = []
    for t in range(x.shape[-2]):
        gates = inputs[..., t, :] + h @ recurrent_kernel
        i, f, g, o = (gates[..., k * size : (k + 1) * size] for k in range(4))
        c = xp.sigmoid(f) * c + xp.sigmoid(i) * xp.tanh(g)
        h = xp.sigmoid(o) * xp.tanh(c)
        steps.append(h)
    return _over_time(steps, x, h), c


@compositional
def gru_update(
    x: Array | NativeArray,
    init_h: Array | NativeArray,
    kernel: Array | NativeArray,
    recurrent_kernel: Array | NativeArray,
    bias: Array | NativeArray | None = None,
    recurrent_bias: Array | NativeArray | None = None,
    *,
    out: Array | None = None,
) -> Array:
    """Run a layer of gated recurrent units over a sequence.

    The gates stand in the order reset, update, new, as in `torch.nn.GRU`, whose weights are the
    transposed kernels. The reset gate multiplies the recurrent part of the new gate after its
    weights and its bias: ``tanh(x @ kernel + bias + reset * (h @ recurrent_kernel +
    recurrent_bias))``. The two biases are therefore not one.

    Parameters
    ----------
    x
        Array of shape ``(..., time, in)``.
    init_h
        First hidden state, of shape ``(..., out)``.
    kernel
        Weights of the inputs, of shape ``(in, 3 * out)``.
    recurrent_kernel
        Weights of the hidden state, of shape ``(out, 3 * out)``.
    bias
        Array of shape ``(3 * out,)``, added to what comes from the inputs.
    recurrent_bias
        Array of shape ``(3 * out,)``, added to what comes from the hidden state.
    out
        Array to write the result into; shape must match and the result must cast to its dtype
        without loss. It is returned.

    Returns
    -------
    The hidden states of all times, of shape ``(..., time, out)``, in the floating-point data type
    to which all inputs promote. The last of them is the state with which to go on.

    Raises
    ------
    UnifyValueError
        If the shapes don't fit.
    UnifyTypeError
        If an array is complex.

    Source: Cho et al., arXiv:1406.1078; the reset gate as in PyTorch.

    Examples
    --------
    >>> x, start = unify.ones((1, 2, 1)), unify.ones((1, 1))
    >>> unify.gru_update(x, start, unify.zeros((1, 3)), unify.zeros((1, 3)))
    unify.array([[[0.5 ],
                  [0.25]]])
    """
    x, h, kernel, recurrent_kernel, bias, recurrent_bias = _same_dtype(
        "gru_update", x=x, init_h=init_h, kernel=kernel, recurrent_kernel=recurrent_kernel,
        bias=bias, recurrent_bias=recurrent_bias,
    )  # fmt: skip
    xp, size = x.__array_namespace__(), _gates("gru_update", recurrent_kernel, 3)
    inputs = _projected("gru_update", x, kernel, bias)
    steps: list[Array] = []
    for t in range(x.shape[-2]):
        new = inputs[..., t, :]
        old = h @ recurrent_kernel
        if recurrent_bias is not None:
            old = old + recurrent_bias
        reset = xp.sigmoid(new[..., :size] + old[..., :size])
        update = xp.sigmoid(new[..., size : 2 * size] + old[..., size : 2 * size])
        candidate = xp.tanh(new[..., 2 * size :] + reset * old[..., 2 * size :])
        h = (1 - update) * candidate + update * h
        steps.append(h)
    return _over_time(steps, x, h)
