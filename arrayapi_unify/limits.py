"""Machine limits of the data types, and the rounding that follows from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from arrayapi_unify import dtypes
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import UnifyTypeError

__all__ = ["FInfo", "IInfo", "finfo", "iinfo", "rounded"]


@dataclass(frozen=True, slots=True)
class FInfo:
    """Machine limits of a floating-point data type (for a complex one, of its components)."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


@dataclass(frozen=True, slots=True)
class IInfo:
    """Machine limits of an integer data type."""

    bits: int
    max: int
    min: int
    dtype: DType


def _ieee(dtype: DType, fraction_bits: int, max_exponent: int) -> FInfo:
    largest = math.ldexp(2.0 - 2.0**-fraction_bits, max_exponent)
    return FInfo(
        bits=dtype.bits,
        eps=2.0**-fraction_bits,
        max=largest,
        min=-largest,
        smallest_normal=math.ldexp(1.0, 1 - max_exponent),
        dtype=dtype,
    )


_SINGLE: Final = _ieee(dtypes.float32, 23, 127)
_DOUBLE: Final = _ieee(dtypes.float64, 52, 1023)
_FINFO: Final = {
    "float16": _ieee(dtypes.float16, 10, 15),
    "bfloat16": _ieee(dtypes.bfloat16, 7, 127),
    "float32": _SINGLE,
    "float64": _DOUBLE,
    "complex64": _SINGLE,
    "complex128": _DOUBLE,
}


def finfo(dtype: DType) -> FInfo:
    """Return the limits of a floating-point data type."""
    found = _FINFO.get(dtype.name)
    if found is None:
        raise UnifyTypeError(f"finfo: {dtype} is not a floating-point data type; use iinfo")
    return found


def rounded(value: int | float, dtype: DType) -> float:
    """Return the number of a real floating-point data type that is nearest to a Python number.

    Of two that are as near it is the even one, and infinity from where IEEE 754 has it. bfloat16 is
    rounded to by way of float32, as all libraries do, ml_dtypes too.
    """
    if dtype is dtypes.bfloat16:
        value = rounded(value, dtypes.float32)
    try:
        number = float(value)
    except OverflowError:
        return math.copysign(math.inf, value)
    if not math.isfinite(number) or number == 0:
        return number
    info = finfo(dtype)
    lowest = math.frexp(info.smallest_normal)[1]
    exponent = max(math.frexp(number)[1], lowest)
    step = math.ldexp(info.eps, exponent - 1)
    nearest = abs(round(number / step) * step)
    return math.copysign(nearest if nearest <= info.max else math.inf, number)


def iinfo(dtype: DType) -> IInfo:
    """Return the limits of an integer data type."""
    if dtype.kind not in "iu":
        raise UnifyTypeError(f"iinfo: {dtype} is not an integer data type; use finfo")
    signed = dtype.kind == "i"
    room = dtype.bits - signed
    return IInfo(dtype.bits, 2**room - 1, -(2**room) if signed else 0, dtype)
