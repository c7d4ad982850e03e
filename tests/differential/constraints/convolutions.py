"""Constraints of convolutions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.differential.constraints._registry import SHAPES, Arguments, constrain
from tests.differential.strategies import OMIT

if TYPE_CHECKING:
    from tests.differential.arguments import CallBuilder

__all__ = ["numbers"]

_FINITE = ("small", "moderate")


def numbers(builder: CallBuilder, name: str, count: int, *values: int) -> Any:
    """Draw one number for all spatial axes, or one for each; rarely an invalid number of them."""
    if builder.faulty(name):
        return builder.one_of(-1, [1] * (count + 1))
    if builder.chance(3):
        return OMIT
    each = [builder.one_of(*values) for _ in range(count)]
    return builder.one_of(each[0], tuple(each), each)


def _padding(builder: CallBuilder, count: int) -> Any:
    if builder.faulty("padding"):
        return builder.one_of("same", -1, [(1, 1)] * (count + 1))
    pairs = [builder.one_of((0, 1), (1, 0), (2, 1)) for _ in range(count)]
    return builder.one_of(OMIT, "SAME", "VALID", 1, (1,) * count, pairs)


def _drawn(builder: CallBuilder, count: int, transposed: bool) -> Arguments:
    batch, groups = builder.one_of(1, 2, 2, 0), builder.one_of(1, 1, 2)
    taken, given = builder.one_of(1, 2), builder.one_of(1, 2)
    # Few sizes, because each combination of shapes is compiled; fewer along more axes.
    spatial = [builder.one_of(3, 4) for _ in range(count)]
    window = [builder.one_of(1, 2, 3) if count < 3 else builder.one_of(1, 2) for _ in range(count)]
    first = builder.chance(3)
    channels = taken * groups
    shape = (batch, channels, *spatial) if first else (batch, *spatial, channels)
    ends = (channels, given) if transposed else (taken, given * groups)
    wrong = (ends[0] + 1, ends[1]) if builder.faulty("filters") else ends
    results = given * groups + builder.faulty("bias")
    arguments: Arguments = {
        "x": builder.array(shape, magnitudes=_FINITE),
        "filters": builder.array((*window, *wrong), magnitudes=_FINITE),
        "bias": builder.array((results,), magnitudes=_FINITE) if builder.chance(2) else OMIT,
        "strides": numbers(builder, "strides", count, 1, 2, 3),
        "padding": _padding(builder, count),
        "dilations": OMIT if builder.chance(2) else numbers(builder, "dilations", count, 1, 2),
        "groups": 0
        if builder.faulty("groups")
        else groups
        if groups > 1
        else builder.one_of(1, OMIT),
        "data_format": "channels_first" if first else builder.one_of("channels_last", OMIT),
    }
    if builder.faulty("data_format"):
        arguments["data_format"] = "NHWC"
    if transposed:
        arguments["output_padding"] = OMIT
        if builder.chance(2) or builder.faulty("output_padding"):
            arguments["output_padding"] = numbers(builder, "output_padding", count, 0, 1, 2)
    return arguments


def _register(count: int) -> None:
    @constrain(f"nn.conv{count}d")
    def convolution(builder: CallBuilder) -> Arguments:
        return _drawn(builder, count, False)

    @constrain(f"nn.conv{count}d_transpose")
    def transposed(builder: CallBuilder) -> Arguments:
        return _drawn(builder, count, True)

    ones = (1,) * (count + 2)
    SHAPES.update({f"nn.conv{count}d": (ones, ones), f"nn.conv{count}d_transpose": (ones, ones)})


for _count in (1, 2, 3):
    _register(_count)


@constrain("nn.depthwise_conv")
def _depthwise(builder: CallBuilder) -> Arguments:
    count = builder.one_of(1, 2, 3)
    arguments = _drawn(builder, count, False)
    first = arguments["data_format"] == "channels_first"
    channels = arguments["x"].values.shape[1 if first else -1]
    window = arguments["filters"].values.shape[:count]
    wrong = channels + builder.faulty("filters")
    multiplier = builder.one_of(1, 2)
    arguments["filters"] = builder.array((*window, wrong, multiplier), magnitudes=_FINITE)
    results = channels * multiplier + builder.faulty("bias")
    if arguments["bias"] is not OMIT:
        arguments["bias"] = builder.array((results,), magnitudes=_FINITE)
    del arguments["groups"]
    return arguments


SHAPES["nn.depthwise_conv"] = ((1, 1, 1), (1, 1, 1))
