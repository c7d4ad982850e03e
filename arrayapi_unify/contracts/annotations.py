"""The meaning of annotations: roles of parameters, and the types to which others are coerced.

A contract annotates with an alias each parameter that takes arrays, data types or devices.
`Annotated` carries the role, so that it needn't be guessed from the text of an annotation.

All other parameters are static. Libraries accept different types for an axis or a shape: one a
list, another one a float. On the fast path native functions get the arguments as given, which costs
nothing. If they raise, and on the slow path, the arguments are coerced to the type that the
annotation names, or an error is raised. So it is the same on every backend.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    Protocol,
    SupportsFloat,
    TypeAlias,
    Union,
    get_args,
    get_origin,
)  # fmt: skip

from arrayapi_unify.array_object import Array, NativeArray
from arrayapi_unify.backends import name_of, python_scalar
from arrayapi_unify.backends._common.checks.axes import few
from arrayapi_unify.devices import Device
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import (
    UnifyError,
    UnifyTypeError,
    UnifyValueError,
    describe,
    raise_argument_error,
)

if TYPE_CHECKING:
    from arrayapi_unify.contracts.contract import Contract, Parameter

__all__ = [
    "ARRAY_ROLES", "ArrayDTypeOrScalar", "ArrayIn", "ArrayLike", "ArrayOrAny", "ArrayOrArrays",
    "ArrayOrDType", "ArrayOrFloat", "Arrays", "BoolOperand", "DTypeIn", "DTypeLike", "DeviceIn",
    "DeviceLike",
    "IntegerOperand", "IntegerOrBoolOperand", "Key", "NumericOperand", "Operand", "OptionalArray",
    "OptionalDType", "OptionalDevice", "OptionalNumeric", "OptionalOperand", "OptionalReal", "Out",
    "RealOperand", "Role", "coerce", "coerce_call", "compile_coercers", "role_of",
]  # fmt: skip


class Role(Enum):
    """The role of a parameter."""

    # The hash of built-in objects is much faster, and each role is one object.
    __hash__ = object.__hash__

    ARRAY = "array"  # an array (Python scalars and nested lists are taken too, and converted)
    OPERAND = "operand"  # an array or a Python scalar, which keeps its weak data type
    OPTIONAL = "optional"  # an array, a scalar or None
    SEQUENCE = "sequence"  # a list or tuple of arrays
    STAR = "star"  # *arrays
    OBJECT = "object"  # what asarray takes: anything, arrays nested inside included
    KEY = "key"  # an index, arrays inside included
    DTYPE = "dtype"
    DEVICE = "device"
    OUT = "out"
    STATIC = "static"


ARRAY_ROLES: Final = frozenset(
    {Role.ARRAY, Role.OPERAND, Role.OPTIONAL, Role.SEQUENCE, Role.STAR, Role.OBJECT, Role.KEY}
)

ArrayIn: TypeAlias = Annotated[Array | NativeArray, Role.ARRAY]
ArrayOrAny: TypeAlias = Annotated[Any, Role.ARRAY]
ArrayOrDType: TypeAlias = Annotated[DType | Array | NativeArray, Role.ARRAY]
ArrayOrFloat: TypeAlias = Annotated[Array | NativeArray | SupportsFloat, Role.ARRAY]

Operand: TypeAlias = Annotated[Array | NativeArray | bool | int | float | complex, Role.OPERAND]
NumericOperand: TypeAlias = Annotated[Array | NativeArray | int | float | complex, Role.OPERAND]
RealOperand: TypeAlias = Annotated[Array | NativeArray | int | float, Role.OPERAND]
IntegerOperand: TypeAlias = Annotated[Array | NativeArray | int, Role.OPERAND]
IntegerOrBoolOperand: TypeAlias = Annotated[Array | NativeArray | int | bool, Role.OPERAND]
BoolOperand: TypeAlias = Annotated[Array | NativeArray | bool, Role.OPERAND]
ArrayDTypeOrScalar: TypeAlias = Annotated[
    Array | NativeArray | DType | bool | int | float | complex, Role.OPERAND
]

OptionalArray: TypeAlias = Annotated[Array | NativeArray | None, Role.OPTIONAL]
OptionalReal: TypeAlias = Annotated[Array | NativeArray | int | float | None, Role.OPTIONAL]
OptionalNumeric: TypeAlias = Annotated[
    Array | NativeArray | int | float | complex | None, Role.OPTIONAL
]
OptionalOperand: TypeAlias = Annotated[
    Array | NativeArray | bool | int | float | complex | None, Role.OPTIONAL
]

# A result: an array, or a tuple of them, by the values of the arguments.
ArrayOrArrays: TypeAlias = Annotated[Any, Role.ARRAY]

Arrays: TypeAlias = Annotated[Sequence[Array | NativeArray], Role.SEQUENCE]
ArrayLike: TypeAlias = Annotated[Any, Role.OBJECT]
Key: TypeAlias = Annotated[Any, Role.KEY]
Out: TypeAlias = Annotated[Array | None, Role.OUT]

DTypeIn: TypeAlias = Annotated[DType, Role.DTYPE]
OptionalDType: TypeAlias = Annotated[DType | None, Role.DTYPE]
DeviceIn: TypeAlias = Annotated[Device | str, Role.DEVICE]
OptionalDevice: TypeAlias = Annotated[Device | str | None, Role.DEVICE]


# The types that callers pass for these: the stubs have them in their place.
class NativeDType(Protocol):
    """A data type of NumPy or PyTorch; those of JAX are types."""

    @property
    def itemsize(self) -> int:
        """The number of bytes of an element."""


class TorchDevice(Protocol):
    """A device of PyTorch; those of TensorFlow are strings."""

    @property
    def type(self) -> str:
        """The kind of device."""


class JaxDevice(Protocol):
    """A device of JAX."""

    @property
    def platform(self) -> str:
        """The kind of device."""


DTypeLike: TypeAlias = Annotated[DType | str | type[Any] | NativeDType, Role.DTYPE]
DeviceLike: TypeAlias = Annotated[Device | str | TorchDevice | JaxDevice, Role.DEVICE]


def role_of(annotation: Any) -> Role:
    """Return the role that an alias bears; what bears none is plain."""
    found = getattr(annotation, "__metadata__", ())
    return found[0] if found and isinstance(found[0], Role) else Role.STATIC


Coercer = Callable[[Any], Any]


class _Invalid(Exception):
    """A value that isn't of a kind."""


def _integer(value: Any) -> Any:
    if isinstance(value, bool) or isinstance(python_scalar(value), bool):
        raise _Invalid
    scalar = python_scalar(value)
    if scalar is not None:
        if isinstance(scalar, int):
            return scalar
        raise _Invalid
    if isinstance(value, Array):
        if not value.ndim and value.dtype.kind not in "iu":
            raise _Invalid
        return operator.index(value)
    # A value with `__index__` may be a size that isn't known yet, while a compiler traces.
    if not hasattr(type(value), "__index__"):
        raise _Invalid
    if name_of(value) == "numpy":
        return operator.index(value)
    return value


def _real(value: Any) -> Any:
    scalar = python_scalar(value)
    if isinstance(scalar, complex) or (isinstance(value, Array) and value.dtype.kind == "c"):
        raise _Invalid
    return _number(value)


def _number(value: Any) -> Any:
    scalar = python_scalar(value)
    if scalar is not None:
        return scalar
    if getattr(value, "ndim", 0) or not hasattr(type(value), "__float__"):
        raise _Invalid
    if isinstance(value, Array) and value.dtype.kind in "biuf":
        try:
            return value.item()
        except Exception:  # while a compiler traces
            return value
    return value


def _flag(value: Any) -> bool:
    try:
        return bool(value)
    except Exception:  # of several elements, or traced: each library has its own error
        raise _Invalid from None


def _only(is_valid: Callable[[Any], bool]) -> Coercer:
    """Return a coercer that leaves values as they are, and takes no others."""

    def checked(value: Any) -> Any:
        if not is_valid(value):
            raise _Invalid
        return value

    return checked


def _sequence_of(item: Coercer, value: Any) -> tuple[Any, ...]:
    kind = type(value)
    if isinstance(value, str | bytes | Mapping) or not all(
        hasattr(kind, name) for name in ("__len__", "__iter__", "__getitem__")
    ):
        raise _Invalid
    if getattr(value, "ndim", 1) != 1 or (kind is range and not few(value)):
        raise _Invalid
    return tuple(map(item, value))


def _any_of(kinds: tuple[Coercer, ...], value: Any) -> Any:
    for kind in kinds:
        try:
            return kind(value)
        except _Invalid:
            continue
    raise _Invalid


_KINDS: Final[dict[Any, Coercer]] = {
    int: _integer,
    float: _real,
    complex: _number,
    bool: _flag,
    str: _only(lambda value: isinstance(value, str)),
    NoneType: _only(lambda value: value is None),
}
_WORDS: Final[dict[Any, str]] = {
    int: "an integer",
    float: "a real number",
    complex: "a complex number",
    bool: "True or False",
    str: "a string",
    NoneType: "None",
}
_SEVERAL: Final = {int: "integers", float: "real numbers"}
_SEQUENCES: Final = (tuple, Sequence)
# The types that annotations name, by module and text.
_hints: dict[tuple[str, str], Any] = {}


def compile_coercers(contract: Contract) -> None:
    """Read the annotations before the first call: a compiler that follows a call can't.

    `coercers` has the static parameters; arrays, `*arguments` and objects stay as they are.
    """
    for parameter in contract.parameters:
        if parameter.star or parameter.role not in (Role.STATIC, Role.OPTIONAL):
            continue
        hint = _hint(contract, parameter)
        if parameter.role is Role.OPTIONAL:
            if int in _alternatives(get_args(hint)[0]):
                contract.takes_numbers.add(parameter.name)
        elif (coercer := _coercer(hint)) is not None:
            contract.coercers[parameter.name] = coercer


def _hint(contract: Contract, parameter: Parameter) -> Any:
    """Return the type that the annotation of a parameter names where the contract stands."""
    function = contract.function
    place = function.__module__, parameter.annotation
    if place not in _hints:
        _hints[place] = eval(parameter.annotation, function.__globals__)
    return _hints[place]


def _alternatives(hint: Any) -> tuple[Any, ...]:
    """Return the types of which a value has one."""
    return get_args(hint) if isinstance(hint, UnionType) or get_origin(hint) is Union else (hint,)


def _coercer(hint: Any) -> Coercer | None:
    """Return what puts a value in the form that a type names; None where all is right."""
    parts = sorted(_alternatives(hint), key=lambda part: part not in (None, NoneType))
    found = [_one_of(part) for part in parts]
    kinds = tuple(kind for kind in found if kind is not None)
    if len(kinds) < len(found):
        return None
    if int not in parts and any(map(_holds_integers, parts)):
        # One integer stands for a sequence of one, where it has no meaning of its own.
        kinds = (*kinds, lambda value: (_integer(value),))
    return functools.partial(_any_of, kinds)


def _holds_integers(part: Any) -> bool:
    return get_origin(part) in _SEQUENCES and int in _alternatives(get_args(part)[0])


def _one_of(part: Any) -> Coercer | None:
    if part is None or part in _KINDS:
        return _KINDS[NoneType if part is None else part]
    origin, inside = get_origin(part), get_args(part)
    if origin is Literal:
        return functools.partial(_literal, inside)
    if origin is Callable:
        return _only(callable)
    if origin in _SEQUENCES:
        item = _coercer(inside[0])
        return None if item is None else functools.partial(_sequence_of, item)
    return None


def _literal(inside: tuple[Any, ...], value: Any) -> Any:
    if value is None and "backward" in inside:  # the norm of NumPy's transforms
        return "backward"
    if not isinstance(value, str) or value not in inside:
        raise _Invalid
    return value


def coerce(contract: Contract, parameter: Parameter, value: Any) -> Any:
    """Return a static argument coerced to its annotation's type; raise if that can't be."""
    coercer = contract.coercers.get(parameter.name)
    if coercer is None:
        return value
    cause: Exception | None = None
    try:
        return coercer(value)
    except _Invalid:
        pass
    except (TypeError, ValueError) as error:
        cause = None if isinstance(error, UnifyError) else error
    try:
        _raise_invalid(contract, parameter, value)
    except (UnifyTypeError, UnifyValueError) as error:
        raise error from cause
    finally:
        del cause


def _raise_invalid(contract: Contract, parameter: Parameter, value: Any) -> None:
    parts = _alternatives(_hint(contract, parameter))
    words = isinstance(value, str) and any(get_origin(part) is Literal for part in parts)
    raise_argument_error(
        UnifyValueError if words else UnifyTypeError,
        contract.qualified_name,
        parameter.name,
        f"is {describe(value)}",
        f"pass {' or '.join(map(_described, parts))}",
    )


def _described(part: Any) -> str:
    """Say in words what a type is."""
    if get_origin(part) is Literal:
        return " or ".join(map(repr, get_args(part)))
    if get_origin(part) is Callable:
        return "a function"
    if get_origin(part) in _SEQUENCES:
        return (
            f"a tuple of {_SEVERAL.get(_alternatives(get_args(part)[0])[0], 'tuples of integers')}"
        )
    return _WORDS[NoneType if part is None else part]


def coerce_call(
    contract: Contract, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]] | None:
    """Coerce the static arguments of a call that failed; None where they were right already."""
    new: dict[str, Any] = {}
    for parameter, value in contract.named(args, kwargs):
        name = parameter.name
        if parameter.role is Role.OPTIONAL:
            if name not in contract.takes_numbers and python_scalar(value) is not None:
                new[name] = value  # an array is made of it
        elif name in contract.coercers:
            coerced = coerce(contract, parameter, value)
            # Natives know no Arrays: one that stands for a number is put in form with them.
            same = coerced is value and not isinstance(coerced, Array)
            if not same and (
                coerced is value or type(coerced) is not type(value) or coerced != value
            ):
                new[name] = coerced
    if not new:
        return None
    positional = [new.get(name, a) for name, a in zip(contract.by_position, args, strict=False)]
    positional += args[len(positional) :]
    return tuple(positional), {name: new.get(name, value) for name, value in kwargs.items()}
