"""Conversion of layers of Keras to ours.

A layer becomes one of ours, followed by functions for what ours leave out, such as the activation;
together they are a `Sequential`. Options that ours lack raise.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any, Final

from arrayapi_unify import nn
from arrayapi_unify.array_object import Array
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.errors import describe, raise_type_error, raise_value_error
from arrayapi_unify.functional.backend import get_backend
from arrayapi_unify.functional.general import to_backend
from arrayapi_unify.functional.gradients import stop_gradient
from arrayapi_unify.nn import (
    GRU,
    LSTM,
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
from arrayapi_unify.nn.core.formatting import function_name

__all__ = ["from_keras"]

Function = Callable[[Any], Any]

# Keras' activations with the names of our functions.
_ACTIVATIONS: Final = {
    "celu": "celu", "elu": "elu", "exponential": "exp", "gelu": "gelu",
    "hard_sigmoid": "hardsigmoid", "hard_silu": "hardswish", "log_sigmoid": "logsigmoid",
    "log_softmax": "log_softmax", "mish": "mish", "relu": "relu", "relu6": "relu6", "selu": "selu",
    "sigmoid": "sigmoid", "silu": "silu", "softmax": "softmax", "softplus": "softplus",
    "softsign": "softsign", "tanh": "tanh",
}  # fmt: skip
_CONVOLUTIONS: Final[dict[str, Any]] = {"Conv1D": Conv1D, "Conv2D": Conv2D, "Conv3D": Conv3D}


def from_keras(theirs: Any) -> Any:
    """Convert a layer of Keras to one of ours, on Keras' backend."""
    found = _converted(theirs, {})
    if len(found) == 1:
        (made,) = found.values()
        return made
    return _sequential(found)


def _sequential(found: dict[str, Function]) -> Sequential:
    made = Sequential()
    for name, layer in found.items():
        made._append(name, layer)
    return made.eval()


def _converted(theirs: Any, known: dict[int, dict[str, Function]]) -> dict[str, Function]:
    """Return a layer of ours with the functions that follow it, by their names."""
    _check(theirs)
    if id(theirs) in known:  # a layer with two places is one layer
        return known[id(theirs)]
    if type(theirs).__name__ == "Sequential":
        parts: dict[str, Function] = {}
        for layer in theirs.layers:
            parts.update(_converted(layer, known))
        made: dict[str, Function] = {theirs.name: _sequential(parts)}
    else:
        make = _FROM[type(theirs).__name__]
        first, *rest = (part for part in make(theirs, _key()) if part is not None)
        after = {f"{theirs.name}_{_name_of(function)}": function for function in rest}
        made = {theirs.name: first.eval() if isinstance(first, Module) else first, **after}
    known[id(theirs)] = made
    return made


def _check(theirs: Any) -> None:
    """Raise for what is no layer of Keras that ours have, or has no variables yet."""
    kind = type(theirs)
    known = [*_FROM, "Sequential"]
    if not kind.__module__.startswith("keras.") or kind.__name__ not in known:
        raise_type_error(
            "Module.from_keras", "layer", f"is {describe(theirs)}, whose call isn't known",
            f"write it as a Module of ours, with the layers that from_keras makes of its parts; it "
            f"takes {', '.join(known)}",
        )  # fmt: skip
    if not theirs.built:
        raise_value_error(
            "Module.from_keras", "layer", f"is a {kind.__name__} without variables yet",
            "call it once, or its method build",
        )  # fmt: skip
    if theirs.compute_dtype != theirs.variable_dtype:
        _refuse(theirs, "dtype", theirs.dtype_policy.name)


def _name_of(function: Any) -> str:
    return function_name(function).partition("(")[0].strip("_")


def _namespace() -> Any:
    """Return the namespace of the backend on which Keras computes."""
    return get_backend(importlib.import_module("keras").config.backend())


def _key() -> Array:
    return _namespace().random.key(0)


def _refuse(theirs: Any, option: str, value: Any) -> None:
    raise_value_error(
        "Module.from_keras", "layer",
        f"is a {type(theirs).__name__} with {option}={value!r}, which our layer doesn't have",
        "write it as a Module of ours",
    )  # fmt: skip


def _only(theirs: Any, **options: Any) -> None:
    """Raise for options with values that ours don't support."""
    for option, value in options.items():
        given = getattr(theirs, option, value)
        if given != value:
            _refuse(theirs, option, given)


def _values(variable: Any) -> Any:
    """Return the values of a variable, as an array of NumPy."""
    return to_backend(stop_gradient(Array(variable.value)), "numpy").data


def _take(ours: Module, **values: Any) -> Module:
    """Set the variables of a layer of ours, except those that are None."""
    xp = _namespace()
    for name, value in values.items():
        if value is not None:
            ours._declare_variable(name, xp.asarray(value, copy=True))
    return ours


def _optional(theirs: Any, name: str) -> Any:
    """Return the values of a variable, or None if the layer has none of that name."""
    variable = getattr(theirs, name, None)
    return None if variable is None else _values(variable)


def _function(theirs: Any, activation: Any) -> Function | None:
    """Return our function for an activation; None for the identity."""
    name = getattr(activation, "__name__", "")
    if not getattr(activation, "__module__", "").startswith("keras."):
        _refuse(theirs, "activation", activation)
    if name == "linear":
        return None
    if name == "leaky_relu":
        return functools.partial(CONTRACTS["nn.leaky_relu"].public, negative_slope=0.2)
    if name not in _ACTIVATIONS:
        _refuse(theirs, "activation", name)
    return CONTRACTS[CONTRACTS.forward(_ACTIVATIONS[name])].public


Parts = list[Function | None]


def _from_dense(theirs: Any, key: Array) -> Parts:
    _only(theirs, lora_enabled=False, quantization_mode=None)
    kernel = _values(theirs.kernel)
    made = Linear(*kernel.shape, bias=False, key=key)
    _take(made, w=kernel.T, b=_optional(theirs, "bias"))
    return [made, _function(theirs, theirs.activation)]


def _from_conv(theirs: Any, key: Array) -> Parts:
    _only(theirs, lora_enabled=False)
    kernel, dilations = _values(theirs.kernel), tuple(theirs.dilation_rate)
    padding: Any = theirs.padding.upper()
    if padding == "CAUSAL":
        padding = [((size - 1) * d, 0) for size, d in zip(kernel.shape, dilations, strict=False)][
            :1
        ]
    made: Module = _CONVOLUTIONS[type(theirs).__name__](
        kernel.shape[-2] * theirs.groups, theirs.filters, tuple(theirs.kernel_size),
        strides=tuple(theirs.strides), padding=padding, dilations=dilations, groups=theirs.groups,
        data_format=theirs.data_format, bias=False, key=key,
    )  # fmt: skip
    _take(made, w=kernel, b=_optional(theirs, "bias"))
    return [made, _function(theirs, theirs.activation)]


def _from_embedding(theirs: Any, key: Array) -> Parts:
    _only(theirs, mask_zero=False, lora_enabled=False, quantization_mode=None)
    made = Embedding(theirs.input_dim, theirs.output_dim, key=key)
    return [_take(made, w=_values(theirs.embeddings))]


def _from_layer_norm(theirs: Any, key: Array) -> Parts:
    _only(theirs, rms_scaling=False)
    shape = theirs.get_build_config()["input_shape"]
    axes = theirs.axis if isinstance(theirs.axis, list | tuple) else [theirs.axis]
    places = sorted(axis % len(shape) for axis in axes)
    if places != list(range(len(shape) - len(places), len(shape))):
        _refuse(theirs, "axis", theirs.axis)
    made = LayerNorm([shape[p] for p in places], eps=theirs.epsilon, affine=False, key=key)
    _take(made, scale=_optional(theirs, "gamma"), offset=_optional(theirs, "beta"))
    return [made]


def _from_batch_norm(theirs: Any, key: Array) -> Parts:
    _only(theirs, renorm=False, synchronized=False)
    mean, variance = _values(theirs.moving_mean), _values(theirs.moving_variance)
    made = BatchNorm(
        len(mean), axis=theirs.axis, momentum=1 - theirs.momentum, eps=theirs.epsilon, affine=False,
        key=key,
    )  # fmt: skip
    xp = _namespace()
    for name, value in (("running_mean", mean), ("running_var", variance)):
        made._declare_buffer(name, xp.asarray(value, copy=True))
    return [_take(made, scale=_optional(theirs, "gamma"), offset=_optional(theirs, "beta"))]


def _from_dropout(theirs: Any, key: Array) -> Parts:
    _only(theirs, noise_shape=None)
    # With its own key, as Keras' layers draw independently.
    return [Dropout(theirs.rate, key=_namespace().random.next_key())]


def _from_attention(theirs: Any, key: Array) -> Parts:
    config = theirs.get_config()
    usual = {
        "value_dim": config["key_dim"], "dropout": 0.0, "output_shape": None, "use_gate": False,
        "sliding_window": None,
    }  # fmt: skip
    for option, value in usual.items():
        if config.get(option, value) not in (value, None):
            _refuse(theirs, option, config[option])
    parts = [theirs.query_dense, theirs.key_dense, theirs.value_dense, theirs.output_dense]
    # One axis of queries, between those of the batch and the features.
    shape = theirs.get_build_config()["shapes_dict"]["query_shape"]
    if tuple(config["attention_axes"]) != (1,) or len(shape) != 3:
        _refuse(theirs, "attention_axes", config["attention_axes"])
    query, keys, values, out = (_values(part.kernel) for part in parts)
    if keys.shape != values.shape:
        _refuse(theirs, "input of the keys", f"{keys.shape[0]} features, unlike the values")
    size, context = query.shape[0], keys.shape[0]
    made = MultiHeadAttention(
        size, config["num_heads"], context_features=context, head_features=config["key_dim"],
        bias=False, key=key,
    )  # fmt: skip
    first, second, third, last = (_optional(part, "bias") for part in parts)
    numpy = importlib.import_module("numpy")
    both = [x.reshape(context, -1).T for x in (keys, values)]
    biases = None if second is None else numpy.concatenate([second.ravel(), third.ravel()])
    _take(made.to_q, w=query.reshape(size, -1).T, b=None if first is None else first.ravel())
    _take(made.to_kv, w=numpy.concatenate(both), b=biases)
    _take(made.to_out, w=out.reshape(-1, size).T, b=last)
    return [made]


def _sequence(result: Any) -> Any:
    """Return the states at all times of a recurrent layer."""
    return result[0]


def _last(result: Any) -> Any:
    """Return the last state of a recurrent layer."""
    return result[0][..., -1, :]


def _check_recurrent(theirs: Any) -> None:
    _only(
        theirs, return_state=False, go_backwards=False, stateful=False, dropout=0.0,
        recurrent_dropout=0.0,
    )  # fmt: skip
    for option, usual in (("activation", "tanh"), ("recurrent_activation", "sigmoid")):
        name = getattr(getattr(theirs, option), "__name__", None)
        if name != usual:
            _refuse(theirs, option, name)


def _from_lstm(theirs: Any, key: Array) -> Parts:
    _check_recurrent(theirs)
    cell = theirs.cell
    kernel = _values(cell.kernel)
    made = LSTM(len(kernel), theirs.units, bias=False, key=key)
    _take(
        made.layers[0], kernel=kernel, recurrent_kernel=_values(cell.recurrent_kernel),
        bias=_optional(cell, "bias"),
    )  # fmt: skip
    return [made, _sequence if theirs.return_sequences else _last]


def _from_gru(theirs: Any, key: Array) -> Parts:
    _check_recurrent(theirs)
    _only(theirs, reset_after=True)
    cell, numpy = theirs.cell, importlib.import_module("numpy")

    def reordered(values: Any) -> Any:
        """Return the gates as reset, update, new; Keras has update first."""
        update, reset, new = numpy.split(values, 3, axis=-1)
        return numpy.concatenate([reset, update, new], axis=-1)

    kernel = reordered(_values(cell.kernel))
    made = GRU(len(kernel), theirs.units, bias=False, key=key)
    biases = _optional(cell, "bias")
    bias, recurrent_bias = (None, None) if biases is None else reordered(biases)
    _take(
        made.layers[0], kernel=kernel, recurrent_kernel=reordered(_values(cell.recurrent_kernel)),
        bias=bias, recurrent_bias=recurrent_bias,
    )  # fmt: skip
    return [made, _sequence if theirs.return_sequences else _last]


def _from_activation(theirs: Any, key: Array) -> Parts:
    return [_function(theirs, theirs.activation) or _same]


def _same(x: Any) -> Any:
    """Return the argument."""
    return x


def _from_relu(theirs: Any, key: Array) -> Parts:
    _only(theirs, threshold=0.0, negative_slope=0.0)
    if theirs.max_value not in (None, 6.0):
        _refuse(theirs, "max_value", theirs.max_value)
    return [CONTRACTS["nn.relu" if theirs.max_value is None else "nn.relu6"].public]


def _from_pooling(theirs: Any, key: Array) -> Parts:
    kind, axes = type(theirs).__name__.split("Pooling")
    return [
        getattr(nn, f"{_KINDS[kind]}Pool{axes}")(
            tuple(theirs.pool_size), strides=tuple(theirs.strides), padding=theirs.padding.upper(),
            data_format=theirs.data_format,
        )
    ]  # fmt: skip


def _from_global_pooling(theirs: Any, key: Array) -> Parts:
    kind = type(theirs).__name__.removeprefix("Global").partition("Pooling")[0]
    made = getattr(nn, f"Global{_KINDS[kind]}Pool")
    return [made(keepdims=theirs.keepdims, data_format=theirs.data_format)]


def _from_flatten(theirs: Any, key: Array) -> Parts:
    # The channels come last in what Keras flattens.
    if theirs.data_format != "channels_last":
        _refuse(theirs, "data_format", theirs.data_format)
    return [nn.Flatten()]


_KINDS: Final = {"Max": "Max", "Average": "Avg"}
_POOLINGS: Final = [f"{kind}Pooling{n}D" for kind in _KINDS for n in (1, 2, 3)]


def _with_option(name: str, **options: str) -> Callable[[Any, Array], Parts]:
    """Return the conversion of a layer to a function of ours, with the layer's options."""

    def make(theirs: Any, key: Array) -> Parts:
        given = {ours: getattr(theirs, option) for ours, option in options.items()}
        return [functools.partial(CONTRACTS[CONTRACTS.forward(name)].public, **given)]

    return make


_FROM: Final[dict[str, Callable[[Any, Array], Parts]]] = {
    "Dense": _from_dense, **dict.fromkeys(_CONVOLUTIONS, _from_conv), "Embedding": _from_embedding,
    "LayerNormalization": _from_layer_norm, "BatchNormalization": _from_batch_norm,
    "Dropout": _from_dropout, "MultiHeadAttention": _from_attention, "LSTM": _from_lstm,
    "GRU": _from_gru, "Activation": _from_activation, "ReLU": _from_relu,
    **dict.fromkeys(_POOLINGS, _from_pooling), "Flatten": _from_flatten,
    **{f"Global{name}": _from_global_pooling for name in _POOLINGS},
    "LeakyReLU": _with_option("leaky_relu", negative_slope="negative_slope"),
    "ELU": _with_option("elu", alpha="alpha"), "Softmax": _with_option("softmax", axis="axis"),
}  # fmt: skip
