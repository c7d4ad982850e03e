"""Convolutions by TensorFlow's kernels, of which those for CPUs take the plain cases only.

Channels are their last axis. What they lack, or can't differentiate, is composed: filters with
holes get zeros, groups are convolved one by one, one axis is two of which one has size 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from arrayapi_unify.backends._common.algorithms.convolutions import (
    Plan,
    native_convolutions,
    native_transposes,
)
from arrayapi_unify.backends.tensorflow._core import Tensor, ints, raw, shape_of as shape_of
from arrayapi_unify.errors import UnifyValueError

_FLOATS = frozenset({tf.float32, tf.float64})


def is_real_floating(
    x: Tensor, filters: Tensor, /, *, bias: Tensor | None = None, **options: Any
) -> bool:
    """Return True if all tensors are of one dtype, float32 or float64, and there is an image.

    oneDNN is wrong for an empty batch.
    """
    dtype = x.dtype
    alike = filters.dtype is dtype and (bias is None or bias.dtype is dtype)
    return dtype in _FLOATS and alike and shape_of(x)[:1] != (0,)


def last(x: Tensor, plan: Plan) -> Tensor:
    """Return x with the channels as its last axis."""
    if not plan.first:
        return x
    return raw.Transpose(x=x, perm=ints((0, *range(2, len(plan.window) + 2), 1)))


def finished(found: Tensor, bias: Tensor | None, plan: Plan) -> Tensor:
    """Add the bias, and move the channels where they belong."""
    if bias is not None:
        found = raw.BiasAdd(value=found, bias=bias)
    if not plan.first:
        return found
    count = len(plan.window)
    return raw.Transpose(x=found, perm=ints((0, count + 1, *range(1, count + 1))))


def sown(x: Tensor, axes: Sequence[int], steps: Sequence[int]) -> Tensor:
    """Put zeros between the elements along axes, whose sizes are known."""
    for axis, step in zip(axes, steps, strict=True):
        if step == 1:
            continue
        shape = shape_of(x)
        apart = raw.ExpandDims(input=x, axis=axis + 1)
        widths = [[0, 0]] * len(shape)
        widths.insert(axis + 1, [0, step - 1])
        apart = raw.Pad(input=apart, paddings=widths)
        sizes = (*shape[:axis], shape[axis] * step, *shape[axis + 1 :])
        wanted = (*shape[:axis], shape[axis] * step - step + 1, *shape[axis + 1 :])
        x = raw.Slice(
            input=raw.Reshape(tensor=apart, shape=ints(sizes)), begin=ints((0,) * len(shape)),
            size=ints(wanted),
        )  # fmt: skip
    return x


def padded(x: Tensor, pads: Sequence[tuple[int, int]]) -> Tensor:
    """Add zeros around the spatial axes, whose channels are the last axis."""
    return raw.Pad(input=x, paddings=[(0, 0), *pads, (0, 0)])


def with_two_axes(x: Tensor, filters: Tensor, plan: Plan) -> tuple[Tensor, Tensor, Plan]:
    """Return a convolution along one axis as one along two; another one is left alone."""
    if len(plan.window) > 1:
        return x, filters, plan
    x, filters = raw.ExpandDims(input=x, axis=1), raw.ExpandDims(input=filters, axis=0)
    one = plan._replace(
        window=(1, *plan.window), strides=(1, *plan.strides), dilations=(1, *plan.dilations),
        pads=((0, 0), *plan.pads), sizes=(1, *plan.sizes),
    )  # fmt: skip
    return x, filters, one


def each_group(
    x: Tensor, filters: Tensor, axis: int, plan: Plan, compute: Callable[..., Tensor]
) -> Tensor:
    """Convolve the channels of each group by its own filters, which are split along an axis."""
    if plan.groups == 1:
        return compute(x, filters, plan)
    xs = tf.split(x, plan.groups, -1)
    parts = zip(xs, tf.split(filters, plan.groups, axis), strict=True)
    return tf.concat([compute(*part, plan) for part in parts], -1)


def by_pads(plan: Plan) -> Plan:
    """Return a plan that says how much padding there is, where TensorFlow gets "SAME" wrong.

    Along three axes its kernel begins before the array where steps are longer than the window.
    """
    gaps = any(step > span for step, span in zip(plan.strides, plan.spans, strict=True))
    return plan._replace(same=False) if len(plan.window) == 3 and gaps else plan


def _convolved(x: Tensor, filters: Tensor, plan: Plan) -> Tensor:
    """Convolve along two or three axes, without groups or holes in the filters."""
    strides, padding = [1, *plan.strides, 1], "SAME" if plan.same else "VALID"
    if len(plan.window) == 3:
        x = x if plan.same else padded(x, plan.pads)
        return raw.Conv3D(input=x, filter=filters, strides=strides, padding=padding)
    explicit: list[int] = []
    if not plan.same and any(map(any, plan.pads)):
        padding, explicit = "EXPLICIT", [0, 0, *(n for pair in plan.pads for n in pair), 0, 0]
    return raw.Conv2D(
        input=x, filter=filters, strides=strides, padding=padding, explicit_paddings=explicit
    )


def _depthwise(x: Tensor, filters: Tensor, plan: Plan) -> Tensor:
    """Convolve each channel for itself, in one kernel."""
    x = x if plan.same else padded(x, plan.pads)
    shape = (*shape_of(filters)[:2], plan.groups, shape_of(filters)[-1] // plan.groups)
    return raw.DepthwiseConv2dNative(
        input=x, filter=raw.Reshape(tensor=filters, shape=ints(shape)),
        strides=[1, *plan.strides, 1], padding="SAME" if plan.same else "VALID",
    )  # fmt: skip


def _kernel(x: Tensor, filters: Tensor, bias: Tensor | None, plan: Plan) -> Tensor:
    inner, weight, wide = with_two_axes(last(x, plan), filters, by_pads(plan))
    weight = sown(weight, range(len(wide.window)), wide.dilations)
    alone = plan.groups > 1 and shape_of(filters)[-2] == 1
    if alone and len(wide.window) == 2 and len(set(wide.strides)) == 1:
        found = _depthwise(inner, weight, wide)
    else:
        found = each_group(inner, weight, -1, wide, _convolved)
    if len(plan.window) == 1:
        found = raw.Squeeze(input=found, axis=[1])
    return finished(found, bias, plan)


conv1d, conv2d, conv3d = native_convolutions(_kernel, shape_of, is_real_floating)


def _transposed(x: Tensor, filters: Tensor, plan: Plan) -> Tensor:
    """Convolve along two or three axes, without groups or holes in the filters."""
    if None in plan.sizes:
        raise UnifyValueError(
            "a transposed convolution needs the sizes of the spatial axes, which tf.function "
            "doesn't know here; give x a static shape"
        )
    whole = plan.sizes
    if not plan.same:  # the sizes before the pads are cut off
        whole = tuple(n + a + b for n, (a, b) in zip(plan.sizes, plan.pads, strict=True))
    batch, channels = shape_of(x)[0], shape_of(filters)[-2]
    shape = [raw.Shape(input=x)[0] if batch is None else batch, *whole, channels]
    kernel = raw.Conv2DBackpropInput if len(whole) == 2 else raw.Conv3DBackpropInputV2
    found = kernel(
        input_sizes=shape, filter=filters, out_backprop=x, strides=[1, *plan.strides, 1],
        padding="SAME" if plan.same else "VALID",
    )  # fmt: skip
    return found if plan.same else _cut(found, plan)


def _cut(x: Tensor, plan: Plan) -> Tensor:
    """Cut off what the result lacks, and add zeros where it has more."""
    if not any(map(any, plan.pads)):
        return x
    more = [(0, max(-high, 0)) for _, high in plan.pads]
    x = raw.Pad(input=x, paddings=[(0, 0), *more, (0, 0)])
    begin = (0, *(low for low, _ in plan.pads), 0)
    return raw.Slice(input=x, begin=ints(begin), size=ints((-1, *plan.sizes, -1)))


def _transposing_kernel(x: Tensor, filters: Tensor, bias: Tensor | None, plan: Plan) -> Tensor:
    inner, weight, wide = with_two_axes(last(x, plan), filters, by_pads(plan))
    weight = sown(weight, range(len(wide.window)), wide.dilations)
    rank = len(wide.window)
    weight = raw.Transpose(x=weight, perm=ints((*range(rank), rank + 1, rank)))
    found = each_group(inner, weight, -1, wide, _transposed)
    if len(plan.window) == 1:
        found = raw.Squeeze(input=found, axis=[1])
    return finished(found, bias, plan)


conv1d_transpose, conv2d_transpose, conv3d_transpose = native_transposes(
    _transposing_kernel, shape_of, is_real_floating
)
