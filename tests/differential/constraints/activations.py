"""Constraints of the activation functions beyond those of `layers`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from tests.differential.constraints._registry import SHAPES, Arguments, constrain
from tests.differential.strategies import OMIT, shapes

if TYPE_CHECKING:
    from tests.differential.arguments import Drawer

__all__: list[str] = []

_FINITE = ("small", "moderate")
_USUAL = ("small", "moderate", "light")


def _omitted(drawer: Drawer, value: Any) -> Any:
    return OMIT if drawer.chance(3) else value


def _x(drawer: Drawer) -> Any:
    return drawer.array(drawer.draw(shapes()), magnitudes=_USUAL)


@constrain("hardsigmoid", "hardswish", "logsigmoid", "mish", "relu6", "selu", "silu", "softsign")
def _elementwise(drawer: Drawer) -> Arguments:
    return {"x": _x(drawer)}


@constrain("elu", "celu")
def _exponential(drawer: Drawer) -> Arguments:
    alpha = 0.0 if drawer.faulty("alpha") else drawer.one_of(1.0, 0.5, 2)
    return {"x": _x(drawer), "alpha": _omitted(drawer, alpha)}


@constrain("leaky_relu")
def _leaky_relu(drawer: Drawer) -> Arguments:
    return {"x": _x(drawer), "negative_slope": _omitted(drawer, drawer.one_of(0.25, 2, -1.0))}


@constrain("hardtanh")
def _hardtanh(drawer: Drawer) -> Arguments:
    low = 8.0 if drawer.faulty("min_val") else drawer.one_of(-1.0, 0.5, -3, -math.inf)
    return {
        "x": _x(drawer), "min_val": low,
        "max_val": _omitted(drawer, drawer.one_of(1.0, 0.5, 5)),
    }  # fmt: skip


@constrain("threshold")
def _threshold(drawer: Drawer) -> Arguments:
    return {
        "x": _x(drawer), "threshold": drawer.one_of(0.0, 1, 0.5), "value": drawer.one_of(-2.0, 7),
    }  # fmt: skip


SHAPES["prelu"] = ((1, 1), (1,))


@constrain("prelu")
def _prelu(drawer: Drawer) -> Arguments:
    if drawer.chance(3):
        return {
            "x": _x(drawer), "slope": drawer.array(drawer.one_of((), (1,)), magnitudes=_FINITE),
            "axis": OMIT,
        }  # fmt: skip
    shape = drawer.one_of((2, 3), (3, 3), (1, 3), (2, 3, 2), (0, 3))
    axis = drawer.draw(st.integers(-len(shape), len(shape) - 1))
    size = shape[axis] + 2 if drawer.faulty("slope") else shape[axis]
    return {
        "x": drawer.array(shape, magnitudes=_USUAL),
        "slope": drawer.array((size,), magnitudes=_FINITE),
        "axis": OMIT if axis == 1 else axis,
    }


@constrain("glu")
def _glu(drawer: Drawer) -> Arguments:
    # A gate of an infinite number times zero is NaN, as products are.
    even = drawer.one_of((2,), (4,), (0,), (2, 3), (4, 1, 3), (0, 2))
    shape = (3, 3) if drawer.faulty("x") else even
    axis = drawer.one_of(*(a for a, n in enumerate(shape) if n % 2 == 0 or drawer.faulty("x")))
    axis = len(shape) if drawer.faulty("axis") else axis - drawer.one_of(0, len(shape))
    given = OMIT if axis == -1 and drawer.chance(2) else axis
    return {"x": drawer.array(shape, magnitudes=_USUAL), "axis": given}
