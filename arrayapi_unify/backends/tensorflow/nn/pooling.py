"""Means of windows by TensorFlow's kernels, of which those for CPUs want the channels last.

Its kernels for the largest elements pass over NaN, so the contracts' bodies take those.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from arrayapi_unify.backends._common.algorithms.convolutions import Plan
from arrayapi_unify.backends._common.algorithms.nn import native_averages
from arrayapi_unify.backends.tensorflow._core import Tensor, raw
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


def _averaged(x: Tensor, plan: Plan, count_padding: bool) -> Tensor:
    inner, one = last(x, plan), len(plan.window) == 1
    inner = raw.ExpandDims(input=inner, axis=1) if one else inner
    options = {
        "ksize": [1, *(1,) * one, *plan.window, 1],
        "strides": [1, *(1,) * one, *plan.strides, 1],
        "padding": "SAME" if plan.same else "VALID",
    }
    if len(plan.window) == 3:
        found = raw.AvgPool3D(input=inner, **options)
    else:
        found = raw.AvgPool(value=inner, **options)
    return finished(raw.Squeeze(input=found, axis=[1]) if one else found, None, plan)


avg_pool1d, avg_pool2d, avg_pool3d = native_averages(_averaged, shape_of, _is_named)
