"""The error of results in units in the last place, and tallies of it that can be merged.

The unit of a true value R is the distance of the numbers of the data type around R:
``2**(max(floor(log2(abs(R))), emin) - p + 1)``. A result that is rounded correctly is off by half a
unit at most. NaN, infinities and signs of zero have no distance: they are right or wrong.
"""

from __future__ import annotations

import functools
import math
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import ml_dtypes
import mpmath
import numpy as np

__all__ = ["EDGES", "FORMATS", "Format", "Points", "Tally", "exact_error", "tally", "ulp_errors"]


@dataclass(frozen=True, slots=True)
class Format:
    """A floating-point data type: bits of precision, and exponents of its normal numbers."""

    name: str
    precision: int
    least: int
    largest: int
    bits: Any

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's data type; bfloat16 is that of `ml_dtypes`."""
        return np.dtype(ml_dtypes.bfloat16 if self.name == "bfloat16" else self.name)


FORMATS: Final = {
    "float16": Format("float16", 11, -14, 15, np.uint16),
    "bfloat16": Format("bfloat16", 8, -126, 127, np.uint16),
    "float32": Format("float32", 24, -126, 127, np.uint32),
    "float64": Format("float64", 53, -1022, 1023, np.uint64),
}


_POINTS: Final = ("at", "at_subnormal", "wrong_at")

EDGES: Final = range(-24, 24)
"""Exponents of the bins of a profile; the first and the last one have all that is beyond."""


@dataclass(slots=True)
class Tally:
    """Errors of many results: maxima and the arguments that give them, sums, and counts.

    `gave` is the result at the worst point: an array of one element may give another one, since
    libraries compute whole vectors with other instructions. `profile` has the largest error for
    each sign and exponent of the first argument, negative numbers first, as `EDGES` divides them.

    "Subnormal" are the points whose arguments or whose true result are subnormal, which some
    libraries flush to zero. "Wrong" are results for NaN, an infinity or a signed zero.
    """

    max_ulp: float = 0.0
    at: list[float] = field(default_factory=list)
    gave: float = 0.0
    max_ulp_subnormal: float = 0.0
    at_subnormal: list[float] = field(default_factory=list)
    total: float = 0.0
    normal: int = 0
    correct: int = 0
    points: int = 0
    wrong: int = 0
    wrong_at: list[float] = field(default_factory=list)
    wrong_subnormal: int = 0
    profile: list[float] = field(default_factory=lambda: [0.0] * len(EDGES) * 2)

    def merge(self, other: Tally) -> None:
        """Add the errors of other points."""
        if other.max_ulp > self.max_ulp or not self.at:
            self.max_ulp, self.at, self.gave = other.max_ulp, other.at, other.gave
        if other.max_ulp_subnormal > self.max_ulp_subnormal or not self.at_subnormal:
            self.max_ulp_subnormal = other.max_ulp_subnormal
            self.at_subnormal = other.at_subnormal
        self.wrong_at = self.wrong_at or other.wrong_at
        if other.profile:
            self.profile = [max(pair) for pair in zip(self.profile, other.profile, strict=True)]
        self.total += other.total
        self.normal += other.normal
        self.correct += other.correct
        self.points += other.points
        self.wrong += other.wrong
        self.wrong_subnormal += other.wrong_subnormal

    def as_row(self) -> dict[str, Any]:
        """Return what a report says of it."""
        row = asdict(self)
        for name in _POINTS:
            row[name] = [_for_json(x) for x in row[name]]
        row["gave"] = _for_json(self.gave)
        row["mean_ulp"] = self.total / max(self.normal, 1)
        row["share_correct"] = self.correct / max(self.points, 1)
        return row

    @classmethod
    def of_row(cls, row: dict[str, Any]) -> Tally:
        """Return the tally that a report was written from, so that a run goes on from there."""
        points = {name: [float(x) for x in row[name]] for name in _POINTS}
        gave = {"gave": float(row["gave"])}
        fields = {name: row[name] for name in cls.__dataclass_fields__ if name in row}
        return cls(**fields | points | gave)


def _for_json(x: float) -> float | str:
    """Return a number, or the name of one that JSON doesn't have."""
    return x if math.isfinite(x) else str(x)


@np.errstate(all="ignore")
def ulp_errors(result: Any, truth: Any, format_: Format) -> Any:
    """Return the error of each result; infinity where it should be, or is, special.

    An infinite result counts as the number after the largest one: it is right where the truth
    rounds to infinity, and off by some units below.
    """
    wide = truth.dtype.type
    result = result.astype(wide)
    over = np.ldexp(wide(1), format_.largest + 1)
    exponent = np.clip(np.frexp(truth)[1] - 1, format_.least, format_.largest)
    unit = np.ldexp(wide(1), exponent - format_.precision + 1)
    finite = np.isfinite(truth)
    held = np.where(np.isinf(result) & finite, np.copysign(over, result), result)
    error = np.abs(held - np.clip(truth, -over, over)) / unit
    zeros = (result == 0) & (truth == 0)
    signs_differ = zeros & (np.signbit(result) != np.signbit(truth))
    same = (result == truth) | (np.isnan(result) & np.isnan(truth))
    error = np.where(finite & np.isfinite(held), error, np.where(same, 0.0, np.inf))
    return np.where(signs_differ, np.inf, error).astype(np.float64)


def exact_error(result: float, truth: Any, format_: Format) -> float:
    """Return the error of one number in ulp, from a true value of many digits."""
    if mpmath.isnan(truth) or mpmath.isinf(truth) or truth == 0:
        return 0.0
    with mpmath.workdps(60):
        exponent = int(mpmath.frexp(truth)[1]) - 1
        exponent = min(max(exponent, format_.least), format_.largest)
        unit = mpmath.ldexp(1, exponent - format_.precision + 1)
        over = mpmath.ldexp(1, format_.largest + 1)
        held = mpmath.mpf(result)
        held = mpmath.sign(held) * over if mpmath.isinf(held) else held
        limited = max(min(truth, over), -over)
        return float(abs(held - limited) / unit)


def _worst(
    error: Any, among: Any, arguments: list[Any], result: Any
) -> tuple[float, list[float], float]:
    """Return the largest error among some points, its arguments and the result."""
    i = int(np.argmax(np.where(among, error, -1.0)))
    if not among[i]:
        return 0.0, [], 0.0
    return float(error[i]), [float(x[i]) for x in arguments], float(result[i])


class Points:
    """Some arguments and their true results, prepared for the results of several libraries."""

    @np.errstate(all="ignore")  # comparisons with NaN of bfloat16 warn
    def __init__(self, arguments: list[Any], truth: Any, format_: Format) -> None:
        """Prepare what all comparisons share; the truth has a wider data type."""
        self.arguments, self.truth, self.format = arguments, truth, format_
        wide = truth.dtype.type
        over = np.ldexp(wide(1), format_.largest + 1)
        exponent = np.clip(np.frexp(truth)[1] - 1, format_.least, format_.largest)
        self._per_unit = np.ldexp(wide(1), format_.precision - 1 - exponent)
        self._limited = np.clip(truth, -over, over)
        self._numbers = np.isfinite(truth) & (truth != 0)
        self._rounded = truth.astype(format_.dtype)
        self._not_numbers = np.isnan(self._rounded)
        least = np.ldexp(1.0, format_.least)
        doubles = [x.astype(np.float64) for x in arguments]
        small = [(x != 0) & (np.abs(x) < least) for x in doubles]
        self._subnormal = functools.reduce(
            np.logical_or, small, (truth != 0) & (np.abs(truth) < least)
        )
        exponents = np.where(doubles[0] == 0, EDGES[0], np.frexp(doubles[0])[1] - 1)
        bins = np.clip(exponents, EDGES[0], EDGES[-1]) - EDGES[0]
        negative = np.signbit(doubles[0])
        self._bins = np.where(negative, len(EDGES) - 1 - bins, len(EDGES) + bins)

    def errors(self, result: Any) -> Any:
        """Return what `ulp_errors` does, by which it computes the special ones."""
        error = np.abs(result.astype(self.truth.dtype) - self._limited) * self._per_unit
        error = error.astype(np.float64)
        special = ~(self._numbers & np.isfinite(result))
        if special.any():
            error[special] = ulp_errors(result[special], self.truth[special], self.format)
        return error

    @np.errstate(all="ignore")
    def tally(self, result: Any) -> Tally:
        """Compare the results of a library with the truth."""
        error, arguments, subnormal = self.errors(result), self.arguments, self._subnormal
        special = np.isinf(error)
        normal, flushed = ~(subnormal | special), subnormal & ~special
        found = Tally(points=error.size, wrong=int(np.sum(special & ~subnormal)))
        found.max_ulp, found.at, found.gave = _worst(error, normal, arguments, result)
        worst = _worst(error, flushed, arguments, result)
        found.max_ulp_subnormal, found.at_subnormal, _ = worst
        of_normal = error[normal]
        found.total, found.normal = float(np.sum(of_normal)), of_normal.size
        correct = (result == self._rounded) | (np.isnan(result) & self._not_numbers)
        found.correct = int(np.count_nonzero(correct))
        found.profile = self._profile(of_normal, normal)
        found.wrong_at = _worst(special, special & ~subnormal, arguments, result)[1]
        found.wrong_subnormal = int(np.sum(special & subnormal))
        return found

    def _profile(self, error: Any, among: Any) -> list[float]:
        """Return the largest error in each bin, negative arguments first."""
        largest = np.zeros(2 * len(EDGES))
        np.maximum.at(largest, self._bins[among], error)
        return [float(f"{value:.4g}") for value in largest]


def tally(arguments: list[Any], result: Any, truth: Any, format_: Format) -> Tally:
    """Compare results with the truth, which has a wider data type."""
    return Points(arguments, truth, format_).tally(result)
