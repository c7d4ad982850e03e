"""Conversion of recurrent layers between `torch.nn` and ours."""

from __future__ import annotations

from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.module import GRU, LSTM, Module
from arrayapi_unify.module._torch_parts import From, To, only, own, put, take

__all__ = ["FROM", "TO"]

_RECURRENT: Final = {
    "kernel": "weight_ih", "recurrent_kernel": "weight_hh", "bias": "bias_ih",
    "recurrent_bias": "bias_hh",
}  # fmt: skip


def _from_recurrent(theirs: Any, key: Array) -> Module:
    only(theirs, batch_first=True, bidirectional=False, proj_size=0)
    if theirs.num_layers > 1:
        only(theirs, dropout=0.0)
    made: LSTM | GRU = {"LSTM": LSTM, "GRU": GRU}[type(theirs).__name__](
        theirs.input_size, theirs.hidden_size, num_layers=theirs.num_layers, bias=False, key=key
    )
    for place, layer in enumerate(made.layers):
        own = [getattr(theirs, f"{n}_l{place}", None) for n in _RECURRENT.values()]
        take(layer, **{
            name: x if x is None or x.ndim < 2 else x.T.contiguous()
            for name, x in zip(_RECURRENT, own, strict=True)
        })  # fmt: skip
    return made


def _to_recurrent(nn: Any, ours: Any, known: Any) -> Any:
    bias = "bias" in ours.layers[0]._state.variables
    made = getattr(nn, type(ours).__name__)(
        ours.input_size, ours.hidden_size, ours.num_layers, bias=bias, batch_first=True
    )
    for place, layer in enumerate(ours.layers):
        for name, other in _RECURRENT.items():
            tensor = own(layer, name)
            if tensor is None and bias:
                tensor = 0 * own(layer, "bias")
            if tensor is not None:
                tensor = tensor.T.contiguous() if tensor.ndim > 1 else tensor
                put(made, **{f"{other}_l{place}": tensor})
    return made


FROM: Final[From] = {"LSTM": _from_recurrent, "GRU": _from_recurrent}
TO: Final[To] = {LSTM: _to_recurrent, GRU: _to_recurrent}
