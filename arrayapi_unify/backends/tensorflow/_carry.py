"""How each data type is carried through an operation that lacks a kernel for it.

A function of the standard is one table, `Table`: data type to implementation. `table` fills it
from a default, the operation itself, and what is given for kinds ("b", "u", "i", "f", "c") or
single data types ("uint64"). An implementation may be

- a function of tensors of that data type; `via` and `bits` make one of the operation itself, which
  cast up and back, or compute on signed integers of the same bits,
- `FLOAT`: cast to float64 and stay there, as the standard's floating-point functions do,
- None: NumPy defines no such operation either, so it is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import tensorflow as tf

from arrayapi_unify.backends.tensorflow._core import NativeDType, Tensor, cast, pair, tensor
from arrayapi_unify.backends.tensorflow.dtypes import DTYPES
from arrayapi_unify.errors import UnifyTypeError

__all__ = [
    "FLOAT",
    "Implementation",
    "Table",
    "binary",
    "bits",
    "named",
    "op1",
    "op2",
    "same",
    "signed",
    "table",
    "unary",
    "via",
]

Implementation: TypeAlias = Callable[..., Tensor]

FLOAT: Final = "float64"

# The signed integers of the same bits: two's complement adds, multiplies and shifts left alike.
_SIGNED: Final = {
    tf.uint8: tf.int8,
    tf.uint16: tf.int16,
    tf.uint32: tf.int32,
    tf.uint64: tf.int64,
}


class Table(dict[NativeDType, Implementation]):
    """The implementations of one function by data type."""

    def __init__(self, name: str, *tables: dict[NativeDType, Implementation]) -> None:
        """Merge tables, later ones first."""
        super().__init__()
        self.name = name
        for one in tables:
            self.update(one)

    def __missing__(self, dtype: NativeDType) -> Implementation:
        """Refuse a data type for which there is no implementation."""
        raise UnifyTypeError(
            f"{self.name} isn't defined for arrays of {dtype.name}; cast the array first, "
            f"e.g. with astype(x, dtype)"
        )


def op1(operation: Implementation) -> Implementation:
    """Make a positional function of a raw operation of one operand."""
    return lambda x: operation(x=x)


def op2(operation: Implementation) -> Implementation:
    """Make a positional function of a raw operation of two operands."""
    return lambda x, y: operation(x=x, y=y)


def same(x: Tensor) -> Tensor:
    """Return the operand itself."""
    return tensor(x)


def via(dtype: NativeDType, function: Implementation) -> Implementation:
    """Carry through another data type, back to the one of the first operand."""

    def carried(x: Tensor, *rest: Tensor) -> Tensor:
        result = function(cast(x, dtype), *(cast(y, dtype) for y in rest))
        return cast(result, x.dtype) if result.dtype is dtype else result

    return carried


def bits(function: Implementation) -> Implementation:
    """Carry unsigned integers as the signed ones of the same bits."""

    def carried(x: Tensor, *rest: Tensor) -> Tensor:
        result = function(signed(x), *map(signed, rest))
        return tf.bitcast(result, x.dtype)

    return carried


def signed(x: Tensor) -> Tensor:
    """Return unsigned integers as the signed ones of the same bits."""
    return tf.bitcast(x, _SIGNED[x.dtype])


def _as_float(function: Any) -> Implementation:
    return lambda *operands: function(*(cast(x, tf.float64) for x in operands))


def table(name: str, default: Implementation | None, **given: Any) -> Table:
    """Fill a table; what is given for a data type precedes what is given for its kind."""
    found = Table(name)
    for ours, dtype in DTYPES.items():
        how: Any = given.get(ours.name, given.get(ours.kind, default))
        if how is not None:
            found[dtype] = _as_float(given.get("f") or default) if how is FLOAT else how
    return found


def named(native: Callable[..., Any], name: str, doc: str = "") -> Any:
    """Name a native function that a factory made."""
    native.__name__ = native.__qualname__ = name
    native.__doc__ = doc or f"`{name}` of the standard on tensors."
    return native


def unary(how: Table) -> Callable[..., Tensor]:
    """Make a native function of one array."""

    def native(x: Tensor, /) -> Tensor:
        return how[x.dtype](x)

    return named(native, how.name)  # type: ignore[no-any-return]


def _floats(x: Any, other: Any) -> Any:
    """Return an integer as a float where it stands beside integers."""
    exact = isinstance(x, int) and not (other.dtype.is_floating or other.dtype.is_complex)
    return float(x) if exact else x


def binary(how: Table, floating: bool = False) -> Callable[..., Tensor]:
    """Make a native function of two operands, at least one of them an array.

    To a floating-point function a Python integer is a float, which it may be beyond 64 bits.
    """

    def native(x1: Any, x2: Any, /) -> Tensor:
        try:
            equal = x1.dtype is x2.dtype
        except AttributeError:  # a Python scalar
            equal = False
            if floating:
                x1, x2 = _floats(x1, x2), _floats(x2, x1)
        if not equal:
            x1, x2 = pair(x1, x2)
        return how[x1.dtype](x1, x2)

    return named(native, how.name)  # type: ignore[no-any-return]
