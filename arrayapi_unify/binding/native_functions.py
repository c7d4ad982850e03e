"""Native functions of contracts that a backend's category files don't have, or not for all calls.

`backends/_common/protocols/module_getattr.py` asks for them, so that a backend's package has every
function.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import CONTRACTS, binding_of
from arrayapi_unify.binding.index import FUNCTIONS

__all__ = ["in_category", "names", "native"]


def names(backend: str, prefix: str = "") -> list[str]:
    """List the functions that a backend computes: of the main namespace, or of an extension."""
    binding = binding_of(backend)
    binding.complete()
    computed = [n for n in binding.bound if backend not in CONTRACTS[n].missing_on]
    found = [n.removeprefix(prefix) for n in computed if n.startswith(prefix)]
    return [n for n in found if "." not in n]


def in_category(category: str) -> list[str]:
    """List the functions of a category, without an import of its contracts."""
    return FUNCTIONS.get(category, "").split()


def native(backend: str, name: str) -> Callable[..., Any] | None:
    """Return a function of native arrays; None where there is none such."""
    binding = binding_of(backend)
    contract = CONTRACTS.get(name)
    if contract is None or contract.kind == "standalone":
        return None
    bound = binding.bound[name]
    if backend in contract.missing_on:
        return None
    if bound.native is not None:
        return bound.native
    function = binding.functions[name]

    @functools.wraps(function)
    def composed(*args: Any, **kwargs: Any) -> Any:
        return _native(function(*args, **kwargs))

    return composed


def _native(result: Any) -> Any:
    if isinstance(result, Array):
        return result._data
    return tuple(map(_native, result)) if isinstance(result, tuple) else result
