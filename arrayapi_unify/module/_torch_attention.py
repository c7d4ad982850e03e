"""Conversion of attention between `torch.nn` and ours."""

from __future__ import annotations

import importlib
from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.module import Module, MultiHeadAttention
from arrayapi_unify.module._torch_parts import From, To, only, own, put, take
from arrayapi_unify.module.torch_adapter import wrapped

__all__ = ["FROM", "TO"]


def _from_attention(theirs: Any, key: Array) -> Module:
    only(theirs, batch_first=True, dropout=0.0, bias_k=None, bias_v=None, add_zero_attn=False)
    only(theirs, vdim=theirs.kdim)
    size = theirs.embed_dim
    made = MultiHeadAttention(
        size, theirs.num_heads, context_features=theirs.kdim, bias=False, key=key
    )
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
    return made


def _to_attention(nn: Any, ours: Any, known: Any) -> Any:
    context = ours.to_kv.in_features
    size, bias = ours.features, "b" in ours.to_q._state.variables
    if ours.head_features * ours.num_heads != size:
        return wrapped(ours)
    made = nn.MultiheadAttention(
        size, ours.num_heads, bias=bias, kdim=context, vdim=context, batch_first=True
    )
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


FROM: Final[From] = {"MultiheadAttention": _from_attention}
TO: Final[To] = {MultiHeadAttention: _to_attention}
