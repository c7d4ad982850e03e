"""The modules that users import: a backend's namespace, and the extensions in it.

A body that gets no array runs in the namespace to which its function is bound.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Container
from contextvars import ContextVar
from types import FunctionType, ModuleType
from typing import Any, Final

from arrayapi_unify import dtypes, errors
from arrayapi_unify._core import suggestions, versions
from arrayapi_unify._version import __version__
from arrayapi_unify.array_object.numpy_names import ALIASES
from arrayapi_unify.backends._common.protocols.module_getattr import ALSO_IN_LINALG, extension_of
from arrayapi_unify.binding.native_functions import not_implemented_message
from arrayapi_unify.contracts.contract import CONTRACTS, EXTENSIONS, PACKAGE, Contract
from arrayapi_unify.contracts.registry import categories
from arrayapi_unify.errors import UnifyAttributeError

__all__ = [
    "ALSO_IN_LINALG", "API_VERSIONS", "CONSTANTS", "DRAFT", "LINALG_ERROR", "body_backend",
    "claim", "make",
    "public_functions", "show", "with_body_backend", "without",
]  # fmt: skip

API_VERSIONS: Final = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")
"""The released versions of the standard; each later one contains the earlier ones."""

DRAFT: Final = "2026.12"
"""The version that is being written, of which the namespace has what is settled; see B65."""

_OF_MODULES: Final = {"__dir__", "__getattr__", "__reduce_ex__"}

LINALG_ERROR: Final = "LinAlgError"
"""The name in `linalg` of the error for matrices that can't be factorized or solved."""

CONSTANTS: Final[dict[str, Any]] = {}
"""The names of a namespace that are neither functions nor data types; filled by `functional`."""


def make(
    backend: str,
    known: Container[dtypes.DType],
    functions: dict[str, Any],
    lacking: Callable[[Contract], list[str]],
) -> tuple[ModuleType, dict[str, ModuleType]]:
    """Make a backend's namespace of its functions, and of the data types that it has.

    `lacking` returns the functions that the backend lacks for a contract. The second result is all
    modules by their names, which can't be imported before `show`.
    """
    every: dict[str, ModuleType] = {}
    name, doc = f"{PACKAGE}.{backend}", f"The standard's namespace on the {backend} backend."
    main = versions.make_module(name, backend, doc)
    main.__dict__.update({d.name: d for d in dtypes.EVERY if d in known}, **CONSTANTS)
    main.__dict__.update(__array_api_version__=API_VERSIONS[-1], __version__=__version__)
    for extension in ("", *EXTENSIONS):
        doc = f"The {extension} extension on the {backend} backend."
        path = f"{name}.{extension}"
        module = versions.make_module(path, backend, doc) if extension else main
        every[versions.name_of(module)] = module
        _fill(module, extension, functions, every, lacking)
    return main, every


def show(modules: dict[str, ModuleType]) -> None:
    """Let modules be imported by both of their names."""
    sys.modules.update(modules, **{module.__name__: module for module in modules.values()})


def public_functions(extension: str = "") -> dict[str, Any]:
    """Return the top-level functions of the main namespace, or of an extension, by their names."""
    if extension:  # a program that uses one extension needs no other category
        for category in categories():
            if extension_of(category) == extension:
                CONTRACTS.load(category)
        names = {c.name for c in CONTRACTS.defined() if c.extension == extension}
        names.update(ALSO_IN_LINALG if extension == "linalg" else ())
    else:
        names = _names_of("")
    contracts = {name: _contract(extension, name) for name in sorted(names)}
    return {name: contract.public for name, contract in contracts.items() if contract is not None}


def _names_of(extension: str) -> set[str]:
    """List what contracts there are for an extension, or for the main namespace."""
    split = [name.rpartition(".") for name in CONTRACTS]
    found = {name for prefix, _, name in split if prefix == extension}
    return found.union({"": ALIASES, "linalg": ALSO_IN_LINALG}.get(extension, ()))


def _missing(module: ModuleType, extension: str, name: str) -> UnifyAttributeError:
    """Return the error for a name that a namespace, or an extension in it, doesn't have."""
    what = f"module {versions.name_of(module)!r}"
    return suggestions.missing(
        what, name, suggestions.NAMES.get(extension), lambda: {*_names_of(extension), *vars(module)}
    )


def claim(name: str) -> None:
    """Set `__module__` of a module's public classes and functions: pickles then survive moves."""
    module = sys.modules[name]
    for value in map(vars(module).get, module.__all__):
        if isinstance(value, type | FunctionType):
            value.__module__ = name


def without(name: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module of the package, which has all that there is."""
    module = sys.modules[name]
    extension = name.removeprefix(PACKAGE).removeprefix(".")

    def get(attribute: str) -> Any:
        what = f"module {name!r}"
        table = suggestions.NAMES.get(extension)
        raise suggestions.missing(what, attribute, table, lambda: module.__all__)

    return get


def _contract(extension: str, name: str) -> Contract | None:
    """Return the contract behind a name; None where no function has it."""
    main = not extension or (extension == "linalg" and name in ALSO_IN_LINALG)
    whole = name if main else f"{extension}.{name}"
    if not extension:
        whole = CONTRACTS.forward(ALIASES.get(name, name))
    # Python itself asks for such names all the time; that is no reason to import everything.
    special = name.startswith("__") and not CONTRACTS.lists(whole)
    return None if special or "." in name else CONTRACTS.get(whole)


def _fill(
    module: ModuleType,
    extension: str,
    functions: dict[str, Any],
    modules: dict[str, ModuleType],
    lacking: Callable[[Contract], list[str]],
) -> None:
    """Have a module bind each function at its first use.

    `modules` are those of the namespace, some of which are attributes of this one. A function that
    the backend can't run is no attribute; the error names the functions that it lacks.
    """

    def there() -> set[str]:
        known = {*vars(module), *_names_of(extension), *EXTENSIONS} - _OF_MODULES
        own = known if extension else {name for name in known if CONTRACTS.forward(name) == name}
        return {name for name in own if hasattr(module, name)}

    def get(name: str) -> Any:
        found: Any = modules.get(f"{versions.name_of(module)}.{name}")
        if name == "__all__":
            found = sorted(name for name in there() if not name.startswith("_"))
        elif found is None or not found.__all__:
            contract = _contract(extension, name)
            if (extension, name) == ("linalg", LINALG_ERROR):  # made at its first use
                return errors.UnifyLinAlgError
            if contract is None:
                raise _missing(module, extension, name)
            found = functions[contract.qualified_name]
            if lacked := lacking(contract):
                raise UnifyAttributeError(
                    not_implemented_message(
                        contract.qualified_name, module.__unify_backend__, lacked
                    )
                )
        return vars(module).setdefault(name, found)

    module.__dict__.update(
        __getattr__=get,
        __dir__=lambda: sorted({*there(), "__all__"}),
    )


_body_backend: Final[ContextVar[str]] = ContextVar("backend of the body that runs")


def body_backend() -> str:
    """Return the name of the backend of the body that runs."""
    return _body_backend.get()


def with_body_backend(name: str, body: Callable[..., Any]) -> Callable[..., Any]:
    """Return a body during which `body_backend` returns the name of its backend."""

    @functools.wraps(body)
    def run(*args: Any, **kwargs: Any) -> Any:
        token = _body_backend.set(name)
        try:
            return body(*args, **kwargs)
        finally:
            _body_backend.reset(token)

    return run
