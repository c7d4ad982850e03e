"""The operators of one backend's array class: the functions' natives, one Python frame away."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from arrayapi_unify.array_object.operators import ARITHMETIC, COMPARISON, UNARY, is_operand
from arrayapi_unify.binding.bound import BoundFunction
from arrayapi_unify.binding.codegen import attempt, make_function, only, shortcut_lines
from arrayapi_unify.overrides import takes_over

if TYPE_CHECKING:
    from arrayapi_unify.binding.namespace import Binding

__all__ = ["in_place_operators", "operators"]

_BASIC_KEYS = (int, slice, type(None), type(Ellipsis))


_only_basic = only(_BASIC_KEYS)


def _result(binding: Binding) -> list[str]:
    check = ["if _type(_r) is not _result_type: _r = _canonical(_r)"]
    wrap = ["_a = _cls()", "_a._data = _r", "return _a"]
    return [*(check if binding.backend.RESULT_TYPE else []), *wrap]


def _binary(binding: Binding, bound: BoundFunction, reflected: bool) -> Any:
    pair = ("other", "self._data") if reflected else ("self._data", "other")

    def slow(self: Any, other: Any) -> Any:
        if not is_operand(other):
            return NotImplemented
        return bound.slow((other, self) if reflected else (self, other), {})

    args = "(other, self)" if reflected else "(self, other)"
    arrays = [name.replace("other", "other._data") for name in pair]
    shortcut, wrap = bound.shortcut, _result(binding)
    lines = [
        "t = _type(other)",
        *attempt("t is _cls", shortcut_lines(shortcut, arrays) + wrap, shortcut, args),
        *attempt("t in _scalars", shortcut_lines(shortcut, list(pair)) + wrap, shortcut, args),
        "return _operate(self, other)",
    ]
    return make_function("self, other, /", lines, **binding.names(bound) | {"_operate": slow})


def _unary(binding: Binding, bound: BoundFunction) -> Any:
    call = shortcut_lines(bound.shortcut, ["self._data"])
    lines = attempt("True", call + _result(binding), bound.shortcut, "(self,)")
    return make_function("self, /", lines, **binding.names(bound))


def _in_place(binding: Binding, bound: BoundFunction) -> Any:
    """Make `x op= y`: it keeps x's dtype and shape, and changes x only when it succeeds."""
    assert bound.native is not None  # the operators' functions are primary
    update: Callable[[Any, Any], Any] = binding.backend.in_place(bound.native)
    own = binding.backend.own

    def slow(self: Any, other: Any) -> Any:
        # NotImplemented lets Python go on to `x = x op y`, which knows the override protocol.
        if takes_over(other) or not is_operand(other):
            return NotImplemented
        parameter = bound.contract.parameters[1]
        try:
            value = bound.convert(parameter, other)
            self._data = update(own(self._data), value)
        except Exception as error:
            raise bound.fail(error, (self, other), {}) from error
        return self

    args = "(self, other)"
    lines = [
        "t = _type(other)",
        *attempt(
            "t is _cls",
            ["self._data = _native(_own(self._data), other._data)", "return self"],
            None,
            args,
        ),
        *attempt(
            "t in _scalars",
            ["self._data = _native(_own(self._data), other)", "return self"],
            None,
            args,
        ),
        "return _operate(self, other)",
    ]
    names = binding.names(bound) | {"_operate": slow, "_native": update}
    return make_function("self, other, /", lines, **names)


_BASIC_KEY = "t in _plain or (t is tuple and _only_plain(key))"


def _getitem(binding: Binding, bound: BoundFunction) -> Any:
    args, wrap = "(self, key)", _result(binding)
    lines = [
        "t = _type(key)",
        *attempt(_BASIC_KEY, ["_r = _native(self._data, key)", *wrap], None, args),
        *attempt("t is _cls", ["_r = _native(self._data, key._data)", *wrap], None, args),
        f"return _slow({args}, {{}})",
    ]
    return make_function("self, key, /", lines, **_key_names(binding, bound))


def _setitem(binding: Binding, bound: BoundFunction) -> Any:
    args = "(self, key, value)"

    def store(value: str) -> list[str]:
        native_key = "key._data if t is _cls else key"
        return [f"self._data = _native(_own(self._data), {native_key}, {value})", "return"]

    lines = [
        "t = _type(key)",
        "v = _type(value)",
        f"basic = t is _cls or {_BASIC_KEY}",
        *attempt("basic and v is _cls", store("value._data"), None, args),
        *attempt("basic and v in _scalars", store("value"), None, args),
        f"_slow({args}, {{}})",
    ]
    return make_function("self, key, value, /", lines, **_key_names(binding, bound))


def _key_names(binding: Binding, bound: BoundFunction) -> dict[str, Any]:
    return binding.names(bound) | {"_plain": _BASIC_KEYS, "_only_plain": _only_basic}


def in_place_operators(binding: Binding) -> dict[str, Callable[[Any, Any], Any]]:
    """Make `x op= y` of every arithmetic function, by the function's name."""
    return {name: _in_place(binding, binding.bound[name]) for name in ARITHMETIC.values()}


def operators(binding: Binding) -> dict[str, Any]:
    """Make the special methods of a backend's array class."""
    made: dict[str, Any] = {
        "__getitem__": _getitem(binding, binding.bound["get_item"]),
        "__setitem__": _setitem(binding, binding.bound["set_item"]),
    }
    for name, function in {**ARITHMETIC, **COMPARISON}.items():
        bound = binding.bound[function]
        made[f"__{name}__"] = _binary(binding, bound, reflected=False)
        if name in ARITHMETIC:
            made[f"__r{name}__"] = _binary(binding, bound, reflected=True)
            made[f"__i{name}__"] = binding.in_place[function]
    for name, function in UNARY.items():
        made[f"__{name}__"] = _unary(binding, binding.bound[function])
    for name, operator in made.items():
        operator.__name__ = name
        operator.__qualname__ = f"{binding.array.__name__}.{name}"
    return made
