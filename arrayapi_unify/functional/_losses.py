"""Helpers of the loss functions: data types of arguments, and the reduction of terms."""

from __future__ import annotations

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.axes import normalize_axes
from arrayapi_unify.errors import UnifyValueError, raise_argument_error
from arrayapi_unify.functional._common import BodyArray, check_real, floating_together

__all__ = ["check_reduction", "reduced", "together"]


def check_reduction(function: str, reduction: str) -> None:
    """Raise for a word that names no reduction."""
    if reduction not in ("mean", "sum", "none"):
        raise_argument_error(
            UnifyValueError, function, "reduction", f"is {reduction!r}",
            "pass 'mean', 'sum' or 'none'",
        )  # fmt: skip


def together(function: str, **given: BodyArray) -> list[BodyArray]:
    """Return arrays in the real floating-point data type to which they promote, numbers as such."""
    arrays = {name: value for name, value in given.items() if isinstance(value, Array)}
    for name, array in arrays.items():
        check_real(function, name, array)
    converted = dict(zip(arrays, floating_together(*arrays.values()), strict=True))
    return [converted.get(name, value) for name, value in given.items()]


def reduced(
    function: str, loss: Array, reduction: str, axis: int | tuple[int, ...] | None
) -> Array:
    """Reduce the terms of a loss over axes, as a word says."""
    xp = loss.__array_namespace__()
    if reduction == "none":
        normalize_axes(function, axis, loss.ndim)
        return loss
    reduce = xp.sum if reduction == "sum" else xp.mean
    return reduce(loss, axis=axis)
