"""`MultiHeadAttention`."""

from __future__ import annotations

import math
from typing import Any

from arrayapi_unify._core.failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.nn.core.formatting import format_arguments
from arrayapi_unify.nn.core.module import Module
from arrayapi_unify.nn.core.variables import as_array
from arrayapi_unify.nn.functional.layers import (
    attention_weights,
    join_heads,
    mask_of_heads,
    split_heads,
)
from arrayapi_unify.nn.layers.linear import Dropout, Linear
from arrayapi_unify.nn.training import initializers
from arrayapi_unify.nn.training.initializers import Initializer, check_sizes, keys

__all__ = ["MultiHeadAttention"]


class MultiHeadAttention(Module):
    """Attention of several heads with linear layers around it, by `multi_head_attention`.

    It is called with x of shape (..., n, features) and optionally a context of shape (..., m,
    context_features) and a mask that broadcasts to (..., n, m), true if a query attends to a key.

    Its layers are `to_q`, `to_kv`, which returns concatenated keys and values, and `to_out`.

    Parameters
    ----------
    features
        Size of the last axis of x and of the result.
    num_heads
        Number of heads, which divides `head_features * num_heads`.
    context_features
        Size of the last axis of the context; `features` by default.
    head_features
        Size of one head; ``features // num_heads`` by default.
    bias
        If True, the layers have biases.
    dropout
        Probability that a weight of a key becomes zero in training, by a layer `dropout`.
    w_init
        Initializer of the weights.
    key
        Key of `random.key`; by default from the hidden state.
    dtype
        Data type of the variables.

    Raises
    ------
    UnifyTypeError
        If the key isn't one, or a size isn't an integer.
    UnifyValueError
        If a size is below 1, the heads don't divide the features, or the probability isn't between
        0 and 1.

    References
    ----------
    B15: multi-head attention (docs/behaviours.md).

    Vaswani et al., "Attention Is All You Need", arXiv:1706.03762.

    Examples
    --------
    >>> layer = unify.nn.MultiHeadAttention(8, 2, context_features=6)
    >>> layer(unify.zeros((4, 5, 8)), unify.zeros((4, 3, 6))).shape
    (4, 5, 8)
    """

    @naming("{}")
    def __init__(
        self,
        features: int,
        num_heads: int,
        *,
        context_features: int | None = None,
        head_features: int | None = None,
        bias: bool = True,
        dropout: float = 0.0,
        w_init: Initializer = initializers.glorot_uniform,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the layers."""
        check_sizes("MultiHeadAttention", features=features, num_heads=num_heads)
        if head_features is None:
            if features % num_heads:
                raise_value_error(
                    "MultiHeadAttention", "num_heads",
                    f"is {num_heads}, which doesn't divide {features} features",
                    "use another number, or pass head_features",
                )  # fmt: skip
            head_features = features // num_heads
        self.features, self.num_heads, self.head_features = features, num_heads, head_features
        inner = num_heads * head_features
        context = features if context_features is None else context_features
        first, second, third, *rest = keys("MultiHeadAttention", key, 4 if dropout else 3)
        self.dropout = Dropout(dropout, key=rest[0]) if rest else None
        options: dict[str, Any] = {"bias": bias, "w_init": w_init, "dtype": dtype}
        self.to_q = Linear(features, inner, key=first, **options)
        self.to_kv = Linear(context, 2 * inner, key=second, **options)
        self.to_out = Linear(inner, features, key=third, **options)

    @naming("{}")
    def _forward(self, x: Any, context: Any = None, mask: Any = None) -> Array:
        xp = self.to_q._own("w").__array_namespace__()
        if self.dropout is not None and self.training:
            return self._dropped(self.dropout, self._as_array(x), context, mask)
        return xp.nn.multi_head_attention(
            x, 1 / math.sqrt(self.head_features), self.num_heads, context, mask,
            _called(self.to_q), _called(self.to_kv), _called(self.to_out),
        )  # fmt: skip

    def _dropped(self, dropout: Dropout, x: Array, context: Any, mask: Any) -> Array:
        """Compute as `multi_head_attention` does, with dropout of the weights."""
        kv = self.to_kv(x if context is None else context)
        xp = kv.__array_namespace__()
        parts = (self.to_q(x), *xp.split(kv, num_or_size_splits=2, axis=-1))
        query, of_keys, values = (split_heads(part, self.num_heads, "x") for part in parts)
        scores = xp.matmul(query, xp.matrix_transpose(of_keys)) / math.sqrt(self.head_features)
        if mask is not None:
            seen = mask_of_heads(as_array("MultiHeadAttention", "mask", mask))
            scores = xp.where(seen, scores, -math.inf)
        weights = dropout(attention_weights(scores))
        return self.to_out(join_heads(xp.matmul(weights, values)))

    def _arguments(self) -> str:
        usual = self.features // self.num_heads
        return format_arguments(
            self.features, self.num_heads, head_features=(self.head_features, usual)
        )


def _called(layer: Linear) -> Any:
    """Return a layer as the function that attention calls, without the argument `v`."""
    return lambda x, v: layer(x)
