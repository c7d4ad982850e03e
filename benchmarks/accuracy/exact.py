"""The functions that don't round, verified on drawn numbers of every data type.

NumPy's function in a wider data type is the reference, whose result fits into the narrower one;
that of `nextafter` counts in bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import ml_dtypes
import numpy as np

from benchmarks.accuracy.functions import EXACT
from benchmarks.accuracy.libraries import REFUSALS, calls

__all__ = ["Verified", "verify"]

_INTEGERS: Final = ("int8", "int16", "int32", "uint8", "uint16", "uint32")
_FLOATS: Final = ("float16", ml_dtypes.bfloat16, "float32", "float64")
_WIDER: Final = {"b": "bool", "i": "int64", "u": "int64", "f": "float64", "V": "float64"}
_NUMPY: Final = {"bitwise_invert": "invert", "conj": "conjugate"}
_OF_INTEGERS: Final = {name for name in EXACT if name.startswith("bitwise")}
_OF_BOOLS: Final = {name for name in EXACT if name.startswith("logical")}
_OF_FLOATS: Final = {"copysign", "nextafter", "signbit"}
_DIVIDING: Final = {"floor_divide", "remainder"}
_UNARY: Final = {
    "abs", "bitwise_invert", "ceil", "conj", "floor", "imag", "isfinite", "isinf", "isnan",
    "logical_not", "negative", "positive", "real", "round", "sign", "signbit", "trunc",
}  # fmt: skip


@dataclass(slots=True)
class Verified:
    """Results that were compared, those that differ, and the first of these in words."""

    functions: int = 0
    points: int = 0
    wrong: int = 0
    first: str = ""


def _dtypes(name: str) -> tuple[Any, ...]:
    if name == "imag":
        return ("complex64", "complex128")
    if name in _OF_FLOATS:
        return _FLOATS
    if name in _OF_BOOLS:
        return ("bool",)
    return _INTEGERS if name in _OF_INTEGERS else (*_INTEGERS, *_FLOATS)


def _drawn(rng: np.random.Generator, name: str, dtype: np.dtype[Any], size: int) -> Any:
    """Return numbers of every kind; small ones for a quotient, which would be rounded."""
    if dtype.kind == "b":
        return rng.integers(0, 2, size).astype(dtype)
    if dtype.kind == "c":
        return (rng.normal(size=size) + 1j * rng.normal(size=size)).astype(dtype)
    if name in _DIVIDING:
        return rng.integers(1 if dtype.kind == "u" else -64, 65, size).astype(dtype)
    return rng.integers(0, 256, size * dtype.itemsize, np.uint8).view(dtype)


def _arguments(name: str, dtype: np.dtype[Any], size: int) -> list[Any]:
    rng = np.random.default_rng(size)
    found = [_drawn(rng, name, dtype, size)]
    if name in _UNARY:
        return found
    second = _drawn(rng, name, dtype, size)
    if name.endswith("shift"):
        second = rng.integers(0, 8 * dtype.itemsize, size).astype(dtype)
    if name in _DIVIDING:
        second = np.where(second == 0, np.ones(1, dtype), second)
    if name == "clip":
        lowest, highest = np.minimum(found[0][::-1], second), np.maximum(found[0][::-1], second)
        return [*found, lowest, highest]
    return [*found, second]


def _next_number(x: Any, toward: Any) -> Any:
    """Return the next number in bits: integers of the same order as the numbers are, plus one."""
    signed = np.dtype(f"i{x.dtype.itemsize}")
    least = np.iinfo(signed).min

    def ordered(values: Any) -> Any:
        bits = values.view(signed)
        return np.where(bits < 0, least - bits, bits)

    step = ordered(x) + np.where(toward > x, 1, -1).astype(signed)
    moved = np.where(step < 0, least - step, step).astype(signed).view(x.dtype)
    moved = np.where((moved == 0) & (x < 0), -moved, moved)
    found = np.where(toward == x, toward, moved)
    return np.where(np.isnan(x) | np.isnan(toward), np.asarray(np.nan, x.dtype), found)


def _expected(name: str, arguments: list[Any]) -> Any:
    if name == "nextafter":
        return _next_number(*arguments)
    dtype = arguments[0].dtype
    wider = np.dtype(_WIDER.get(dtype.kind, dtype))
    if dtype == np.float64:
        wider = np.dtype(np.longdouble)
    result = getattr(np, _NUMPY.get(name, name))(*(x.astype(wider) for x in arguments))
    return result.astype(dtype) if result.dtype == wider else result


def _differ(found: Any, expected: Any, signs: bool) -> Any:
    if found.dtype != expected.dtype:
        return np.ones(expected.shape, bool)
    differ = (found != expected) & ~((found != found) & (expected != expected))
    if signs and found.dtype.kind in "fV":
        zeros = (found == 0) & (expected == 0)
        differ |= zeros & (np.signbit(found) != np.signbit(expected))
    return differ


def _cases(size: int) -> Iterator[tuple[str, list[Any]]]:
    for name in EXACT:
        for dtype in _dtypes(name):
            yield name, _arguments(name, np.dtype(dtype), size)


@np.errstate(all="ignore")
def verify(library: str, who: str, size: int = 2**16) -> Verified:
    """Compare the exact functions of a library, bare or ours, on drawn numbers."""
    found, names = Verified(), set()
    for name, arguments in _cases(size):
        function = calls(library, name).get(who)
        if function is None:
            continue
        try:
            result = function(*arguments)
        except REFUSALS:
            continue
        expected = _expected(name, arguments)
        differ = _differ(result, expected, signs=name in _UNARY)
        names.add(name)
        found.points += differ.size
        found.wrong += int(np.sum(differ))
        if not found.first and differ.any():
            i = int(np.argmax(differ))
            operands = ", ".join(str(x[i]) for x in arguments)
            given = f"{result.dtype} {result[i]}, not {expected.dtype} {expected[i]}"
            found.first = f"{name} of {arguments[0].dtype} {operands}: {given}"
    found.functions = len(names)
    return found
