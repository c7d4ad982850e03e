"""A `torch.nn.Module` that calls a Module of ours, with its variables as parameters."""

from __future__ import annotations

import importlib
from typing import Any

from arrayapi_unify._core.locks import once
from arrayapi_unify.array_object import Array
from arrayapi_unify.container import Container
from arrayapi_unify.functional._transforms import tree_map
from arrayapi_unify.functional.general import to_backend
from arrayapi_unify.nn.core.traversal import Places, places
from arrayapi_unify.nn.core.variables import Variable

__all__ = ["residual_class", "wrapped"]


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
