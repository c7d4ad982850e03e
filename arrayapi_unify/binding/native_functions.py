"""The native functions of a backend: found in its files, joined with bodies, listed.

A native function with a `partial_mixed_handler`, a function of the same arguments that returns a
bool, serves the calls for which that is True, and the contract's body the others. Functions without
one cost nothing more. A backend may lack functions. A body that calls one of these can't run, so
the namespace of such a backend leaves out the body's function, too: its source says what it calls.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from arrayapi_unify import backends
from arrayapi_unify._core import lazy_access
from arrayapi_unify._core.locks import once
from arrayapi_unify.array_object import Array
from arrayapi_unify.array_object.classes import BindingHooks
from arrayapi_unify.backends.kernel import kernel_of
from arrayapi_unify.binding._reading import called
from arrayapi_unify.contracts.annotations import Role
from arrayapi_unify.contracts.contract import CONTRACTS, PACKAGE, Contract
from arrayapi_unify.contracts.index import FUNCTIONS
from arrayapi_unify.devices import as_device
from arrayapi_unify.errors import BackendError

__all__ = [
    "NativeFunctions", "in_category", "names", "native", "native_settings",
    "not_implemented_message", "with_fallback",
]  # fmt: skip


class NativeFunctions:
    """The files of a backend, and its functions in them."""

    def __init__(self, name: str) -> None:
        """Look into the package of the backend `name`."""
        self._name = name
        self._package = backends.package_of(name)

    def file(self, category: str) -> Any:
        """Import the file of a category; a backend needs none of which it implements nothing."""
        return _file(self._package, category)

    def declared(self, contract: Contract) -> Any:
        """Return what the file of its category has for a contract, or None."""
        # The module's own __getattr__ makes its attributes from the functions bound here. An
        # extension's function for some calls is no attribute, which has to take all of them.
        found = getattr(self.file(contract.category), "__dict__", {})
        return found.get(contract.name) or found.get("PARTIAL", {}).get(contract.name)

    def find(self, contract: Contract, wrap: Callable[[Any], Any]) -> Callable[..., Any] | None:
        """Return the native function; None where the body serves, for which `wrap` makes Arrays."""
        if contract.kind == "compositional":
            return None
        native: Callable[..., Any] | None = self.declared(contract)
        if native is None and contract.kind == "primary":
            if self._name not in contract.missing_on:
                contract.missing_on.append(self._name)
            return functools.partial(_not_implemented, contract.qualified_name, self._name)
        backend = backends.load(self._name)
        if native is not None and backend.lazy is not None:
            native = _naming(contract, native, backend.lazy.noting)
        if hasattr(native, "partial_mixed_handler"):
            body = backend.suppress_warnings(contract.function)
            settings = native_settings(contract, backend)
            return with_fallback(native, body, backend.is_native_type, wrap, settings)
        return native

    def lacking(self, contract: Contract) -> list[str]:
        """Return the primary functions that a contract needs here, and the backend lacks.

        The backends of this package lack none, and read no body for it.
        """
        if self._name in contract.missing_on:
            return [contract.qualified_name]
        return [] if self._package.startswith(PACKAGE) else sorted(self._lacked_by(contract, ()))

    def _lacked_by(self, contract: Contract, callers: tuple[str, ...]) -> set[str]:
        """Collect them; bodies may call each other, so `callers` are left out."""
        name = contract.qualified_name
        if name in callers or contract.kind == "standalone" or self.declared(contract) is not None:
            return set()
        if contract.kind == "primary":
            return {name}
        needed = (CONTRACTS[name] for name in called(contract.function, surely=True))
        return set().union(*(self._lacked_by(one, (*callers, name)) for one in needed))


@once
def _file(package: str, category: str) -> Any:
    path = f"{package}.{category}"
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError as error:
        if error.name not in (path, path.rpartition(".")[0]):
            raise
        return None


def with_fallback(
    native: Any,
    body: Callable[..., Any],
    is_native_type: Callable[[type], bool],
    wrap: Callable[[Any], Any],
    settings: Mapping[str, Callable[[Any], Any]] | None = None,
) -> Callable[..., Any]:
    """Join a native function with its contract's body: native in, native out, like any other.

    The handler gets the arguments of the native function: only those that the caller gave.
    `is_native_type` and `wrap` are the backend's: the test for a native array, and the function
    that makes an Array of it for the body. `settings` maps a keyword to the function that converts
    its native data type or device to ours.
    """
    converters = settings or {}
    decide = native.partial_mixed_handler

    def wrap_argument(value: Any) -> Any:
        if is_native_type(type(value)):
            return wrap(value)
        return [wrap_argument(part) for part in value] if isinstance(value, list) else value

    @functools.wraps(native)
    def dispatch(*args: Any, **kwargs: Any) -> Any:
        if decide(*args, **kwargs):
            return native(*args, **kwargs)
        given = {name: converters.get(name, wrap_argument)(value) for name, value in kwargs.items()}
        result = body(*map(wrap_argument, args), **given)
        return tuple(part._data for part in result) if isinstance(result, tuple) else result._data

    # The faster functions of the native one would bypass the handler.
    return replace(kernel_of(native), fast_call=None, fast_kernel=None)(dispatch)


def _naming(contract: Contract, native: Any, noting: Callable[[Any], Any]) -> Any:
    """Let a look at values in a native function name the function and the argument."""
    names = (p.name for p in contract.parameters)
    named = lazy_access.naming(contract.qualified_name, names, noting(native))
    # The faster functions would be called in its place.
    return replace(kernel_of(native), fast_call=None, fast_kernel=None)(named)


def native_settings(contract: Contract, backend: Any) -> dict[str, Callable[[Any], Any]]:
    """Return the conversions of native data types and devices for a body, by keyword."""
    makers = {
        Role.DTYPE: functools.partial(_dtype, backend),
        Role.DEVICE: functools.partial(_device, backend),
    }
    return {p.name: makers[p.role] for p in contract.parameters if p.role in makers}


def _dtype(backend: Any, native: Any) -> Any:
    return None if native is None else backend.as_dtype(native)


def _device(backend: Any, native: Any) -> Any:
    """Return our device for a native one; they are few, so all are looked at."""
    if native is None:
        return None
    known = (d for d in backend.devices() if backend.native_device(d) == native)
    return next(known, None) or as_device(native)


def _not_implemented(function: str, backend: str, *args: Any, **kwargs: Any) -> NoReturn:
    """Stand for a native function that a backend lacks."""
    raise BackendError(not_implemented_message(function, backend))


def not_implemented_message(function: str, backend: str, lacked: Sequence[str] = ()) -> str:
    """Say that a backend lacks a function, or others that its body needs."""
    needs = f", which lacks {', '.join(lacked)}" if lacked and function not in lacked else ""
    return (
        f"{function} has no implementation on the {backend} backend{needs}; use a function that it "
        f"has, or move the arrays to another backend (unify.to_backend)"
    )


def names(backend: str, prefix: str = "") -> list[str]:
    """List the functions that a backend computes: of the main namespace, or of an extension."""
    binding = BindingHooks.binding_of(backend)
    binding.complete()
    computed = [n for n in binding.bound if backend not in CONTRACTS[n].missing_on]
    found = [n.removeprefix(prefix) for n in computed if n.startswith(prefix)]
    return [n for n in found if "." not in n]


def in_category(category: str) -> list[str]:
    """List the functions of a category, without an import of its contracts."""
    return FUNCTIONS.get(category, "").split()


def native(backend: str, name: str) -> Callable[..., Any] | None:
    """Return a function of native arrays; None where there is none such."""
    binding = BindingHooks.binding_of(backend)
    contract = CONTRACTS.get(CONTRACTS.forward(name))
    if contract is None or contract.kind == "standalone":
        return None
    bound = binding.bound[contract.qualified_name]
    if backend in contract.missing_on:
        return None
    found: Callable[..., Any] | None = bound.native
    if found is not None:
        return found
    function = binding.functions[contract.qualified_name]

    @functools.wraps(function)
    def composed(*args: Any, **kwargs: Any) -> Any:
        return _native(function(*args, **kwargs))

    return composed


def _native(result: Any) -> Any:
    if isinstance(result, Array):
        return result._data
    return tuple(map(_native, result)) if isinstance(result, tuple) else result
