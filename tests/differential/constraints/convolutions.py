"""Constraints of convolutions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.differential.constraints._registry import SHAPES, Arguments, constrain
from tests.differential.strategies import OMIT

if TYPE_CHECKING:
    from tests.differential.arguments import Drawer

__all__ = ["numbers"]

_FINITE = ("small", "moderate")


def numbers(drawer: Drawer, name: str, count: int, *values: int) -> Any:
    """Draw one number for all spatial axes, or one for each; now and then none of them is right."""
    if drawer.faulty(name):
        return drawer.one_of(-1, [1] * (count + 1))
    if drawer.chance(3):
        return OMIT
    each = [drawer.one_of(*values) for _ in range(count)]
    return drawer.one_of(each[0], tuple(each), each)


def _padding(drawer: Drawer, count: int) -> Any:
    if drawer.faulty("padding"):
        return drawer.one_of("same", -1, [(1, 1)] * (count + 1))
    pairs = [drawer.one_of((0, 1), (1, 0), (2, 1)) for _ in range(count)]
    return drawer.one_of(OMIT, "SAME", "VALID", 1, (1,) * count, pairs)


def _drawn(drawer: Drawer, count: int, transposed: bool) -> Arguments:
    batch, groups = drawer.one_of(1, 2, 2, 0), drawer.one_of(1, 1, 2)
    taken, given = drawer.one_of(1, 2), drawer.one_of(1, 2)
    # Few sizes, as each combination of shapes is compiled anew; less of them along more axes.
    spatial = [drawer.one_of(3, 4) for _ in range(count)]
    window = [drawer.one_of(1, 2, 3) if count < 3 else drawer.one_of(1, 2) for _ in range(count)]
    first = drawer.chance(3)
    channels = taken * groups
    shape = (batch, channels, *spatial) if first else (batch, *spatial, channels)
    ends = (channels, given) if transposed else (taken, given * groups)
    wrong = (ends[0] + 1, ends[1]) if drawer.faulty("filters") else ends
    results = given * groups + drawer.faulty("bias")
    arguments: Arguments = {
        "x": drawer.array(shape, magnitudes=_FINITE),
        "filters": drawer.array((*window, *wrong), magnitudes=_FINITE),
        "bias": drawer.array((results,), magnitudes=_FINITE) if drawer.chance(2) else OMIT,
        "strides": numbers(drawer, "strides", count, 1, 2, 3),
        "padding": _padding(drawer, count),
        "dilations": OMIT if drawer.chance(2) else numbers(drawer, "dilations", count, 1, 2),
        "groups": 0
        if drawer.faulty("groups")
        else groups
        if groups > 1
        else drawer.one_of(1, OMIT),
        "data_format": "channels_first" if first else drawer.one_of("channels_last", OMIT),
    }
    if drawer.faulty("data_format"):
        arguments["data_format"] = "NHWC"
    if transposed:
        arguments["output_padding"] = OMIT
        if drawer.chance(2) or drawer.faulty("output_padding"):
            arguments["output_padding"] = numbers(drawer, "output_padding", count, 0, 1, 2)
    return arguments


def _register(count: int) -> None:
    @constrain(f"conv{count}d")
    def convolution(drawer: Drawer) -> Arguments:
        return _drawn(drawer, count, False)

    @constrain(f"conv{count}d_transpose")
    def transposed(drawer: Drawer) -> Arguments:
        return _drawn(drawer, count, True)

    ones = (1,) * (count + 2)
    SHAPES.update({f"conv{count}d": (ones, ones), f"conv{count}d_transpose": (ones, ones)})


for _count in (1, 2, 3):
    _register(_count)


@constrain("depthwise_conv")
def _depthwise(drawer: Drawer) -> Arguments:
    count = drawer.one_of(1, 2, 3)
    arguments = _drawn(drawer, count, False)
    first = arguments["data_format"] == "channels_first"
    channels = arguments["x"].values.shape[1 if first else -1]
    window = arguments["filters"].values.shape[:count]
    wrong = channels + drawer.faulty("filters")
    multiplier = drawer.one_of(1, 2)
    arguments["filters"] = drawer.array((*window, wrong, multiplier), magnitudes=_FINITE)
    results = channels * multiplier + drawer.faulty("bias")
    if arguments["bias"] is not OMIT:
        arguments["bias"] = drawer.array((results,), magnitudes=_FINITE)
    del arguments["groups"]
    return arguments


SHAPES["depthwise_conv"] = ((1, 1, 1), (1, 1, 1))
