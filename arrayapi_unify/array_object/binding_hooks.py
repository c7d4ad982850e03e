"""Late-bound references to `binding`, which imports this layer and is needed by it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, ClassVar

__all__ = ["BindingHooks", "binding_for_pickle", "register_binding"]


class BindingHooks:
    """The functions that `binding` brings along."""

    binding_of: ClassVar[Callable[[str], Any]]
    make: ClassVar[Callable[[Any], Any]]


def binding_for_pickle(name: str) -> Any:
    """Return a backend's binding in a process that begins with a pickle, and has loaded nothing."""
    importlib.import_module("arrayapi_unify.binding")
    return BindingHooks.binding_of(name)


def register_binding(binding_of: Callable[[str], Any], make: Callable[[Any], Any]) -> None:
    """Let `binding` say how to find a backend's binding, and what `Array(data)` makes."""
    BindingHooks.binding_of = staticmethod(binding_of)
    BindingHooks.make = staticmethod(make)
