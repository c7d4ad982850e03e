"""Contracts of the functions of layers: products, attention, tables of vectors, dropout."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Sequence
from typing import Any

from arrayapi_unify._core.container_base import Nested
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional, mixed
from arrayapi_unify.contracts.annotations import ArrayIn, OptionalArray, Out
from arrayapi_unify.errors import (
    describe,
    raise_type_error,
    raise_value_error,
)
from arrayapi_unify.functional._common import (
    BodyArray,
    check_number,
    check_real,
    floating,
    floating_together,
)
from arrayapi_unify.functional._sampling import key_beside


@mixed
def linear(x: ArrayIn, weight: ArrayIn, /, *, bias: OptionalArray = None, out: Out = None) -> Array:
    """Linear map of the last axis: ``x @ weight.T + bias``.

    A batch of weights maps each entry of the batch by its own weight.

    Parameters
    ----------
    x
        Array of shape ``(*outer, *inner, in)``.
    weight
        Array of shape ``(*outer, out, in)``: one map for each entry of the outer axes.
    bias
        Array of shape ``(out,)`` or ``(*outer, out)``.

    Returns
    -------
    Array of shape ``(*outer, *inner, out)``, of the data type to which the arguments promote.

    Raises
    ------
    UnifyValueError
        If the shapes don't fit.

    References
    ----------
    B7: partial native implementations (docs/behaviours.md).

    PyTorch's ``torch.nn.functional.linear``.

    Examples
    --------
    >>> x, weight = unify.array([[1.0, 2.0]]), unify.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> unify.nn.linear(x, weight, bias=unify.array([0.0, 0.0, 10.0]))
    unify.array([[ 1.,  2., 13.]])
    """
    xp = x.__array_namespace__()
    outer = weight.ndim - 2
    if outer < 0 or x.ndim <= outer or x.shape[-1] != weight.shape[-1]:
        raise_value_error(
            "nn.linear", "weight", f"has shape {weight.shape}, x has {x.shape}",
            "pass x of shape (*outer, *inner, in) and a weight of shape (*outer, out, in)",
        )  # fmt: skip
    if bias is not None and bias.shape[-1:] not in ((), (1,), weight.shape[-2:-1]):
        raise_value_error(
            "nn.linear", "bias", f"has shape {bias.shape}, weight {weight.shape}",
            "pass a bias of shape (out,) or (*outer, out)",
        )  # fmt: skip
    inner = x.shape[outer:-1]
    rows = xp.reshape(x, (*x.shape[:outer], math.prod(inner), x.shape[-1]))
    result = xp.matmul(rows, xp.matrix_transpose(weight))
    if bias is not None:
        # A bias of its own for each entry of the outer axes meets all rows there.
        result = result + (xp.expand_dims(bias, axis=-2) if bias.ndim > 1 else bias)
    return xp.reshape(result, (*result.shape[:outer], *inner, result.shape[-1]))


@mixed
def scaled_dot_product_attention(
    query: ArrayIn,
    keys: ArrayIn,
    values: ArrayIn,
    /,
    *,
    scale: float | None = None,
    mask: OptionalArray = None,
    is_causal: bool = False,
    out: Out = None,
) -> Array:
    """Attention: averages of the values, weighted by how well each query matches each key.

    The weights are the softmax of the scaled products of queries with keys.

    Parameters
    ----------
    query
        Array of shape ``(..., n, d)``.
    keys
        Array of shape ``(..., m, d)``.
    values
        Array of shape ``(..., m, e)``.
    scale
        Factor of the products. By default it is ``1 / sqrt(d)``.
    mask
        Array that broadcasts to ``(..., n, m)``. Where it is of bool, true means that the query
        sees the key. Where it is of another data type, it is added to the scaled products.
    is_causal
        If True, query i attends only to the keys from 0 to i.

    Returns
    -------
    Array of shape ``(..., n, e)``, of the floating-point data type to which the arguments promote;
    integers give the default one. A query that sees no key gets zeros.

    Raises
    ------
    UnifyTypeError
        If an array is complex.
    UnifyValueError
        If the shapes don't fit.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", arXiv:1706.03762.

    Examples
    --------
    >>> query, keys = unify.array([[0.0]]), unify.array([[1.0], [5.0]])
    >>> unify.nn.scaled_dot_product_attention(query, keys, unify.array([[1.0], [3.0]]))
    unify.array([[2.]])
    """
    _check_attention(query, keys, values)
    given = {"query": query, "keys": keys, "values": values}
    if mask is not None and mask.dtype.kind != "b":
        given["mask"] = mask
    for name, array in given.items():
        check_real("nn.scaled_dot_product_attention", name, array)
    query, keys, values, *added = floating_together(*given.values())
    xp = query.__array_namespace__()
    scale = 1 / math.sqrt(query.shape[-1] or 1) if scale is None else scale
    scores = xp.matmul(query, xp.matrix_transpose(keys)) * scale
    if is_causal:
        n, m = scores.shape[-2:]
        seen = xp.tril(xp.ones((n, m), dtype=xp.bool, device=query.device))
        scores = xp.where(seen, scores, -math.inf)
    if added:
        scores = scores + added[0]
    elif mask is not None:
        scores = xp.where(mask, scores, -math.inf)
    return xp.matmul(attention_weights(scores), values)


def _check_attention(query: BodyArray, keys: BodyArray, values: BodyArray) -> None:
    shapes = [tuple(x.shape) for x in (query, keys, values)]
    deep = all(len(shape) >= 2 for shape in shapes)
    if not deep or shapes[0][-1] != shapes[1][-1] or shapes[1][-2] != shapes[2][-2]:
        raise_value_error(
            "nn.scaled_dot_product_attention", "keys",
            f"has shape {shapes[1]}, query has {shapes[0]}, values has {shapes[2]}",
            "pass shapes (..., n, d), (..., m, d) and (..., m, e)",
        )  # fmt: skip


def attention_weights(scores: Array) -> Array:
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
    if isinstance(kv, list | tuple) and len(kv) == 2:
        return kv
    if not hasattr(kv, "__array_namespace__"):
        raise_type_error(
            "nn.multi_head_attention", "to_kv_fn", f"returned {describe(kv)}",
            "return keys and values, or one array that holds both",
        )  # fmt: skip
    xp = kv.__array_namespace__()
    return xp.split(kv, num_or_size_splits=2, axis=-1)


def split_heads(x: BodyArray, count: int, name: str) -> Array:
    """Reshape ``(..., n, heads * d)`` to ``(..., heads, n, d)``."""
    xp = x.__array_namespace__()
    if x.shape[-1] % count:
        raise_value_error(
            "nn.multi_head_attention", "num_heads",
            f"is {count}, which doesn't divide the {x.shape[-1]} features of the {name}",
            "use a number of heads that does",
        )  # fmt: skip
    split = xp.reshape(x, (*x.shape[:-1], count, x.shape[-1] // count))
    return xp.moveaxis(split, -2, -3)


def join_heads(x: BodyArray) -> Array:
    """Reshape ``(..., heads, n, d)`` to ``(..., n, heads * d)``."""
    xp = x.__array_namespace__()
    joined = xp.moveaxis(x, -3, -2)
    return xp.reshape(joined, (*joined.shape[:-2], joined.shape[-2] * joined.shape[-1]))


def mask_of_heads(mask: BodyArray) -> Array:
    """Return a mask of ``(..., n, m)`` as bools that broadcast to ``(..., heads, n, m)``."""
    xp = mask.__array_namespace__()
    seen: Array = xp.astype(mask, xp.bool)
    return xp.expand_dims(seen, axis=-3) if seen.ndim > 2 else seen


_containers: list[Any] = []  # the class, once it was needed


def _parameters(argument: str, given: Any) -> Any:
    """Return the parameters of a function as a Container."""
    if given is None or isinstance(given, Nested):
        return given
    if isinstance(given, dict):
        # Containers stand above this module, and torch.compile doesn't trace importlib.
        if not _containers:
            _containers.append(importlib.import_module("arrayapi_unify.container").Container)
        return _containers[0](given)
    raise_type_error(
        "nn.multi_head_attention", argument, f"is {describe(given)}",
        "pass a Container of the function's parameters, or a dict",
    )  # fmt: skip


@compositional(container_dependent=True)
def multi_head_attention(
    x: ArrayIn,
    scale: float,
    num_heads: int,
    context: OptionalArray = None,
    mask: OptionalArray = None,
    to_q_fn: Callable[..., Any] | None = None,
    to_kv_fn: Callable[..., Any] | None = None,
    to_out_fn: Callable[..., Any] | None = None,
    to_q_v: Any = None,
    to_kv_v: Any = None,
    to_out_v: Any = None,
    *,
    out: Out = None,
) -> Array:
    """Attention of several heads, each of which works on its own part of the features.

    Parameters
    ----------
    x
        Array of shape ``(..., n, features)``, from which the queries come.
    scale
        Factor of the products of queries with keys.
    num_heads
        Number of heads. It divides the features of queries, keys and values.
    context
        Array of shape ``(..., m, features)``, from which the keys and values come. By default it is
        `x`.
    mask
        Array that broadcasts to ``(..., n, m)``: true, or not zero, where a query sees a key.
    to_q_fn
        Function that makes the queries, called as ``to_q_fn(x, v=to_q_v)``. By default the queries
        are `x`.
    to_kv_fn
        Function that makes keys and values, called as ``to_kv_fn(context, v=to_kv_v)``. It returns
        two arrays, or one whose last axis holds both. By default keys and values are the halves of
        the context's last axis; without a context both are `x`.
    to_out_fn
        Function that makes the result of the joined heads, called as
        ``to_out_fn(joined, v=to_out_v)``. By default the joined heads are the result.
    to_q_v
        Parameters of `to_q_fn`.
    to_kv_v
        Parameters of `to_kv_fn`.
    to_out_v
        Parameters of `to_out_fn`.

    Returns
    -------
    Array of shape ``(..., n, features of the values)``, or what `to_out_fn` makes of it.

    Raises
    ------
    UnifyTypeError
        If an array is complex, or the parameters of a function are no Container and no dict.
    UnifyValueError
        If the number of heads doesn't divide the features, or the shapes don't fit.

    References
    ----------
    B15: multi-head attention (docs/behaviours.md).

    Vaswani et al., "Attention Is All You Need", arXiv:1706.03762.

    Examples
    --------
    >>> x, context = unify.array([[0.0, 0.0]]), unify.array([[9.0, 9.0, 1.0, 2.0]])
    >>> unify.nn.multi_head_attention(x, 1.0, 2, context)
    unify.array([[1., 2.]])
    """
    if num_heads < 1:
        raise_value_error(
            "nn.multi_head_attention", "num_heads", f"is {num_heads}", "pass 1 or more"
        )
    xp = x.__array_namespace__()
    to_q_v = _parameters("to_q_v", to_q_v)
    to_kv_v = _parameters("to_kv_v", to_kv_v)
    to_out_v = _parameters("to_out_v", to_out_v)
    query = x if to_q_fn is None else to_q_fn(x, v=to_q_v)
    source = x if context is None else context
    if to_kv_fn is None:
        keys, values = (x, x) if context is None else _keys_and_values(context)
    else:
        keys, values = _keys_and_values(to_kv_fn(source, v=to_kv_v))
    named = ((query, "queries"), (keys, "keys"), (values, "values"))
    query, keys, values = (split_heads(part, num_heads, name) for part, name in named)
    mask = None if mask is None else mask_of_heads(mask)
    joined = join_heads(
        xp.nn.scaled_dot_product_attention(query, keys, values, scale=scale, mask=mask)
    )
    return joined if to_out_fn is None else to_out_fn(joined, v=to_out_v)


@compositional
def dropout(
    x: ArrayIn,
    key: ArrayIn,
    /,
    rate: float = 0.5,
    *,
    noise_shape: Sequence[int] | None = None,
    training: bool = True,
    out: Out = None,
) -> Array:
    """Make some elements zero, and scale the others so that the mean stays what it is.

    Nothing is remembered: the same key drops the same elements, on every backend.

    Parameters
    ----------
    x
        Array of any shape.
    key
        Key of `random.key`, of which `random.split` makes others for other calls.
    rate
        Probability that an element becomes zero.
    noise_shape
        Shape of what is decided, which broadcasts to that of x: of ``(batch, 1, channels)``, whole
        channels are dropped. By default it is decided for each element.
    training
        If False, the result is x.

    Returns
    -------
    Array of x's shape and floating-point data type; integers give the default one.

    Raises
    ------
    UnifyTypeError
        If `key` isn't a key, or the rate no number.
    UnifyValueError
        If the rate isn't between 0 and 1, or `noise_shape` doesn't broadcast to the shape of x.

    References
    ----------
    Srivastava et al., "Dropout: A Simple Way to Prevent Neural Networks from Overfitting", 2014.

    Examples
    --------
    >>> unify.nn.dropout(unify.ones(6), unify.random.key(7), 0.5)
    unify.array([0., 2., 2., 2., 2., 0.])
    """
    xp = x.__array_namespace__()
    check_number("nn.dropout", "rate", rate)
    if not 0 <= rate <= 1:
        raise_value_error("nn.dropout", "rate", f"is {rate}", "pass a number from 0 to 1")
    shape = x.shape if noise_shape is None else tuple(noise_shape)
    if len(shape) != x.ndim or any(a not in (1, b) for a, b in zip(shape, x.shape, strict=True)):
        raise_value_error(
            "nn.dropout", "noise_shape", f"is {shape}, x has shape {x.shape}",
            "pass the sizes of x, or 1 where they are to be alike",
        )  # fmt: skip
    x = floating(x)
    kept = xp.random.bernoulli(key_beside(key, x), 1 - rate, shape)
    if not training:
        return +x
    return xp.where(kept, x if rate == 1 else x / (1 - rate), 0.0)


@mixed
def embedding(weights: ArrayIn, indices: ArrayIn, /, *, out: Out = None) -> Array:
    """Look up a row of a table for each index.

    Parameters
    ----------
    weights
        Array of shape ``(rows, *features)``.
    indices
        Array of integers from 0 to ``rows - 1``, of any shape.

    Returns
    -------
    Array of shape ``(*indices.shape, *features)``, of the data type of the weights. The derivative
    by a row of the weights is the sum of those by all its copies.

    Raises
    ------
    UnifyTypeError
        If the indices are no integers.
    UnifyValueError
        If the weights have no axis.
    UnifyIndexError
        If an index is out of bounds.

    References
    ----------
    PyTorch's ``torch.nn.functional.embedding``.

    Examples
    --------
    >>> table = unify.array([[0.0, 1.0], [10.0, 11.0], [20.0, 21.0]])
    >>> unify.nn.embedding(table, unify.array([2, 0, 2]))
    unify.array([[20., 21.],
                 [ 0.,  1.],
                 [20., 21.]])
    """
    xp = weights.__array_namespace__()
    if indices.dtype.kind not in "iu":
        raise_type_error(
            "nn.embedding", "indices", f"has data type {indices.dtype}", "pass integers"
        )
    if not weights.ndim:
        raise_value_error(
            "nn.embedding", "weights", "has no axis", "pass an array of shape (rows, *features)"
        )
    flat = xp.reshape(indices, (math.prod(indices.shape),))
    rows = xp.take(weights, flat, axis=0)
    return xp.reshape(rows, (*indices.shape, *weights.shape[1:]))
