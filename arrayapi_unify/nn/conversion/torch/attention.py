"""Conversion of attention and transformers between `torch.nn` and ours."""

from __future__ import annotations

import importlib
from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.nn import (
    Module,
    MultiHeadAttention,
    TransformerEncoder,
    TransformerEncoderLayer,
)
from arrayapi_unify.nn.conversion.torch import norms
from arrayapi_unify.nn.conversion.torch.parts import (
    From,
    To,
    fresh_key,
    only,
    own,
    put,
    refuse,
    take,
    wrapped,
)

__all__ = ["FROM", "TO"]


def _from_attention(theirs: Any, key: Array) -> Module:
    only(theirs, batch_first=True, bias_k=None, bias_v=None, add_zero_attn=False)
    only(theirs, vdim=theirs.kdim)
    size = theirs.embed_dim
    made = MultiHeadAttention(
        size, theirs.num_heads, context_features=theirs.kdim, bias=False, dropout=theirs.dropout,
        key=fresh_key() if theirs.dropout else key,
    )  # fmt: skip
    if theirs.in_proj_weight is None:
        torch = importlib.import_module("torch")
        query = theirs.q_proj_weight
        both = torch.cat([theirs.k_proj_weight, theirs.v_proj_weight])
    else:
        query, both = theirs.in_proj_weight[:size], theirs.in_proj_weight[size:]
    biases = theirs.in_proj_bias
    first, rest = (None, None) if biases is None else (biases[:size], biases[size:])
    take(made.to_q, w=query, b=first)
    take(made.to_kv, w=both, b=rest)
    take(made.to_out, w=theirs.out_proj.weight, b=theirs.out_proj.bias)
    return made.train(theirs.training)


def _to_attention(nn: Any, ours: Any, known: Any) -> Any:
    context = ours.to_kv.in_features
    size, bias = ours.features, "b" in ours.to_q._state.variables
    if ours.head_features * ours.num_heads != size:
        return wrapped(ours)
    made = nn.MultiheadAttention(
        size, ours.num_heads, bias=bias, kdim=context, vdim=context, batch_first=True,
        dropout=ours.dropout.rate if ours.dropout else 0.0,
    )  # fmt: skip
    torch = importlib.import_module("torch")
    query, both = own(ours.to_q, "w"), own(ours.to_kv, "w")
    if context == size:
        put(made, in_proj_weight=torch.cat([query, both]))
    else:
        keys, values = (part.contiguous() for part in both.chunk(2))
        put(made, q_proj_weight=query, k_proj_weight=keys, v_proj_weight=values)
    if bias:
        put(made, in_proj_bias=torch.cat([own(ours.to_q, "b"), own(ours.to_kv, "b")]))
    put(made.out_proj, weight=own(ours.to_out, "w"), bias=own(ours.to_out, "b"))
    return made


_LINEAR: Final = ("linear1", "linear2")
_NORMS: Final = ("norm1", "norm2")
_DROPOUTS: Final = ("dropout", "dropout1", "dropout2")


def _from_encoder_layer(theirs: Any, key: Array) -> Module:
    attention, first = theirs.self_attn, theirs.norm1
    if not attention.batch_first:
        refuse(theirs, "batch_first", False)
    made = TransformerEncoderLayer(
        attention.embed_dim, attention.num_heads, theirs.linear1.out_features,
        activation=_activation(theirs), eps=first.eps, norm_first=theirs.norm_first, bias=False,
        key=fresh_key(),
    )  # fmt: skip
    made.self_attn = _from_attention(attention, key)  # type: ignore[assignment]  # a Module
    for name in _LINEAR:
        layer = getattr(theirs, name)
        take(getattr(made, name), w=layer.weight, b=layer.bias)
    for name in _NORMS:
        layer = getattr(theirs, name)
        take(getattr(made, name), scale=layer.weight, offset=layer.bias)
    for name in _DROPOUTS:
        getattr(made, name).rate = getattr(theirs, name).p
    return made.train(theirs.training)


def _activation(theirs: Any) -> Any:
    """Return the name of the activation of a layer, which may be a function or a layer."""
    nn, given = importlib.import_module("torch").nn, theirs.activation
    if given is nn.functional.relu or type(given) is nn.ReLU:
        return "relu"
    exact = type(given) is nn.GELU and given.approximate == "none"
    if given is nn.functional.gelu or exact:
        return "gelu"
    refuse(theirs, "activation", given)


def _from_encoder(theirs: Any, key: Array) -> Module:
    for layer in theirs.layers:
        if type(layer).__name__ != "TransformerEncoderLayer":
            refuse(theirs, "layers", type(layer).__name__)
    norm = theirs.norm
    if norm is not None and type(norm).__name__ not in ("LayerNorm", "RMSNorm"):
        refuse(theirs, "norm", norm)
    made = TransformerEncoder(
        [_from_encoder_layer(layer, key) for layer in theirs.layers],
        norm=None if norm is None else norms.FROM[type(norm).__name__](norm, key),
    )
    return made.train(theirs.training)


def _to_encoder_layer(nn: Any, ours: Any, known: Any) -> Any:
    given = ours.activation
    name = given if isinstance(given, str) else getattr(getattr(given, "contract", 0), "name", "")
    if name not in ("relu", "gelu"):
        return wrapped(ours)
    made = nn.TransformerEncoderLayer(
        ours.features, ours.self_attn.num_heads, ours.linear1.out_features, activation=name,
        layer_norm_eps=ours.norm1.eps, batch_first=True, norm_first=ours.norm_first,
        bias="b" in ours.linear1._state.variables,
    )  # fmt: skip
    made.self_attn = _to_attention(nn, ours.self_attn, known)
    for name in _LINEAR:
        layer = getattr(ours, name)
        put(getattr(made, name), weight=own(layer, "w"), bias=own(layer, "b"))
    for name in _NORMS:
        layer = getattr(ours, name)
        put(getattr(made, name), weight=own(layer, "scale"), bias=own(layer, "offset"))
    for name in _DROPOUTS:
        getattr(made, name).p = getattr(ours, name).rate
    return made.train(ours.training)


def _to_encoder(nn: Any, ours: Any, known: Any) -> Any:
    convert = None if ours.norm is None else norms.TO.get(type(ours.norm))
    if not ours.layers or (ours.norm is not None and convert is None):
        return wrapped(ours)
    if not all(type(layer) is TransformerEncoderLayer for layer in ours.layers):
        return wrapped(ours)
    layers = [_to_encoder_layer(nn, layer, known) for layer in ours.layers]
    if not all(isinstance(layer, nn.TransformerEncoderLayer) for layer in layers):
        return wrapped(ours)
    norm = None if convert is None else convert(nn, ours.norm, known)
    made = nn.TransformerEncoder(layers[0], len(layers), norm, enable_nested_tensor=False)
    made.layers = nn.ModuleList(layers)
    return made


FROM: Final[From] = {
    "MultiheadAttention": _from_attention, "TransformerEncoderLayer": _from_encoder_layer,
    "TransformerEncoder": _from_encoder,
}  # fmt: skip
TO: Final[To] = {
    MultiHeadAttention: _to_attention, TransformerEncoderLayer: _to_encoder_layer,
    TransformerEncoder: _to_encoder,
}  # fmt: skip
