"""Roles of the parameters of public functions: type aliases for type checkers and binding.

A contract annotates with one of these each parameter that takes arrays, data types or devices.
`Annotated` carries the role, so that it needn't be guessed from the text of an annotation.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Annotated, Any, Final, SupportsFloat, TypeAlias

from arrayapi_unify.array_object import Array, NativeArray
from arrayapi_unify.devices import Device
from arrayapi_unify.dtypes import DType

__all__ = [
    "ARRAY_ROLES", "ArrayDTypeOrScalar", "ArrayIn", "ArrayLike", "ArrayOrAny", "ArrayOrDType",
    "ArrayOrFloat", "Arrays", "BoolOperand", "DTypeIn", "DeviceIn", "IntegerOperand",
    "IntegerOrBoolOperand", "Key", "NumericOperand", "Operand", "OptionalArray", "OptionalDType",
    "OptionalDevice", "OptionalNumeric", "OptionalOperand", "OptionalReal", "Out", "RealOperand",
    "Role", "role_of",
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

Arrays: TypeAlias = Annotated[Sequence[Array | NativeArray], Role.SEQUENCE]
ArrayLike: TypeAlias = Annotated[Any, Role.OBJECT]
Key: TypeAlias = Annotated[Any, Role.KEY]
Out: TypeAlias = Annotated[Array | None, Role.OUT]

DTypeIn: TypeAlias = Annotated[DType, Role.DTYPE]
OptionalDType: TypeAlias = Annotated[DType | None, Role.DTYPE]
DeviceIn: TypeAlias = Annotated[Device | str, Role.DEVICE]
OptionalDevice: TypeAlias = Annotated[Device | str | None, Role.DEVICE]


def role_of(annotation: Any) -> Role:
    """Return the role that an alias bears; what bears none is plain."""
    found = getattr(annotation, "__metadata__", ())
    return found[0] if found and isinstance(found[0], Role) else Role.STATIC
