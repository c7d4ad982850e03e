"""Floors of exact quotients: TensorFlow's own kernel takes the floor of the rounded one."""

from __future__ import annotations

import inspect
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends.tensorflow._core import (
    CPU,
    EagerTensor,
    Tensor,
    const,
    hidden,
    raw,
    repaired,
)

_div: Final = inspect.unwrap(raw.RealDiv)
_floor_div: Final = inspect.unwrap(raw.FloorDiv)
# Python looks at so few numbers faster than NumPy.
_VERY_FEW: Final = 16
# The intermediate results of so many numbers stay in the processor's cache.
_BLOCK: Final = 32768
_INTEGERS: Final = 2.0**53


def divide(x1: Tensor, x2: Tensor) -> Tensor:
    """Divide, also in a graph: by no constant's reciprocal."""
    result = _div(x1, x2)
    return result if type(result) is EagerTensor else _div(hidden(x1), hidden(x2))


def floor_divide(x1: Tensor, x2: Tensor) -> Tensor:
    """Compute `floor(x1 / x2)` without the rounding of the quotient, as Python and NumPy do.

    Rounded, 1.0 / 0.1 is 10, whereas 0.1 is a little more than a tenth. Only a quotient that is an
    integer can have been rounded to the next one.
    """
    known = _divided(x1, x2)
    if known is not None:
        return known
    quotient = divide(x1, x2)
    result = raw.Floor(x=quotient)
    whole = raw.Equal(x=quotient, y=result)
    return repaired(result, lambda: whole, lambda: _rounded_down(x1, x2, result, whole))


def _rounded_down(x1: Tensor, x2: Tensor, result: Tensor, whole: Tensor) -> Tensor:
    """Subtract one where rounding has added it: then nearly the whole divisor remains.

    Of infinities the standard prefers the floor of the quotient, and so it is with zero divisors.
    """
    rest = raw.Abs(x=raw.FloorMod(x=x1, y=x2))
    size = raw.Abs(x=x2)
    much = raw.Greater(x=rest, y=raw.Mul(x=size, y=const(0.5, size.dtype)))
    much = much & whole & raw.IsFinite(x=size)
    return raw.SelectV2(condition=much, t=raw.Sub(x=result, y=const(1, result.dtype)), e=result)


def _divided(x1: Tensor, x2: Tensor) -> Tensor | None:
    """Divide where NumPy can look at the numbers, which it does in less time; else return None.

    It answers before another operation has started.
    """
    known = type(x1) is EagerTensor and type(x2) is EagerTensor
    if not known or not x1.device.endswith(CPU):
        return None
    first, second = np.asarray(x1), np.asarray(x2)
    if second.ndim and first.shape != second.shape:
        return None
    result = _floor_div(x1, x2)
    if type(result) is not EagerTensor:  # a function is being traced
        return None
    floors = np.asarray(result)
    if _are_floors(floors, first, second):
        return result
    excess = _excess(floors.reshape(-1), first.reshape(-1), second.reshape(-1))
    if excess is None:
        return result
    return raw.Sub(x=result, y=const(excess.reshape(floors.shape), result.dtype))


def _are_floors(floors: Any, x1: Any, x2: Any) -> bool:
    """Return True for very few floors that are all equal to Python's."""
    if x1.size > _VERY_FEW or x1.shape != x2.shape:
        return False
    pairs = zip(x1.ravel().tolist(), x2.ravel().tolist(), strict=True)
    try:
        return bool([a // b for a, b in pairs] == floors.ravel().tolist())
    except ZeroDivisionError:
        return False


@np.errstate(all="ignore")
def _excess(
    floors: npt.NDArray[Any], x1: npt.NDArray[Any], x2: npt.NDArray[Any]
) -> npt.NDArray[Any] | None:
    """Return by how much the floors are too large, one or zero; None where all are right.

    A floor can be too large only where the rounded quotient isn't above it.
    """
    excess = None
    quotients = np.empty_like(floors[:_BLOCK])
    reached = np.empty(quotients.shape, bool)
    for start in range(0, floors.size, _BLOCK):
        part = slice(start, start + _BLOCK)
        block = floors[part], x1[part], x2[part] if x2.size > 1 else x2
        above, here = quotients[: block[0].size], reached[: block[0].size]
        np.divide(*block[1:], out=above)
        if not np.less_equal(above, block[0], out=here).any() or _are_integers(*block[1:]):
            continue
        found = _excess_at(np.flatnonzero(here), *block)
        if found is not None:
            excess = np.zeros_like(floors) if excess is None else excess
            excess[part] = found
    return excess


def _excess_at(
    places: npt.NDArray[Any], floors: npt.NDArray[Any], x1: npt.NDArray[Any], x2: npt.NDArray[Any]
) -> npt.NDArray[Any] | None:
    divisors = np.broadcast_to(x2, x1.shape)[places]
    lower = np.floor_divide(x1[places], divisors) < floors[places]
    lower &= np.isfinite(divisors)
    if not lower.any():
        return None
    excess = np.zeros_like(floors)
    excess[places] = lower
    return excess


def _are_integers(x1: npt.NDArray[Any], x2: npt.NDArray[Any]) -> bool:
    """Return True for integers so small that no fractional quotient is rounded to an integer."""
    return bool(
        (x1 == np.rint(x1)).all() and (x2 == np.rint(x2)).all() and np.abs(x1).max() < _INTEGERS
    )
