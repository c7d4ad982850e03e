"""Conversion of layers of `torch.nn` to ours, and back.

Layers keep their names and values. `weight` and `bias` are `w` and `b` here, in the layout of our
functions. Options that ours lack (other paddings, directions, projections) raise.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import binding_of
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.errors import describe, raise_type_error, raise_value_error
from arrayapi_unify.functional.general import to_backend
from arrayapi_unify.module import (
    BatchNorm,
    Conv1D,
    Conv2D,
    Conv3D,
    Dropout,
    Embedding,
    LayerNorm,
    Linear,
    Module,
    MultiHeadAttention,
    Sequential,
)
from arrayapi_unify.module._traversal import modules
from arrayapi_unify.module.recurrent import GRU, LSTM
from arrayapi_unify.module.torch_adapter import wrapped

__all__ = ["from_torch", "to_torch"]

# PyTorch's layers without parameters, which are functions here.
_FUNCTIONS: Final = {
    "ELU": "elu", "Hardsigmoid": "hardsigmoid", "Hardswish": "hardswish", "Mish": "mish",
    "ReLU": "relu", "ReLU6": "relu6", "SELU": "selu", "SiLU": "silu", "Sigmoid": "sigmoid",
    "Softsign": "softsign", "Tanh": "tanh",
}  # fmt: skip
_CONVOLUTIONS: Final[dict[str, Any]] = {"Conv1d": Conv1D, "Conv2d": Conv2D, "Conv3d": Conv3D}
_NORMS: Final = ("BatchNorm1d", "BatchNorm2d", "BatchNorm3d")


def from_torch(theirs: Any) -> Any:
    """Convert a layer of `torch.nn` to one of ours, on the torch backend."""
    kind = type(theirs)
    name = kind.__name__ if kind.__module__.startswith("torch.nn.modules.") else ""
    if name in _FUNCTIONS:
        if name == "ELU" and theirs.alpha != 1.0:
            _refuse(theirs, "alpha", theirs.alpha)
        return CONTRACTS[_FUNCTIONS[name]].public
    make = _FROM.get(name)
    if make is None:
        raise_type_error(
            "Module.from_torch", "torch_module", f"is {describe(theirs)}, whose "
            "forward isn't known", f"write it as a Module of ours, with the layers that "
            f"from_torch makes of its parts; it takes {', '.join([*_FROM, *_FUNCTIONS])}",
        )  # fmt: skip
    with_key = binding_of("torch").functions["random.key"](0)
    ours = make(theirs, with_key)
    ours._state.training = theirs.training
    return ours


def _refuse(theirs: Any, option: str, value: Any) -> None:
    raise_value_error(
        "Module.from_torch", "torch_module",
        f"is a {type(theirs).__name__} with {option}={value!r}, which our layer doesn't have",
        "write it as a Module of ours",
    )  # fmt: skip


def _only(theirs: Any, **options: Any) -> None:
    """Raise for options with values that ours don't support."""
    for option, value in options.items():
        if getattr(theirs, option) != value:
            _refuse(theirs, option, getattr(theirs, option))


def _array(tensor: Any) -> Array:
    """Return the values of a parameter, in new memory."""
    return Array(tensor.detach().clone())


def _take(ours: Module, **tensors: Any) -> Module:
    """Set the variables of a layer of ours, except those that are None."""
    for name, tensor in tensors.items():
        if tensor is not None:
            ours._declare_variable(name, _array(tensor))
    return ours


def _from_linear(theirs: Any, key: Array) -> Module:
    made = Linear(theirs.in_features, theirs.out_features, bias=False, key=key)
    return _take(made, w=theirs.weight, b=theirs.bias)


def _from_conv(theirs: Any, key: Array) -> Module:
    _only(theirs, padding_mode="zeros")
    padding = theirs.padding
    made: Module = _CONVOLUTIONS[type(theirs).__name__](
        theirs.in_channels, theirs.out_channels, theirs.kernel_size, strides=theirs.stride,
        padding=padding.upper() if isinstance(padding, str) else tuple((p, p) for p in padding),
        dilations=theirs.dilation, groups=theirs.groups, data_format="channels_first", bias=False,
        key=key,
    )  # fmt: skip
    filters = theirs.weight.movedim((0, 1), (-1, -2)).contiguous()
    return _take(made, w=filters, b=theirs.bias)


def _from_embedding(theirs: Any, key: Array) -> Module:
    _only(theirs, padding_idx=None, max_norm=None, scale_grad_by_freq=False, sparse=False)
    return _take(Embedding(theirs.num_embeddings, theirs.embedding_dim, key=key), w=theirs.weight)


def _from_recurrent(theirs: Any, key: Array) -> Module:
    _only(theirs, batch_first=True, bidirectional=False, proj_size=0)
    if theirs.num_layers > 1:
        _only(theirs, dropout=0.0)
    made: LSTM | GRU = {"LSTM": LSTM, "GRU": GRU}[type(theirs).__name__](
        theirs.input_size, theirs.hidden_size, num_layers=theirs.num_layers, bias=False, key=key
    )
    for place, layer in enumerate(made.layers):
        own = [getattr(theirs, f"{n}_l{place}", None) for n in _RECURRENT.values()]
        _take(layer, **{
            name: x if x is None or x.ndim < 2 else x.T.contiguous()
            for name, x in zip(_RECURRENT, own, strict=True)
        })  # fmt: skip
    return made


_RECURRENT: Final = {
    "kernel": "weight_ih", "recurrent_kernel": "weight_hh", "bias": "bias_ih",
    "recurrent_bias": "bias_hh",
}  # fmt: skip


def _from_attention(theirs: Any, key: Array) -> Module:
    _only(theirs, batch_first=True, dropout=0.0, bias_k=None, bias_v=None, add_zero_attn=False)
    _only(theirs, vdim=theirs.kdim)
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
    _take(made.to_q, w=query, b=first)
    _take(made.to_kv, w=both, b=rest)
    _take(made.to_out, w=theirs.out_proj.weight, b=theirs.out_proj.bias)
    return made


def _from_layer_norm(theirs: Any, key: Array) -> Module:
    made = LayerNorm(theirs.normalized_shape, eps=theirs.eps, affine=False, key=key)
    return _take(made, scale=theirs.weight, offset=theirs.bias)


def _from_batch_norm(theirs: Any, key: Array) -> Module:
    _only(theirs, track_running_stats=True)
    if theirs.momentum is None:
        _refuse(theirs, "momentum", None)
    made = BatchNorm(
        theirs.num_features, axis=1, momentum=theirs.momentum, eps=theirs.eps, affine=False, key=key
    )
    for name in ("running_mean", "running_var"):
        made._declare_buffer(name, _array(getattr(theirs, name)))
    return _take(made, scale=theirs.weight, offset=theirs.bias)


def _from_dropout(theirs: Any, key: Array) -> Module:
    # With its own key, as PyTorch's layers draw independently.
    return Dropout(theirs.p, key=binding_of("torch").functions["random.next_key"]())


def _from_sequential(theirs: Any, key: Array) -> Module:
    made, known = Sequential(), dict[int, Any]()
    for name, layer in theirs._modules.items():  # named_children omits second names
        # A layer with two names is one layer, as in PyTorch.
        known.setdefault(id(layer), from_torch(layer))
        made._append(name, known[id(layer)])
    _tie(theirs, made)
    return made


def _tie(theirs: Any, ours: Module) -> None:
    """Make variables the same if their parameters are, for layers of equal layout."""
    known: dict[int, Any] = {}
    for name, layer in theirs.named_modules():
        weight = getattr(layer, "weight", None)
        mine = dict(modules(ours)).get(name.replace(".", "/"))
        if weight is None or not isinstance(mine, Linear | Embedding):
            continue
        variable = known.setdefault(id(weight), mine._state.variables["w"])
        mine._state.variables["w"] = variable


_FROM: Final[dict[str, Callable[[Any, Array], Module]]] = {
    "Linear": _from_linear, **dict.fromkeys(_CONVOLUTIONS, _from_conv),
    "Embedding": _from_embedding, "LSTM": _from_recurrent, "GRU": _from_recurrent,
    "MultiheadAttention": _from_attention, "LayerNorm": _from_layer_norm,
    **dict.fromkeys(_NORMS, _from_batch_norm), "Dropout": _from_dropout,
    "Sequential": _from_sequential,
}  # fmt: skip


# --- to PyTorch -----------------------------------------------------------------------------------


def to_torch(ours: Any) -> Any:
    """Convert a Module to one of `torch.nn`; a Module without an equivalent is wrapped."""
    torch = importlib.import_module("torch")
    made = _made(torch.nn, ours, {})
    return made.train(ours.training)


def _made(nn: Any, ours: Any, known: dict[int, Any]) -> Any:
    if id(ours) in known:
        return known[id(ours)]
    make = _TO.get(type(ours))
    if make is not None:
        made = make(nn, ours, known)
    elif isinstance(ours, Module):
        made = wrapped(ours)
    else:
        name = getattr(getattr(ours, "contract", None), "name", None)
        wanted = [theirs for theirs, function in _FUNCTIONS.items() if function == name]
        if not wanted:
            raise_type_error(
                "Module.to_torch", "layer", f"is {describe(ours)}, which torch.nn "
                "doesn't have", "write a Module around it, whose _forward calls it",
            )  # fmt: skip
        made = getattr(nn, wanted[0])()
    known[id(ours)] = made
    if isinstance(ours, Module):
        made.training = ours.training
    return made


def _tensor(array: Array | None) -> Any:
    """Return values as a tensor with new memory."""
    return None if array is None else to_backend(array, "torch")._data.detach().clone()


def _put(theirs: Any, **arrays: Any) -> Any:
    """Set the parameters of a PyTorch layer, except those that are None."""
    nn = importlib.import_module("torch").nn
    for name, tensor in arrays.items():
        setattr(theirs, name, None if tensor is None else nn.Parameter(tensor))
    return theirs


def _own(ours: Any, name: str) -> Any:
    return _tensor(ours._own_or_none(name))


def _to_linear(nn: Any, ours: Any, known: Any) -> Any:
    made = nn.Linear(ours.in_features, ours.out_features, bias="b" in ours._state.variables)
    return _put(made, weight=_own(ours, "w"), bias=_own(ours, "b"))


def _to_conv(nn: Any, ours: Any, known: Any) -> Any:
    if ours.data_format != "channels_first":
        return wrapped(ours)
    given = ours.padding
    padding = given.lower() if isinstance(given, str) else _even(given, ours._axes)
    if padding is None or (padding == "same" and ours.strides not in (1, (1,) * ours._axes)):
        return wrapped(ours)
    made = getattr(nn, f"Conv{ours._axes}d")(
        ours.in_channels, ours.out_channels, ours.kernel_size, ours.strides, padding,
        ours.dilations, ours.groups, bias="b" in ours._state.variables,
    )  # fmt: skip
    filters = _own(ours, "w").movedim((-1, -2), (0, 1)).contiguous()
    return _put(made, weight=filters, bias=_own(ours, "b"))


def _even(padding: Any, axes: int) -> Any:
    """Return symmetric paddings, or None."""
    if isinstance(padding, int):
        return padding
    pairs = list(padding)
    if all(isinstance(p, int) for p in pairs):
        return pairs[0] if len(set(pairs)) == 1 else None
    even = [pair[0] if not isinstance(pair, int) else pair for pair in pairs]
    alike = all(isinstance(pair, int) or len(set(pair)) == 1 for pair in pairs)
    return tuple(even) if alike and len(even) == axes else None


def _to_embedding(nn: Any, ours: Any, known: Any) -> Any:
    made = nn.Embedding(ours.num_embeddings, ours.features)
    return _put(made, weight=_own(ours, "w"))


def _to_recurrent(nn: Any, ours: Any, known: Any) -> Any:
    bias = "bias" in ours.layers[0]._state.variables
    made = getattr(nn, type(ours).__name__)(
        ours.input_size, ours.hidden_size, ours.num_layers, bias=bias, batch_first=True
    )
    for place, layer in enumerate(ours.layers):
        for name, other in _RECURRENT.items():
            tensor = _own(layer, name)
            if tensor is None and bias:
                tensor = 0 * _own(layer, "bias")
            if tensor is not None:
                tensor = tensor.T.contiguous() if tensor.ndim > 1 else tensor
                _put(made, **{f"{other}_l{place}": tensor})
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
    query, both = _own(ours.to_q, "w"), _own(ours.to_kv, "w")
    if context == size:
        _put(made, in_proj_weight=torch.cat([query, both]))
    else:
        keys, values = (part.contiguous() for part in both.chunk(2))
        _put(made, q_proj_weight=query, k_proj_weight=keys, v_proj_weight=values)
    if bias:
        _put(made, in_proj_bias=torch.cat([_own(ours.to_q, "b"), _own(ours.to_kv, "b")]))
    _put(made.out_proj, weight=_own(ours.to_out, "w"), bias=_own(ours.to_out, "b"))
    return made


def _to_layer_norm(nn: Any, ours: Any, known: Any) -> Any:
    made = nn.LayerNorm(ours.normalized_shape, eps=ours.eps)
    return _put(made, weight=_own(ours, "scale"), bias=_own(ours, "offset"))


def _to_batch_norm(nn: Any, ours: Any, known: Any) -> Any:
    # The three classes differ in the number of axes; the second axis has the channels.
    if ours.axis != 1:
        return wrapped(ours)
    made = nn.modules.batchnorm._BatchNorm(ours.features, ours.eps, ours.momentum)
    made._check_input_dim = lambda x: None
    for name in ("running_mean", "running_var"):
        setattr(made, name, _tensor(ours._state.buffers[name].read()))
    return _put(made, weight=_own(ours, "scale"), bias=_own(ours, "offset"))


def _to_sequential(nn: Any, ours: Any, known: Any) -> Any:
    made = nn.Sequential()
    for name, layer in ours._named_layers():
        made.add_module(name, _made(nn, layer, known))
    # One variable is one parameter.
    weights: dict[Any, Any] = {}
    for name, layer in modules(ours):
        if type(layer) in (Linear, Embedding):
            theirs = made.get_submodule(name.replace("/", "."))
            theirs.weight = weights.setdefault(layer._state.variables["w"], theirs.weight)
    return made


_TO: Final[dict[type, Callable[[Any, Any, Any], Any]]] = {
    Linear: _to_linear, **dict.fromkeys((Conv1D, Conv2D, Conv3D), _to_conv),
    Embedding: _to_embedding, LSTM: _to_recurrent, GRU: _to_recurrent,
    MultiHeadAttention: _to_attention, LayerNorm: _to_layer_norm, BatchNorm: _to_batch_norm,
    Dropout: lambda nn, ours, known: nn.Dropout(ours.rate), Sequential: _to_sequential,
}  # fmt: skip
