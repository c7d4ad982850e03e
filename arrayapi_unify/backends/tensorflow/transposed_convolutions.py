"""Transposed convolutions: TensorFlow's derivatives of convolutions by their inputs."""

from __future__ import annotations

from arrayapi_unify.backends._common.convolutions import Plan, native_transposes
from arrayapi_unify.backends.tensorflow._core import Tensor, ints, raw
from arrayapi_unify.backends.tensorflow.convolutions import (
    by_pads,
    each_group,
    finished,
    is_real_floating,
    last,
    shape_of,
    sown,
    with_two_axes,
)
from arrayapi_unify.errors import UnifyValueError

__all__ = ["conv1d_transpose", "conv2d_transpose", "conv3d_transpose"]


def _convolved(x: Tensor, filters: Tensor, plan: Plan) -> Tensor:
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


def _kernel(x: Tensor, filters: Tensor, bias: Tensor | None, plan: Plan) -> Tensor:
    inner, weight, wide = with_two_axes(last(x, plan), filters, by_pads(plan))
    weight = sown(weight, range(len(wide.window)), wide.dilations)
    rank = len(wide.window)
    weight = raw.Transpose(x=weight, perm=ints((*range(rank), rank + 1, rank)))
    found = each_group(inner, weight, -1, wide, _convolved)
    if len(plan.window) == 1:
        found = raw.Squeeze(input=found, axis=[1])
    return finished(found, bias, plan)


conv1d_transpose, conv2d_transpose, conv3d_transpose = native_transposes(
    _kernel, shape_of, is_real_floating
)
