"""Factories of native functions, which say how each data type is carried where a kernel lacks.

A function of the standard is one table, `Table`: data type to implementation. `table` fills it
from a default, the operation itself, and what is given for kinds ("b", "u", "i", "f", "c") or
single data types ("uint64"). An implementation may be

- a function of tensors of that data type; `via` and `bits` make one of the operation itself, which
  cast up and back, or compute on signed integers of the same bits,
- `FLOAT`: cast to float64 and stay there, as the standard's floating-point functions do,
- None: NumPy defines no such operation either, so it is refused.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from typing import Any, Final, TypeAlias

import tensorflow as tf

from arrayapi_unify.backends._common.checks.arguments import UndefinedError
from arrayapi_unify.backends.tensorflow._complex import less
from arrayapi_unify.backends.tensorflow._core import (
    LIMITS,
    SCALARS,
    NativeDType,
    Tensor,
    broadcast,
    cast,
    const,
    pair,
    raw,
    shape_tensor,
    tensor,
)
from arrayapi_unify.backends.tensorflow._unsigned import signed
from arrayapi_unify.backends.tensorflow.dtypes import DTYPES

Implementation: TypeAlias = Callable[..., Tensor]

FLOAT: Final = "float64"


class Table(dict[NativeDType, Implementation]):
    """The implementations of one function by data type."""

    def __init__(self, name: str, *tables: dict[NativeDType, Implementation]) -> None:
        """Merge tables, later ones first."""
        super().__init__()
        self.name = name
        for one in tables:
            self.update(one)

    def __missing__(self, dtype: NativeDType) -> Implementation:
        """Raise for a data type for which there is no implementation."""
        raise UndefinedError(f"{self.name} isn't defined for {dtype.name}")


def op1(operation: Implementation) -> Implementation:
    """Make a positional function of a raw operation of one operand.

    It is the one without the wrapper that refuses positional arguments, a tenth of the time.
    """
    return inspect.unwrap(operation)


def op2(operation: Implementation) -> Implementation:
    """Make a positional function of a raw operation of two operands, as `op1` does."""
    return inspect.unwrap(operation)


def same(x: Tensor) -> Tensor:
    """Return the operand itself."""
    return tensor(x)


def via(dtype: NativeDType, function: Implementation) -> Implementation:
    """Carry through another data type, back to the one of the first operand."""

    def carried(x: Tensor, *rest: Tensor) -> Tensor:
        result = function(cast(x, dtype), *(cast(y, dtype) for y in rest))
        return cast(result, x.dtype) if result.dtype is dtype else result

    return carried


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

    return named(native, how.name)


def _floats(x: Any, other: Any) -> Any:
    """Return an integer as a float if the other operand is of integers."""
    exact = isinstance(x, int) and not (other.dtype.is_floating or other.dtype.is_complex)
    return float(x) if exact else x


def binary(how: Table, floating: bool = False) -> Callable[..., Tensor]:
    """Make a native function of two operands, at least one of them an array.

    To a floating-point function a Python integer is a float, which it may be beyond 64 bits.
    """

    def native(x1: Any, x2: Any, /) -> Tensor:
        if type(x2) in SCALARS or type(x1) in SCALARS:
            if floating:
                x1, x2 = _floats(x1, x2), _floats(x2, x1)
        elif (dtype := x1.dtype) is x2.dtype:
            try:
                return how[dtype](x1, x2)
            except tf.errors.UnimplementedError as error:
                return how[dtype](*_of_one_shape(x1, x2, error))
        x1, x2 = pair(x1, x2)
        try:
            return how[x1.dtype](x1, x2)
        except tf.errors.UnimplementedError as error:
            return how[x1.dtype](*_of_one_shape(x1, x2, error))

    return named(native, how.name)


def _of_one_shape(x1: Tensor, x2: Tensor, error: Exception) -> tuple[Tensor, Tensor]:
    """Broadcast the operands of a kernel that couldn't: sizes alternate more than five times."""
    try:
        if "Broadcast between" not in str(error):
            raise error
    finally:
        del error
    shape = tuple(tf.broadcast_static_shape(x1.shape, x2.shape))
    return broadcast(x1, shape), broadcast(x2, shape)


# --- comparisons ------------------------------------------------------------------------------

_MIXED: Final = frozenset({tf.int64, tf.uint64})
_PYTHON: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "equal": operator.eq,
    "not_equal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}
_ON_COMPLEX: Final[dict[str, Implementation]] = {
    "less": less(strict=True),
    "less_equal": less(strict=False),
    "greater": lambda x, y: less(strict=True)(y, x),
    "greater_equal": lambda x, y: less(strict=False)(y, x),
}


def comparison(name: str, operation: Implementation) -> Callable[[Any, Any], Tensor]:
    """Make one comparison."""
    compare = op2(operation)
    ordered = table(name, compare, b=via(tf.uint8, compare), c=_ON_COMPLEX.get(name, compare))
    how = ordered if name in _ON_COMPLEX else table(name, compare)
    python = _PYTHON[name]

    def native(x1: Any, x2: Any, /) -> Tensor:
        if type(x2) in SCALARS or type(x1) in SCALARS:
            known = _out_of_range(python, x1, x2)
            if known is not None:
                return known
        else:
            first = x1.dtype
            if first is x2.dtype:
                try:
                    return how[first](x1, x2)
                except tf.errors.UnimplementedError as error:
                    return how[first](*_of_one_shape(x1, x2, error))
            if {first, x2.dtype} == _MIXED:
                return _mixed(python, compare, x1, x2)
        x1, x2 = pair(x1, x2)
        try:
            return how[x1.dtype](x1, x2)
        except tf.errors.UnimplementedError as error:
            return how[x1.dtype](*_of_one_shape(x1, x2, error))

    return named(native, name)


def _out_of_range(python: Callable[[Any, Any], bool], x1: Any, x2: Any) -> Tensor | None:
    """Compare with an integer that the array's data type can't hold: all elements answer alike."""
    x, value, swapped = (x2, x1, True) if type(x1) is int else (x1, x2, False)
    if type(value) is not int:
        return None
    low, high = LIMITS.get(x.dtype, (value, value))
    if low <= value <= high:
        return None
    answer = python(value, low) if swapped else python(low, value)
    return raw.Fill(dims=shape_tensor(x), value=const(answer, tf.bool))


def _mixed(
    python: Callable[[Any, Any], bool], compare: Implementation, x1: Tensor, x2: Tensor
) -> Tensor:
    """Compare int64 with uint64; float64, to which they promote, can't tell neighbours apart.

    Below 2**63 both are the same bits. Above, or below 0, the answer is that of any two numbers
    in that order.
    """
    first = x1 if x1.dtype is tf.int64 else signed(x1)
    second = x2 if x2.dtype is tf.int64 else signed(x2)
    apart = (first < 0) | (second < 0)
    # int64 has the negative number where it has one, uint64 the larger one: the same order.
    answer = python(0, 1) if x1.dtype is tf.int64 else python(1, 0)
    return raw.SelectV2(condition=apart, t=const(answer, tf.bool), e=compare(first, second))
