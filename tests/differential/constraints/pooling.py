"""Constraints of pooling and resizing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.differential.constraints._registry import Arguments, constrain
from tests.differential.constraints.convolutions import numbers
from tests.differential.strategies import OMIT

if TYPE_CHECKING:
    from tests.differential.arguments import Drawer

__all__: list[str] = []


def _x(drawer: Drawer, count: int, magnitudes: tuple[str, ...]) -> Arguments:
    first = drawer.chance(3)
    spatial, channels = [drawer.one_of(3, 4, 5) for _ in range(count)], drawer.one_of(1, 2)
    if count == 3:
        spatial[0] = 2
    shape = (channels, *spatial) if first else (*spatial, channels)
    if drawer.faulty("x"):
        shape = (*shape, 2)
    data_format = "channels_first" if first else drawer.one_of("channels_last", OMIT)
    if drawer.faulty("data_format"):
        data_format = "NHWC"
    x = drawer.array((drawer.one_of(1, 2, 2, 0), *shape), magnitudes=magnitudes)
    return {"x": x, "data_format": data_format}


def _pool(drawer: Drawer, count: int, maximum: bool) -> Arguments:
    special = maximum and not drawer.smooth
    magnitudes = ("small", "moderate", "light") if special else ("small", "moderate")
    arguments = _x(drawer, count, magnitudes)
    window = [drawer.one_of(1, 2, 2, 3) for _ in range(count)]
    if count == 3:
        window[0] = drawer.one_of(1, 2)
    padding: Any = drawer.one_of(OMIT, "SAME", "VALID", [(0, k - 1) for k in window])
    if min(window) > 1:
        padding = drawer.one_of(padding, 1, [(1, 0)] * count)
    if drawer.faulty("padding"):
        padding = drawer.one_of("same", -1, [(1, 1)] * (count + 1))
    arguments["window"] = 0 if drawer.faulty("window") else tuple(window)
    arguments["strides"] = drawer.one_of(None, numbers(drawer, "strides", count, 1, 2, 3))
    arguments["padding"] = padding
    if maximum:
        arguments["dilations"] = drawer.one_of(OMIT, numbers(drawer, "dilations", count, 1, 2))
    return arguments


def _register(count: int) -> None:
    @constrain(f"max_pool{count}d")
    def largest(drawer: Drawer) -> Arguments:
        return _pool(drawer, count, True)

    @constrain(f"avg_pool{count}d")
    def mean(drawer: Drawer) -> Arguments:
        return _pool(drawer, count, False)

    @constrain(f"adaptive_max_pool{count}d", f"adaptive_avg_pool{count}d")
    def adaptive(drawer: Drawer) -> Arguments:
        arguments = _x(drawer, count, ("small", "moderate"))
        sizes = numbers(drawer, "output_size", count, 1, 2, 3, 4)
        return arguments | {"output_size": 2 if sizes is OMIT else sizes}


for _count in (1, 2, 3):
    _register(_count)


@constrain("interpolate")
def _interpolate(drawer: Drawer) -> Arguments:
    count = drawer.one_of(1, 2, 3)
    arguments = _x(drawer, count, ("small", "moderate"))
    if drawer.faulty("x"):
        arguments["x"] = drawer.array((2, 2))
    sizes = numbers(drawer, "size", count, 1, 2, 4, 7)
    return arguments | {"size": 3 if sizes is OMIT else sizes}
