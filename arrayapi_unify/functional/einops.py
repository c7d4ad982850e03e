"""Contracts of the functions of einops, which names the axes of arrays in a pattern.

The package einops is an optional one. It works out what a pattern means for a shape; arrays are
rearranged by the functions of the namespace.
"""

from __future__ import annotations

import functools
import importlib
import operator
from typing import Any, Final, Literal, TypeAlias

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import compositional
from arrayapi_unify.contracts.annotations import ArrayIn, Out
from arrayapi_unify.errors import (
    UnifyRuntimeError,
    raise_type_error,
    raise_value_error,
)
from arrayapi_unify.functional._common import BodyArray

# A function of the namespace, and the axes or the shape that it is given.
Step: TypeAlias = tuple[str, tuple[int, ...]]

_REDUCTIONS: Final = ("all", "any", "max", "mean", "min", "prod", "sum")


def _einops(function: str) -> Any:
    """Import einops, which only these functions need."""
    try:
        return importlib.import_module("einops")
    except ModuleNotFoundError as error:
        if error.name != "einops":
            raise
        raise UnifyRuntimeError(
            f"{function}: the package 'einops', which reads the patterns, isn't installed; install "
            f"it with: pip install einops"
        ) from error


class _Shape:
    """An array without elements, by which einops shows what it would do to an array."""

    def __init__(self, shape: tuple[int, ...], steps: tuple[Step, ...] = ()) -> None:
        self.shape, self.steps = shape, steps
        self.ndim = len(shape)

    def __array_namespace__(self) -> type[_Recording]:
        return _Recording


def _reduction(name: str) -> Any:
    def reduce(x: _Shape, *, axis: tuple[int, ...]) -> _Shape:
        kept = tuple(n for a, n in enumerate(x.shape) if a not in axis)
        return _Shape(kept, (*x.steps, (name, tuple(axis))))

    return staticmethod(reduce)


class _Recording:
    """The functions of a namespace that einops calls; they note down the calls."""

    @staticmethod
    def reshape(x: _Shape, shape: tuple[int, ...]) -> _Shape:
        return _Shape(tuple(shape), (*x.steps, ("reshape", tuple(shape))))

    @staticmethod
    def permute_dims(x: _Shape, axes: tuple[int, ...]) -> _Shape:
        shape = tuple(x.shape[a] for a in axes)
        return _Shape(shape, (*x.steps, ("permute_dims", tuple(axes))))

    @staticmethod
    def expand_dims(x: _Shape, *, axis: int) -> _Shape:
        shape = (*x.shape[:axis], 1, *x.shape[axis:])
        return _Shape(shape, (*x.steps, ("expand_dims", (axis,))))

    @staticmethod
    def broadcast_to(x: _Shape, shape: tuple[int, ...]) -> _Shape:
        return _Shape(tuple(shape), (*x.steps, ("broadcast_to", tuple(shape))))


for _name in _REDUCTIONS:
    setattr(_Recording, _name, _reduction(_name))


@functools.lru_cache(maxsize=1024)
def _steps(
    function: str,
    operation: str,
    pattern: str,
    shape: tuple[int, ...],
    lengths: tuple[tuple[str, int], ...],
) -> tuple[Step, ...]:
    """Ask einops what a pattern means for an array of a shape."""
    if pattern.count("->") != 1:
        problem, remedy = f"is {pattern!r}", "write the axes before and after one '->'"
        raise_value_error(function, "pattern", problem, remedy)
    package = _einops(function)
    through = importlib.import_module("einops.array_api")
    try:
        found: _Shape = through.reduce(_Shape(shape), pattern, operation, **dict(lengths))
    except package.EinopsError as error:
        text = " ".join(str(error).split())
        raise_value_error(
            function, "pattern", f"is {pattern!r}, which doesn't fit: {text}",
            "name the axes that the array has, and the lengths that don't follow from its shape",
        )  # fmt: skip
    return found.steps


def _plan(
    function: str,
    operation: str,
    pattern: str,
    shape: tuple[int, ...],
    lengths: tuple[tuple[str, int], ...],
) -> str:
    """Return what `_steps` does, as a text.

    torch.compile takes it for a constant: it can't trace an import, nor the parser of einops. Of a
    constant tuple it doesn't know the type.
    """
    steps = _steps(function, operation, pattern, shape, lengths)
    return ";".join(f"{step}:{','.join(map(str, numbers))}" for step, numbers in steps)


_plan._dynamo_marked_constant = True  # type: ignore[attr-defined]  # dynamo's own mark


def _applied(
    function: str, operation: str, x: BodyArray, pattern: str, lengths: dict[str, int]
) -> Array:
    """Let einops work out what a pattern means, and do it to an array."""
    for name, value in lengths.items():
        if isinstance(value, bool) or not hasattr(type(value), "__index__"):
            problem = f"has the length {value!r} for the axis {name!r}"
            raise_type_error(function, "axes_lengths", problem, "pass an integer")
    xp = x.__array_namespace__()
    given = tuple([(name, lengths[name]) for name in lengths])
    # Numbers that torch.compile has taken for variable become constants by this.
    shape = tuple([operator.index(n) for n in x.shape])
    plan = _plan(function, operation, pattern, shape, given)
    for part in plan.split(";") if plan else ():
        step, written = part.split(":")
        numbers = tuple([int(n) for n in written.split(",") if n])
        if step in ("reshape", "permute_dims", "broadcast_to"):
            x = getattr(xp, step)(x, numbers)
        elif step == "expand_dims":
            x = xp.expand_dims(x, axis=numbers[0])
        else:
            x = getattr(xp, step)(x, axis=numbers)
    return x


@compositional
def einops_rearrange(x: ArrayIn, pattern: str, /, *, out: Out = None, **axes_lengths: int) -> Array:
    """Permute, split and join axes, as a pattern of their names says.

    Parameters
    ----------
    x
        Array of any data type.
    pattern
        Names of the axes of `x`, ``->``, and the names in their new order. Axes in parentheses are
        one.
    axes_lengths
        Size of an axis by its name, where it doesn't follow from the shape.

    Returns
    -------
    Array of x's data type; a view of `x` where `reshape` gives one.

    Raises
    ------
    UnifyTypeError
        If a size isn't an integer.
    UnifyValueError
        If the pattern isn't one, or doesn't fit the shape.
    UnifyRuntimeError
        If the package einops isn't installed.

    References
    ----------
    Rogozhnikov, "Einops: Clear and Reliable Tensor Manipulations with Einstein-like Notation",
    ICLR, 2022.

    Examples
    --------
    >>> x = unify.array([[1, 2, 3], [4, 5, 6]])
    >>> unify.einops_rearrange(x, "row column -> (column row)")
    unify.array([1, 4, 2, 5, 3, 6])
    >>> unify.einops_rearrange(unify.array([1, 2, 3, 4]), "(row column) -> row column", row=2)
    unify.array([[1, 2],
                 [3, 4]])
    """
    return _applied("einops_rearrange", "rearrange", x, pattern, axes_lengths)


@compositional
def einops_reduce(
    x: ArrayIn,
    pattern: str,
    reduction: Literal["all", "any", "max", "mean", "min", "prod", "sum"],
    /,
    *,
    out: Out = None,
    **axes_lengths: int,
) -> Array:
    """Reduce the axes that a pattern names on its left side only.

    Parameters
    ----------
    x
        Array of a data type that the reduction takes.
    pattern
        Names of the axes of `x`, ``->``, and the names of those that stay, in their new order. Axes
        in parentheses are one.
    reduction
        Name of the function that reduces.
    axes_lengths
        Size of an axis by its name, where it doesn't follow from the shape.

    Returns
    -------
    Array of the data type that the reduction gives.

    Raises
    ------
    UnifyTypeError
        If a size isn't an integer, or the reduction doesn't take the data type.
    UnifyValueError
        If the pattern isn't one or doesn't fit the shape, or there is no such reduction.
    UnifyRuntimeError
        If the package einops isn't installed.

    References
    ----------
    Rogozhnikov, "Einops: Clear and Reliable Tensor Manipulations with Einstein-like Notation",
    ICLR, 2022.

    Examples
    --------
    >>> x = unify.array([[1.0, 2.0, 3.0, 4.0]])
    >>> unify.einops_reduce(x, "b (pair two) -> b pair", "mean", two=2)
    unify.array([[1.5, 3.5]])
    """
    if reduction not in _REDUCTIONS:
        known = ", ".join(map(repr, _REDUCTIONS))
        raise_value_error("einops_reduce", "reduction", f"is {reduction!r}", f"use one of {known}")
    found = _applied("einops_reduce", reduction, x, pattern, axes_lengths)
    # A result without reduced axes would be a view for some patterns, and a copy for others.
    return found.__array_namespace__().asarray(found, copy=True)


@compositional
def einops_repeat(x: ArrayIn, pattern: str, /, *, out: Out = None, **axes_lengths: int) -> Array:
    """Repeat elements along the axes that a pattern names on its right side only.

    Parameters
    ----------
    x
        Array of any data type.
    pattern
        Names of the axes of `x`, ``->``, and the names of the result's. Axes in parentheses are
        one.
    axes_lengths
        Size of each new axis by its name, and of others that don't follow from the shape.

    Returns
    -------
    Array of x's data type. What `broadcast_to` would make a read-only view is copied.

    Raises
    ------
    UnifyTypeError
        If a size isn't an integer.
    UnifyValueError
        If the pattern isn't one, or doesn't fit the shape.
    UnifyRuntimeError
        If the package einops isn't installed.

    References
    ----------
    Rogozhnikov, "Einops: Clear and Reliable Tensor Manipulations with Einstein-like Notation",
    ICLR, 2022.

    Examples
    --------
    >>> unify.einops_repeat(unify.array([1, 2]), "x -> (x twice)", twice=2)
    unify.array([1, 1, 2, 2])
    """
    found = _applied("einops_repeat", "repeat", x, pattern, axes_lengths)
    return found.__array_namespace__().asarray(found, copy=True)
