"""Constraints of the functions that bear NumPy's names: shapes, parts and joined arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from arrayapi_unify import dtypes
from tests.differential.case import ArrayArg
from tests.differential.constraints._registry import Arguments, constrain
from tests.differential.strategies import OMIT, broadcastable, python_scalars, shapes

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


# --- products ---------------------------------------------------------------------------------

_PRODUCTS: dict[str, tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]] = {
    "dot": (
        ((), (2, 3)), ((2,), ()), ((3,), (3,)), ((2, 3), (3,)), ((2, 3), (3, 2)), ((3,), (3, 2)),
        ((2, 3), (2, 3, 2)), ((3,), (2, 3, 2)), ((2, 2, 3), (3, 2)), ((0,), (0,)), ((2, 0), (0, 3)),
    ),
    "inner": (
        ((), (2,)), ((2, 3), ()), ((3,), (3,)), ((2, 3), (3,)), ((2, 3), (2, 3)),
        ((2, 1, 3), (2, 3)), ((2, 0), (3, 0)),
    ),
    "vdot": (((), ()), ((3,), (3,)), ((2, 3), (6,)), ((1, 2), (2, 1)), ((0,), (2, 0))),
}  # fmt: skip


@constrain("dot", "inner", "vdot")
def _products(builder: CallBuilder) -> Arguments:
    first, second = builder.one_of(*_PRODUCTS[builder.contract.name])
    if builder.faulty("x1"):
        first, second = (2, 3), (2,)
    return {"x1": builder.array(first), "x2": builder.array(second)}


@constrain("outer")
def _outer(builder: CallBuilder) -> Arguments:
    return {
        "x1": builder.array(builder.draw(shapes())),
        "x2": builder.array(builder.draw(shapes())),
    }


@constrain("cross")
def _cross(builder: CallBuilder) -> Arguments:
    first, second, axes = builder.one_of(
        ((3,), (2, 3), {}), ((2,), (2, 2), {}), ((0, 3), (3,), {}),
        ((3, 2), (2, 3), {"axisa": 0}), ((3, 2), (2, 3), {"axisa": -2}),
        ((2, 3), (3, 2), {"axisb": 0}), ((2, 3), (3, 2), {"axisb": -2}),
        ((2, 3), (1, 3), {"axisc": 0}), ((2, 3), (1, 3), {"axisc": -2}),
        ((2, 3, 1), (2, 3, 2), {"axis": 1}), ((3, 2), (3, 2), {"axis": 0}),
    )  # fmt: skip
    if builder.faulty("x1"):
        first = (4,)
    if builder.faulty("axis"):
        axes = {"axis": 3}
    pair = (builder.any_dtype("uifc") for _ in range(2))
    x1, x2 = (builder.array(s, d) for s, d in zip((first, second), pair, strict=True))
    return {"x1": x1, "x2": x2, **dict.fromkeys(("axisa", "axisb", "axisc", "axis"), OMIT), **axes}


# --- creation ---------------------------------------------------------------------------------


@constrain("tri", "tril_indices", "triu_indices")
def _triangles(builder: CallBuilder) -> Arguments:
    names = ("N", "M") if builder.contract.name == "tri" else ("n", "m")
    sizes = st.integers(0, 4)
    return {
        names[0]: builder.draw(sizes),
        names[1]: OMIT if builder.chance(3) else builder.draw(sizes),
        "k": OMIT if builder.chance(3) else builder.one_of(0, 1, -1, 2, -5, 5),
    }


@constrain("identity")
def _identity(builder: CallBuilder) -> Arguments:
    return {"n": builder.draw(st.integers(0, 4))}


@constrain("indices")
def _indices(builder: CallBuilder) -> Arguments:
    return {"dimensions": tuple(builder.draw(st.lists(st.integers(0, 3), max_size=3)))}


@constrain("bartlett", "blackman", "hamming", "hanning", "kaiser")
def _windows(builder: CallBuilder) -> Arguments:
    given: Arguments = {
        "M": builder.draw(st.integers(-1, 9)),
        "dtype": OMIT if builder.chance(2) else builder.any_dtype("f"),
    }
    shape = {"beta": builder.one_of(0.0, 0.5, 2, 8.6, 14.0)}
    return {**given, **(shape if builder.contract.name == "kaiser" else {})}


@constrain("geomspace")
def _geomspace(builder: CallBuilder) -> Arguments:
    """Draw ends of one sign, or complex ones."""
    shape = builder.draw(shapes(max_ndim=2))
    values = st.sampled_from([1, 2, 3, 8])
    sign = builder.one_of(1, -1)
    ends: list[Any] = []
    for _ in range(2):
        kind = builder.any_dtype("ifc" if sign < 0 else "uifc")
        size = int(np.prod(sides := builder.draw(broadcastable(shape)), dtype=int))
        drawn = builder.draw(st.lists(values, min_size=size, max_size=size))
        array = ArrayArg((sign * np.array(drawn, kind.name)).reshape(sides))
        ends.append(builder.one_of(1, 16) * sign if builder.chance(3) else array)
    ndim = max(end.values.ndim if isinstance(end, ArrayArg) else 0 for end in ends)
    return {
        "start": ends[0], "stop": ends[1],
        "num": -1 if builder.faulty("num") else builder.one_of(OMIT, 0, 1, 2, 5),
        "axis": ndim + 1 if builder.faulty("axis") else builder.draw(st.integers(-ndim - 1, ndim)),
        # A value that isn't an integer may be rounded up or down.
        "dtype": OMIT if builder.chance(2) else builder.any_dtype("fc"),
    }  # fmt: skip


# --- joined arrays ----------------------------------------------------------------------------

_JOINED: dict[str, tuple[tuple[tuple[int, ...], ...], ...]] = {
    "vstack": (((3,), (3,)), ((2, 3), (3,)), ((), ()), ((1, 3), (0, 3)), ((1, 2, 2), (3, 2, 2))),
    "hstack": (((3,), (2,)), ((2, 3), (2, 1)), ((), (3,)), ((0,), (2,)), ((2, 1, 2), (2, 2, 2))),
    "dstack": (((3,), (3,)), ((2, 3), (2, 3)), ((), ()), ((2, 1, 2), (2, 1, 1)), ((0,),)),
    "column_stack": (((3,), (3,)), ((3, 2), (3,)), ((3, 0), (3, 1)), ((), ())),
}


@constrain("vstack", "hstack", "dstack", "column_stack")
def _joined(builder: CallBuilder) -> Arguments:
    sides = builder.one_of(*_JOINED[builder.contract.name])
    if builder.faulty("arrays"):
        sides = ((2, 3), (3, 2, 2))
    given: Arguments = {"arrays": [builder.array(shape) for shape in sides]}
    if builder.contract.name in ("vstack", "hstack"):
        # Complex numbers have no real ones, and large ones no integers.
        given["dtype"] = builder.any_dtype("c") if builder.chance(3) else OMIT
    return given


@constrain("append")
def _append(builder: CallBuilder) -> Arguments:
    first, second, axis = builder.one_of(
        ((2, 3), (2,), OMIT), ((), (2,), None), ((2, 3), (1, 3), 0), ((2, 3), (2, 2), -1),
        ((0,), (2,), 0),
    )  # fmt: skip
    if builder.faulty("values"):
        first, second, axis = (2, 3), (3, 2), 0
    if builder.faulty("axis"):
        axis = 5
    return {"x": builder.array(first), "values": builder.array(second), "axis": axis}


def _obj(builder: CallBuilder, size: int) -> Any:
    """Draw places on an axis of a size: an integer, several, a mask or a slice."""
    if builder.faulty("obj"):
        return builder.one_of(size + 1, [0, -size - 1])
    places = st.integers(-size, size - 1) if size else st.nothing()
    if size and builder.chance(3):
        return builder.draw(places)
    if builder.chance(3):
        mask = builder.draw(st.lists(st.booleans(), min_size=size, max_size=size))
        return ArrayArg(np.array(mask, bool))
    if builder.chance(2):
        return slice(builder.one_of(None, 0, 1, -2), builder.one_of(None, 2, -1), 1)
    return builder.draw(st.lists(places, max_size=3)) if size else []


@constrain("delete")
def _delete(builder: CallBuilder) -> Arguments:
    x = builder.array(builder.draw(shapes(min_ndim=1)))
    axis = builder.one_of(None, *range(-x.values.ndim, x.values.ndim))
    size = x.values.size if axis is None else x.values.shape[axis]
    given = {"x": x, "obj": _obj(builder, size)}
    axis = x.values.ndim if builder.faulty("axis") else axis
    return {**given, "axis": OMIT if axis is None else axis}


@constrain("insert")
def _insert(builder: CallBuilder) -> Arguments:
    """Draw values of x's data type: how others are cast is not the subject."""
    dtype = builder.any_dtype()
    obj: Any
    shape, values, obj, axis = builder.one_of(
        ((3,), (), 1, OMIT), ((2, 3), (2,), 1, OMIT), ((2, 3), (3,), -1, 0), ((2, 3), (2,), 0, 1),
        ((2, 3), (2, 3), 2, 0), ((2, 3), (2, 1), [1], 1), ((2, 3), (1, 3), [0, 2, 0], 0),
        ((2, 3), (), [1, -1], 1), ((4,), (2,), slice(0, 2), 0), ((0,), (2,), 0, 0),
        ((3,), (2,), ArrayArg(np.array([True, False, True])), OMIT), ((3,), (), [], 0),
    )  # fmt: skip
    if builder.faulty("values"):
        shape, values, obj, axis = (2, 3), (2, 7), [0, 1], 1
    if builder.faulty("obj"):
        shape, values, obj, axis = (3,), (), builder.one_of(4, [5], [-4]), 0
    if builder.faulty("axis"):
        axis = 3
    x, new = builder.array(shape, dtype), builder.array(values, dtype)
    return {"x": x, "obj": obj, "values": new, "axis": axis}


@constrain("block")
def _block(builder: CallBuilder) -> Arguments:
    def array(*shape: int) -> ArrayArg:
        return builder.array(shape)

    forms: list[Any] = [
        array(2, 3), [array(2), array(1)], [array(2), 3.5], [1, 2.0],
        [[array(2, 2), array(2, 1)], [array(1, 3)]], [[array(3)], [array(3)]],
        [[array(1, 2, 2), array(2, 1)], [array(3)]],
    ]  # fmt: skip
    if builder.faulty("arrays"):
        forms = [[], [array(2), [array(2)]], [[array(2, 2), array(3, 2)]]]
    return {"arrays": builder.one_of(*forms)}


@constrain("select")
def _select(builder: CallBuilder) -> Arguments:
    count = builder.one_of(1, 2, 3)
    bools = builder.any_dtype("f") if builder.faulty("condlist") else dtypes.bool
    dtype = builder.any_dtype()
    conditions = [builder.array(builder.shape(), bools) for _ in range(count)]
    choices: list[Any] = [builder.array(builder.shape(), dtype) for _ in range(count)]
    if builder.chance(3):
        choices[0] = builder.draw(python_scalars(dtype, "small"))
    if builder.faulty("choicelist"):
        choices.append(builder.array(()))
    default = builder.draw(python_scalars(dtype, "small"))
    given = {"condlist": conditions, "choicelist": choices}
    return {**given, "default": builder.one_of(default, builder.array(()))}
