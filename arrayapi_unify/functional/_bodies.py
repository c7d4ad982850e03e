"""What the bodies of several contracts share."""

from __future__ import annotations

from typing import Any

from arrayapi_unify import dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.errors import UnifyTypeError, refuse

__all__ = ["floating", "floating_together", "real", "where_not"]


def floating(x: Array) -> Array:
    """Return x, or of integers and bools x in the default floating-point data type."""
    return x if x.dtype.kind in "fc" else x.astype(dtypes.default_float())


def real(function: str, name: str, x: Array) -> Array:
    """Return x in a floating-point data type; refuse complex numbers."""
    if x.dtype.kind == "c":
        refuse(
            UnifyTypeError, function, name, f"has data type {x.dtype}",
            "take real(x) or abs(x) first",
        )  # fmt: skip
    return floating(x)


def floating_together(*arrays: Array) -> list[Array]:
    """Return arrays in the floating-point data type to which all of them promote."""
    dtype = dtypes.promote(*(array.dtype for array in arrays))
    if dtype.kind not in "fc":
        dtype = dtypes.default_float()
    return [array.astype(dtype, copy=False) for array in arrays]


def where_not(mask: Array, x: Any, value: Any) -> Array:
    """Return x where the mask is false, a value elsewhere."""
    return mask.__array_namespace__().where(mask, value, x)
