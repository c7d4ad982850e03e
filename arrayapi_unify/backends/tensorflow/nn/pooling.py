"""Pooling by TensorFlow's kernels, of which those for CPUs want the channels last."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from arrayapi_unify.backends._common.algorithms.convolutions import Plan
from arrayapi_unify.backends._common.algorithms.nn import native_averages, native_maxima
from arrayapi_unify.backends.tensorflow._core import Tensor, raw
from arrayapi_unify.backends.tensorflow._minmax import branched, may_have_nan
from arrayapi_unify.backends.tensorflow.nn.convolutions import finished, last, shape_of

_FLOATS = frozenset({tf.float32, tf.float64})
_SINGLE = frozenset({tf.float32})
_RANK_OF_3D = 5


def _is_named(x: Tensor, window: Any, /, *, padding: Any = "VALID", **options: Any) -> bool:
    """Return True if a kernel serves the data type, the padding and the batch.

    The kernels take paddings by name, and don't count padded elements in means.
    """
    counted = options.get("count_padding", False)
    known = padding == "VALID" or (padding == "SAME" and not counted)
    shape = shape_of(x)
    kernels = _SINGLE if len(shape) == _RANK_OF_3D else _FLOATS
    return x.dtype in kernels and known and shape[:1] != (0,)


def _pooled(x: Tensor, plan: Plan, kernel: Callable[..., Tensor]) -> Tensor:
    """Call a kernel, that for two spatial axes where there is one."""
    one = len(plan.window) == 1
    found = kernel(
        raw.ExpandDims(input=x, axis=1) if one else x,
        ksize=[1, *(1,) * one, *plan.window, 1],
        strides=[1, *(1,) * one, *plan.strides, 1],
        padding="SAME" if plan.same else "VALID",
    )
    return raw.Squeeze(input=found, axis=[1]) if one else found


def _averaged(x: Tensor, plan: Plan, count_padding: bool) -> Tensor:
    if len(plan.window) == 3:
        found = _pooled(last(x, plan), plan, lambda x, **options: raw.AvgPool3D(input=x, **options))
    else:
        found = _pooled(last(x, plan), plan, lambda x, **options: raw.AvgPool(value=x, **options))
    return finished(found, None, plan)


avg_pool1d, avg_pool2d, avg_pool3d = native_averages(_averaged, shape_of, _is_named)


def _maximum(x: Tensor, **options: Any) -> Tensor:
    return (raw.MaxPool3D if len(x.shape) == _RANK_OF_3D else raw.MaxPool)(input=x, **options)


def _largest(x: Tensor, plan: Plan) -> Tensor:
    """Return the largest elements, or NaN, which TensorFlow's kernel passes over."""
    inner = last(x, plan)
    found = _pooled(inner, plan, _maximum)

    def with_nan() -> Tensor:
        unordered = raw.Cast(x=raw.IsNan(x=inner), DstT=x.dtype)
        bad = _pooled(unordered, plan, _maximum) > 0
        return tf.where(bad, tf.constant(math.nan, x.dtype), found)

    found = branched(may_have_nan(inner), with_nan, lambda: tf.identity(found))
    return finished(found, None, plan)


def _has_no_holes(x: Tensor, window: Any, /, **options: Any) -> bool:
    dilations = options.pop("dilations", 1)
    return dilations == 1 and _is_named(x, window, **options)


max_pool1d, max_pool2d, max_pool3d = native_maxima(_largest, shape_of, _has_no_holes)
