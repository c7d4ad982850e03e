"""What plain arguments may be, as their annotations say: the same on every backend.

Libraries take different things for an axis or a shape: one a list, another one a float. Native
functions get what the caller gave, which costs nothing where it is right. Where they refuse, and
on the slow path, the arguments are put in the form that the annotation names, or refused.
"""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import name_of, python_scalar
from arrayapi_unify.binding.contract import Contract, Parameter
from arrayapi_unify.binding.roles import Role
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError, describe, refuse

__all__ = ["fit", "fitted", "learn", "plain"]

Fit = Callable[[Any], Any]


class _Misfit(Exception):
    """A value that isn't of a kind."""


def _integer(value: Any) -> Any:
    if isinstance(value, bool) or isinstance(python_scalar(value), bool):
        raise _Misfit
    scalar = python_scalar(value)
    if scalar is not None:
        if isinstance(scalar, int):
            return scalar
        raise _Misfit
    if isinstance(value, Array):
        return operator.index(value)
    # What has `__index__` may be a size that is known later only, while a compiler traces.
    if not hasattr(type(value), "__index__"):
        raise _Misfit
    if name_of(value) == "numpy":
        return operator.index(value)
    return value


def _real(value: Any) -> Any:
    scalar = python_scalar(value)
    if isinstance(scalar, complex):
        raise _Misfit
    return _number(value)


def _number(value: Any) -> Any:
    scalar = python_scalar(value)
    if scalar is not None:
        return scalar
    if getattr(value, "ndim", 0) or not hasattr(type(value), "__float__"):
        raise _Misfit
    return value


def _flag(value: Any) -> bool:
    return bool(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _Misfit
    return value


def _none(value: Any) -> None:
    if value is not None:
        raise _Misfit


def _callable(value: Any) -> Any:
    if not callable(value):
        raise _Misfit
    return value


def _sequence_of(item: Fit, value: Any) -> tuple[Any, ...]:
    kind = type(value)
    if isinstance(value, str | bytes | Mapping) or not all(
        hasattr(kind, name) for name in ("__len__", "__iter__", "__getitem__")
    ):
        raise _Misfit
    if getattr(value, "ndim", 1) != 1:
        raise _Misfit
    return tuple(map(item, value))


def _word(words: tuple[str, ...], value: Any) -> str:
    if not isinstance(value, str) or value not in words:
        raise _Misfit
    return value


def _any_of(kinds: tuple[Fit, ...], value: Any) -> Any:
    for kind in kinds:
        try:
            return kind(value)
        except _Misfit:
            continue
    raise _Misfit


_KINDS: Final[dict[str, Fit]] = {
    "int": _integer,
    "float": _real,
    "complex": _number,
    "bool": _flag,
    "str": _text,
    "None": _none,
}
_BRACKETS: Final = re.compile(r"(\w+)\[(.*)\]$")


def _split(text: str, separator: str) -> list[str]:
    """Split at the separators that stand in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "[") - (letter == "]")
        if letter == separator and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


_forms: dict[str, Fit | None] = {}


def learn(annotation: str) -> None:
    """Read an annotation before the first call: a compiler that follows a call can't."""
    if annotation not in _forms:
        _forms[annotation] = _form(annotation)


def _form(annotation: str) -> Fit | None:
    """Return what puts a value in the form that an annotation names; None where all is right."""
    alternatives = sorted(_split(annotation, "|"), key=lambda part: part != "None")
    found = [_one_of(part) for part in alternatives]
    kinds = tuple(kind for kind in found if kind is not None)
    if len(kinds) < len(found):
        return None
    several = any(part.startswith(("tuple[int", "Sequence[int")) for part in alternatives)
    if several and "int" not in alternatives:
        # One integer stands for a sequence of one, where it has no meaning of its own.
        kinds = (*kinds, lambda value: (_integer(value),))
    return functools.partial(_any_of, kinds)


def _one_of(part: str) -> Fit | None:
    if part in _KINDS:
        return _KINDS[part]
    match = _BRACKETS.match(part)
    if match is None:
        return None
    name, inside = match.groups()
    if name == "Literal":
        return functools.partial(_word, tuple(w.strip(" '\"") for w in _split(inside, ",")))
    if name == "Callable":
        return _callable
    if name in ("tuple", "Sequence"):
        item = _form(_split(inside, ",")[0])
        return None if item is None else functools.partial(_sequence_of, item)
    return None


def plain(parameter: Parameter) -> bool:
    """Whether the values of a parameter have a form: no arrays, `*arguments` or objects do."""
    usual = parameter.role is Role.PLAIN and not parameter.star
    return usual and _forms[parameter.annotation] is not None


def fit(contract: Contract, parameter: Parameter, value: Any) -> Any:
    """Return a plain argument in the form that its annotation names; refuse what has none."""
    found = _forms[parameter.annotation]
    if found is None:
        return value
    try:
        return found(value)
    except _Misfit:
        pass
    except (TypeError, ValueError) as error:
        _refuse(contract, parameter, value, error)
    _refuse(contract, parameter, value, None)


def _refuse(contract: Contract, parameter: Parameter, value: Any, cause: Any) -> None:
    words = "Literal" in parameter.annotation and isinstance(value, str)
    try:
        refuse(
            UnifyValueError if words else UnifyTypeError,
            contract.qualified_name,
            parameter.name,
            f"is {describe(value)}",
            f"pass {_described(parameter.annotation)}",
        )
    except (UnifyTypeError, UnifyValueError) as error:
        raise error from cause


def _described(annotation: str) -> str:
    """Say in words what an annotation names."""
    kinds = {
        "int": "an integer",
        "float": "a real number",
        "complex": "a complex number",
        "bool": "True or False",
        "str": "a string",
    }
    parts = []
    for part in _split(annotation, "|"):
        match = _BRACKETS.match(part)
        if match is None:
            parts.append(kinds.get(part, part))
        elif match[1] == "Literal":
            parts.extend(_split(match[2], ","))
        elif match[1] == "Callable":
            parts.append("a function")
        else:
            inner = "integers" if match[2].startswith("int") else "tuples of integers"
            parts.append(f"a tuple of {inner}")
    return " or ".join(parts)


def fitted(
    contract: Contract, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """Put the plain arguments of a call that failed in form; None where they were already."""
    new: dict[str, Any] = {}
    for parameter, value in contract.named(args, kwargs):
        if parameter.annotation == "OptionalArray" and python_scalar(value) is not None:
            new[parameter.name] = value  # an array is made of it
        elif plain(parameter):
            form = fit(contract, parameter, value)
            # Natives know no Arrays: one that stands for a number is put in form with them.
            same = form is value and not isinstance(form, Array)
            if not same and (form is value or type(form) is not type(value) or form != value):
                new[parameter.name] = form
    if not new:
        return None
    names = contract.by_position
    positional = [new.get(names[i], a) if i < len(names) else a for i, a in enumerate(args)]
    return tuple(positional), {name: new.get(name, value) for name, value in kwargs.items()}
