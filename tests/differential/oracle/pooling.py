"""Oracles of pooling, window by window, and of resizing, by a matrix for each axis."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.differential.oracle._registry import floating, narrow, oracle, wide
from tests.differential.oracle.convolutions import each, ends, same

__all__: list[str] = []


def _of_windows(
    x: Any, keys: list[list[Any]], data_format: str, reduce: Callable[[Any], Any]
) -> Any:
    """Reduce the windows of x that keys select, one for each result along each axis."""
    x = np.moveaxis(x, 1, -1) if data_format == "channels_first" else x
    found = np.empty((len(x), *map(len, keys), x.shape[-1]), x.dtype)
    for place in np.ndindex(*map(len, keys)):
        part = x
        for axis, (i, along) in enumerate(zip(place, keys, strict=True), 1):
            part = np.take(part, along[i], axis=axis)
        found[(slice(None), *place)] = reduce(part)
    return np.moveaxis(found, -1, 1) if data_format == "channels_first" else found


def _keys(
    sizes: Any, window: Any, strides: Any, padding: Any, dilations: Any = 1
) -> list[list[Any]]:
    """Return the indices of each window along each axis, including those beyond x."""
    count = len(sizes)
    window = each(window, count)
    strides = window if strides is None else each(strides, count)
    found = []
    numbers = zip(sizes, window, strides, each(dilations, count), strict=True)
    for axis, (n, k, s, d) in enumerate(numbers):
        span = d * (k - 1) + 1
        if padding == "SAME":
            low, high = same(n, span, s)
        else:
            low, high = ends(0 if padding == "VALID" else padding, count)[axis]
        starts = range(-low, n + high - span + 1, s)
        found.append([[start + d * i for i in range(k)] for start in starts])
    return found


def _spatial(x: Any, data_format: str) -> Any:
    return x.shape[2:] if data_format == "channels_first" else x.shape[1:-1]


def _within(keys: list[list[Any]], sizes: Any) -> list[list[Any]]:
    return [
        [[i for i in one if 0 <= i < n] for one in along]
        for along, n in zip(keys, sizes, strict=True)
    ]


def _max_pool(
    x: Any, window: Any, /, *, strides: Any = None, padding: Any = "VALID", dilations: Any = 1,
    data_format: str = "channels_last",
) -> Any:  # fmt: skip
    sizes = _spatial(x, data_format)
    keys = _within(_keys(sizes, window, strides, padding, dilations), sizes)
    lowest = -math.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    spatial = tuple(range(1, x.ndim - 1))
    return _of_windows(
        x, keys, data_format, lambda part: np.max(part, axis=spatial, initial=lowest)
    )


def _avg_pool(
    x: Any, window: Any, /, *, strides: Any = None, padding: Any = "VALID",
    count_padding: bool = False, data_format: str = "channels_last",
) -> Any:  # fmt: skip
    sizes, target, spatial = _spatial(x, data_format), floating(x), tuple(range(1, x.ndim - 1))
    keys = _within(_keys(sizes, window, strides, padding), sizes)
    whole = math.prod(each(window, len(sizes)))

    def mean(part: Any) -> Any:
        return np.sum(part, axis=spatial) / (whole if count_padding else _size(part))

    return narrow(_of_windows(wide(x), keys, data_format, mean), target)


def _size(part: Any) -> int:
    return math.prod(part.shape[1:-1])


def _adaptive(sizes: Any, wanted: Any) -> list[list[Any]]:
    return [
        [list(range(i * n // m, math.ceil((i + 1) * n / m))) for i in range(m)]
        for n, m in zip(sizes, each(wanted, len(sizes)), strict=True)
    ]


def _adaptive_max(x: Any, output_size: Any, /, *, data_format: str = "channels_last") -> Any:
    keys, spatial = _adaptive(_spatial(x, data_format), output_size), tuple(range(1, x.ndim - 1))
    return _of_windows(x, keys, data_format, lambda part: np.max(part, axis=spatial))


def _adaptive_avg(x: Any, output_size: Any, /, *, data_format: str = "channels_last") -> Any:
    keys, spatial = _adaptive(_spatial(x, data_format), output_size), tuple(range(1, x.ndim - 1))
    found = _of_windows(wide(x), keys, data_format, lambda part: np.mean(part, axis=spatial))
    return narrow(found, floating(x))


for _count in (1, 2, 3):
    oracle(f"nn.max_pool{_count}d")(_max_pool)
    oracle(f"nn.avg_pool{_count}d")(_avg_pool)
    oracle(f"nn.adaptive_max_pool{_count}d")(_adaptive_max)
    oracle(f"nn.adaptive_avg_pool{_count}d")(_adaptive_avg)


def _cubic(distance: Any) -> Any:
    """Return the kernel of a cubic convolution, by its two polynomials."""
    a, d = np.longdouble(-0.75), np.abs(distance)
    inner = (a + 2) * d**3 - (a + 3) * d**2 + 1
    outer = a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a
    return np.where(d <= 1, inner, np.where(d < 2, outer, 0))


def _matrix(size: int, wanted: int, mode: str) -> Any:
    """Return the matrix that resizes an axis: a row for each new element."""
    found = np.zeros((wanted, size), np.longdouble)
    for i in range(wanted):
        centre = (np.longdouble(i) + 0.5) * size / wanted - 0.5
        if mode == "nearest":
            found[i, i * size // wanted] = 1
            continue
        reach = 1 if mode == "linear" else 2
        for j in range(int(np.floor(centre)) - reach, int(np.floor(centre)) + reach + 2):
            distance = np.abs(centre - j)
            weight = max(1 - distance, 0) if mode == "linear" else _cubic(distance)
            # Beyond its ends an axis continues with its last element.
            found[i, min(max(j, 0), size - 1)] += weight
    return found


@oracle("nn.interpolate")
def _interpolate(
    x: Any, size: Any, /, *, mode: str = "linear", data_format: str = "channels_last"
) -> Any:
    target, count = floating(x), x.ndim - 2
    found, start = wide(x), 2 if data_format == "channels_first" else 1
    for axis, wanted in enumerate(each(size, count), start):
        matrix = _matrix(x.shape[axis], wanted, mode)
        found = np.moveaxis(np.moveaxis(found, axis, -1) @ matrix.T, -1, axis)
    return narrow(found, target)
