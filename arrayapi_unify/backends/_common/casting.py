"""Casts that the standard rules out."""

from __future__ import annotations

from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import UnifyTypeError, refuse

__all__ = ["check_cast"]


def check_cast(function: str, source: DType, target: DType) -> None:
    """Refuse to cast complex numbers to a real data type."""
    if source.kind == "c" and target.kind in "iuf":
        refuse(
            UnifyTypeError,
            function,
            "dtype",
            f"is {target}, to which {source} doesn't cast",
            "take real(x) or abs(x) first",
        )
