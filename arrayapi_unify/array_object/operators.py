"""The operators of `Array`: names, and the implementation for classes that inherit from it.

An operator is its function (`x + y` is `add(x, y)`); each backend's own array class gets a version
without the detour (`binding.operators`). These serve the subclasses that users write.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, cast

from arrayapi_unify._core.override_protocol import DeclinedError, takes_over
from arrayapi_unify.backends import name_of, python_scalar
from arrayapi_unify.dtypes import same_kind
from arrayapi_unify.errors import UnifyTypeError

if TYPE_CHECKING:
    from arrayapi_unify.array_object import Array

__all__ = [
    "ARITHMETIC",
    "COMPARISON",
    "UNARY",
    "UNLIKE",
    "ArrayWithOperators",
    "compared",
    "is_operand",
    "swapped",
    "unless_declined",
]

_Binary = Callable[[Any, Any], "Array"]
_Unary = Callable[[Any], "Array"]

# operator -> function, filled by the factories below; `binding.operators` reads them.
ARITHMETIC: Final[dict[str, str]] = {}
COMPARISON: Final[dict[str, str]] = {}
UNARY: Final[dict[str, str]] = {}

_SWAPPED: Final = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}

# No power of ten beyond is a floating-point number.
_EXPONENTS: Final = 308

UNLIKE: Final = {"__eq__": False, "__ne__": True}
"""The result for each element if the other operand is no number."""


def is_operand(value: Any) -> bool:
    """Return True if an operator takes `value`; else Python tries the other operand's method."""
    return (
        name_of(value) is not None
        or python_scalar(value) is not None
        or takes_over(value)
        or isinstance(value, list | tuple)
    )


def unless_declined(call: _Binary, first: Any, second: Any, other: Any, method: str | None) -> Any:
    """Call an operator's function; if its overrides decline, Python goes on to the other operand.

    `method` is the other operand's, or None if Python has no other to try. Then the error of the
    function says more than Python's.
    """
    if not is_operand(other):
        return NotImplemented
    try:
        return call(first, second)
    except DeclinedError:
        plain = python_scalar(other) is not None or isinstance(other, list | tuple)
        if method is None or plain or not hasattr(type(other), method):
            raise
        return NotImplemented


def swapped(name: str) -> str:
    """Return the method of the other operand for an operator: `__radd__` for "add"."""
    return f"__{_SWAPPED.get(name) or f'r{name}'}__"


def compared(call: _Binary, x: Any, other: Any, key: str) -> Any:
    """Call the function of `==` or `!=`; what is no number is unlike each element, as in NumPy.

    The class of the other operand may override, and is tried before Python would call it. If its
    override and its method decline, the override's error is raised.
    """
    declined = None
    try:
        answer = call(x, other) if is_operand(other) else NotImplemented
    except DeclinedError as error:
        answer, declined = NotImplemented, error
    if answer is NotImplemented and not isinstance(other, str | bytes | None):
        answer = getattr(type(other), key)(other, x)
    if answer is NotImplemented and declined is not None:
        try:
            raise declined
        finally:
            del declined  # see `errors`: an error that is raised here holds this frame
    if answer is NotImplemented:
        xp = x.__array_namespace__()
        return xp.full_like(x, UNLIKE[key], dtype=xp.bool)
    return answer


def _forward(name: str, function: str) -> _Binary:
    method = swapped(name)

    def operator(self: Any, other: Any, /) -> Any:
        return unless_declined(self._binding().functions[function], self, other, other, method)

    return operator


def _stored(function: str, x: Any, result: Any) -> Any:
    """Write what the class of x returns for `x op y` to x, unless that is no Array."""
    if not hasattr(type(result), "__unify_backend__"):
        return result
    target, source = x.dtype, result.dtype
    if not same_kind(source, target) or result.shape != x.shape:
        raise UnifyTypeError(
            f"{function}: argument 'x1' is an array of {target} and shape {x.shape}, which can't "
            f"store the result of {source} and shape {result.shape}; write x = {function}(x, y) "
            f"instead"
        )
    binding = x._binding()
    binding.functions["set_item"](binding.share(x), ..., binding.share(result))
    return x


def _arithmetic(name: str, function: str) -> tuple[_Binary, _Binary, _Binary]:
    """Make `x op y`, its reflected form and `x op= y`."""
    ARITHMETIC[name] = function

    def reflected(self: Any, other: Any, /) -> Any:
        return unless_declined(self._binding().functions[function], other, self, other, None)

    def in_place(self: Any, other: Any, /) -> Any:
        if takes_over(self):
            call = self._binding().functions[function]
            found = unless_declined(call, self, other, other, swapped(name))
            return _stored(function, self, found)
        return self._binding().in_place[function](self, other)

    return _forward(name, function), reflected, in_place


def _comparison(name: str, function: str) -> _Binary:
    COMPARISON[name] = function
    key = f"__{name}__"
    if key not in UNLIKE:
        return _forward(name, function)

    def operator(self: Any, other: Any, /) -> Any:
        return compared(self._binding().functions[function], self, other, key)

    return operator


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

    def __round__(self: Any, digits: int | None = None, /) -> Array | int:
        """Round to integers, or to so many decimal places, to the even ones if halfway."""
        if digits is None:
            return _whole(self, round, "round")
        xp = self.__array_namespace__()
        if self.dtype.kind in "iu":
            return _integers_rounded(xp, self, 10 ** max(0, -digits))
        if not digits:
            return cast("Array", xp.round(self))
        if abs(digits) > _EXPONENTS:
            return cast("Array", xp.positive(self) if digits > 0 else self * 0.0)
        scale = 10.0 ** abs(digits)
        if digits > 0:
            return cast("Array", xp.round(self * scale) / scale)
        return cast("Array", xp.round(self / scale) * scale)

    def __floor__(self: Any) -> Array | int:
        """Round down, for ``math.floor``; of a 0-d array that is an int, as everywhere else."""
        return _whole(self, math.floor, "floor")

    def __ceil__(self: Any) -> Array | int:
        """Round up, for ``math.ceil``; of a 0-d array that is an int, as everywhere else."""
        return _whole(self, math.ceil, "ceil")

    def __trunc__(self: Any) -> Array | int:
        """Round towards zero, for ``math.trunc``; of a 0-d array that is an int."""
        return _whole(self, math.trunc, "trunc")


def _whole(x: Any, number: Callable[[Any], int], function: str) -> Array | int:
    """Give Python's integer for a 0-d array of real numbers, and an array for others."""
    if x.ndim or x.dtype.kind == "c":
        return cast("Array", getattr(x.__array_namespace__(), function)(x))
    return number(x.to_scalar())


def _integers_rounded(xp: Any, x: Any, unit: int) -> Array:
    """Round integers to multiples of a power of ten, to the even ones if halfway.

    They are computed as integers, of which floating-point numbers hold not all.
    """
    if unit == 1:
        return cast("Array", xp.round(x))
    if unit > xp.iinfo(x.dtype).max:
        return cast("Array", xp.zeros_like(x))
    multiple = x // unit
    rest = x - multiple * unit
    halfway = (rest == unit - rest) & (multiple % 2 == 1)
    up = (rest > unit - rest) | halfway
    return cast("Array", (multiple + xp.astype(up, x.dtype)) * unit)
