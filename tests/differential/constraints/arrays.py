"""Constraints of manipulation, indexing, searching, sorting, statistical and utility functions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from arrayapi_unify import dtypes
from tests.differential.case import ArrayArg
from tests.differential.constraints._registry import Arguments, constrain
from tests.differential.constraints.creation import castable
from tests.differential.indexing import names_twice, places_of
from tests.differential.strategies import OMIT, broadcastable, python_scalars, shapes

if TYPE_CHECKING:
    from tests.differential.arguments import Drawer

__all__: list[str] = []


def _axis_of(drawer: Drawer, ndim: int) -> int:
    if drawer.faulty("axis"):
        return int(drawer.one_of(ndim, -ndim - 1))
    return int(drawer.draw(st.integers(-ndim, ndim - 1)))


# --- manipulation -----------------------------------------------------------------------------


@constrain("broadcast_to")
def _broadcast_to(drawer: Drawer) -> Arguments:
    shape = drawer.draw(shapes())
    x = drawer.array(drawer.draw(broadcastable(shape)))
    return {"x": x, "shape": (*shape, 7) if drawer.faulty("shape") else shape}


@constrain("broadcast_shapes")
def _broadcast_shapes(drawer: Drawer) -> Arguments:
    shape = drawer.draw(shapes())
    found = tuple(drawer.draw(broadcastable(shape)) for _ in range(drawer.one_of(1, 2, 3)))
    return {"shapes": (*found, (*shape, 7), (5,)) if drawer.faulty("shapes") else found}


@constrain("concat")
def _concat(drawer: Drawer) -> Arguments:
    if drawer.chance(5):
        count = drawer.one_of(1, 2, 3)
        return {"arrays": [drawer.array(drawer.draw(shapes())) for _ in range(count)], "axis": None}
    shape = drawer.draw(shapes(min_ndim=1))
    axis = _axis_of(drawer, len(shape))
    arrays = []
    for _ in range(drawer.one_of(1, 2, 3)):
        sides = list(shape)
        if not drawer.faulty("axis"):
            sides[axis] = drawer.one_of(0, 1, 2)
        if drawer.faulty("arrays"):
            sides = [side + drawer.one_of(0, 1) for side in sides]
        arrays.append(drawer.array(tuple(sides)))
    return {"arrays": arrays, "axis": axis}


@constrain("stack")
def _stack(drawer: Drawer) -> Arguments:
    shape = drawer.draw(shapes(max_ndim=3))
    arrays = [drawer.array(shape) for _ in range(drawer.one_of(1, 2, 3))]
    if drawer.faulty("arrays"):
        arrays.append(drawer.array((*shape, 2)))
    return {"arrays": arrays, "axis": _axis_of(drawer, len(shape) + 1)}


@constrain("expand_dims")
def _expand_dims(drawer: Drawer) -> Arguments:
    x = drawer.array(drawer.draw(shapes(max_ndim=3)))
    ndim = x.values.ndim
    if drawer.chance(2):
        return {"x": x, "axis": _axis_of(drawer, ndim + 1)}
    axes = drawer.draw(st.permutations(range(ndim + 2)))[:2]
    return {"x": x, "axis": tuple(axes)}


@constrain("squeeze")
def _squeeze(drawer: Drawer) -> Arguments:
    x = drawer.array(drawer.one_of((1,), (1, 3), (3, 1), (2, 1, 3), (1, 1), (1, 2, 1, 3), (1, 0)))
    shape = x.values.shape
    ones = [a - drawer.one_of(0, len(shape)) for a, side in enumerate(shape) if side == 1]
    if drawer.faulty("axis"):
        return {"x": x, "axis": drawer.one_of(len(shape), -len(shape) - 1)}
    if drawer.chance(2):
        return {"x": x, "axis": tuple(ones[: drawer.draw(st.integers(0, len(ones)))])}
    return {"x": x, "axis": drawer.one_of(*ones)}


@constrain("moveaxis")
def _moveaxis(drawer: Drawer) -> Arguments:
    x = drawer.array(drawer.draw(shapes(min_ndim=1)))
    ndim = x.values.ndim
    if drawer.chance(2):
        source = ndim if drawer.faulty("source") else drawer.draw(st.integers(-ndim, ndim - 1))
        return {"x": x, "source": source, "destination": drawer.draw(st.integers(-ndim, ndim - 1))}
    count = drawer.draw(st.integers(0, ndim))
    order = st.permutations(range(ndim))
    source, destination = (tuple(drawer.draw(order)[:count]) for _ in range(2))
    return {"x": x, "source": source, "destination": destination}


@constrain("reshape")
def _reshape(drawer: Drawer) -> Arguments:
    x = drawer.array(drawer.draw(shapes()))
    size = x.values.size
    forms: list[Any] = [(size,), (1, size), x.values.shape, x.values.shape[::-1]]
    if size:
        forms += [(-1,), (-1, size), (1, -1, 1)] + [(2, -1)] * (size % 2 == 0)
    shape = drawer.one_of(*forms)
    return {"x": x, "shape": (size + 1,) if drawer.faulty("shape") else shape}


@constrain("roll")
def _roll(drawer: Drawer) -> Arguments:
    x = drawer.array(drawer.draw(shapes()))
    ndim = x.values.ndim
    if not ndim or drawer.chance(2):
        return {"x": x}
    shift = st.integers(-4, 4)
    axes = drawer.draw(st.lists(st.integers(-ndim, ndim - 1), min_size=1, max_size=2))
    shifts = tuple(drawer.draw(shift) for _ in axes)
    if drawer.faulty("shift"):
        shifts = (*shifts, 1)
    return {"x": x, "shift": shifts, "axis": tuple(axes)}


@constrain("repeat")
def _repeat(drawer: Drawer) -> Arguments:
    x = drawer.array(drawer.draw(shapes()))
    shape = x.values.shape
    axis = _axis_of(drawer, len(shape)) if shape and drawer.chance(2) else None
    side = x.values.size if axis is None else (shape[axis] if not drawer.faulty("axis") else 1)
    if drawer.chance(2):
        repeats: Any = -1 if drawer.faulty("repeats") else drawer.one_of(0, 1, 2, 3)
    else:
        dtype = drawer.any_dtype("iu").name
        size = side + 1 if drawer.faulty("repeats") else side
        counts = drawer.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
        repeats = ArrayArg(np.array(counts, dtype))
    return {"x": x, "repeats": repeats, "axis": OMIT if axis is None else axis}


# --- indexing ---------------------------------------------------------------------------------


def _indices(drawer: Drawer, shape: tuple[int, ...], side: int) -> ArrayArg:
    """Draw indices within bounds, or as a fault the first one behind them, which all refuse."""
    dtype = drawer.any_dtype("iu")
    low, high = (0 if dtype.kind == "u" else -side), max(side - 1, 0)
    if drawer.faulty("indices"):
        low = high = side
    elif not side:
        shape = (0,) if not shape else (0, *shape[1:])
    size = math.prod(shape)
    drawn = drawer.draw(st.lists(st.integers(low, high), min_size=size, max_size=size))
    return ArrayArg(np.array(drawn, dtype.name).reshape(shape))


@constrain("take")
def _take(drawer: Drawer) -> Arguments:
    x = drawer.array(drawer.draw(shapes(min_ndim=1)), drawer.any_dtype())
    axis = drawer.draw(st.integers(-x.values.ndim, x.values.ndim - 1))
    shape = drawer.one_of((0,), (1,), (3,), (), (2, 2))
    indices = _indices(drawer, shape, x.values.shape[axis])
    if drawer.faulty("axis"):
        axis = x.values.ndim
    return {"x": x, "indices": indices, "axis": axis}


@constrain("take_along_axis")
def _take_along_axis(drawer: Drawer) -> Arguments:
    """Draw arrays with elements: without any, each index is out of bounds, which is open."""
    x = drawer.array(drawer.draw(shapes(min_ndim=1, nonempty=True)), drawer.any_dtype())
    axis = drawer.draw(st.integers(-x.values.ndim, x.values.ndim - 1))
    shape = list(x.values.shape)
    shape[axis] = drawer.one_of(0, 1, 2, 3)
    indices = _indices(drawer, tuple(shape), x.values.shape[axis])
    return {"x": x, "indices": indices, "axis": axis}


@constrain("set_item")
def _set_item(drawer: Drawer) -> Arguments:
    """Draw a value that broadcasts to what is selected, and is of any data type."""
    dtype = drawer.any_dtype()
    drawer.values["x"] = x = drawer.array(drawer.draw(shapes()), dtype)
    key = drawer.by_role(drawer.contract.parameters[1])
    try:
        places = places_of(x, key)
    except (IndexError, ValueError):
        return {"key": key, "value": 0}
    value: Any
    if drawer.chance(3):
        value = drawer.draw(python_scalars(dtype, "small"))
        # A float out of range is undefined as an integer: see `castable`.
        if dtype.kind in "iu" and isinstance(value, float):
            value = abs(float(value)) if abs(value) < 100 else 2.5
        return {"key": key, "value": value}
    shape = drawer.draw(broadcastable(places.shape))
    if names_twice(x, key):
        shape = ()  # which of several values an element gets is open in the standard
    if drawer.faulty("value"):
        shape = (*places.shape, 7)
    value = castable(drawer, shape, drawer.any_dtype(), dtype)
    return {"key": key, "value": value}


# --- searching, sorting, utility --------------------------------------------------------------


@constrain("searchsorted")
def _searchsorted(drawer: Drawer) -> Arguments:
    """Draw a sorted array, or one that `sorter` sorts; NaN comes last.

    Complex numbers have no NaN: the standard searches real ones, and orders no others.
    """
    hard = drawer.chance(2)

    def array(shape: tuple[int, ...]) -> ArrayArg:
        if hard:
            return drawer.hard_array(shape, "f")
        dtype = drawer.dtype()
        without_nan = ("small", "moderate", "wide")
        return drawer.array(shape, dtype, without_nan if dtype.kind == "c" else None)

    x1 = array(drawer.draw(shapes(1, 1)))
    x2: Any = array(drawer.draw(shapes()))
    if drawer.chance(4) and not drawer.faulty("x2"):
        x2 = drawer.one_of(0, 1, 2.5, -1)
    if drawer.chance(2):
        order = np.argsort(x1.values, kind="stable").astype(drawer.any_dtype("iu").name)
        return {"x1": x1, "x2": x2, "sorter": ArrayArg(order)}
    return {"x1": ArrayArg(np.sort(x1.values), x1.view), "x2": x2, "sorter": OMIT}


@constrain("where")
def _where(drawer: Drawer) -> Arguments:
    dtype = drawer.any_dtype() if drawer.faulty("condition") else dtypes.bool
    return {"condition": drawer.array(drawer.shape(), dtype)}


@constrain("nonzero", "unstack", "sort", "argsort")
def _some_axis(drawer: Drawer) -> Arguments:
    return {"x": drawer.array(drawer.draw(shapes(0 if drawer.faulty("x") else 1)))}


@constrain("to_scalar")
def _to_scalar(drawer: Drawer) -> Arguments:
    forms = ((2,), (0,)) if drawer.faulty("x") else ((), (1,), (1, 1))
    return {"x": drawer.array(drawer.one_of(*forms))}


@constrain("diff")
def _diff(drawer: Drawer) -> Arguments:
    x = drawer.array(drawer.draw(shapes(min_ndim=1)))
    axis = _axis_of(drawer, x.values.ndim)
    given: Arguments = {"x": x, "axis": axis, "n": -1 if drawer.faulty("n") else 1}
    if not drawer.faulty("n"):
        given["n"] = drawer.one_of(0, 1, 1, 2, 3)
    for name in ("prepend", "append"):
        given[name] = OMIT
        if drawer.chance(3) and not drawer.faulty("axis"):
            shape = list(x.values.shape)
            shape[axis] = drawer.one_of(0, 1, 2)
            given[name] = drawer.array(drawer.one_of(tuple(shape), ()))
    return given


@constrain("sum", "prod", "cumulative_sum", "cumulative_prod")
def _folds(drawer: Drawer) -> Arguments:
    """Draw values that the data type of the result can take, if one is given: see `castable`."""
    cumulative = drawer.contract.name.startswith("cumulative")
    shape = drawer.draw(shapes(1 if cumulative else 0))
    # The order in which complex infinities are multiplied matters: (inf + 0j) * 1j is NaN + inf j.
    finite = ("small", "moderate")
    magnitudes = finite if drawer.contract.name.endswith("prod") else drawer.magnitudes
    dtype = drawer.dtype()
    given: Arguments = {"dtype": OMIT}
    if drawer.chance(3):
        given["dtype"] = target = drawer.any_dtype()
        given["x"] = castable(drawer, shape, dtype, target)
    else:
        given["x"] = drawer.array(shape, dtype, magnitudes if dtype.kind == "c" else None)
    if cumulative and len(shape) > 1:
        given["axis"] = _axis_of(drawer, len(shape))
    return given
