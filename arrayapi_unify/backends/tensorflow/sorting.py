"""TensorFlow's implementations of the sorting functions, on the integers of `_order`."""

from __future__ import annotations

import tensorflow as tf

from arrayapi_unify.backends._common.checks.axes import check_selection, normalize_axis
from arrayapi_unify.backends.tensorflow._core import Tensor, cast, kind_of, rank_of, raw
from arrayapi_unify.backends.tensorflow._sort_keys import along_last, first, order, to_last


def argsort(
    x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Tensor:
    """Sort indices; the kernel is always stable."""
    axis = normalize_axis("argsort", axis, rank_of(x))
    return to_last(order(to_last(x, axis), descending), axis)


def top_k(x: Tensor, k: int, /, *, axis: int = -1, mode: str = "largest") -> tuple[Tensor, Tensor]:
    """Select by the kernel that sorts."""
    k, axis = check_selection("top_k", k, axis, mode, x.shape)
    rows = to_last(x, axis)
    indices = first(rows, k, mode == "largest")
    return to_last(along_last(rows, indices), axis), to_last(indices, axis)


def sort(x: Tensor, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """Sort; floats by their order, so that zeros of both signs and NaNs stay what they are."""
    axis = normalize_axis("sort", axis, rank_of(x))
    rows = to_last(x, axis)
    if kind_of(x) in "fc":
        return to_last(along_last(rows, order(rows, descending)), axis)
    if x.dtype is tf.bool:
        rows = cast(rows, tf.uint8)
    size = tf.shape(rows)[-1] if rows.shape[-1] is None else rows.shape[-1]
    if descending:
        result = raw.TopKV2(input=rows, k=size).values
    else:
        result = raw.Invert(x=raw.TopKV2(input=raw.Invert(x=rows), k=size).values)
    return cast(to_last(result, axis), x.dtype)
