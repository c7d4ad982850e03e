"""The operators of `Array`: names, and the implementation for classes that inherit from it.

An operator is its function (`x + y` is `add(x, y)`); each backend's own array class gets a version
without the detour (`binding.operators`). These serve the subclasses that users write.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, cast

from arrayapi_unify.backends import name_of, python_scalar
from arrayapi_unify.overrides import DeclinedError, takes_over

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array

__all__ = [
    "ARITHMETIC",
    "COMPARISON",
    "UNARY",
    "ArrayWithOperators",
    "is_operand",
    "unless_declined",
]

_Binary = Callable[[Any, Any], "Array"]
_Unary = Callable[[Any], "Array"]

# operator -> function, filled by the factories below; `binding.operators` reads them.
ARITHMETIC: Final[dict[str, str]] = {}
COMPARISON: Final[dict[str, str]] = {}
UNARY: Final[dict[str, str]] = {}


def is_operand(value: Any) -> bool:
    """Whether an operator takes `value`; Python asks the other operand otherwise."""
    return (
        name_of(value) is not None
        or python_scalar(value) is not None
        or takes_over(value)
        or isinstance(value, list | tuple)
    )


def unless_declined(call: _Binary, first: Any, second: Any, other: Any) -> Any:
    """Call an operator's function; where the override of `other` declines, Python goes on."""
    if not is_operand(other):
        return NotImplemented
    try:
        return call(first, second)
    except DeclinedError:
        return NotImplemented


def _forward(function: str) -> _Binary:
    def operator(self: Any, other: Any, /) -> Any:
        return unless_declined(self._binding().functions[function], self, other, other)

    return operator


def _arithmetic(name: str, function: str) -> tuple[_Binary, _Binary, _Binary]:
    """Make `x op y`, its reflected form and `x op= y`."""
    ARITHMETIC[name] = function

    def reflected(self: Any, other: Any, /) -> Any:
        return unless_declined(self._binding().functions[function], other, self, other)

    def in_place(self: Any, other: Any, /) -> Any:
        if takes_over(self):
            return NotImplemented  # Python goes on to `x = x op y`, which asks the class
        return self._binding().in_place[function](self, other)

    return _forward(function), reflected, in_place


def _comparison(name: str, function: str) -> _Binary:
    COMPARISON[name] = function
    return _forward(function)


def _unary(name: str, function: str) -> _Unary:
    UNARY[name] = function

    def operator(self: Any, /) -> Any:
        return self._binding().functions[function](self)

    return operator


class ArrayWithOperators:
    """Python's operators, a line each."""

    __slots__ = ()

    __add__, __radd__, __iadd__ = _arithmetic("add", "add")
    __sub__, __rsub__, __isub__ = _arithmetic("sub", "subtract")
    __mul__, __rmul__, __imul__ = _arithmetic("mul", "multiply")
    __truediv__, __rtruediv__, __itruediv__ = _arithmetic("truediv", "divide")
    __floordiv__, __rfloordiv__, __ifloordiv__ = _arithmetic("floordiv", "floor_divide")
    __mod__, __rmod__, __imod__ = _arithmetic("mod", "remainder")
    __pow__, __rpow__, __ipow__ = _arithmetic("pow", "pow")
    __matmul__, __rmatmul__, __imatmul__ = _arithmetic("matmul", "matmul")
    __and__, __rand__, __iand__ = _arithmetic("and", "bitwise_and")
    __or__, __ror__, __ior__ = _arithmetic("or", "bitwise_or")
    __xor__, __rxor__, __ixor__ = _arithmetic("xor", "bitwise_xor")
    __lshift__, __rlshift__, __ilshift__ = _arithmetic("lshift", "bitwise_left_shift")
    __rshift__, __rrshift__, __irshift__ = _arithmetic("rshift", "bitwise_right_shift")

    __lt__ = _comparison("lt", "less")
    __le__ = _comparison("le", "less_equal")
    __gt__ = _comparison("gt", "greater")
    __ge__ = _comparison("ge", "greater_equal")
    __eq__ = _comparison("eq", "equal")  # type: ignore[assignment]  # elementwise, not a bool
    __ne__ = _comparison("ne", "not_equal")  # type: ignore[assignment]  # elementwise too
    # Equality is elementwise, so an array can't be a key, as with NumPy.
    __hash__ = None  # type: ignore[assignment]  # the way Python spells "unhashable"

    __neg__ = _unary("neg", "negative")
    __pos__ = _unary("pos", "positive")
    __abs__ = _unary("abs", "abs")
    __invert__ = _unary("invert", "bitwise_invert")

    def __divmod__(self: Any, other: Any, /) -> tuple[Array, Array]:
        """Return ``self // other`` and ``self % other``."""
        return self // other, self % other

    def __rdivmod__(self: Any, other: Any, /) -> tuple[Array, Array]:
        """Return ``other // self`` and ``other % self``."""
        return other // self, other % self

    def __round__(self: Any, digits: int | None = None, /) -> Array:
        """Round to integers, or to so many decimal places, to the even ones if halfway."""
        xp = self.__array_namespace__()
        if not digits:
            return cast("Array", xp.round(self))
        scale = 10.0 ** abs(digits)
        if digits > 0:
            return cast("Array", xp.round(self * scale) / scale)
        return cast("Array", xp.round(self / scale) * scale)

    def __floor__(self: Any) -> Array:
        """Round down, for ``math.floor``."""
        return cast("Array", self.__array_namespace__().floor(self))

    def __ceil__(self: Any) -> Array:
        """Round up, for ``math.ceil``."""
        return cast("Array", self.__array_namespace__().ceil(self))

    def __trunc__(self: Any) -> Array:
        """Round towards zero, for ``math.trunc``."""
        return cast("Array", self.__array_namespace__().trunc(self))
