"""`TransformerEncoderLayer`, `TransformerEncoder` and `PositionalEncoding`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeAlias

from arrayapi_unify._core.failures import naming
from arrayapi_unify.array_object import Array
from arrayapi_unify.errors import describe, raise_type_error, raise_value_error
from arrayapi_unify.nn.core.formatting import check_flags, format_arguments, function_name
from arrayapi_unify.nn.core.module import Module
from arrayapi_unify.nn.layers.attention import MultiHeadAttention
from arrayapi_unify.nn.layers.linear import Dropout, Linear
from arrayapi_unify.nn.layers.normalization import LayerNorm
from arrayapi_unify.nn.training import initializers
from arrayapi_unify.nn.training.initializers import Initializer, check_sizes, keys

__all__ = ["PositionalEncoding", "TransformerEncoder", "TransformerEncoderLayer"]

_Activation: TypeAlias = Literal["relu", "gelu"] | Callable[[Any], Any]


class TransformerEncoderLayer(Module):
    """Attention of a sequence to itself and two linear layers, each with a residual and a norm.

    It is called with x of shape (..., n, features) and optionally a mask that broadcasts to (...,
    n, n), true if an element attends to another one. The norms come after the sums, or before the
    attention and the linear layers: ``x + f(norm(x))``.

    Its layers are `self_attn`, `linear1`, `dropout`, `linear2`, `norm1`, `norm2`, `dropout1` and
    `dropout2`.

    Parameters
    ----------
    features
        Size of the last axis of x and of the result.
    num_heads
        Number of heads, which divides the features.
    dim_feedforward
        Number of features between the two linear layers.
    dropout
        Probability of zeros in training: of the weights of the attention, after the activation, and
        before each sum.
    activation
        ``"relu"``, ``"gelu"``, or a Module or function of one argument.
    eps
        Number added to the variances of the norms.
    norm_first
        If True, the norms come first.
    bias
        If True, the linear layers have biases, and the norms offsets.
    w_init
        Initializer of the weights.
    key
        Key of `random.key`; by default from the hidden state.
    dtype
        Data type of the variables.

    Raises
    ------
    UnifyTypeError
        If the key isn't one, a size isn't an integer, or the activation can't be called.
    UnifyValueError
        If a size is below 1, the heads don't divide the features, there is no activation of that
        name, or x has another shape.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", arXiv:1706.03762; PyTorch's
    ``torch.nn.TransformerEncoderLayer`` with ``batch_first=True``.

    Xiong et al., "On Layer Normalization in the Transformer Architecture", arXiv:2002.04745, has
    the norms first.

    Examples
    --------
    >>> layer = unify.nn.TransformerEncoderLayer(8, 2, 16, norm_first=True)
    >>> layer(unify.ones((4, 5, 8)), mask=unify.tril(unify.ones((5, 5)))).shape
    (4, 5, 8)
    """

    @naming("{}")
    def __init__(
        self,
        features: int,
        num_heads: int,
        dim_feedforward: int = 2048,
        *,
        dropout: float = 0.1,
        activation: _Activation = "relu",
        eps: float = 1e-5,
        norm_first: bool = False,
        bias: bool = True,
        w_init: Initializer = initializers.glorot_uniform,
        key: Array | None = None,
        dtype: Any = None,
    ) -> None:
        """Create the layers."""
        name = "TransformerEncoderLayer"
        check_sizes(name, features=features, num_heads=num_heads, dim_feedforward=dim_feedforward)
        check_flags(name, norm_first=norm_first, bias=bias)
        _check_activation(name, activation)
        self.features, self.norm_first, self.activation = features, norm_first, activation
        own = keys(name, key, 7)
        options: dict[str, Any] = {"bias": bias, "w_init": w_init, "dtype": dtype}
        self.self_attn = MultiHeadAttention(
            features, num_heads, dropout=dropout, key=own[0], **options
        )
        self.linear1 = Linear(features, dim_feedforward, key=own[1], **options)
        self.dropout = Dropout(dropout, key=own[2])
        self.linear2 = Linear(dim_feedforward, features, key=own[3], **options)
        self.norm1 = LayerNorm(features, eps=eps, bias=bias, key=own[0], dtype=dtype)
        self.norm2 = LayerNorm(features, eps=eps, bias=bias, key=own[0], dtype=dtype)
        self.dropout1 = Dropout(dropout, key=own[4])
        self.dropout2 = Dropout(dropout, key=own[5])

    def _attended(self, x: Any, mask: Any) -> Any:
        return self.dropout1(self.self_attn(x, mask=mask))

    def _fed_forward(self, x: Any) -> Any:
        x, given = self.linear1(x), self.activation
        x = getattr(x.__array_namespace__(), given)(x) if isinstance(given, str) else given(x)
        return self.dropout2(self.linear2(self.dropout(x)))

    def _forward(self, x: Any, mask: Any = None) -> Array:
        x = _checked(self, x)
        if self.norm_first:
            x = x + self._attended(self.norm1(x), mask)
            return x + self._fed_forward(self.norm2(x))
        x = self.norm1(x + self._attended(x, mask))
        return self.norm2(x + self._fed_forward(x))

    def _arguments(self) -> str:
        given = self.activation
        shown = format_arguments(
            self.features, self.self_attn.num_heads, self.linear1.out_features,
            dropout=(self.dropout.rate, 0.1), norm_first=(self.norm_first, False),
        )  # fmt: skip
        if given == "relu" or isinstance(given, Module):
            return shown
        named = repr(given) if isinstance(given, str) else function_name(given)
        return f"{shown}, activation={named}"


def _checked(layer: Any, x: Any) -> Any:
    """Return the argument as an Array; raise for another number of features."""
    x, features = layer._as_array(x), layer.features
    if x.ndim < 2 or x.shape[-1] != features:
        raise_value_error(
            type(layer).__name__, "x", f"has shape {x.shape}",
            f"pass one of shape (..., n, {features})",
        )  # fmt: skip
    return x


def _check_activation(layer: str, activation: Any) -> None:
    if isinstance(activation, str):
        if activation not in ("relu", "gelu"):
            raise_value_error(
                layer, "activation", f"is {activation!r}", "pass 'relu', 'gelu', or a function"
            )
    elif not callable(activation):
        raise_type_error(
            layer, "activation", f"is {describe(activation)}", "pass a name, or a function"
        )


class TransformerEncoder(Module):
    """Layers of a transformer, one after the other, with the same mask, and a norm at the end.

    It is called with x and optionally a mask, as its layers are.

    Parameters
    ----------
    layers
        List of layers, such as `TransformerEncoderLayer`.
    norm
        A Module or function of one argument, for the result; none by default.

    Raises
    ------
    UnifyTypeError
        If a layer can't be called.

    References
    ----------
    PyTorch's ``torch.nn.TransformerEncoder``, whose layers begin as copies of one.

    Examples
    --------
    >>> layers = [unify.nn.TransformerEncoderLayer(8, 2, 16) for _ in range(2)]
    >>> net = unify.nn.TransformerEncoder(layers, norm=unify.nn.LayerNorm(8))
    >>> net(unify.ones((4, 5, 8))).shape, len(net.v.layers)
    ((4, 5, 8), 2)
    """

    @naming("{}")
    def __init__(
        self,
        layers: Sequence[Callable[..., Any]],
        *,
        norm: Callable[[Any], Any] | None = None,
    ) -> None:
        """Store the layers."""
        name = "TransformerEncoder"
        if not isinstance(layers, list | tuple):
            raise_type_error(name, "layers", f"is {describe(layers)}", "pass a list of layers")
        for place, layer in enumerate(layers):
            if not callable(layer):
                told = f"is {describe(layer)}"
                raise_type_error(name, f"layers[{place}]", told, "pass a Module")
        if norm is not None and not callable(norm):
            raise_type_error(name, "norm", f"is {describe(norm)}", "pass a Module or a function")
        self.layers, self.norm = list(layers), norm

    def _forward(self, x: Any, mask: Any = None) -> Any:
        for layer in self.layers:
            x = layer(x, mask=mask)
        return x if self.norm is None else self.norm(x)


class PositionalEncoding(Module):
    """The sum of a sequence and sines and cosines of the positions, of many wavelengths.

    It is called with x of shape (..., n, features). Feature 2i of position p gets ``sin(p /
    10000**(2 * i / features))``, feature 2i + 1 the cosine. It has no variables, and no limit of n.
    The numbers are computed in float64, and rounded to x's data type.

    Parameters
    ----------
    features
        Size of the last axis of x.

    Raises
    ------
    UnifyTypeError
        If the number isn't an integer.
    UnifyValueError
        If it is below 1, or x has another shape.

    References
    ----------
    Vaswani et al., "Attention Is All You Need", arXiv:1706.03762, section 3.5.

    Examples
    --------
    >>> unify.nn.PositionalEncoding(2)(unify.zeros((2, 2)))
    unify.array([[0.        , 1.        ],
                 [0.84147098, 0.54030231]])
    """

    @naming("{}")
    def __init__(self, features: int) -> None:
        """Store the number of features."""
        check_sizes("PositionalEncoding", features=features)
        self.features = features

    @naming("{}")
    def _forward(self, x: Any) -> Array:
        x = _checked(self, x)
        xp, count = x.__array_namespace__(), x.shape[-2]
        options: dict[str, Any] = {"dtype": xp.float64, "device": x.device}
        powers = xp.arange(0, self.features, 2, **options) / self.features
        angles = xp.arange(count, **options)[:, None] / 10000.0**powers
        both = xp.stack([xp.sin(angles), xp.cos(angles)], axis=-1)
        waves = xp.reshape(both, (count, 2 * angles.shape[1]))[:, : self.features]
        dtype = x.dtype if x.dtype.kind in "fc" else xp.default_float_dtype()
        return x + xp.astype(waves, dtype)

    def _arguments(self) -> str:
        return format_arguments(self.features)
