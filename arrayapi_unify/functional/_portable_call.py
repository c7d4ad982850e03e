"""Calls of portable functions: Arrays for what the caller passes, and his kind of arrays back."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from itertools import starmap
from typing import Any, Final, TypeVar, cast

from arrayapi_unify import dtypes
from arrayapi_unify._core.container_base import Nested
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import arrays_in, handler, name_of
from arrayapi_unify.binding import binding_of
from arrayapi_unify.binding.arguments import admit
from arrayapi_unify.contracts.contract import PACKAGE
from arrayapi_unify.functional._generator_support import CallScope

__all__ = ["SteppedCall", "converted"]

F = TypeVar("F", bound=Callable[..., Any])

_NUMBERS: Final = frozenset({int, float, complex})
_SCALARS: Final = _NUMBERS | {bool}
_SEQUENCES: Final = frozenset({list, tuple})
_UNKNOWN: Final = object()
# The class that wraps values of a type, with the data types for which it does; None for types that
# are passed on as they are. Other types (lists, Arrays, native arrays never seen before) take the
# slow path, which adds the types of native arrays.
_CLASSES: Final[dict[type, Any]] = {**dict.fromkeys(_SCALARS), type(None): None, str: None}
# Words in the annotation of a parameter that takes arrays.
_ARRAYS: Final = ("array", "tensor", "operand")


def _is_key(x: Array) -> bool:
    """Return True if an Array may be a key of `unify.random`."""
    return x.dtype is dtypes.uint32 and x.shape == (2,)


def _is_numbers(value: Any) -> bool:
    """Return True for a number, or a list of numbers in any nesting."""
    if type(value) is list:
        return bool(value) and all(map(_is_numbers, value))
    return type(value) in _NUMBERS


class _Operands:
    """The parameters of a function for which lists, and numbers, become arrays beside others.

    A window or an axis is a number, too: numbers need an annotation that names arrays.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        owner = getattr(function, "__qualname__", "").rpartition(".")[0]
        self.of_a_class = bool(owner) and not owner.endswith("<locals>")
        required = [
            (place, p.annotation)
            for i, p in enumerate(_parameters(function))
            for place in (i, p.name)
            if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) and p.default is p.empty
        ]
        self.numbers: frozenset[int | str] = frozenset(
            place for place, annotation in required if _names(annotation, *_ARRAYS)
        )
        self.places: frozenset[int | str] = self.numbers | {
            place for place, annotation in required if _names(annotation, "any", "_empty")
        }


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # some that aren't written in Python have no signature
        return []


def _names(annotation: Any, *words: str) -> bool:
    return any(word in str(annotation).lower() for word in words)


class _Callback:
    """A function of the caller, which gets and gives his kind of arrays."""

    def __init__(self, function: Callable[..., Any], conversion: Conversion) -> None:
        self.__wrapped__ = function
        self._enter = conversion.enter

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._enter(self.__wrapped__(*_leave(args, _data), **_leave(kwargs, _data)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__wrapped__, name)


def _is_callback(value: Any) -> bool:
    """Return True for a callable that isn't of this package, whose own take all arrays."""
    if not callable(value) or isinstance(value, type):
        return False
    modules = [getattr(value, "__module__", None), *(c.__module__ for c in type(value).__mro__)]
    return not any(str(name).partition(".")[0] == PACKAGE for name in modules)


class Conversion:
    """One call of a portable function: what came in, and how results go out."""

    __slots__ = ("_arrays", "_kinds")

    def __init__(self, *values: Any) -> None:
        """Look at the arrays that the caller passed."""
        self._arrays: list[Any] = []
        self._kinds: set[str] = set()
        self.note(*values)

    def note(self, *values: Any) -> None:
        """Look at more arrays."""
        for x in arrays_in(values):
            if not isinstance(x, Array):
                self._kinds.add("native")
            elif _is_key(x):
                self._kinds.add("key")
                continue
            else:
                self._kinds.add("wrapped")
            self._arrays.append(x)

    @property
    def convert(self) -> Callable[[Array], Any] | None:
        """The conversion of Arrays to the caller's kind of results, None if they are that."""
        if "wrapped" in self._kinds or self._kinds == {"key"}:
            return None
        return _data if "native" in self._kinds else _scalar_or_array

    @property
    def _host(self) -> Array:
        """The Array that numbers, lists and keys follow."""
        host = handler.host_of(self._arrays)
        first = self._arrays[0] if host is None else host
        if isinstance(first, Array):
            return first
        return binding_of(cast(str, name_of(first))).wrap(first)

    def operand(self, value: Any) -> Any:
        """Return what the function gets for an array: an Array for a number or a list of them."""
        if not self._arrays or not _is_numbers(value):
            return self.enter(value)
        host = self._host
        functions = binding_of(host.backend).functions
        dtype = None if type(value) is list else functions["result_type"](host, value)
        return functions["asarray"](value, dtype=dtype, device=host.device)

    def enter(self, value: Any) -> Any:
        """Return `value` with Arrays in place of native arrays, in any nesting."""
        kind = type(value)
        if kind in _SCALARS or value is None:
            return value
        if kind in _SEQUENCES:
            return kind([self.enter(part) for part in value])
        if kind is dict:
            return {key: self.enter(part) for key, part in value.items()}
        if isinstance(value, Array):
            return self._followed(value) if self._arrays and _is_key(value) else value
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return kind(*map(self.enter, value))
        if isinstance(value, Nested):
            return value._of({key: self.enter(part) for key, part in value._nodes.items()})
        name = name_of(value)
        if name is None:
            called = self.convert is _data and _is_callback(value)
            return _Callback(value, self) if called else value
        if handler.is_guest(value) and handler.host_of(self._arrays) is not None:
            return admit("portable", "args", value, self._host)
        binding = binding_of(name)
        _CLASSES[kind] = binding.array, binding.standard_dtypes
        return binding.wrap(value)

    def _followed(self, key: Array) -> Array:
        """Return a key on the backend and device of the other arrays."""
        host = self._host
        if key.backend == host.backend:
            return key
        moved = binding_of(host.backend).functions["asarray"](key, device=host.device)
        return cast(Array, moved)

    def arguments(
        self, operands: _Operands, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        """Return what the function gets for the arguments of a call."""

        def entered(place: int | str, value: Any) -> Any:
            numbers = type(value) in _NUMBERS
            places = operands.numbers if numbers else operands.places
            return self.operand(value) if place in places else self.enter(value)

        given = list(starmap(entered, enumerate(args)))
        if operands.of_a_class and args and isinstance(given[0], _Callback):
            given[0] = args[0]
        if not self._kinds:
            given = [_number_to_array(value) for value in given]
        return given, {name: entered(name, value) for name, value in kwargs.items()}


def _leave(value: Any, convert: Callable[[Array], Any]) -> Any:
    """Return `value` with every Array in any nesting converted."""
    if isinstance(value, Array):
        return convert(value)
    kind = type(value)
    if kind in _SEQUENCES:
        return kind([_leave(part, convert) for part in value])
    if kind is dict:
        return {key: _leave(part, convert) for key, part in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return kind(*[_leave(part, convert) for part in value])
    if isinstance(value, Nested):
        return value._of({key: _leave(part, convert) for key, part in value._nodes.items()})
    if isinstance(value, Iterator):
        return (_leave(part, convert) for part in value)
    return value


def _scalar_or_array(array: Array) -> Any:
    return array.data if array.ndim else array.item()


def _data(array: Array) -> Any:
    return array._data


def _number_to_array(value: Any) -> Any:
    if type(value) in _SCALARS:
        return binding_of(handler.choose("portable", ())).functions["asarray"](value)
    return value


def converted(function: F) -> F:
    """Let a function take and return native arrays."""
    operands = _Operands(function)
    numbers = operands.numbers

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        given: list[Any] = []
        cls = None
        for value in args:
            found = _CLASSES.get(type(value), _UNKNOWN)
            if found is None:
                if len(given) in numbers and type(value) in _NUMBERS:
                    return _call_converted(function, operands, args, kwargs)
            elif found is _UNKNOWN:
                return _call_converted(function, operands, args, kwargs)
            else:
                cls, standard = found
                if value.dtype not in standard:
                    return _call_converted(function, operands, args, kwargs)
                array = cls()
                array._data = value
                value = array
            given.append(value)
        if cls is None or (kwargs and not _are_plain(numbers, kwargs)):
            return _call_converted(function, operands, args, kwargs)
        result = function(*given, **kwargs)
        return result._data if type(result) is cls else _leave(result, _data)

    return cast(F, wrapper)


def _are_plain(numbers: frozenset[int | str], kwargs: dict[str, Any]) -> bool:
    """Return True if no keyword argument has to be converted."""
    plain = all(_CLASSES.get(type(value), Array) is None for value in kwargs.values())
    return plain and numbers.isdisjoint(kwargs)


def _call_converted(
    function: Callable[..., Any],
    operands: _Operands,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """Call a portable function with arguments of any kind."""
    conversion = Conversion(args, kwargs)
    given, named = conversion.arguments(operands, args, kwargs)
    result, convert = function(*given, **named), conversion.convert
    return result if convert is None else _leave(result, convert)


class SteppedCall(CallScope):
    """One call of a portable generator or coroutine: what passes in either direction."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Begin with nothing known of the caller's arrays."""
        self._operands = _Operands(function)
        self._conversion = Conversion()

    def arguments(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments with Arrays in place of native arrays."""
        self._conversion.note(args, kwargs)
        given, named = self._conversion.arguments(self._operands, args, kwargs)
        return tuple(given), named

    def enter(self, value: Any) -> Any:
        """Return what the caller sends with Arrays in place of native arrays."""
        self._conversion.note(value)
        return self._conversion.enter(value)

    def leave(self, value: Any) -> Any:
        """Return what the body yields or returns in the kind that the caller passed."""
        convert = self._conversion.convert
        return value if convert is None else _leave(value, convert)
