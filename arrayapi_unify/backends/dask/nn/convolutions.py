"""Convolutions on Dask: NumPy's, of some images at a time."""

from __future__ import annotations

from typing import Any

from arrayapi_unify.backends._common.algorithms.convolutions import (
    Plan,
    native_convolutions,
    native_transposes,
)
from arrayapi_unify.backends.dask._lazy import known_shape
from arrayapi_unify.backends.dask._lift import lazily, whole_axes
from arrayapi_unify.backends.dask._natives import DaskArray, native
from arrayapi_unify.backends.numpy.nn.convolutions import is_real_floating


def _lifted(name: str) -> Any:
    def kernel(x: DaskArray, filters: DaskArray, bias: Any, plan: Plan) -> DaskArray:
        x = whole_axes(name, x, range(1, x.ndim))
        pairs: list[Any] = [(x, ("image", *[("core", a) for a in range(1, x.ndim)]))]
        pairs.append((filters, tuple(("window", a) for a in range(filters.ndim))))
        pairs.append((bias, None if bias is None else ("bias",)))
        channels = filters.shape[-1] * (plan.groups if name == "transposing_kernel" else 1)
        sizes = (channels, *plan.sizes) if plan.first else (*plan.sizes, channels)
        new = tuple(("new", a) for a in range(len(sizes)))
        function = native("nn.convolutions", name, plan=plan)
        return lazily(
            function, ("image", *new), pairs, x.dtype, sizes=dict(zip(new, sizes, strict=True))
        )

    return kernel


conv1d, conv2d, conv3d = native_convolutions(_lifted("kernel"), known_shape, is_real_floating)
conv1d_transpose, conv2d_transpose, conv3d_transpose = native_transposes(
    _lifted("transposing_kernel"), known_shape, is_real_floating
)
