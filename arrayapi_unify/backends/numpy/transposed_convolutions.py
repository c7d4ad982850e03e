"""Transposed convolutions in NumPy: a product of matrices, whose parts are added up in place."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.convolutions import Plan, native_transposes, positions
from arrayapi_unify.backends.numpy.convolutions import is_real_floating, shape_of

__all__ = ["conv1d_transpose", "conv2d_transpose", "conv3d_transpose"]

NDArray = npt.NDArray[Any]


def _kernel(x: NDArray, filters: NDArray, bias: NDArray | None, plan: Plan) -> NDArray:
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
    _kernel, shape_of, is_real_floating
)
