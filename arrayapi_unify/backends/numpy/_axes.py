"""The one check of axes that NumPy leaves out, for all categories that reduce along axes."""

from __future__ import annotations

from typing import Any

from arrayapi_unify.errors import UnifyIndexError, refuse

__all__ = ["refuse_axis"]


def refuse_axis(function: str, axis: Any) -> None:
    """Refuse an axis of a zero-dimensional array; the empty tuple names none and passes.

    The standard: valid is [-N, N), which is empty here. NumPy lets 0 and -1 through for old
    code's sake ("let axis={0 or -1} slip through for scalars", numpy/_core/src/umath).
    """
    if not isinstance(axis, tuple) or axis:
        refuse(
            UnifyIndexError,
            function,
            "axis",
            f"is {axis!r}, but the array is zero-dimensional and has no axis",
            "reshape the array to (1,) first, or leave the axis out where the function allows",
        )
