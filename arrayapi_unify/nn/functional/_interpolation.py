"""The source positions and weights of the elements of a resized axis."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

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
