"""A backend of another package, registered for the time of a test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from arrayapi_unify import backends
from arrayapi_unify.binding import binding_of
from arrayapi_unify.binding.namespace import _bindings
from arrayapi_unify.contracts import CONTRACTS


@contextmanager
def registered(name: str, framework: str, package: str) -> Iterator[ModuleType]:
    """Register a backend, yield its namespace, and remove all traces of it."""
    registry, known = dict(backends.REGISTRY), dict(backends._name_by_type)
    backends.register(name, framework=framework, package=package)
    try:
        yield binding_of(name).namespace
    finally:
        _forget(name)
        for table, before in ((backends.REGISTRY, registry), (backends._name_by_type, known)):
            table.clear()
            table.update(before)
        for module in [m for m in sys.modules if _is_of(m, name)]:
            del sys.modules[module]


def _is_of(module: str, backend: str) -> bool:
    """Tell namespaces of a backend, those of one version among them, from other modules."""
    package, _, rest = module.partition(".")
    return package == "arrayapi_unify" and backend in rest.split(".")[:2]


def _forget(name: str) -> None:
    kinds = [kind for kind, owner in backends._name_by_type.items() if owner == name]
    for contract in CONTRACTS.values():
        dispatch = getattr(contract.public, "dispatch", None)
        for table in (dispatch.functions, dispatch.natives) if dispatch else ():
            for key in (name, *kinds):
                table.pop(key, None)
        contract.missing_on[:] = [backend for backend in contract.missing_on if backend != name]
    for table in (backends._packages, backends._loaded, _bindings):
        table.pop(name, None)
