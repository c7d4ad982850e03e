"""The types of the public functions, `_signatures.pyi`.

A Container may stand for any argument of a nestable function. A function of a single array then
has one signature, over a type variable: checkers report a mistake in a call plainly, where for
overloads they list all of them. Of several arrays any may be the Container, which takes overloads.
Those for Containers come first, since checkers report a mistake in terms of the last.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

from arrayapi_unify._generate.containers import nestable
from arrayapi_unify._generate.parts import as_numpy, definition, imports, returns, signature_name
from arrayapi_unify.contracts import CONTRACTS, Contract
from arrayapi_unify.contracts.annotations import ARRAY_ROLES, Role

__all__ = ["render_signatures"]

_HEAD = """{imports}
from typing_extensions import TypeVar

from arrayapi_unify._namespace import Namespace
from arrayapi_unify.backends._common.protocols.inspection import Info
from arrayapi_unify.binding.decorators import FunctionAttributes
from arrayapi_unify._portable import PortableDecorator
from arrayapi_unify.functional.backend import _UseBackend
from arrayapi_unify.contracts.contract import FunctionRecord
from arrayapi_unify._core.lazy_access import Policy
from arrayapi_unify._core.settings import Change

# What a function of one array takes and returns; of a native array it returns an Array.
A = TypeVar("A", Array, Container, default=Array)
# A function of the user's, and what it returns.
F = TypeVar("F", bound=Callable[..., Any])
R = TypeVar("R")
"""
# Types that no signature says.
_WRITTEN = {"portable": "class portable(PortableDecorator, Protocol): ...\n"}
_SELF = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
# Aliases of what isn't anything: they name arrays.
_ANYTHING = ("ArrayLike", "ArrayOrAny", "Key", "Arrays")
_EMPTY: Any = inspect.Parameter.empty
_BY_POSITION = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_Parameters = list[inspect.Parameter]


def render_signatures() -> str:
    """Return the types of all functions, a class each."""
    names = ("Protocol", "overload")
    parts = [_HEAD.format(imports=imports(*names, methods=False))]
    parts += [_signature_class(contract) for _, contract in sorted(CONTRACTS.items())]
    return "\n".join(parts)


def _signature_class(contract: Contract) -> str:
    if contract.qualified_name in _WRITTEN:
        return _WRITTEN[contract.qualified_name]
    calls = list(_calls(contract))
    if len(calls) > 1:
        calls = [f"    @overload\n{call}" for call in calls]
    head = f"class {signature_name(contract)}(FunctionAttributes, Protocol):"
    return "\n".join([head, *calls, ""])


def _calls(contract: Contract) -> Iterator[str]:
    """Render the signatures of a function."""
    plain = as_numpy(contract, list(contract.signature.parameters.values()))
    result = returns(contract)
    if not contract.nestable:
        yield _call(plain, result)
        return
    arrays = [p.name for p in contract.parameters if p.role in ARRAY_ROLES]
    if result == "Array" and len(arrays) == 1 and _names_an_array(contract, arrays[0]):
        yield _call([_generic(p, arrays[0]) for p in plain], "A")
        return
    for place, parameter in enumerate(plain):
        if parameter.annotation in ("Any", "object"):
            continue
        if parameter.name in arrays or (place < 2 and parameter.default is _EMPTY):
            yield from _nested_calls(plain, place)
    yield _call(plain, result)


def _call(parameters: _Parameters, result: str) -> str:
    return definition("__call__", [_SELF, *parameters], result)


def _names_an_array(contract: Contract, name: str) -> bool:
    (found,) = [p for p in contract.parameters if p.name == name]
    return found.required and found.role is not Role.STAR and found.annotation not in _ANYTHING


def _generic(parameter: inspect.Parameter, array: str) -> inspect.Parameter:
    """Return a parameter for which a Container may stand; the result is one if the array is."""
    if parameter.name == array:
        return parameter.replace(annotation=f"A | {parameter.annotation}")
    if parameter.name == "out" or parameter.annotation == "bool":
        return parameter
    return nestable(parameter)


def _nested_calls(parameters: _Parameters, place: int) -> Iterator[str]:
    """Render the calls with a Container for a parameter, or for one of the first of `*arrays`."""
    star = parameters[place].kind is inspect.Parameter.VAR_POSITIONAL
    first = [_positional("x1", "Any")] if star else []
    yield _call(list(_with_container(parameters, place, [])), "Container")
    if star:
        yield _call(list(_with_container(parameters, place, first)), "Container")


def _positional(name: str, annotation: str) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY, annotation=annotation)


def _with_container(
    parameters: _Parameters, place: int, first: _Parameters
) -> Iterator[inspect.Parameter]:
    """Yield the parameters of a call with a Container at one place, and anything at others."""
    for i, parameter in enumerate(parameters):
        star = parameter.kind is inspect.Parameter.VAR_POSITIONAL
        if i == place and star:
            yield from [*first, _positional("x", "Container")]
        elif i == place:
            yield parameter.replace(annotation="Container", default=_EMPTY)
            continue
        # Parameters before it can't be left out.
        given = i < place and parameter.kind in _BY_POSITION
        optional = parameter.default is not _EMPTY and not given
        yield parameter.replace(annotation="Any", default=... if optional else _EMPTY)
