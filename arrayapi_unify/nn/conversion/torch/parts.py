"""Parts of the conversion of layers between `torch.nn` and ours."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, NoReturn, TypeAlias

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import binding_of
from arrayapi_unify.errors import raise_value_error
from arrayapi_unify.functional.general import to_backend
from arrayapi_unify.nn import Module

__all__ = [
    "From", "To", "even", "fresh_key", "only", "own", "put", "refuse", "take", "tensor", "values",
]  # fmt: skip

From: TypeAlias = dict[str, Callable[[Any, Array], Module]]
"""Functions of a layer of PyTorch and a key, by the layer's name."""
To: TypeAlias = dict[type, Callable[[Any, Any, Any], Any]]
"""Functions of `torch.nn`, a layer of ours and those converted before, by the layer's class."""


def fresh_key() -> Array:
    """Return a key for a layer with dropout, as PyTorch's layers draw independently."""
    made: Array = binding_of("torch").functions["random.next_key"]()
    return made


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
