"""`x op= y` by way of `x op y`: the casts that are allowed, and those that are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arrayapi_unify.dtypes import DType, same_kind

__all__ = ["derived", "uncastable"]


def uncastable(result: DType, stored: DType) -> str:
    """Return the message for a result that can't be cast to an array's data type."""
    return f"the result has dtype {result}, which can't be cast to the array's dtype {stored}"


def derived(
    native: Callable[..., Any],
    shape_of: Callable[[Any], tuple[int, ...]],
    dtype_of: Callable[[Any], DType],
    write: Callable[[Any, Any], Any],
) -> Callable[[Any, Any], Any]:
    """Make the function that computes and then stores, with x's shape and data type.

    It raises built-in exceptions: binding adds function, arguments and backend to the message.
    """

    def update(x: Any, y: Any) -> Any:
        result = native(x, y)
        source, target = dtype_of(result), dtype_of(x)
        if source is not target and not same_kind(source, target):
            raise TypeError(f"{uncastable(source, target)}; write x = x op y instead")
        if shape_of(result) != shape_of(x):
            raise ValueError(
                f"the result has shape {shape_of(result)}, the array {shape_of(x)}; "
                f"an in-place operation can't change an array's shape"
            )
        return write(x, result)

    return update
