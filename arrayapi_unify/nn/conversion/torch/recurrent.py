"""Conversion of recurrent layers between `torch.nn` and ours."""

from __future__ import annotations

from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.nn import GRU, LSTM, RNN, GRUCell, LSTMCell, Module, RNNCell
from arrayapi_unify.nn.conversion.torch.parts import From, To, only, own, put, take

__all__ = ["FROM", "TO"]

_LAYERS: Final[dict[str, Any]] = {"LSTM": LSTM, "GRU": GRU, "RNN": RNN}
_CELLS: Final[dict[str, Any]] = {"LSTMCell": LSTMCell, "GRUCell": GRUCell, "RNNCell": RNNCell}
_WEIGHTS: Final = {
    "kernel": "weight_ih", "recurrent_kernel": "weight_hh", "bias": "bias_ih",
    "recurrent_bias": "bias_hh",
}  # fmt: skip


def _take_weights(layer: Module, theirs: Any, suffix: str = "") -> Module:
    """Set the variables of one layer; PyTorch's kernels are the transposes."""
    found = {name: getattr(theirs, other + suffix, None) for name, other in _WEIGHTS.items()}
    return take(layer, **{
        name: x if x is None or x.ndim < 2 else x.T.contiguous() for name, x in found.items()
    })  # fmt: skip


def _put_weights(theirs: Any, layer: Any, suffix: str = "") -> Any:
    """Set the parameters of one layer; of two biases, one is zero if ours has one."""
    for name, other in _WEIGHTS.items():
        found = own(layer, name)
        if found is None and getattr(theirs, other + suffix, None) is not None:
            found = 0 * own(layer, "bias")
        if found is not None:
            found = found.T.contiguous() if found.ndim > 1 else found
            put(theirs, **{other + suffix: found})
    return theirs


def _from_layers(theirs: Any, key: Array) -> Module:
    only(theirs, batch_first=True, bidirectional=False, proj_size=0)
    if theirs.num_layers > 1:
        only(theirs, dropout=0.0)
    name = type(theirs).__name__
    options = {"activation": theirs.nonlinearity} if name == "RNN" else {}
    made: Any = _LAYERS[name](
        theirs.input_size, theirs.hidden_size, num_layers=theirs.num_layers, bias=False, key=key,
        **options,
    )  # fmt: skip
    for place, layer in enumerate(made.layers):
        _take_weights(layer, theirs, f"_l{place}")
    return made


def _from_cell(theirs: Any, key: Array) -> Module:
    name = type(theirs).__name__
    options = {"activation": theirs.nonlinearity} if name == "RNNCell" else {}
    made = _CELLS[name](theirs.input_size, theirs.hidden_size, bias=False, key=key, **options)
    return _take_weights(made, theirs)


def _options(ours: Any, layer: Any) -> dict[str, Any]:
    """Return the options of both kinds of layers."""
    known = {"bias": "bias" in layer._state.variables}
    return {**known, **({"nonlinearity": ours.activation} if hasattr(ours, "activation") else {})}


def _to_layers(nn: Any, ours: Any, known: Any) -> Any:
    made = getattr(nn, type(ours).__name__)(
        ours.input_size, ours.hidden_size, ours.num_layers, batch_first=True,
        **_options(ours, ours.layers[0]),
    )  # fmt: skip
    for place, layer in enumerate(ours.layers):
        _put_weights(made, layer, f"_l{place}")
    return made


def _to_cell(nn: Any, ours: Any, known: Any) -> Any:
    make = getattr(nn, type(ours).__name__)
    return _put_weights(make(ours.input_size, ours.hidden_size, **_options(ours, ours)), ours)


FROM: Final[From] = {
    **dict.fromkeys(_LAYERS, _from_layers), **dict.fromkeys(_CELLS, _from_cell),
}  # fmt: skip
TO: Final[To] = {
    **dict.fromkeys(_LAYERS.values(), _to_layers), **dict.fromkeys(_CELLS.values(), _to_cell),
}  # fmt: skip
