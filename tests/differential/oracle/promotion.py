"""An independent copy of the standard's promotion table, and the rule for mixed kinds.

Within a kind, and for signed with unsigned integers, it is the table of the standard. Mixed kinds
give the smallest data type that holds both; float64 counts as holding 64-bit integers.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

__all__ = ["promoted", "promoted_with"]

_SIGNED: Final = ("int8", "int16", "int32", "int64")
_UNSIGNED: Final = ("uint8", "uint16", "uint32", "uint64")
# Integers whose values float32 can all represent.
_SHORT: Final = ("bool", "int8", "uint8", "int16", "uint16")
# The rows and columns of the standard's table of signed with unsigned integers.
_MIXED: Final = {
    "uint8": ("int16", "int16", "int32", "int64"),
    "uint16": ("int32", "int32", "int32", "int64"),
    "uint32": ("int64", "int64", "int64", "int64"),
    "uint64": ("float64", "float64", "float64", "float64"),
}


def _pair(a: str, b: str) -> str:
    if a == b or b == "bool":
        return a
    if a == "bool":
        return b
    for family in (_SIGNED, _UNSIGNED):
        if a in family and b in family:
            return family[max(family.index(a), family.index(b))]
    if a in _SIGNED and b in _UNSIGNED:
        a, b = b, a
    if a in _UNSIGNED and b in _SIGNED:
        return _MIXED[a][_SIGNED.index(b)]
    double = any(d in ("float64", "complex128") or _long(d) for d in (a, b))
    complex_ = any(d.startswith("complex") for d in (a, b))
    return f"complex{128 if double else 64}" if complex_ else f"float{64 if double else 32}"


def _long(dtype: str) -> bool:
    return dtype in (*_SIGNED, *_UNSIGNED) and dtype not in _SHORT


def promoted(*dtypes: str) -> str:
    """Return the data type to which data types promote, independent of their order.

    Floating-point data types come first: float32 holds int8 and uint16, but not the int32 to which
    these promote.
    """
    found, *others = sorted(dtypes, key=lambda dtype: not dtype.startswith(("float", "complex")))
    for dtype in others:
        found = _pair(found, dtype)
    return found


_KINDS: Final = "buifc"


def promoted_with(dtype: str, scalar: Any) -> str:
    """Return the data type to which an array's promotes with a Python scalar."""
    kind = np.dtype(dtype).kind
    given = "b" if isinstance(scalar, bool | np.bool_) else np.asarray(scalar).dtype.kind
    given = "i" if given in "uO" else given
    if _KINDS.index(given) <= _KINDS.index(kind) or (given, kind) == ("i", "u"):
        return dtype
    if given == "c":
        return "complex64" if dtype in ("float32", "complex64") else "complex128"
    return "int64" if given == "i" else "float64"
