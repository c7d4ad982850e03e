"""Constraints of the functions that bear NumPy's names: shapes, parts and joined arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from tests.differential.constraints._registry import Arguments, constrain
from tests.differential.strategies import OMIT, shapes

if TYPE_CHECKING:
    from tests.differential.arguments import CallBuilder

__all__: list[str] = []


def _axis(builder: CallBuilder, ndim: int, name: str) -> int:
    if builder.faulty(name):
        return int(builder.one_of(ndim, -ndim - 1))
    return int(builder.draw(st.integers(-ndim, ndim - 1)))


@constrain("swapaxes")
def _swapaxes(builder: CallBuilder) -> Arguments:
    x = builder.array(builder.draw(shapes(min_ndim=1)))
    return {"x": x, **{name: _axis(builder, x.values.ndim, name) for name in ("axis1", "axis2")}}


def _plane(builder: CallBuilder, ndim: int) -> tuple[int, int]:
    first, second = builder.draw(st.permutations(range(ndim)))[:2]
    return first - builder.one_of(0, ndim), second - builder.one_of(0, ndim)


@constrain("rot90")
def _rot90(builder: CallBuilder) -> Arguments:
    if builder.faulty("x"):
        return {"x": builder.array(builder.draw(shapes(0, 1))), "axes": OMIT}
    x = builder.array(builder.draw(shapes(min_ndim=2)))
    axes: Any = _plane(builder, x.values.ndim)
    if builder.faulty("axes"):
        axes = (0, 0)
    return {"x": x, "axes": OMIT if builder.chance(3) else axes}


@constrain("fliplr", "flipud")
def _flips(builder: CallBuilder) -> Arguments:
    least = 1 if builder.contract.name == "flipud" else 2
    low, high = (0, least - 1) if builder.faulty("x") else (least, 4)
    return {"x": builder.array(builder.draw(shapes(low, high)))}


@constrain("diagonal", "trace")
def _diagonals(builder: CallBuilder) -> Arguments:
    low, high = (0, 1) if builder.faulty("x") else (2, 4)
    x = builder.array(builder.draw(shapes(low, high)))
    given: Arguments = {
        "x": x,
        "offset": OMIT if builder.chance(3) else builder.one_of(0, 1, -2, 5),
    }
    if builder.contract.name == "trace":
        given["dtype"] = builder.any_dtype("fc") if builder.chance(3) else OMIT
    if x.values.ndim < 2 or builder.chance(3):
        return {**given, "axis1": OMIT, "axis2": OMIT}
    first, second = _plane(builder, x.values.ndim)
    if builder.faulty("axis1"):
        first = x.values.ndim
    return {**given, "axis1": first, "axis2": first if builder.faulty("axis2") else second}


_LEAST = {"hsplit": 1, "vsplit": 2, "dsplit": 3}


@constrain("array_split", "hsplit", "vsplit", "dsplit")
def _splits(builder: CallBuilder) -> Arguments:
    name, sections = builder.contract.name, "indices_or_sections"
    least = _LEAST.get(name, 1)
    low, high = (least - 1, least - 1) if builder.faulty("x") else (least, 4)
    x = builder.array(builder.draw(shapes(low, high)))
    given: Arguments = {"x": x, "axis": OMIT}
    axis = min(x.values.ndim - 1, 1) if least == 1 else least - 1
    if name == "array_split":
        axis = _axis(builder, x.values.ndim, "axis") if x.values.ndim else 0
        given["axis"] = axis
    size = x.values.shape[axis] if -x.values.ndim <= axis < x.values.ndim else 1
    if builder.faulty(sections):
        return given | {sections: 0}
    if builder.chance(2):
        places = st.lists(st.integers(-2, 4), max_size=3).map(tuple)
        return given | {sections: builder.draw(places)}
    counts = [1, size] if name != "array_split" else [1, 2, 3, 5]
    return given | {sections: builder.one_of(*filter(None, counts))}
