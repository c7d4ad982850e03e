"""Checks of statistics that backends share, and predicates for the calls that libraries serve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from arrayapi_unify.backends._common.checks.axes import normalize_axis, whole
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import raise_type_error, raise_value_error


def check_segments(
    shape: Sequence[int], dtype: DType, ids: Sequence[int], ids_dtype: DType, num_segments: int
) -> None:
    """Raise for arrays that don't belong together, and what can't be added up."""
    if dtype.kind == "b":
        problem, remedy = "has data type bool", "cast it to a numeric data type first"
        raise_type_error("segment_sum", "x", problem, remedy)
    if ids_dtype.kind not in "iu":
        problem, remedy = f"has data type {ids_dtype}", "pass an array of integers"
        raise_type_error("segment_sum", "segment_ids", problem, remedy)
    if not len(shape):
        problem, remedy = "is zero-dimensional", "pass an array that has an axis"
        raise_value_error("segment_sum", "x", problem, remedy)
    if tuple(ids) != tuple(shape[:1]):
        raise_value_error(
            "segment_sum", "segment_ids",
            f"has the shape {tuple(ids)}, where x has {shape[0]} elements along the first axis",
            "pass an array of one axis with one number for each",
        )  # fmt: skip
    if whole("segment_sum", "num_segments", num_segments) < 0:
        problem, remedy = f"is {num_segments}", "pass 0 or more"
        raise_value_error("segment_sum", "num_segments", problem, remedy)


def raise_negative_numbers_error() -> NoReturn:
    """Raise for what `bincount` can't count."""
    problem, remedy = "has negative elements", "pass numbers from 0 on"
    raise_value_error("bincount", "x", problem, remedy)


def counts_numbers(integers: frozenset[Any]) -> Callable[..., bool]:
    """Return what says whether `bincount` just counts, up to the largest number."""

    def is_plain(
        x: Any, /, *, weights: Any = None, minlength: int = 0, length: int | None = None
    ) -> bool:
        counts = weights is None and length is None and type(minlength) is int and minlength >= 0
        return counts and x.ndim == 1 and x.dtype in integers

    return is_plain


def sums_trapezoids(is_floating: Callable[[Any], bool]) -> Callable[..., bool]:
    """Return a predicate: True if `trapezoid` gets one data type, and no x or one per element."""

    def is_plain(y: Any, x: Any = None, /, *, dx: Any = 1.0, axis: int = -1) -> bool:
        if not is_floating(y) or type(dx) not in (int, float) or not len(y.shape):
            return False
        if x is None:
            return True
        at = normalize_axis("trapezoid", axis, len(y.shape))
        return x.dtype == y.dtype and tuple(x.shape) == (y.shape[at],)

    return is_plain
