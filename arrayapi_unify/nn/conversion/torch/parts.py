"""Parts of the conversion of layers between `torch.nn` and ours, and the module around a layer."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

from arrayapi_unify._core.locks import once
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import binding_of
from arrayapi_unify.container import Container
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.functional._transforms import tree_map
from arrayapi_unify.functional.general import to_backend
from arrayapi_unify.nn import Module
from arrayapi_unify.nn.core.traversal import Places, places
from arrayapi_unify.nn.core.variables import Variable

__all__ = [
    "From",
    "To",
    "even",
    "fresh_key",
    "only",
    "own",
    "put",
    "refuse",
    "residual_class",
    "take",
    "tensor",
    "values",
    "wrapped",
]

From: TypeAlias = dict[str, Callable[[Any, Array], Module]]
"""Functions of a layer of PyTorch and a key, by the layer's name."""
To: TypeAlias = dict[type, Callable[[Any, Any, Any], Any]]
"""Functions of `torch.nn`, a layer of ours and those converted before, by the layer's class."""


def fresh_key() -> Array:
    """Return a key for a layer with dropout, as PyTorch's layers draw independently."""
    return binding_of("torch").functions["random.next_key"]()


def refuse(theirs: Any, option: str, value: Any) -> NoReturn:
    """Raise for an option that ours don't support."""
    raise_value_error(
        "Module.from_torch", "torch_module",
        f"is a {type(theirs).__name__} with {option}={value!r}, which our layer doesn't have",
        "write it as a Module of ours",
    )  # fmt: skip


def only(theirs: Any, **options: Any) -> None:
    """Raise for options with values that ours don't support."""
    for option, value in options.items():
        if getattr(theirs, option) != value:
            refuse(theirs, option, getattr(theirs, option))


def values(tensor: Any) -> Array:
    """Return the values of a parameter, in new memory."""
    return Array(tensor.detach().clone())


def take(ours: Module, **tensors: Any) -> Module:
    """Set the variables of a layer of ours, except those that are None."""
    for name, tensor in tensors.items():
        if tensor is not None:
            ours._declare_variable(name, values(tensor))
    return ours


def tensor(array: Array | None) -> Any:
    """Return values as a tensor with new memory."""
    return None if array is None else to_backend(array, "torch")._data.detach().clone()


def put(theirs: Any, **arrays: Any) -> Any:
    """Set the parameters of a PyTorch layer, except those that are None."""
    nn = importlib.import_module("torch").nn
    for name, tensor in arrays.items():
        setattr(theirs, name, None if tensor is None else nn.Parameter(tensor))
    return theirs


def own(ours: Any, name: str) -> Any:
    """Return the values of a variable as a tensor, or None if there is none."""
    return tensor(ours._own_or_none(name))


def even(padding: Any, axes: int) -> Any:
    """Return symmetric paddings, or None."""
    if isinstance(padding, int):
        return padding
    pairs = list(padding)
    if all(isinstance(p, int) for p in pairs):
        return pairs[0] if len(set(pairs)) == 1 else None
    even = [pair[0] if not isinstance(pair, int) else pair for pair in pairs]
    alike = all(isinstance(pair, int) or len(set(pair)) == 1 for pair in pairs)
    return tuple(even) if alike and len(even) == axes else None


def wrapped(ours: Any) -> Any:
    """Return a `torch.nn.Module` that computes the same, with its own parameters."""
    return _class()(ours)


@once
def _class() -> Any:
    """Create the class after PyTorch's import."""
    nn = importlib.import_module("torch").nn

    class Wrapped(nn.Module):  # type: ignore[misc, name-defined]  # known at run time only
        """Calls a Module of arrayapi_unify with its own parameters and buffers."""

        def __init__(self, ours: Any) -> None:
            super().__init__()
            # In a tuple, which PyTorch doesn't search for modules, so that ours isn't modified.
            self._ours = (ours,)
            _fill(self, places(ours, "variables"), places(ours, "buffers"), nn)

        def forward(self, *args: Any, **kwargs: Any) -> Any:
            """Compute, and store the new buffers."""
            (ours,) = self._ours
            names = {kind: places(ours, kind) for kind in ("variables", "buffers")}
            v, buffers = (_read(self, where) for where in names.values())
            before = ours.training
            ours.train(self.training)
            try:
                result, renewed = ours.stateless_call(v, buffers, *args, **kwargs)
            finally:
                ours.train(before)
            _write(self, names["buffers"], renewed)
            return tree_map(result, _native)

        def extra_repr(self) -> str:
            """Return the Module's repr."""
            return repr(self._ours[0])

    return Wrapped


@once
def residual_class() -> Any:
    """Return a class of `torch.nn.Module` for `Residual`, which PyTorch doesn't have."""
    nn = importlib.import_module("torch").nn

    class Residual(nn.Module):  # type: ignore[misc, name-defined]  # known at run time only
        """The sum of a layer's result and its argument, which passes through the shortcut."""

        def __init__(self, layer: Any, shortcut: Any = None) -> None:
            super().__init__()
            self.layer, self.shortcut = layer, shortcut

        def forward(self, x: Any) -> Any:
            """Add the results up."""
            return (x if self.shortcut is None else self.shortcut(x)) + self.layer(x)

    return Residual


def _native(leaf: Any) -> Any:
    return leaf._data if isinstance(leaf, Array) else leaf


def _fill(module: Any, variables: Places, buffers: Places, nn: Any) -> None:
    """Register parameters and buffers, in submodules according to the names."""
    for where, is_variable in ((variables, True), (buffers, False)):
        for name, place in where.items():
            if not isinstance(place, Variable):
                if name not in module._modules:
                    module.add_module(name, nn.Module())
                inner = (place, {}) if is_variable else ({}, place)
                _fill(module._modules[name], *inner, nn)
                continue
            tensor = to_backend(place.read(), "torch")._data.detach().clone()
            if is_variable:
                module.register_parameter(name, nn.Parameter(tensor, tensor.is_floating_point()))
            else:
                module.register_buffer(name, tensor)


def _read(module: Any, where: Places) -> Container:
    return Container(
        {
            name: _read(module._modules[name], place)
            if isinstance(place, dict)
            else module._parameters.get(name, module._buffers.get(name))
            for name, place in where.items()
        }
    )


def _write(module: Any, where: Places, renewed: Any) -> None:
    for name, place in where.items():
        if isinstance(place, dict):
            _write(module._modules[name], place, renewed[name])
        else:
            module._buffers[name] = _native(renewed[name])
