"""Every function can be called the way the standard writes it.

A library may have more parameters, and may take by keyword what the standard has positional only.
"""

import inspect
from inspect import Parameter, Signature
from typing import Any

import pytest

from ..standard import STANDARD

# A bare star: positional in the standard, so its name does not matter.
_BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_BY_KEYWORD = (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
FUNCTIONS = {
    (f"{category}.{name}" if category in STANDARD.extensions else name): signature
    for category, functions in STANDARD.functions.items()
    for name, signature in functions.items()
}


@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_function_signature(xp: Any, name: str) -> None:
    """Functions, of the main namespace and of the extensions."""
    found: Any = xp
    for part in name.split("."):
        found = getattr(found, part, None)
        assert found is not None, f"{name} is missing"
    check(_signature(found, name), FUNCTIONS[name])


@pytest.mark.parametrize("name", list(STANDARD.array_methods))
def test_method_signature(xp: Any, name: str) -> None:
    """Methods of the array object."""
    method = getattr(xp.ones((2, 2)), name, None)
    assert method is not None, f"the array object has no {name}"
    check(_signature(method, name), STANDARD.array_methods[name])


@pytest.mark.parametrize("name", list(STANDARD.info_methods))
def test_info_signature(xp: Any, name: str) -> None:
    """Methods of the inspection object."""
    method = getattr(xp.__array_namespace_info__(), name, None)
    assert method is not None, f"the info object has no {name}"
    check(_signature(method, name), STANDARD.info_methods[name])


def _signature(function: Any, name: str) -> Signature | None:
    """The signature, or None for builtins that hide it: those can't be judged by this check."""
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        assert callable(function), f"{name} is not callable"
        return None


def check(found: Signature | None, wanted: Signature) -> None:
    """Every call that the standard allows must be possible."""
    if found is None:
        return
    parameters = list(found.parameters.values())
    takes_rest = any(p.kind is Parameter.VAR_POSITIONAL for p in parameters)
    takes_any = any(p.kind is Parameter.VAR_KEYWORD for p in parameters)
    for position, parameter in enumerate(wanted.parameters.values()):
        name = parameter.name
        if parameter.kind is Parameter.VAR_POSITIONAL:
            assert takes_rest, f"*{name} is missing from {found}"
            continue
        if parameter.kind in _BY_POSITION:
            at = parameters[position].kind if position < len(parameters) else None
            reachable = takes_rest or at in _BY_POSITION
            assert reachable, f"{name} can't be passed by position {position} to {found}"
        if parameter.kind in _BY_KEYWORD:
            own = found.parameters.get(name)
            reachable = takes_any or (own is not None and own.kind in _BY_KEYWORD)
            assert reachable, f"{name} can't be passed by keyword to {found}"
