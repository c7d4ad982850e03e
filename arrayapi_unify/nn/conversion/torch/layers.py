"""Conversion of layers of `torch.nn` to ours, and back.

Layers keep their names and values. `weight` and `bias` are `w` and `b` here, in the layout of our
functions. Options that ours lack (other paddings, directions, projections) raise.
"""

from __future__ import annotations

import importlib
from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import binding_of
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.errors import describe, raise_type_error
from arrayapi_unify.nn import (
    Dropout,
    Embedding,
    Flatten,
    Identity,
    Linear,
    Module,
    Residual,
    Sequential,
)
from arrayapi_unify.nn.conversion.torch import attention, norms, recurrent, windows
from arrayapi_unify.nn.conversion.torch.parts import (
    From,
    To,
    fresh_key,
    only,
    own,
    put,
    residual_class,
    take,
    wrapped,
)
from arrayapi_unify.nn.core.traversal import modules

__all__ = ["from_torch", "to_torch"]

# PyTorch's layers without parameters, which are functions here, and the options that ours have.
_FUNCTIONS: Final = {
    "ELU": "elu", "GELU": "gelu", "Hardsigmoid": "hardsigmoid", "Hardswish": "hardswish",
    "Mish": "mish", "ReLU": "relu", "ReLU6": "relu6", "SELU": "selu", "SiLU": "silu",
    "Sigmoid": "sigmoid", "Softsign": "softsign", "Tanh": "tanh",
}  # fmt: skip
# Hooks, which PyTorch calls around a layer's forward and backward.
_HOOKS: Final = {
    "_forward_pre_hooks": "forward pre-hooks", "_forward_hooks": "forward hooks",
    "_backward_pre_hooks": "backward pre-hooks", "_backward_hooks": "backward hooks",
}  # fmt: skip
_OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "ELU": {"alpha": 1.0}, "GELU": {"approximate": "none"},
}  # fmt: skip


def from_torch(theirs: Any) -> Any:
    """Convert a layer of `torch.nn` to one of ours, on the torch backend."""
    if hasattr(theirs, "named_modules") and not isinstance(theirs, type):
        for name, layer in theirs.named_modules():
            _refuse_changed(name, layer)
    return _converted(theirs)


def _refuse_changed(name: str, layer: Any) -> None:
    """Refuse a layer whose call does more than its class says."""
    found = [
        f"{text} ({', '.join(sorted({type(hook).__qualname__ for hook in hooks.values()}))})"
        for attribute, text in _HOOKS.items()
        if (hooks := getattr(layer, attribute, None))
    ]
    found += ["another 'forward'"] if "forward" in getattr(layer, "__dict__", {}) else []
    if found:
        where = f"the layer {name!r}, {describe(layer)}," if name else describe(layer)
        raise_type_error(
            "Module.from_torch", "torch_module",
            f"has in {where} {' and '.join(found)}, which would be lost",
            "remove it first (torch.nn.utils.remove_weight_norm, hook.remove(), del "
            "layer.forward), or write the layer as a Module of ours",
        )  # fmt: skip


def _converted(theirs: Any) -> Any:
    kind = type(theirs)
    name = kind.__name__ if kind.__module__.startswith("torch.nn.modules.") else ""
    if name in _FUNCTIONS:
        only(theirs, **_OPTIONS.get(name, {}))
        return CONTRACTS[CONTRACTS.forward(_FUNCTIONS[name])].public
    make = _FROM.get(name)
    if make is None and kind is residual_class():
        make = _from_residual
    if make is None:
        known = [name for name in [*_FROM, *_FUNCTIONS] if not name.startswith("_")]
        raise_type_error(
            "Module.from_torch", "torch_module", f"is {describe(theirs)}, whose "
            "forward isn't known", f"write it as a Module of ours, with the layers that "
            f"from_torch makes of its parts; it takes {', '.join(known)}",
        )  # fmt: skip
    with_key = binding_of("torch").functions["random.key"](0)
    ours = make(theirs, with_key)
    ours._state.training = theirs.training
    return ours


def _from_linear(theirs: Any, key: Array) -> Module:
    made = Linear(theirs.in_features, theirs.out_features, bias=False, key=key)
    return take(made, w=theirs.weight, b=theirs.bias)


def _from_embedding(theirs: Any, key: Array) -> Module:
    only(theirs, padding_idx=None, max_norm=None, scale_grad_by_freq=False, sparse=False)
    return take(Embedding(theirs.num_embeddings, theirs.embedding_dim, key=key), w=theirs.weight)


def _from_dropout(theirs: Any, key: Array) -> Module:
    return Dropout(theirs.p, key=fresh_key())


def _from_sequential(theirs: Any, key: Array) -> Module:
    made, known = Sequential(), dict[int, Any]()
    for name, layer in theirs._modules.items():  # named_children omits second names
        # A layer with two names is one layer, as in PyTorch.
        known.setdefault(id(layer), _converted(layer))
        made._append(name, known[id(layer)])
    _tie(theirs, made)
    return made


def _from_residual(theirs: Any, key: Array) -> Module:
    shortcut = theirs._modules.get("shortcut")
    made = Residual(_converted(theirs.layer), None if shortcut is None else _converted(shortcut))
    _tie(theirs, made)
    return made


def _tie(theirs: Any, ours: Module) -> None:
    """Make variables the same if their parameters are, for layers of equal layout."""
    known: dict[int, Any] = {}
    layers = dict(modules(ours))
    for name, layer in theirs.named_modules(remove_duplicate=False):
        mine = layers.get(name.replace(".", "/"))
        for parameter, variable in _EQUAL if isinstance(mine, Linear | Embedding) else ():
            tensor = getattr(layer, parameter, None)
            if tensor is not None:
                own_variables = mine._state.variables  # type: ignore[union-attr]  # one of the two
                own_variables[variable] = known.setdefault(id(tensor), own_variables[variable])


# Parameters of `Linear` and `Embedding`, and the variables with the same values.
_EQUAL: Final = (("weight", "w"), ("bias", "b"))


_FROM: Final[From] = {
    "Linear": _from_linear, "Embedding": _from_embedding, "Dropout": _from_dropout,
    "Sequential": _from_sequential, "Identity": lambda theirs, key: Identity(),
    "Flatten": lambda theirs, key: Flatten(theirs.start_dim, theirs.end_dim),
    **windows.FROM, **norms.FROM, **recurrent.FROM, **attention.FROM,
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


def _to_linear(nn: Any, ours: Any, known: Any) -> Any:
    made = nn.Linear(ours.in_features, ours.out_features, bias="b" in ours._state.variables)
    return put(made, weight=own(ours, "w"), bias=own(ours, "b"))


def _to_embedding(nn: Any, ours: Any, known: Any) -> Any:
    made = nn.Embedding(ours.num_embeddings, ours.features)
    return put(made, weight=own(ours, "w"))


def _to_sequential(nn: Any, ours: Any, known: Any) -> Any:
    made = nn.Sequential()
    for name, layer in ours._named_layers():
        made.add_module(name, _made(nn, layer, known))
    return _tied(nn, ours, made)


def _to_residual(nn: Any, ours: Any, known: Any) -> Any:
    shortcut = None if ours.shortcut is None else _made(nn, ours.shortcut, known)
    return _tied(nn, ours, residual_class()(_made(nn, ours.layer, known), shortcut))


def _tied(nn: Any, ours: Any, made: Any) -> Any:
    """Make parameters the same if their variables are, for layers of equal layout."""
    tensors: dict[Any, Any] = {}
    layers = dict(modules(ours))
    for name, theirs in made.named_modules(remove_duplicate=False):
        layer = layers.get(name.replace(".", "/"))
        if isinstance(theirs, nn.Linear | nn.Embedding) and isinstance(layer, Linear | Embedding):
            for parameter, variable in _EQUAL:
                found = layer._state.variables.get(variable)
                if found is not None:
                    own_tensor = getattr(theirs, parameter)
                    setattr(theirs, parameter, tensors.setdefault(found, own_tensor))
    return made


_TO: Final[To] = {
    Linear: _to_linear, Embedding: _to_embedding, Sequential: _to_sequential,
    Dropout: lambda nn, ours, known: nn.Dropout(ours.rate),
    Identity: lambda nn, ours, known: nn.Identity(),
    Flatten: lambda nn, ours, known: nn.Flatten(ours.start_axis, ours.end_axis),
    Residual: _to_residual,
    **windows.TO, **norms.TO, **recurrent.TO, **attention.TO,
}  # fmt: skip
