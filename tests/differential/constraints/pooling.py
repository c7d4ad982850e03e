"""Constraints of pooling and resizing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.differential.constraints._registry import Arguments, constrain
from tests.differential.constraints.convolutions import numbers
from tests.differential.strategies import OMIT

if TYPE_CHECKING:
    from tests.differential.arguments import CallBuilder

__all__: list[str] = []


def _x(builder: CallBuilder, count: int, magnitudes: tuple[str, ...]) -> Arguments:
    first = builder.chance(3)
    spatial, channels = [builder.one_of(3, 4, 5) for _ in range(count)], builder.one_of(1, 2)
    if count == 3:
        spatial[0] = 2
    shape = (channels, *spatial) if first else (*spatial, channels)
    if builder.faulty("x"):
        shape = (*shape, 2)
    data_format = "channels_first" if first else builder.one_of("channels_last", OMIT)
    if builder.faulty("data_format"):
        data_format = "NHWC"
    x = builder.array((builder.one_of(1, 2, 2, 0), *shape), magnitudes=magnitudes)
    return {"x": x, "data_format": data_format}


def _pool(builder: CallBuilder, count: int, maximum: bool) -> Arguments:
    special = maximum and not builder.smooth
    magnitudes = ("small", "moderate", "light") if special else ("small", "moderate")
    arguments = _x(builder, count, magnitudes)
    window = [builder.one_of(1, 2, 2, 3) for _ in range(count)]
    if count == 3:
        window[0] = builder.one_of(1, 2)
    padding: Any = builder.one_of(OMIT, "SAME", "VALID", [(0, k - 1) for k in window])
    if min(window) > 1:
        padding = builder.one_of(padding, 1, [(1, 0)] * count)
    if builder.faulty("padding"):
        padding = builder.one_of("same", -1, [(1, 1)] * (count + 1))
    arguments["window"] = 0 if builder.faulty("window") else tuple(window)
    arguments["strides"] = builder.one_of(None, numbers(builder, "strides", count, 1, 2, 3))
    arguments["padding"] = padding
    if maximum:
        arguments["dilations"] = builder.one_of(OMIT, numbers(builder, "dilations", count, 1, 2))
    return arguments


def _register(count: int) -> None:
    @constrain(f"nn.max_pool{count}d")
    def largest(builder: CallBuilder) -> Arguments:
        return _pool(builder, count, True)

    @constrain(f"nn.avg_pool{count}d")
    def mean(builder: CallBuilder) -> Arguments:
        return _pool(builder, count, False)

    @constrain(f"nn.adaptive_max_pool{count}d", f"nn.adaptive_avg_pool{count}d")
    def adaptive(builder: CallBuilder) -> Arguments:
        arguments = _x(builder, count, ("small", "moderate"))
        sizes = numbers(builder, "output_size", count, 1, 2, 3, 4)
        return arguments | {"output_size": 2 if sizes is OMIT else sizes}


for _count in (1, 2, 3):
    _register(_count)


@constrain("nn.interpolate")
def _interpolate(builder: CallBuilder) -> Arguments:
    count = builder.one_of(1, 2, 3)
    arguments = _x(builder, count, ("small", "moderate"))
    if builder.faulty("x"):
        arguments["x"] = builder.array((2, 2))
    sizes = numbers(builder, "size", count, 1, 2, 4, 7)
    return arguments | {"size": 3 if sizes is OMIT else sizes}
