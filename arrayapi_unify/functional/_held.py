"""Checks for arrays in objects that are no nests: a trace would lose them."""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Iterable, Iterator
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import name_of
from arrayapi_unify.devices import Device
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import raise_type_error
from arrayapi_unify.functional._traversal import is_nest, items

__all__ = ["refuse_held", "refuse_holders"]

_HOLD_NOTHING: Final = frozenset({bool, int, float, complex, str, bytes, type(None), DType, Device})
# They refer to everything else.
_PASSED_OVER: Final = (type, ModuleType, CodeType, FrameType)
_FUNCTIONS: Final = (FunctionType, BuiltinFunctionType, MethodType, functools.partial)
# The limit of objects that are looked at.
_MOST: Final = 10_000


def _any(native: Any) -> bool:
    return True


def holder(nest: Any, wanted: Callable[[Any], bool] = _any) -> Any:
    """Return an object in a nest that holds a wanted native array and is no nest; else None."""
    if isinstance(nest, Array) or type(nest) in _HOLD_NOTHING or name_of(nest) is not None:
        return None
    if not is_nest(nest):
        return nest if any(map(wanted, _natives_in(nest))) else None
    for _, value in items(nest):
        found = holder(value, wanted)
        if found is not None:
            return found
    return None


def _natives_in(value: Any) -> Iterator[Any]:
    """Yield the native arrays in an object, in its attributes or members, at any depth."""
    met, left = {id(value)}, [value]
    while left and len(met) < _MOST:
        for one in _parts(left.pop()):
            if isinstance(one, Array):
                yield one._data
            elif name_of(one) is not None:
                yield one
            elif id(one) not in met and type(one) not in _HOLD_NOTHING:
                met.add(id(one))
                left.append(one)


def _parts(value: Any) -> Iterable[Any]:
    """Return the referents of an object; for a function, the values of its closure."""
    if isinstance(value, FunctionType):
        return [value.__closure__, value.__defaults__, value.__kwdefaults__, value.__dict__]
    if isinstance(value, _PASSED_OVER):
        return []
    return gc.get_referents(value)


def refuse_holders(function: str, args: Any) -> None:
    """Raise if an argument holds an array and is no nest: a trace would take it for a constant.

    So it takes what a function closes over, also that of an argument.
    """
    found = holder(args)
    if found is not None and not isinstance(found, _FUNCTIONS):
        raise_type_error(
            function, "args",
            f"holds a {type(found).__qualname__}, which holds an array and is no nest, so that the "
            f"array would be a constant",
            "pass arrays in lists, tuples, dicts or Containers, such as the variables `v` of a "
            "Module, or register the class with unify.register_nest",
        )  # fmt: skip


def refuse_held(
    function: str, argument: str, nest: Any, wanted: Callable[[Any], bool] = _any
) -> None:
    """Raise if an object in the result of a user's function holds an array and is no nest."""
    found = holder(nest, wanted)
    if found is not None:
        raise_type_error(
            function, argument,
            f"returns a {type(found).__qualname__}, which holds an array and is no nest",
            "return arrays in lists, tuples, dicts or Containers, and make the object of these "
            "outside, or register its class with unify.register_nest",
        )  # fmt: skip
