"""Drawn calls of the functions in a backend's package, native in and native out."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from types import ModuleType
from typing import Any, Final

import numpy as np

from arrayapi_unify import backends
from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import binding_of
from arrayapi_unify.contracts import CONTRACTS
from arrayapi_unify.contracts.contract import Returns
from arrayapi_unify.errors import UnifyError
from tests.differential.case import Case, build

__all__ = ["ARRAYS", "COMPUTED", "call", "flat", "foreign", "function_of"]

# Functions with hidden state have no strategy; see tests/functional/test_random.py.
_DRAWN_IN_SECRET: Final = {
    f"random.{name}"
    for name in ("next_key", "randint", "random_normal", "random_uniform", "shuffle")
}
COMPUTED: Final = [name for name, contract in CONTRACTS.items() if contract.kind != "standalone"]
ARRAYS: Final = [
    name
    for name in COMPUTED
    if CONTRACTS[name].returns is not Returns.OTHER and name not in _DRAWN_IN_SECRET
]
_REFUSALS: Final = (ValueError, TypeError, IndexError, OverflowError, RuntimeError)


def flat(name: str) -> Any:
    """Return a backend's package, as users import it."""
    return importlib.import_module(f"arrayapi_unify.backends.{name}")


def function_of(package: Any, qualified_name: str) -> Any:
    """Find a function by its qualified name."""
    for part in qualified_name.split("."):
        package = getattr(package, part)
    return package


def _natives(value: Any) -> Any:
    """Return native arguments, without Arrays at any level."""
    if isinstance(value, Array):
        return value._data
    return [_natives(part) for part in value] if isinstance(value, list | tuple) else value


def _parts(result: Any) -> Iterator[Any]:
    if isinstance(result, tuple):
        for part in result:
            yield from _parts(part)
    else:
        yield result


def call(case: Case, xp: ModuleType) -> Any:
    """Make a drawn call with native arguments; return None if it raises."""
    name = xp.__unify_backend__
    bound = binding_of(name).bound[case.function]
    try:
        args, kwargs = build(case.args, xp), build(case.kwargs, xp)
        kwargs.pop("out", None)
        given, named = bound.arguments.convert_all(tuple(args), kwargs)
        positional = [_natives(value) for value in given]
        keywords = {key: _natives(value) for key, value in named.items()}
        with np.errstate(all="ignore"):
            return function_of(flat(name), case.function)(*positional, **keywords)
    except Exception as error:
        found = backends.load(name).translate_error(error)
        if not isinstance(found, (UnifyError, *_REFUSALS)):
            raise
        return None


def foreign(result: Any, xp: ModuleType) -> list[type]:
    """Return the types in a result that aren't the backend's own."""
    is_native_type = backends.load(xp.__unify_backend__).is_native_type
    return [type(part) for part in _parts(result) if not is_native_type(type(part))]
