"""The record of what a native function says of itself: the one attribute that binding reads.

A `Kernel` is also the decorator that gives a function its record:

    @Kernel(copies_when=always)
    def flip(x, /, *, axis=None): ...

Two attributes are published, since functions of other packages have them too: `partial_mixed`
sets `partial_mixed_handler`, and `writes_out` sets `supports_native_out`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

__all__ = [
    "ATTRIBUTE", "FastKernel", "InPlaceKernel", "Kernel", "kernel_of", "partial_mixed",
    "writes_out",
]  # fmt: skip

ATTRIBUTE: Final = "__unify_kernel__"
"""The attribute of a function that holds its `Kernel`."""

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class FastKernel:
    """A library's own function where it is nearly always right, and how to tell when it isn't.

    Binding calls it before the native function, with the arrays and scalars of calls without
    optional arguments. If it raises, the native function is called.
    """

    call: Callable[..., Any]
    dtype: Any = None
    """The native data type of results that are surely right; None: all are."""
    fix_up: Callable[..., Any] | None = None
    """Takes a result of another data type and the arguments; returns the right result."""
    argument: Any = None
    """The native data type of a first argument for which it is called at all; None: for all."""
    when: str = ""
    """The condition in Python, of the arguments `{0}` and `{1}`, under which it is called at all.
    It may use builtins and `_type`, which is `type`."""


@dataclass(frozen=True, slots=True)
class InPlaceKernel:
    """A library's own in-place operation, where binding may call it without a native function.

    It serves an array of one data type and a second array, if neither is an alias of other arrays'
    memory or has emulated views. If it raises, nothing was written, and the native function is
    called.
    """

    call: Callable[..., Any]
    dtype: Any
    """The native data type of the array that is written to."""
    base: str
    """The name of the attribute that is None for arrays that are no aliases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """The properties of a function of native arrays; calling it gives them to a function."""

    fast_call: Callable[..., Any] | None = None
    """Any function: what the fast path calls instead with the same arguments. It may return a
    scalar in place of an array."""
    fast_kernel: FastKernel | None = None
    """Any function: what the fast path calls first, without optional arguments."""
    functional: Callable[..., Any] | None = None
    """`set_item`: the same for a copy of the array, which it returns."""
    copies_when: Callable[..., bool] | None = None
    """Functions that NumPy serves by a view: returns True for the arguments, without the array, for
    which this one copies."""
    from_list: Callable[[Any], Any] | None = None
    """`asarray`: makes an array of a list of numbers; returns None for any other list."""
    supports_basic_key: Callable[[Any], bool] | None = None
    """`get_item`: returns True for a key of integers and slices that `fast_call` takes."""
    accepts_index_lists: bool = False
    """`get_item`: True if `fast_call` takes a list of integers as the key."""
    get_element: Callable[[Any, Any], Any] | None = None
    """`get_item`: selects one element by integers; returns None where `get_item` has to."""
    guard_dtype: Any = None
    """`set_item`: the native data type of arrays in which the library's own subscript stores a
    Python float as `astype` casts it."""
    fill: Callable[[Any, Any, float], None] | None = None
    """`set_item`: stores a Python float in arrays of the data type `guard_dtype`, at a key that is
    an array; raises where it doesn't, before it writes."""
    guard_writes: Callable[[dict[str, Any]], None] | None = None
    """`set_item`, `x op= y`: gets the global names of the fast path, and makes `_guard_dtype` among
    them None while no write may go past the native function."""
    in_place: Mapping[Any, Callable[..., Any]] = field(default_factory=dict)
    """Functions of operators: the library's in-place operation, by the native data types for which
    it is right."""
    in_place_kernel: InPlaceKernel | None = None
    """`x op= y`: what the fast path calls first."""
    for_reduced_precision: Callable[[Any, Any], bool] | None = None
    """`x op= y`: the same for float16 and bfloat16; returns True if it did."""
    unaliased: Callable[[Any, Any], Any] | None = None
    """`write`: the same for a value that shares its memory with nothing."""
    agrees_with: Callable[..., Any] | None = None
    """A function for one data type: the library's function that returns the same."""
    agrees_if: Callable[[Any], bool] | None = None
    """A function for one data type: the condition of a result of `agrees_with`; None: always."""

    def __call__(self, function: F) -> F:
        """Give a function this record, in place of another one."""
        vars(function)[ATTRIBUTE] = self
        return function


_NONE: Final = Kernel()


def kernel_of(function: Any) -> Kernel:
    """Return the record of a function; an empty one if it has none."""
    return getattr(function, ATTRIBUTE, _NONE)


def partial_mixed(handler: Callable[..., bool]) -> Callable[[F], F]:
    """Mark a native function that serves the calls for whose arguments `handler` returns True."""

    def mark(function: F) -> F:
        vars(function).update(partial_mixed_handler=handler)
        return function

    return mark


def writes_out(function: F) -> F:
    """Mark a native function that writes into `out` itself."""
    vars(function).update(supports_native_out=True)
    return function
