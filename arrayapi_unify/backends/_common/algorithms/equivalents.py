"""A library's own functions that graphs call in place of ours: the rules that libraries share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

NativeCall = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
"""A function, and the positional and named arguments to call it with."""
Finder = Callable[..., NativeCall | None]
"""Takes the arguments of a call of ours; None where no function gives the same in each call."""

# Integers below it are exact in float32 too.
_EXACT: Final = 2**24


def without_unset(**named: Any) -> dict[str, Any]:
    """Leave out the arguments that are None or False."""
    return {
        name: value for name, value in named.items() if value is not None and value is not False
    }


@dataclass(frozen=True)
class Equivalents:
    """A library's own functions by the names of ours, for real floating-point arrays.

    The choice may depend on data types and shapes, which a graph fixes; never on values.
    """

    unary: Mapping[str, Callable[..., Any]]
    binary: Mapping[str, Callable[..., Any]]
    is_real: Callable[[Any], bool]
    """A predicate: True for arrays of real floating-point dtypes with equal results."""
    is_weakly_typed: Callable[[Any], bool] = lambda _: False
    """A predicate: True for arrays that adopt the other operand's dtype, as JAX's weak types do."""
    others: dict[str, Finder] = field(default_factory=dict)
    """The finders of functions that take other arguments than one or two arrays."""

    def find(self, name: str, args: Any, kwargs: dict[str, Any]) -> NativeCall | None:
        """Return the library's own function for a call of ours, if it gives the same each time."""
        if name in self.unary:
            right = not kwargs and self.is_real(args[0])
            return (self.unary[name], tuple(args), kwargs) if right else None
        if name in self.binary:
            return self.two(self.binary[name], *args) if not kwargs else None
        find = self.others.get(name)
        return find(*args, **kwargs) if find else None

    def two(self, function: Any, x1: Any, x2: Any) -> NativeCall | None:
        """Return a function of two arrays, or of an array and a number, if it gives the same."""
        first, second = self.is_real(x1), self.is_real(x2)
        alike = first and second and x1.dtype == x2.dtype
        beside = (first and _is_number(x2)) or (second and _is_number(x1))
        weak = self.is_weakly_typed(x1) or self.is_weakly_typed(x2)
        return (function, (x1, x2), {}) if not weak and (alike or beside) else None

    def reduced(self, function: Any) -> Finder:
        """Return the finder of a reduction, which finds none for calls with a `dtype`."""

        def find(
            x: Any, /, *, axis: Any = None, keepdims: bool = False, dtype: Any = None, **more: Any
        ) -> NativeCall | None:
            fits = self.is_real(x) and 0 not in x.shape and (axis is None or len(x.shape))
            if not fits or dtype is not None or any(more.values()):
                return None
            return function, (x,), without_unset(axis=axis, keepdims=keepdims)

        return find

    def are_alike(self, arrays: Any) -> bool:
        """Return True if the arrays have one data type, a real floating-point one."""
        return all(map(self.is_real, arrays)) and len({x.dtype for x in arrays}) == 1


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < _EXACT
