"""Reading of contracts: what a function's definition says."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from itertools import islice
from types import FunctionType
from typing import Any

from arrayapi_unify.contracts.annotations import ARRAY_ROLES, Role, role_of
from arrayapi_unify.contracts.contract import CONTRACTS, Contract, Parameter, Returns
from arrayapi_unify.contracts.registry import category_of

__all__ = ["read"]


def _parameters(function: FunctionType) -> Iterator[Parameter]:
    """Read the parameters; `inspect.signature` would take most of the time of an import."""
    code, names = function.__code__, iter(function.__code__.co_varnames)
    positional = list(islice(names, code.co_argcount))
    by_keyword = list(islice(names, code.co_kwonlyargcount))
    given = function.__defaults__ or ()
    defaults = dict(zip(positional[len(positional) - len(given) :], given, strict=True))
    defaults |= function.__kwdefaults__ or {}
    kinds: list[Any] = [inspect.Parameter.POSITIONAL_ONLY] * code.co_posonlyargcount
    kinds += [inspect.Parameter.POSITIONAL_OR_KEYWORD] * (
        code.co_argcount - code.co_posonlyargcount
    )
    every: list[tuple[str, Any]] = list(zip(positional, kinds, strict=True))
    if code.co_flags & inspect.CO_VARARGS:
        every.append((next(names), inspect.Parameter.VAR_POSITIONAL))
    every += [(name, inspect.Parameter.KEYWORD_ONLY) for name in by_keyword]
    if code.co_flags & inspect.CO_VARKEYWORDS:
        every.append((next(names), inspect.Parameter.VAR_KEYWORD))
    for name, kind in every:
        annotation = function.__annotations__.get(name, "")
        role = _role(function, annotation, kind)
        yield Parameter(name, role, kind, defaults.get(name, inspect.Parameter.empty), annotation)


def _role(function: FunctionType, annotation: str, kind: Any) -> Role:
    """Return the role that the annotation's alias bears; any other annotation makes it plain."""
    role = role_of(function.__globals__.get(annotation))
    return Role.STAR if kind is inspect.Parameter.VAR_POSITIONAL and role in ARRAY_ROLES else role


def _returns(function: FunctionType, annotation: str) -> tuple[Returns, type | None]:
    if annotation == "Array":
        return Returns.ARRAY, None
    if annotation.startswith("tuple[Array") or annotation == "ArrayOrArrays":
        return Returns.ARRAYS, None
    named = function.__globals__.get(annotation)
    if isinstance(named, type) and issubclass(named, tuple):
        return Returns.ARRAYS, named
    return Returns.OTHER, None


def _nestable(kind: str, parameters: tuple[Parameter, ...]) -> bool:
    """Return the default of `nestable`: True unless the function takes no arguments to map over.

    A standalone function without an array works on the state of the process or on whole nests.
    """
    relevant = (p for p in parameters if kind != "standalone" or p.role in ARRAY_ROLES)
    return any(True for _ in relevant)


def read(function: FunctionType, kind: str, nestable: bool | None = None, **flags: Any) -> Contract:
    """Read the contract off a function definition, and file it."""
    parameters = tuple(_parameters(function))
    if flags.get("container_dependent"):
        if nestable:
            raise TypeError(f"{function.__name__}: no container-dependent function is nestable")
        nestable = False
    module = function.__module__
    returns, result_type = _returns(function, function.__annotations__.get("return", ""))
    contract = Contract(
        name=function.__name__,
        category=category_of(module) or module.rpartition(".")[2],
        kind=kind,
        function=function,
        parameters=parameters,
        returns=returns,
        result_type=result_type,
        nestable=_nestable(kind, parameters) if nestable is None else nestable,
        **flags,
    )
    CONTRACTS[contract.qualified_name] = contract
    return contract
