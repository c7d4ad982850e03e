"""Constraints of the activation functions beyond those of `layers`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from tests.differential.constraints._registry import SHAPES, Arguments, constrain
from tests.differential.strategies import OMIT, shapes

if TYPE_CHECKING:
    from tests.differential.arguments import CallBuilder

__all__: list[str] = []

_FINITE = ("small", "moderate")
_USUAL = ("small", "moderate", "light")


def _omitted(builder: CallBuilder, value: Any) -> Any:
    return OMIT if builder.chance(3) else value


def _x(builder: CallBuilder) -> Any:
    return builder.array(builder.draw(shapes()), magnitudes=_USUAL)


@constrain(
    "nn.hardsigmoid",
    "nn.hardswish",
    "nn.logsigmoid",
    "nn.mish",
    "nn.relu6",
    "nn.selu",
    "nn.silu",
    "nn.softsign",
)
def _elementwise(builder: CallBuilder) -> Arguments:
    return {"x": _x(builder)}


@constrain("nn.elu", "nn.celu")
def _exponential(builder: CallBuilder) -> Arguments:
    alpha = 0.0 if builder.faulty("alpha") else builder.one_of(1.0, 0.5, 2)
    return {"x": _x(builder), "alpha": _omitted(builder, alpha)}


@constrain("nn.leaky_relu")
def _leaky_relu(builder: CallBuilder) -> Arguments:
    return {"x": _x(builder), "negative_slope": _omitted(builder, builder.one_of(0.25, 2, -1.0))}


@constrain("nn.hardtanh")
def _hardtanh(builder: CallBuilder) -> Arguments:
    low = 8.0 if builder.faulty("min_val") else builder.one_of(-1.0, 0.5, -3, -math.inf)
    return {
        "x": _x(builder), "min_val": low,
        "max_val": _omitted(builder, builder.one_of(1.0, 0.5, 5)),
    }  # fmt: skip


@constrain("nn.threshold")
def _threshold(builder: CallBuilder) -> Arguments:
    return {
        "x": _x(builder), "threshold": builder.one_of(0.0, 1, 0.5),
        "value": builder.one_of(-2.0, 7),
    }  # fmt: skip


SHAPES["nn.prelu"] = ((1, 1), (1,))


@constrain("nn.prelu")
def _prelu(builder: CallBuilder) -> Arguments:
    if builder.chance(3):
        return {
            "x": _x(builder), "slope": builder.array(builder.one_of((), (1,)), magnitudes=_FINITE),
            "axis": OMIT,
        }  # fmt: skip
    shape = builder.one_of((2, 3), (3, 3), (1, 3), (2, 3, 2), (0, 3))
    axis = builder.draw(st.integers(-len(shape), len(shape) - 1))
    size = shape[axis] + 2 if builder.faulty("slope") else shape[axis]
    return {
        "x": builder.array(shape, magnitudes=_USUAL),
        "slope": builder.array((size,), magnitudes=_FINITE),
        "axis": OMIT if axis == 1 else axis,
    }


@constrain("nn.glu")
def _glu(builder: CallBuilder) -> Arguments:
    # A gate of an infinite number times zero is NaN, as products are.
    even = builder.one_of((2,), (4,), (0,), (2, 3), (4, 1, 3), (0, 2))
    shape = (3, 3) if builder.faulty("x") else even
    axis = builder.one_of(*(a for a, n in enumerate(shape) if n % 2 == 0 or builder.faulty("x")))
    axis = len(shape) if builder.faulty("axis") else axis - builder.one_of(0, len(shape))
    given = OMIT if axis == -1 and builder.chance(2) else axis
    return {"x": builder.array(shape, magnitudes=_USUAL), "axis": given}
