"""The fft extension: sizes, shifts and argument checks, and native functions made of transforms."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from arrayapi_unify import errors
from arrayapi_unify.backends._common.checks.axes import (
    check_no_bool,
    in_order,
    normalize_axis,
    whole,
)
from arrayapi_unify.backends._common.checks.sizes import MANY, check_held
from arrayapi_unify.dtypes import DType, default_float
from arrayapi_unify.errors import (
    raise_argument_error,
    raise_type_error,
    raise_value_error,
)

OF_REAL: Final = frozenset({"rfft", "ihfft", "rfftn"})
"""The transforms of real numbers alone."""

Norm = Literal["backward", "ortho", "forward"]


def one_axis(name: str, transform: Callable[..., Any]) -> Callable[..., Any]:
    """Make the native function of a transform along one axis, called with `(x, n, axis, norm)`."""

    def function(
        x: Any, /, *, n: int | None = None, axis: int = -1, norm: Norm = "backward"
    ) -> Any:
        check_norm(name, norm)
        if type(axis) is bool:
            check_no_bool(f"fft.{name}", axis)
        if n is not None and type(n) is not int:
            n = whole(f"fft.{name}", "n", n)
        return transform(x, n, axis, norm)

    function.__name__ = function.__qualname__ = name
    return function


def many_axes(
    name: str,
    transform: Callable[..., Any],
    shape_of: Callable[[Any], Sequence[int]],
    to_complex: Callable[[Any], Any],
    each: tuple[Callable[..., Any], Callable[..., Any]] | None = None,
) -> Callable[..., Any]:
    """Make the native function of a transform along several axes: `(x, s, axes, norm)`.

    `each` has the native functions along one axis, and along the last of them, for a library whose
    own transform takes no axis twice.
    """

    def function(
        x: Any,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: Norm = "backward",
    ) -> Any:
        check_norm(name, norm)
        if s is not None:
            s = [whole(f"fft.{name}", "s", n) for n in in_order(s)]
            axes = tuple(range(-len(s), 0)) if axes is None else axes
            s = sizes(name, shape_of(x), s, axes)
        if axes is not None:
            if not in_order(axes):
                _check_no_axes(name)
            elif each and _repeats(axes, len(shape_of(x))):
                return _one_by_one(name, x, _lengths(name, shape_of(x), s, axes), norm, each)
        result = transform(x, s, axes, norm)
        # Over no axis at all, libraries return their argument, whatever the data type.
        return to_complex(x) if result is x else result

    function.__name__ = function.__qualname__ = name
    return function


def _repeats(axes: Sequence[int], rank: int) -> bool:
    return rank > 0 and len({axis % rank for axis in axes}) < len(axes)


def _lengths(
    name: str, shape: Sequence[int], s: Sequence[int] | None, axes: Sequence[int]
) -> list[tuple[int, int]]:
    """Return each axis with the length of its transform: that of the input where none is given."""
    along = check_axes(name, shape, s, axes)
    given = sizes(name, shape, [-1] * len(along) if s is None else s, along)
    return [(a, shape[a] if n == -1 else n) for a, n in zip(along, given, strict=True)]


def _one_by_one(
    name: str, x: Any, steps: list[tuple[int, int]], norm: Norm, each: tuple[Any, Any]
) -> Any:
    """Transform along one axis after the other, in NumPy's order, also where one comes again."""
    whole, last = each
    order = [(whole, *step) for step in steps[:-1]] + [(last, *steps[-1])]
    for function, axis, n in order if name == "irfftn" else reversed(order):
        x = function(x, n=n, axis=axis, norm=norm)
    return x


def check_axis(
    function: str, shape: Sequence[int], n: int | None, axis: int, halved: bool = False
) -> int:
    """Return the axis to transform as a number from 0; refuse one with no elements.

    `halved`: the input is the half of a symmetric one, so that 2 * (size - 1) elements are meant.
    """
    number = normalize_axis(f"fft.{function}", axis, len(shape))
    size = n if n is not None else 2 * (shape[number] - 1) if halved else shape[number]
    if size < 1:
        problem = f"is {n}" if n is not None else f"is None, but {size} elements are along the axis"
        raise_value_error(f"fft.{function}", "n", problem, "transform at least one element")
    if n is not None and n > MANY:
        check_held(f"fft.{function}", "n", n, n)
    return number


def check_real(function: str, is_complex: bool) -> None:
    """Raise for complex numbers where the transform is one of real numbers."""
    if is_complex and function in OF_REAL:
        remedy = "pass real(x), or use the transform of complex numbers"
        raise_type_error(f"fft.{function}", "x", "is complex", remedy)


def check_norm(function: str, norm: Any) -> None:
    """Raise for unknown normalisations."""
    if norm not in ("backward", "ortho", "forward"):
        problem, remedy = f"is {norm!r}", "pass 'backward', 'ortho' or 'forward'"
        raise_value_error(f"fft.{function}", "norm", problem, remedy)


def _check_no_axes(function: str) -> None:
    """Refuse to transform along no axis where the last one is to be halved."""
    if function in ("rfftn", "irfftn"):
        problem, remedy = "names no axis", "name at least one"
        raise_argument_error(errors.UnifyAxisError, f"fft.{function}", "axes", problem, remedy)


def check_axes(
    function: str, shape: Sequence[int], s: Any, axes: Sequence[int] | None
) -> tuple[int, ...]:
    """Return the axes to transform as numbers from 0, each checked as by `check_axis`."""
    if getattr(s, "ndim", 1) == 0:  # an array that stands for an integer, as yet
        s = (int(s),)
    if axes is None:
        axes = range(len(shape)) if s is None else range(-len(s), 0)
    if s is not None and len(s) != len(axes):
        problem = f"has {len(s)} sizes for {len(axes)} axes"
        raise_value_error(f"fft.{function}", "s", problem, "pass a size for each axis")
    if not axes:
        _check_no_axes(function)
    if s is not None and max(s, default=0) > MANY:
        check_held(f"fft.{function}", "s", tuple(s), math.prod(n for n in s if n > 0))
    last = len(axes) - 1
    return tuple(
        check_axis(
            function,
            shape,
            None if s is None or s[i] == -1 else s[i],
            axis,
            halved=function == "irfftn" and i == last,
        )
        for i, axis in enumerate(axes)
    )


def sizes(function: str, shape: Sequence[int], s: Sequence[int], axes: Sequence[int]) -> list[int]:
    """Return the sizes to transform; -1 stands for the whole axis of the input.

    For `irfftn`'s last axis, that is resolved here: NumPy would take as many elements of output.
    """
    found = list(s)
    if function == "irfftn" and found and found[-1] == -1:
        found[-1] = 2 * (shape[axes[-1]] - 1)
    return found


def native_frequencies(
    values: Mapping[str, Callable[[int, Any, DType, Any], Any]], as_dtype: Callable[[Any], Any]
) -> list[Callable[..., Any]]:
    """Make `fftfreq` and `rfftfreq` of functions of `(n, d, dtype, device)`, by their names."""
    return [_frequencies(name, compute, as_dtype) for name, compute in values.items()]


def _frequencies(name: str, compute: Any, as_dtype: Callable[[Any], Any]) -> Callable[..., Any]:
    def function(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Any:
        return compute(n, d, _frequency_dtype(name, n, d, as_dtype(dtype)), device)

    function.__name__ = function.__qualname__ = name
    return function


def _frequency_dtype(function: str, n: Any, d: Any, dtype: DType | None) -> DType:
    """Return the data type of sample frequencies; refuse an empty window or a wrong data type."""
    if getattr(d, "ndim", 0):
        raise TypeError("the sample spacing is an array, not one number")
    if whole(f"fft.{function}", "n", n) < 1:
        problem = f"is {n}"
        raise_value_error(f"fft.{function}", "n", problem, "pass a window of at least 1 sample")
    target = default_float() if dtype is None else dtype
    if target.kind != "f":
        raise_type_error(
            f"fft.{function}", "dtype", f"is {target}", "pass a real floating-point data type"
        )
    return target


def native_shifts(
    shape_of: Callable[[Any], Sequence[int]], roll: Callable[[Any, Any, Any], Any]
) -> list[Callable[..., Any]]:
    """Make `fftshift` and `ifftshift`, which roll an array by shifts along axes."""
    return [
        _shift(name, sign, shape_of, roll) for name, sign in (("fftshift", 1), ("ifftshift", -1))
    ]


def _shift(name: str, sign: int, shape_of: Any, roll: Any) -> Callable[..., Any]:
    def function(x: Any, /, *, axes: int | Sequence[int] | None = None) -> Any:
        return roll(x, *_shifts(name, shape_of(x), axes, sign))

    function.__name__ = function.__qualname__ = name
    return function


def _shifts(
    function: str, shape: Sequence[int], axes: int | Sequence[int] | None, sign: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return by how much to roll each axis, and the axes: by half of each (sign -1: back)."""
    if axes is None:
        axes = range(len(shape))
    elif isinstance(axes, int):
        axes = (axes,)
    found = tuple(normalize_axis(f"fft.{function}", a, len(shape), "axes") for a in axes)
    return tuple(sign * (shape[axis] // 2) for axis in found), found
