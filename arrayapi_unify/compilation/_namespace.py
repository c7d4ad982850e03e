"""A backend's namespace with every function compiled."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType, ModuleType
from typing import Any, Final

from arrayapi_unify.binding import binding_of
from arrayapi_unify.compilation._dispatch import compiled
from arrayapi_unify.contracts import CONTRACTS, Contract
from arrayapi_unify.contracts.contract import EXTENSIONS, PACKAGE, Returns
from arrayapi_unify.functional._transforms import tree_arrays

__all__ = ["namespace"]

_made: Final[dict[tuple[Any, ...], ModuleType]] = {}


class _Namespace(ModuleType):
    """A namespace that compiles a function at its first access."""

    def __init__(self, source: ModuleType, name: str, make: Callable[[Any], Any], doc: str) -> None:
        """Wrap a namespace."""
        super().__init__(name, doc)
        self.__dict__.update(_source=source, _make=make)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._source, name)
        contract = getattr(value, "contract", None)
        if contract is not None:
            value = self._make(contract)(value)
        return vars(self).setdefault(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*dir(self._source), "data_dependent"})


def namespace(backend: str, dynamic: bool | None, options: Mapping[str, Any]) -> ModuleType:
    """Return the compiled namespace of a backend, the same one for the same options."""
    key = (backend, dynamic, *sorted(options.items()))
    if key not in _made:
        _made.setdefault(key, _namespace(backend, dynamic, options))
    return _made[key]


def _namespace(backend: str, dynamic: bool | None, options: Mapping[str, Any]) -> ModuleType:
    source = binding_of(backend).namespace
    make = functools.partial(_compiling, dynamic, options)
    name = f"{PACKAGE}.compilation.{backend}"
    doc = f"The standard's namespace on the {backend} backend, with compiled functions."
    found = _Namespace(source, name, make, doc)
    for extension in EXTENSIONS:
        below = sys.modules[f"{source.__name__}.{extension}"]
        part = _Namespace(below, f"{name}.{extension}", make, f"The {extension} extension.")
        setattr(found, extension, part)
    dependent = {n: c.data_dependent.calls for n, c in CONTRACTS.items() if c.data_dependent}
    found.__dict__["data_dependent"] = MappingProxyType(dependent)
    return found


def _stays(contract: Contract) -> bool:
    """Return True if a function isn't compiled: it returns no arrays, or draws from a state.

    `from_dlpack` isn't compiled either, because traced arrays have no memory.
    """
    if contract.name == "from_dlpack":
        return True
    stateful = contract.category == "random" and "key" not in contract.by_name
    return contract.kind == "standalone" or contract.returns is Returns.OTHER or stateful


def _compiling(
    dynamic: bool | None, options: Mapping[str, Any], contract: Contract
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the compiled function of a contract."""

    def compiling(function: Callable[..., Any]) -> Callable[..., Any]:
        if _stays(contract):
            return function
        made = compiled(function, None, dynamic, ((), ()), options, exact=True)
        depends = contract.data_dependent

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            # Without an array there is nothing to trace. Invalid arguments raise as always.
            traced = next(tree_arrays((args, kwargs)), None) is not None
            if not traced or contract.signature_error(args, kwargs) is not None:
                return function(*args, **kwargs)
            if depends is not None and depends.applies(*args, **kwargs):
                return function(*args, **kwargs)
            return made(*args, **kwargs)

        return call

    return compiling
