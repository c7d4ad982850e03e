"""Oracles of convolutions: window by window, in extended precision, rounded once."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.differential.oracle._registry import floating, narrow, oracle, wide

__all__: list[str] = []


def each(value: Any, count: int) -> list[int]:
    """Return an integer for each spatial axis."""
    given = list(value) if isinstance(value, list | tuple) else [value]
    return given * count if len(given) == 1 else given


def ends(padding: Any, count: int) -> list[tuple[int, int]]:
    """Return the padding before and after each spatial axis, if it is given by numbers."""
    given = list(padding) if isinstance(padding, list | tuple) else [padding]
    given = given * count if len(given) == 1 else given
    found: list[Any] = [each(v, 2) for v in given]
    return found


def same(size: int, span: int, stride: int) -> tuple[int, int]:
    """Return the padding with which every stride-th element has a window."""
    results = -(-size // stride)
    total = max((results - 1) * stride + span - size, 0)
    return total // 2, total - total // 2


def _given(*arrays: Any) -> Any:
    return floating(*(v for v in arrays if v is not None))


def _channels_last(x: Any, data_format: str) -> Any:
    return np.moveaxis(wide(x), 1, -1) if data_format == "channels_first" else wide(x)


def _rounded(found: Any, bias: Any, data_format: str, target: Any) -> Any:
    found = found if bias is None else found + wide(bias)
    return narrow(np.moveaxis(found, -1, 1) if data_format == "channels_first" else found, target)


def _padded(x: Any, spans: list[int], strides: list[int], padding: Any) -> Any:
    sizes = x.shape[1:-1]
    if padding == "SAME":
        pads = [same(*v) for v in zip(sizes, spans, strides, strict=True)]
    else:
        pads = ends(0 if padding == "VALID" else padding, len(sizes))
    return np.pad(x, [(0, 0), *pads, (0, 0)])


def _convolved(
    x: Any, filters: Any, /, *, bias: Any = None, strides: Any = 1, padding: Any = "VALID",
    dilations: Any = 1, groups: int = 1, data_format: str = "channels_last",
) -> Any:  # fmt: skip
    target, count = _given(x, filters, bias), x.ndim - 2
    strides, dilations = each(strides, count), each(dilations, count)
    window, (taken, given) = filters.shape[:count], filters.shape[count:]
    spans = [d * (k - 1) + 1 for k, d in zip(window, dilations, strict=True)]
    x = _padded(_channels_last(x, data_format), spans, strides, padding)
    sizes = [(n - k) // s + 1 for n, k, s in zip(x.shape[1:-1], spans, strides, strict=True)]
    found = np.zeros((len(x), *sizes, given), np.longdouble)
    for image, *place in np.ndindex(len(x), *sizes):
        corner = [p * s for p, s in zip(place, strides, strict=True)]
        for group in range(groups):
            own = slice(group * given // groups, (group + 1) * given // groups)
            for offset in np.ndindex(*window):
                at = [c + o * d for c, o, d in zip(corner, offset, dilations, strict=True)]
                values = x[(image, *at, slice(group * taken, (group + 1) * taken))]
                found[(image, *place, own)] += values @ wide(filters[(*offset, slice(None), own)])
    return _rounded(found, bias, data_format, target)


def _transposed(
    x: Any, filters: Any, /, *, bias: Any = None, strides: Any = 1, padding: Any = "VALID",
    output_padding: Any = 0, dilations: Any = 1, groups: int = 1,
    data_format: str = "channels_last",
) -> Any:  # fmt: skip
    target, count = _given(x, filters, bias), x.ndim - 2
    strides, dilations, more = (each(v, count) for v in (strides, dilations, output_padding))
    window, (taken, given) = filters.shape[:count], filters.shape[count:]
    x, spans = _channels_last(x, data_format), []
    for k, d in zip(window, dilations, strict=True):
        spans.append(d * (k - 1) + 1)
    sizes = [(n - 1) * s + k for n, s, k in zip(x.shape[1:-1], strides, spans, strict=True)]
    room = [n + max(s, 0) + m for n, s, m in zip(sizes, strides, more, strict=True)]
    found = np.zeros((len(x), *room, given * groups), np.longdouble)
    for image, *place in np.ndindex(x.shape[:-1]):
        for group, offset in ((g, o) for g in range(groups) for o in np.ndindex(*window)):
            steps = zip(place, strides, offset, dilations, strict=True)
            at = [p * s + o * d for p, s, o, d in steps]
            values = x[
                (image, *place, slice(group * taken // groups, (group + 1) * taken // groups))
            ]
            kernel = wide(
                filters[(*offset, slice(group * taken // groups, (group + 1) * taken // groups))]
            )
            found[(image, *at, slice(group * given, (group + 1) * given))] += values @ kernel
    if padding == "SAME":
        starts = [
            same(n * s, k, s)[0] for n, s, k in zip(x.shape[1:-1], strides, spans, strict=True)
        ]
        lengths = [n * s for n, s in zip(x.shape[1:-1], strides, strict=True)]
    else:
        pads = ends(0 if padding == "VALID" else padding, count)
        starts = [a for a, _ in pads]
        lengths = [n - a - b for n, (a, b) in zip(sizes, pads, strict=True)]
    kept = [slice(a, a + n + m) for a, n, m in zip(starts, lengths, more, strict=True)]
    return _rounded(found[(slice(None), *kept)], bias, data_format, target)


for _count in (1, 2, 3):
    oracle(f"nn.conv{_count}d")(_convolved)
    oracle(f"nn.conv{_count}d_transpose")(_transposed)


@oracle("nn.depthwise_conv")
def _depthwise(x: Any, filters: Any, /, **options: Any) -> Any:
    *window, channels, _ = filters.shape
    return _convolved(x, filters.reshape(*window, 1, -1), groups=channels, **options)
