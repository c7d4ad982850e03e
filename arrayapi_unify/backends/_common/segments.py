"""The checks of `segment_sum` and `bincount` that all backends share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from arrayapi_unify.backends._common.axes import whole
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import UnifyTypeError, UnifyValueError, raise_argument_error

__all__ = ["check_segments", "counts_numbers", "raise_negative_numbers_error"]


def check_segments(
    shape: Sequence[int], dtype: DType, ids: Sequence[int], ids_dtype: DType, num_segments: int
) -> None:
    """Raise for arrays that don't belong together, and what can't be added up."""
    if dtype.kind == "b":
        problem, remedy = "has data type bool", "cast it to a numeric data type first"
        raise_argument_error(UnifyTypeError, "segment_sum", "x", problem, remedy)
    if ids_dtype.kind not in "iu":
        problem, remedy = f"has data type {ids_dtype}", "pass an array of integers"
        raise_argument_error(UnifyTypeError, "segment_sum", "segment_ids", problem, remedy)
    if not len(shape):
        problem, remedy = "is zero-dimensional", "pass an array that has an axis"
        raise_argument_error(UnifyValueError, "segment_sum", "x", problem, remedy)
    if tuple(ids) != tuple(shape[:1]):
        raise_argument_error(
            UnifyValueError, "segment_sum", "segment_ids",
            f"has the shape {tuple(ids)}, where x has {shape[0]} elements along the first axis",
            "pass an array of one axis with one number for each",
        )  # fmt: skip
    if whole("segment_sum", "num_segments", num_segments) < 0:
        problem, remedy = f"is {num_segments}", "pass 0 or more"
        raise_argument_error(UnifyValueError, "segment_sum", "num_segments", problem, remedy)


def raise_negative_numbers_error() -> NoReturn:
    """Raise for what `bincount` can't count."""
    problem, remedy = "has negative elements", "pass numbers from 0 on"
    raise_argument_error(UnifyValueError, "bincount", "x", problem, remedy)


def counts_numbers(integers: frozenset[Any]) -> Callable[..., bool]:
    """Return what says whether `bincount` just counts, up to the largest number."""

    def is_plain(
        x: Any, /, *, weights: Any = None, minlength: int = 0, length: int | None = None
    ) -> bool:
        counts = weights is None and length is None and type(minlength) is int and minlength >= 0
        return counts and x.ndim == 1 and x.dtype in integers

    return is_plain
