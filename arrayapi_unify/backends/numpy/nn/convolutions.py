"""Convolutions in NumPy: products of matrices.

The rows of the first matrix are the windows of x, as they are copied for some images at a time, so
that a copy stays within the processor's cache.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.algorithms.convolutions import (
    Plan,
    native_convolutions,
    native_transposes,
    positions,
)

NDArray = npt.NDArray[Any]
_COPIED = 1 << 20  # elements


def is_real_floating(
    x: NDArray, filters: NDArray, /, *, bias: NDArray | None = None, **options: Any
) -> bool:
    """Return True if all arrays are of one real floating-point data type."""
    dtype = x.dtype
    return bool(
        dtype.kind == "f" and filters.dtype == dtype and (bias is None or bias.dtype == dtype)
    )


def shape_of(x: NDArray) -> tuple[int, ...]:
    """Return the shape."""
    return x.shape


def _padded(x: NDArray, plan: Plan) -> NDArray:
    """Add zeros around the spatial axes of x, whose channels are the last axis."""
    if not any(map(any, plan.pads)):
        return x
    sizes = [n + low + high for n, (low, high) in zip(x.shape[1:-1], plan.pads, strict=True)]
    found = np.zeros((x.shape[0], *sizes, x.shape[-1]), x.dtype)
    middle = [slice(a, a + n) for n, (a, _) in zip(x.shape[1:-1], plan.pads, strict=True)]
    found[(slice(None), *middle)] = x
    return found


def kernel(x: NDArray, filters: NDArray, bias: NDArray | None, plan: Plan) -> NDArray:
    """Weigh all windows by each filter."""
    x = _padded(np.moveaxis(x, 1, -1) if plan.first else x, plan)
    found = np.empty((x.shape[0], *plan.sizes, filters.shape[-1]), x.dtype)
    if filters.shape[-2] == 1 and plan.groups > 1:
        _each_channel(x, filters, plan, found)
    else:
        _as_products(x, filters, plan, found)
    if bias is not None:
        found += bias
    return np.ascontiguousarray(np.moveaxis(found, -1, 1)) if plan.first else found


def _each_channel(x: NDArray, filters: NDArray, plan: Plan, found: NDArray) -> None:
    """Add up products of numbers, where a group is one channel."""
    by_channel = found.reshape(*found.shape[:-1], plan.groups, filters.shape[-1] // plan.groups)
    by_channel[...] = 0
    for place in positions(plan.window):
        here = [
            slice(p * d, p * d + s * (n - 1) + 1, s)
            for p, d, s, n in zip(place, plan.dilations, plan.strides, plan.sizes, strict=True)
        ]
        factors = filters[place].reshape(by_channel.shape[-2:])
        by_channel += x[(slice(None), *here)][..., None] * factors


def _as_products(x: NDArray, filters: NDArray, plan: Plan, found: NDArray) -> None:
    count, groups = len(plan.window), plan.groups
    depth = math.prod(filters.shape[:-1])
    kernels: Any = filters.reshape(-1, filters.shape[-2], groups, filters.shape[-1] // groups)
    kernels = np.moveaxis(kernels, 2, 0).reshape(groups, depth, -1)
    windows: Any = np.lib.stride_tricks.sliding_window_view(
        x, plan.spans, tuple(range(1, count + 1))
    )
    steps = [slice(None, None, s) for s in plan.strides]
    windows = windows[(slice(None), *steps, ..., *[slice(None, None, d) for d in plan.dilations])]
    # Images, groups, places, the elements of the window, the channels of the group.
    windows = windows.reshape(*windows.shape[: count + 1], groups, filters.shape[-2], *plan.window)
    windows = np.moveaxis(windows, (count + 1, count + 2), (1, -1))
    rows = math.prod(plan.sizes)
    images = max(1, _COPIED // max(rows * depth * groups, 1))
    for start in range(0, len(x), images):
        part = windows[start : start + images]
        product = np.matmul(part.reshape(len(part), groups, rows, depth), kernels)
        target = found[start : start + images]
        target[...] = np.moveaxis(product, 1, -2).reshape(target.shape)


conv1d, conv2d, conv3d = native_convolutions(kernel, shape_of, is_real_floating)


def transposing_kernel(x: NDArray, filters: NDArray, bias: NDArray | None, plan: Plan) -> NDArray:
    """Spread each element over a window."""
    x = np.moveaxis(x, 1, -1) if plan.first else x
    groups, channels = plan.groups, filters.shape[-1]
    rows = np.moveaxis(
        x.reshape(math.prod(x.shape[:-1]), groups, filters.shape[-2] // groups), 1, 0
    )
    sizes = [
        n + low + max(high, 0) for n, (low, high) in zip(plan.sizes, plan.pads, strict=True)
    ]  # with what is cut off
    found = np.zeros((x.shape[0], *sizes, groups, channels), x.dtype)
    for place in positions(plan.window):
        here = tuple(
            slice(p * d, p * d + s * (n - 1) + 1, s)
            for p, d, s, n in zip(place, plan.dilations, plan.strides, x.shape[1:-1], strict=True)
        )
        product = np.moveaxis(np.matmul(rows, filters[place].reshape(groups, -1, channels)), 0, 1)
        found[(slice(None), *here)] += product.reshape(*x.shape[:-1], groups, channels)
    kept = [slice(low, low + n) for n, (low, _) in zip(plan.sizes, plan.pads, strict=True)]
    found = found[(slice(None), *kept)].reshape(x.shape[0], *plan.sizes, groups * channels)
    if bias is not None:
        found += bias
    return np.ascontiguousarray(np.moveaxis(found, -1, 1) if plan.first else found)


conv1d_transpose, conv2d_transpose, conv3d_transpose = native_transposes(
    transposing_kernel, shape_of, is_real_floating
)
