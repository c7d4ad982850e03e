"""Strategies of static parameters, by name; a contract with a new one needs a strategy here.

A strategy takes the partly drawn call (`CallBuilder`) and the parameter, and returns an argument. A
name has the same meaning in all functions; for exceptions, `constraints` has the function's own
strategy.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st

from arrayapi_unify import dtypes
from arrayapi_unify.contracts.contract import Parameter
from tests.differential.strategies import OMIT, elements, shapes

if TYPE_CHECKING:
    from tests.differential.arguments import CallBuilder

__all__ = ["STRATEGIES", "draw_object", "draw_static", "strategy_of"]

Strategy = Callable[["CallBuilder", Parameter], Any]
_LITERAL: Final = re.compile(r"^Literal\[(.*)\]$")
_OFTEN = 3  # an optional argument is given in two of three calls


def draw_static(builder: CallBuilder, parameter: Parameter) -> Any:
    """Draw an argument for a static parameter."""
    annotation = str(builder.contract.signature.parameters[parameter.name].annotation)
    strategy = strategy_of(parameter.name, annotation)
    if strategy is None:
        raise NotImplementedError(
            f"{builder.contract.qualified_name} has a parameter {parameter.name!r}: {annotation} "
            f"for which the differential tests have no strategy; add one to STRATEGIES in "
            f"tests/differential/static_arguments.py, or a constraint to "
            f"tests/differential/constraints.py"
        )
    if not parameter.required and builder.chance(_OFTEN):
        return OMIT
    return strategy(builder, parameter)


def strategy_of(name: str, annotation: str) -> Strategy | None:
    """Find the strategy for a name, or for a sufficient annotation."""
    if name in STRATEGIES:
        return STRATEGIES[name]
    if annotation == "bool":
        return lambda builder, parameter: builder.one_of(False, True)
    literal = _LITERAL.match(annotation)
    if literal:
        words = tuple(word.strip(" '\"") for word in literal[1].split(","))
        return lambda builder, parameter: (
            "no such word" if builder.faulty(parameter.name) else builder.one_of(*words)
        )
    return None


def _annotation(builder: CallBuilder, parameter: Parameter) -> str:
    return str(builder.contract.signature.parameters[parameter.name].annotation)


def _axis(builder: CallBuilder, parameter: Parameter) -> Any:
    """Draw an axis, None or a tuple of axes, as the annotation allows."""
    annotation, ndim = _annotation(builder, parameter), builder.ndim
    if builder.faulty(parameter.name):
        return builder.one_of(ndim, -ndim - 1)
    several = "tuple" in annotation or "Sequence" in annotation
    if "None" in annotation and (ndim == 0 or builder.chance(5)):
        return None
    if ndim == 0:
        return () if several and builder.chance(2) else builder.one_of(0, -1)
    if several and builder.chance(2):
        return _distinct_axes(builder, ndim)
    return builder.draw(st.integers(-ndim, ndim - 1))


def _distinct_axes(builder: CallBuilder, ndim: int, size: int | None = None) -> tuple[int, ...]:
    """Draw distinct axes, some of them counted from the end."""
    order = builder.draw(st.permutations(range(ndim)))
    count = builder.draw(st.integers(0, ndim)) if size is None else size
    return tuple(a - ndim if builder.chance(3) else a for a in order[:count])


def _permutation(builder: CallBuilder, parameter: Parameter) -> Any:
    axes = _distinct_axes(builder, builder.ndim, builder.ndim)
    # One axis too many; for a 0-d array it would also be out of bounds, another exception.
    return (*axes, 0) if axes and builder.faulty(parameter.name) else axes


def _axes(builder: CallBuilder, parameter: Parameter) -> Any:
    """Draw all axes in some order (`permute_dims`), or several (the transforms)."""
    if "None" not in _annotation(builder, parameter):
        return _permutation(builder, parameter)
    if builder.faulty(parameter.name):
        return (builder.ndim,)
    return None if builder.chance(3) else _distinct_axes(builder, builder.ndim)


def _shape(builder: CallBuilder, parameter: Parameter) -> Any:
    if builder.faulty(parameter.name):
        return builder.one_of((-2,), (2, -1))
    shape = builder.draw(shapes())
    integer = "int |" in _annotation(builder, parameter) and len(shape) == 1 and builder.chance(2)
    return shape[0] if integer else (list(shape) if builder.chance(4) else shape)


def _integer(low: int, high: int) -> Strategy:
    return lambda builder, parameter: builder.draw(st.integers(low, high))


def _offset(builder: CallBuilder, parameter: Parameter) -> int:
    return int(builder.one_of(0, 1, -1, 2, -2, 5, -5, 2**40))


def _copy(builder: CallBuilder, parameter: Parameter) -> Any:
    if "None" in _annotation(builder, parameter):
        return builder.one_of(None, True, False)
    return builder.one_of(False, True)


def _shift(builder: CallBuilder, parameter: Parameter) -> int:
    return int(builder.one_of(0, 1, -1, 2, -4, 7))


def _repetitions(builder: CallBuilder, parameter: Parameter) -> Any:
    if builder.faulty(parameter.name):
        return (-1, 2)
    return builder.draw(st.lists(st.integers(0, 2), max_size=3).map(tuple))


def _fft_length(builder: CallBuilder, parameter: Parameter) -> Any:
    if builder.faulty(parameter.name):
        return builder.one_of(0, -1)
    return builder.one_of(None, 1, 2, 3, 4, 7)


STRATEGIES: Final[dict[str, Strategy]] = {
    "axes": _axes,
    "axis": _axis,
    "copy": _copy,
    "correction": lambda d, p: d.one_of(0, 1, 0.0, 0.5, 1.5, 2, 100),
    "d": lambda d, p: d.one_of(1.0, 0.5, 3, -0.25),
    "k": _offset,
    "n": _fft_length,
    "offset": _offset,
    "repetitions": _repetitions,
    "shape": _shape,
    "shift": _shift,
    # In the standard the object depends on the device; the CPU has none.
    "stream": lambda d, p: None,
}


@functools.cache
def _nested(depth: int) -> st.SearchStrategy[Any]:
    scalars = st.one_of(
        *(elements(d, "special") for d in (dtypes.bool, dtypes.int64, dtypes.float64)),
        st.sampled_from([1j, 2**63, -(2**63), complex(0.5, -0.0)]),
    )
    if depth == 0:
        return scalars
    return st.integers(0, 2).flatmap(lambda n: _rectangle((n, 2)[:depth], scalars))


def _rectangle(shape: tuple[int, ...], scalars: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    if not shape:
        return scalars
    inner = _rectangle(shape[1:], scalars)
    return st.lists(inner, min_size=shape[0], max_size=shape[0])


def draw_object(builder: CallBuilder) -> Any:
    """Draw an argument of `asarray`: an array, a scalar, nested lists of scalars or of arrays."""
    kind = builder.one_of("array", "nested", "nested", "arrays")
    if builder.faulty("obj"):
        return builder.one_of([[1, 2], [3]], "text", None, [None], 2**64)
    if kind == "array":
        return builder.array(builder.shape())
    if kind == "nested":
        return builder.draw(_nested(builder.one_of(0, 1, 2)))
    shape = builder.draw(shapes(max_ndim=1))
    return [builder.array(shape, builder.any_dtype()) for _ in range(2)]
