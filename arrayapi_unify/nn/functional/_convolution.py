"""Convolutions of Arrays by a product for each position, and the elements and weights of resizing.

Arrays have their channels as the last axis here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.convolutions import Plan, positions
from arrayapi_unify.functional._common import BodyArray, check_real, floating_together


def shapes_of(x: BodyArray, filters: BodyArray, bias: BodyArray | None) -> tuple[Any, Any, Any]:
    """Return the shapes by which a call is worked out."""
    return x.shape, filters.shape, None if bias is None else bias.shape


def floats(
    function: str, x: BodyArray, filters: BodyArray, bias: BodyArray | None
) -> tuple[Array, Array, Array | None]:
    """Return the arrays of a call in the real floating-point data type to which they promote."""
    given = {"x": x, "filters": filters, "bias": bias}
    arrays = {name: array for name, array in given.items() if array is not None}
    for name, array in arrays.items():
        check_real(function, name, array)
    found = floating_together(*arrays.values())
    return found[0], found[1], None if bias is None else found[2]


def cut_or_padded(x: Array, pads: Sequence[tuple[int, int]], value: Any = 0) -> Array:
    """Add a value around the spatial axes, or cut something off where a number is negative."""
    xp = x.__array_namespace__()
    if any(n < 0 for pair in pads for n in pair):
        ends = zip(x.shape[1:-1], pads, strict=True)
        kept = [slice(max(-low, 0), n - max(-high, 0)) for n, (low, high) in ends]
        x = x[(slice(None), *kept, slice(None))]
    more = [(max(low, 0), max(high, 0)) for low, high in pads]
    if not any(map(any, more)):
        return x
    return xp.pad(x, ((0, 0), *more, (0, 0)), constant_values=value)


def window_slices(place: Sequence[int], plan: Plan) -> tuple[slice, ...]:
    """Return the key of the elements that stand at one place of all windows."""
    spatial = [
        slice(p * d, p * d + s * (n - 1) + 1, s)
        for p, d, s, n in zip(place, plan.dilations, plan.strides, plan.sizes, strict=True)
    ]
    return (slice(None), *spatial, slice(None))


def convolved(x: Array, filters: Array, bias: Array | None, plan: Plan) -> Array:
    """Convolve."""
    xp = x.__array_namespace__()
    x = cut_or_padded(xp.moveaxis(x, 1, -1) if plan.first else x, plan.pads)
    return _finished(_added_up(x, filters, plan), bias, plan)


def _added_up(x: Array, filters: Array, plan: Plan) -> Array:
    xp, groups = x.__array_namespace__(), plan.groups
    shape = (filters.shape[-2], groups, filters.shape[-1] // groups)
    total: Any = None
    for place in positions(plan.window):
        part, kernels = x[window_slices(place, plan)], filters[(*place, ...)]
        if groups == 1:
            product = xp.matmul(part, kernels)
        else:
            kernels = xp.moveaxis(xp.reshape(kernels, shape), 1, 0)
            rows = xp.reshape(part, (*part.shape[:-1], groups, 1, shape[0]))
            product = xp.matmul(rows, kernels)
            product = xp.reshape(product, (*part.shape[:-1], filters.shape[-1]))
        total = product if total is None else total + product
    return total


def _finished(found: Array, bias: Array | None, plan: Plan) -> Array:
    xp = found.__array_namespace__()
    found = found if bias is None else found + bias
    return xp.moveaxis(found, -1, 1) if plan.first else found


def transposed(x: Array, filters: Array, bias: Array | None, plan: Plan) -> Array:
    """Convolve x with zeros between its elements, by the reversed filters."""
    xp, count, groups = x.__array_namespace__(), len(plan.window), plan.groups
    x = _sown(xp.moveaxis(x, 1, -1) if plan.first else x, plan.strides)
    kernels = xp.flip(filters, axis=tuple(range(count)))
    if groups > 1:  # here they are counted along the channels that come out
        taken, given = kernels.shape[-2:]
        kernels = xp.reshape(kernels, (*plan.window, groups, taken // groups, given))
        kernels = xp.moveaxis(kernels, count, -2)
        kernels = xp.reshape(kernels, (*plan.window, taken // groups, groups * given))
    ends = zip(plan.spans, plan.pads, strict=True)
    x = cut_or_padded(x, [(span - 1 - low, span - 1 - high) for span, (low, high) in ends])
    return _finished(_added_up(x, kernels, plan._replace(strides=(1,) * count)), bias, plan)


def _sown(x: Array, steps: Sequence[int]) -> Array:
    """Put zeros between the elements along the spatial axes."""
    xp = x.__array_namespace__()
    for axis, step in enumerate(steps, 1):
        if step > 1:
            before, size = x.shape[:axis], x.shape[axis]
            widths = [(0, 0)] * (x.ndim + 1)
            widths[axis + 1] = (0, step - 1)
            apart = xp.pad(xp.expand_dims(x, axis=axis + 1), widths)
            whole = xp.reshape(apart, (*before, size * step, *x.shape[axis + 1 :]))
            x = whole[(slice(None),) * axis + (slice(0, size * step - step + 1), ...)]
    return x


Tap = tuple[list[int], list[float]]
_SLOPE: Final = -0.75  # of the cubic convolution, as PyTorch and OpenCV have it


def _nearest(size: int, wanted: int) -> list[Tap]:
    return [([i * size // wanted for i in range(wanted)], [1.0] * wanted)]


def _centres(size: int, wanted: int) -> list[float]:
    """Return where the centres of the new elements lie among the old ones."""
    return [(i + 0.5) * size / wanted - 0.5 for i in range(wanted)]


def _linear(size: int, wanted: int) -> list[Tap]:
    places = [max(place, 0.0) for place in _centres(size, wanted)]
    lower = [min(math.floor(place), size - 1) for place in places]
    shares = [place - low for place, low in zip(places, lower, strict=True)]
    upper = [min(low + 1, size - 1) for low in lower]
    return [(lower, [1 - share for share in shares]), (upper, shares)]


def _cubic(size: int, wanted: int) -> list[Tap]:
    places = _centres(size, wanted)
    taps: list[Tap] = []
    for step in range(-1, 3):
        near = [math.floor(place) + step for place in places]
        weights = [_weight(abs(place - i)) for place, i in zip(places, near, strict=True)]
        taps.append(([min(max(i, 0), size - 1) for i in near], weights))
    return taps


def _weight(distance: float) -> float:
    """Return the weight of an element at a distance below 2: Keys, 1981."""
    a, d = _SLOPE, distance
    if d <= 1:
        return ((a + 2) * d - (a + 3)) * d * d + 1
    return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a


TAPS: Final[dict[str, Callable[[int, int], list[Tap]]]] = {
    "nearest": _nearest,
    "linear": _linear,
    "cubic": _cubic,
}
"""For each mode: what is added up, as indices into the axis and their weights."""
