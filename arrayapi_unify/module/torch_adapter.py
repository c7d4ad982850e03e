"""A Module of ours as one of `torch.nn` that calls it: its variables are parameters there."""

from __future__ import annotations

import importlib
from typing import Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.container import Container
from arrayapi_unify.functional._transforms import tree_map
from arrayapi_unify.functional.general import to_backend
from arrayapi_unify.locks import once
from arrayapi_unify.module._traversal import Places, places
from arrayapi_unify.module._variables import Variable

__all__ = ["wrapped"]


def wrapped(ours: Any) -> Any:
    """Return a `torch.nn.Module` that computes what ours does, with parameters of its own."""
    return _class()(ours)


@once
def _class() -> Any:
    """Make the class when PyTorch is there."""
    nn = importlib.import_module("torch").nn

    class Wrapped(nn.Module):  # type: ignore[misc, name-defined]  # known only when it runs
        """Calls a Module of arrayapi_unify with parameters and buffers from here."""

        def __init__(self, ours: Any) -> None:
            super().__init__()
            # In a tuple, where PyTorch doesn't look for modules and ours stays as it was.
            self._ours = (ours,)
            _fill(self, places(ours, "variables"), places(ours, "buffers"), nn)

        def forward(self, *args: Any, **kwargs: Any) -> Any:
            """Compute, and keep the new buffers."""
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
            """Show ours."""
            return repr(self._ours[0])

    return Wrapped


def _native(leaf: Any) -> Any:
    return leaf._data if isinstance(leaf, Array) else leaf


def _fill(module: Any, variables: Places, buffers: Places, nn: Any) -> None:
    """Register parameters and buffers, in modules below as the names say."""
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
