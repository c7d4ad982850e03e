"""PyTorch's own pooling, whose channels stand before the spatial axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import torch

from arrayapi_unify.backends._common.algorithms.convolutions import Plan
from arrayapi_unify.backends._common.algorithms.nn import native_averages, native_maxima
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.torch._core import is_compiling
from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING
from arrayapi_unify.backends.torch.nn.convolutions import shape_of

Tensor = torch.Tensor
_functions: Final[Any] = torch.nn.functional
_MAXIMA: Final = {1: _functions.max_pool1d, 2: _functions.max_pool2d, 3: _functions.max_pool3d}
_FEW: Final = 8  # elements of a window that are compared one by one in a compiled function
_MEANS: Final = {1: _functions.avg_pool1d, 2: _functions.avg_pool2d, 3: _functions.avg_pool3d}


def _is_real(x: Tensor, window: Any, /, **options: Any) -> bool:
    return x.dtype in REAL_FLOATING


def _is_padded_alike(x: Tensor, window: Any, /, *, padding: Any = "VALID", **options: Any) -> bool:
    """Return True if x is real and the padding is "VALID" or 0, so the same at both ends."""
    return x.dtype in REAL_FLOATING and (padding == "VALID" or padding == 0)


def _largest(x: Tensor, plan: Plan) -> Tensor:
    if is_compiling() and _tiles(plan):
        return _largest_of_tiles(x, plan)
    x = x if plan.first else x.movedim(-1, 1)
    padding: tuple[int, ...] = (0,) * len(plan.window)
    if all(low == high <= k // 2 for (low, high), k in zip(plan.pads, plan.window, strict=True)):
        padding = tuple([low for low, _ in plan.pads])
    else:
        ends = [n for pair in reversed(plan.pads) for n in pair]
        x = _functions.pad(x, ends, value=-math.inf)
    pool = _MAXIMA[len(plan.window)]
    found: Tensor = pool(x, plan.window, plan.strides, padding, plan.dilations)
    return found if plan.first else found.movedim(1, -1)


def _tiles(plan: Plan) -> bool:
    """Return True for a few elements in windows side by side, with the channels as the last axis.

    Compiled, the derivative is then one pass over the array, where PyTorch's scatters.
    """
    apart = plan.strides == plan.window and not any(map(any, plan.pads))
    few = math.prod(plan.window) <= _FEW and all(d == 1 for d in plan.dilations)
    return apart and few and not plan.first


def _largest_of_tiles(x: Tensor, plan: Plan) -> Tensor:
    """Compare the elements at each place in their windows; of equal ones, the first counts."""
    sizes = [n // k for n, k in zip(x.shape[1:-1], plan.window, strict=True)]
    parts = [x]
    for axis, (size, k) in enumerate(zip(sizes, plan.window, strict=True), start=1):
        whole = (part.narrow(axis, 0, size * k) for part in parts)
        tiles = (torch.unflatten(part, axis, (size, k)) for part in whole)
        parts = [part for tile in tiles for part in tile.unbind(axis + 1)]
    found, *others = parts
    for other in others:
        # Of NaN, the last counts, as in PyTorch's kernel. The compiler has vectors for `!=`, and
        # none for `isnan`.
        found = torch.where((other > found) | (other != other), other, found)
    return found


def _averaged(x: Tensor, plan: Plan, count_padding: bool) -> Tensor:
    x = x if plan.first else x.movedim(-1, 1)
    found: Tensor = _MEANS[len(plan.window)](x, plan.window, plan.strides)
    return found if plan.first else found.movedim(1, -1)


max_pool1d, max_pool2d, max_pool3d = native_maxima(_largest, shape_of, _is_real)
avg_pool1d, avg_pool2d, avg_pool3d = native_averages(_averaged, shape_of, _is_padded_alike)


_FORMATS: Final = ("channels_last", "channels_first")


def _pooling(name: str, count: int) -> Callable[..., Tensor]:
    kernel = getattr(_functions, name)

    def pool(x: Tensor, output_size: Any, /, *, data_format: str = "channels_last") -> Tensor:
        first = data_format == "channels_first"
        found: Tensor = kernel(x if first else x.movedim(-1, 1), output_size)
        return found if first else found.movedim(1, -1)

    def is_served(x: Tensor, output_size: Any, /, *, data_format: str = "channels_last") -> bool:
        several = type(output_size) is tuple or type(output_size) is list
        sizes = output_size if several else (output_size,)
        if several and len(sizes) != count:
            return False
        known = x.dtype in REAL_FLOATING and x.ndim == count + 2 and data_format in _FORMATS
        return known and x.numel() > 0 and all(type(n) is int and n > 0 for n in sizes)

    pool.__name__ = pool.__qualname__ = name
    pool.__doc__ = "Pool by PyTorch's own kernel."
    return partial_mixed(is_served)(pool)


adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d = (
    _pooling(f"adaptive_avg_pool{n}d", n) for n in (1, 2, 3)
)
adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d = (
    _pooling(f"adaptive_max_pool{n}d", n) for n in (1, 2, 3)
)
