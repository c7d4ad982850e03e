"""A tally of consecutive numbers of float32, ten times as fast as that of any points.

Numbers whose bits follow each other have one sign and exponent, so that a piece of them lies in
one bin of the profile, and is normal or subnormal as a whole. A piece whose true results are all
normal, or all subnormal, needs no mask either. A piece that is mixed, or a result that is special
where the truth isn't, is left to `units.tally`, which says the same of all others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from benchmarks.accuracy.units import EDGES, Format, Tally, tally

__all__ = ["PIECE", "Piece", "Pieces"]

PIECE: Final = 2**16
"""Numbers that are compared at once: few enough for a core's cache."""

_MANTISSA: Final = 52
_BIAS: Final = 1023
_LARGEST_SCALE: Final = 2.0**127
_FIRST: Final = 256  # results that are compared first; most libraries differ among them already


@dataclass(slots=True)
class Piece:
    """Some consecutive arguments, their true results, and what all comparisons with these share.

    The error of a result in units of the truth is `fraction`, that of the rounded truth, and the
    distance from there, which float32 holds exactly for neighbours. `per_unit` is the reciprocal
    of the units; None for a piece that isn't of one kind. True results that are `constant` have no
    error other than being wrong: NaN, zeros, and whatever is too large for the data type.
    """

    x: Any
    truth: Any
    rounded: Any
    format: Format
    per_unit: Any = None
    fraction: Any = None
    subnormal: bool = False
    constant: bool = False
    _of_rounded: list[Tally] = field(default_factory=list)

    def tally(self, result: Any) -> Tally:
        """Compare the results of a library with the truth."""
        if self.per_unit is not None or self.constant:
            if _same(result, self.rounded):
                if not self._of_rounded:
                    self._of_rounded.append(self._without_errors())
                return self._of_rounded[0]
            found = None if self.constant else self._of_one_kind(result)
            if found is not None:
                return found
        return tally([self.x], result, self.truth, self.format)

    def _without_errors(self) -> Tally:
        if not self.constant:
            found = self._of_one_kind(self.rounded)
            assert found is not None, "a rounded result is finite"
            return found
        size = self.x.size
        found = Tally(points=size, normal=size, correct=size, profile=[])
        found.at, found.gave = [float(self.x[0])], float(self.rounded[0])
        return found

    def _of_one_kind(self, result: Any) -> Tally | None:
        """Return the tally, or None if a result is infinite or NaN where it should be a number."""
        error = np.subtract(result, self.rounded, out=np.empty_like(self.fraction))
        error *= self.per_unit
        error += self.fraction
        np.abs(error, out=error)
        worst = int(error.argmax())
        largest = float(error[worst])
        if not largest < np.inf:
            return None
        at, gave = [float(self.x[worst])], float(result[worst])
        found = Tally(points=result.size, profile=[])
        found.correct = int(np.count_nonzero(result == self.rounded))
        if self.subnormal:
            found.max_ulp_subnormal, found.at_subnormal = largest, at
            return found
        found.max_ulp, found.at, found.gave = largest, at, gave
        found.total, found.normal = float(error.sum()), result.size
        return found


def _bin(x: Any) -> int:
    exponent = math.frexp(x)[1] - 1
    place = min(max(exponent, EDGES[0]), EDGES[-1]) - EDGES[0]
    return len(EDGES) - 1 - place if np.signbit(x) else len(EDGES) + place


def _same(a: Any, b: Any) -> bool:
    """Return True if all results are the same, signs of zero included; NaN is NaN."""
    a, b = a.view(np.uint32), b.view(np.uint32)
    if (a[:_FIRST] == b[:_FIRST]).all() and (a == b).all():
        return True
    a, b = a.view(np.float32), b.view(np.float32)
    return bool(np.isnan(a[0]) and np.isnan(a).all() and np.isnan(b).all())


def _per_unit(truth: Any, smallest: float, largest: float, format_: Format) -> Any:
    """Return the reciprocals of the units, powers of two; one number if they are all equal."""
    low, high = (max(math.frexp(end)[1] - 1, format_.least) for end in (smallest, largest))
    if low == high:
        return 2.0 ** (format_.precision - 1 - low)
    exponent = truth.view(np.int64) >> _MANTISSA
    exponent &= 2 * _BIAS + 1
    np.maximum(exponent, format_.least + _BIAS, out=exponent)
    np.subtract(2 * _BIAS + format_.precision - 1, exponent, out=exponent)
    exponent <<= _MANTISSA
    return exponent.view(np.float64)


def _ends(truth: Any) -> tuple[float, float]:
    """Return the smallest and the largest magnitude; NaN if there is any."""
    lowest, highest = float(truth.min()), float(truth.max())
    if lowest > 0:
        return lowest, highest
    if highest < 0:
        return -highest, -lowest
    size = np.abs(truth)
    return float(size.min()), float(size.max())


def _piece(x: Any, truth: Any, format_: Format) -> Piece:
    tiny, over = 2.0**format_.least, 2.0 ** (format_.largest + 1)
    found = Piece(x, truth, truth.astype(np.float32), format_)
    if not all(tiny <= abs(float(end)) < np.inf for end in (x[0], x[-1])):
        found.constant = bool(np.isnan(x[0]) and np.isnan(truth).all())
        return found
    smallest, largest = _ends(truth)
    if not (0 < smallest <= largest < tiny or tiny <= smallest <= largest < over):
        special = np.isnan(truth) | (truth == 0) | (np.abs(truth) >= over)
        found.constant = bool(special.all())
        return found
    found.subnormal = largest < tiny
    found.per_unit = _per_unit(truth, smallest, largest, format_)
    found.fraction = np.subtract(found.rounded, truth, dtype=np.float64)
    found.fraction *= found.per_unit
    if np.max(found.per_unit) <= _LARGEST_SCALE:
        found.fraction = found.fraction.astype(np.float32)
        found.per_unit = np.float32(found.per_unit)
    return found


class Pieces:
    """Consecutive numbers of one sign and exponent, for the results of several libraries."""

    def __init__(self, x: Any, truth: Any, format_: Format) -> None:
        """Prepare what all comparisons share."""
        self.last = x[-1]
        parts = [slice(begin, begin + PIECE) for begin in range(0, x.size, PIECE)]
        with np.errstate(all="ignore"):
            self.pieces = [(part, _piece(x[part], truth[part], format_)) for part in parts]

    def tally(self, result: Any) -> Tally:
        """Compare the results of a library with the truth."""
        found = Tally()
        for part, piece in self.pieces:
            found.merge(piece.tally(result[part]))
        if found.max_ulp:  # all in the bin of any of the numbers
            found.profile[_bin(self.last)] = float(f"{found.max_ulp:.4g}")
        return found
