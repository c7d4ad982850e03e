"""Python's operators for classes that override functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from arrayapi_unify.array_object.operators import (
    ARITHMETIC,
    COMPARISON,
    UNARY,
    UNLIKE,
    is_operand,
    swapped,
    unless_declined,
)
from arrayapi_unify.contracts.contract import CONTRACTS

__all__ = ["UnifyOperatorsMixin"]

_Binary: TypeAlias = Callable[[Any, Any], Any]


def _function(name: str) -> Callable[..., Any]:
    return CONTRACTS[name].public


def _both(name: str) -> tuple[_Binary, _Binary]:
    """Make `q op x` and `x op q`."""
    function, method = ARITHMETIC[name], swapped(name)

    def operator(self: Any, other: Any, /) -> Any:
        return unless_declined(_function(function), self, other, other, method)

    def reflected(self: Any, other: Any, /) -> Any:
        return unless_declined(_function(function), other, self, other, None)

    return operator, reflected


def _comparison(name: str) -> _Binary:
    """Make a comparison; equality that isn't computed is an error, not the identity of objects."""
    function = COMPARISON[name]

    def operator(self: Any, other: Any, /) -> Any:
        if f"__{name}__" in UNLIKE and is_operand(other):
            return _function(function)(self, other)
        return unless_declined(_function(function), self, other, other, swapped(name))

    return operator


def _unary(name: str) -> Callable[[Any], Any]:
    def operator(self: Any, /) -> Any:
        return _function(UNARY[name])(self)

    return operator


class UnifyOperatorsMixin:
    """Python's operators of a class that overrides functions: ``q + x`` is ``unify.add(q, x)``.

    The class has ``__ivy_array_function__``, and its instances may be either operand. An operator
    of a function that it declines lets Python try the other operand; ``==`` and ``!=`` raise. In
    place of ``q += x``, Python computes ``q = q + x``. NumPy's arrays leave their operators to the
    class (``__array_ufunc__ = None``).
    """

    __slots__ = ()
    __array_ufunc__ = None

    __add__, __radd__ = _both("add")
    __sub__, __rsub__ = _both("sub")
    __mul__, __rmul__ = _both("mul")
    __truediv__, __rtruediv__ = _both("truediv")
    __floordiv__, __rfloordiv__ = _both("floordiv")
    __mod__, __rmod__ = _both("mod")
    __pow__, __rpow__ = _both("pow")
    __matmul__, __rmatmul__ = _both("matmul")
    __and__, __rand__ = _both("and")
    __or__, __ror__ = _both("or")
    __xor__, __rxor__ = _both("xor")
    __lshift__, __rlshift__ = _both("lshift")
    __rshift__, __rrshift__ = _both("rshift")

    __lt__ = _comparison("lt")
    __le__ = _comparison("le")
    __gt__ = _comparison("gt")
    __ge__ = _comparison("ge")
    __eq__ = _comparison("eq")
    __ne__ = _comparison("ne")
    # Equality is elementwise, so an instance can't be a key.
    __hash__ = None  # type: ignore[assignment]  # the way Python spells "unhashable"

    __neg__ = _unary("neg")
    __pos__ = _unary("pos")
    __abs__ = _unary("abs")
    __invert__ = _unary("invert")

    def __divmod__(self, other: Any, /) -> tuple[Any, Any]:
        """Return ``self // other`` and ``self % other``."""
        return self // other, self % other

    def __rdivmod__(self, other: Any, /) -> tuple[Any, Any]:
        """Return ``other // self`` and ``other % self``."""
        return other // self, other % self
