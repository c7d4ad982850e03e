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
    from tests.differential.arguments import CallBuilder

__all__: list[str] = []


def _axis_of(builder: CallBuilder, ndim: int) -> int:
    if builder.faulty("axis"):
        return int(builder.one_of(ndim, -ndim - 1))
    return int(builder.draw(st.integers(-ndim, ndim - 1)))


# --- manipulation -----------------------------------------------------------------------------


@constrain("broadcast_to")
def _broadcast_to(builder: CallBuilder) -> Arguments:
    shape = builder.draw(shapes())
    x = builder.array(builder.draw(broadcastable(shape)))
    return {"x": x, "shape": (*shape, 7) if builder.faulty("shape") else shape}


@constrain("broadcast_shapes")
def _broadcast_shapes(builder: CallBuilder) -> Arguments:
    shape = builder.draw(shapes())
    found = tuple(builder.draw(broadcastable(shape)) for _ in range(builder.one_of(1, 2, 3)))
    return {"shapes": (*found, (*shape, 7), (5,)) if builder.faulty("shapes") else found}


@constrain("concat")
def _concat(builder: CallBuilder) -> Arguments:
    if builder.chance(5):
        count = builder.one_of(1, 2, 3)
        return {
            "arrays": [builder.array(builder.draw(shapes())) for _ in range(count)],
            "axis": None,
        }
    shape = builder.draw(shapes(min_ndim=1))
    axis = _axis_of(builder, len(shape))
    arrays = []
    for _ in range(builder.one_of(1, 2, 3)):
        sides = list(shape)
        if not builder.faulty("axis"):
            sides[axis] = builder.one_of(0, 1, 2)
        if builder.faulty("arrays"):
            sides = [side + builder.one_of(0, 1) for side in sides]
        arrays.append(builder.array(tuple(sides)))
    return {"arrays": arrays, "axis": axis}


@constrain("stack")
def _stack(builder: CallBuilder) -> Arguments:
    shape = builder.draw(shapes(max_ndim=3))
    arrays = [builder.array(shape) for _ in range(builder.one_of(1, 2, 3))]
    if builder.faulty("arrays"):
        arrays.append(builder.array((*shape, 2)))
    return {"arrays": arrays, "axis": _axis_of(builder, len(shape) + 1)}


@constrain("expand_dims")
def _expand_dims(builder: CallBuilder) -> Arguments:
    x = builder.array(builder.draw(shapes(max_ndim=3)))
    ndim = x.values.ndim
    if builder.chance(2):
        return {"x": x, "axis": _axis_of(builder, ndim + 1)}
    axes = builder.draw(st.permutations(range(ndim + 2)))[:2]
    return {"x": x, "axis": tuple(axes)}


@constrain("squeeze")
def _squeeze(builder: CallBuilder) -> Arguments:
    x = builder.array(builder.one_of((1,), (1, 3), (3, 1), (2, 1, 3), (1, 1), (1, 2, 1, 3), (1, 0)))
    shape = x.values.shape
    ones = [a - builder.one_of(0, len(shape)) for a, side in enumerate(shape) if side == 1]
    if builder.faulty("axis"):
        return {"x": x, "axis": builder.one_of(len(shape), -len(shape) - 1)}
    if builder.chance(2):
        return {"x": x, "axis": tuple(ones[: builder.draw(st.integers(0, len(ones)))])}
    return {"x": x, "axis": builder.one_of(*ones)}


@constrain("moveaxis")
def _moveaxis(builder: CallBuilder) -> Arguments:
    x = builder.array(builder.draw(shapes(min_ndim=1)))
    ndim = x.values.ndim
    if builder.chance(2):
        source = ndim if builder.faulty("source") else builder.draw(st.integers(-ndim, ndim - 1))
        return {"x": x, "source": source, "destination": builder.draw(st.integers(-ndim, ndim - 1))}
    count = builder.draw(st.integers(0, ndim))
    order = st.permutations(range(ndim))
    source, destination = (tuple(builder.draw(order)[:count]) for _ in range(2))
    return {"x": x, "source": source, "destination": destination}


@constrain("reshape")
def _reshape(builder: CallBuilder) -> Arguments:
    x = builder.array(builder.draw(shapes()))
    size = x.values.size
    forms: list[Any] = [(size,), (1, size), x.values.shape, x.values.shape[::-1]]
    if size:
        forms += [(-1,), (-1, size), (1, -1, 1)] + [(2, -1)] * (size % 2 == 0)
    shape = builder.one_of(*forms)
    return {"x": x, "shape": (size + 1,) if builder.faulty("shape") else shape}


@constrain("roll")
def _roll(builder: CallBuilder) -> Arguments:
    x = builder.array(builder.draw(shapes()))
    ndim = x.values.ndim
    if not ndim or builder.chance(2):
        return {"x": x}
    shift = st.integers(-4, 4)
    axes = builder.draw(st.lists(st.integers(-ndim, ndim - 1), min_size=1, max_size=2))
    shifts = tuple(builder.draw(shift) for _ in axes)
    if builder.faulty("shift"):
        shifts = (*shifts, 1)
    return {"x": x, "shift": shifts, "axis": tuple(axes)}


@constrain("repeat")
def _repeat(builder: CallBuilder) -> Arguments:
    x = builder.array(builder.draw(shapes()))
    shape = x.values.shape
    axis = _axis_of(builder, len(shape)) if shape and builder.chance(2) else None
    side = x.values.size if axis is None else (shape[axis] if not builder.faulty("axis") else 1)
    if builder.chance(2):
        repeats: Any = -1 if builder.faulty("repeats") else builder.one_of(0, 1, 2, 3)
    else:
        dtype = builder.any_dtype("iu").name
        size = side + 1 if builder.faulty("repeats") else side
        counts = builder.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
        repeats = ArrayArg(np.array(counts, dtype))
    return {"x": x, "repeats": repeats, "axis": OMIT if axis is None else axis}


# --- indexing ---------------------------------------------------------------------------------


def _indices(builder: CallBuilder, shape: tuple[int, ...], side: int) -> ArrayArg:
    """Draw indices within bounds, or as a fault the first one out of bounds."""
    dtype = builder.any_dtype("iu")
    low, high = (0 if dtype.kind == "u" else -side), max(side - 1, 0)
    limits = np.iinfo(dtype.name)
    if builder.faulty("indices"):
        low = high = side
        dtype = dtype if side <= limits.max else dtypes.int64
    elif not side:
        shape = (0,) if not shape else (0, *shape[1:])
    else:
        low, high = max(low, limits.min), min(high, limits.max)
    size = math.prod(shape)
    drawn = builder.draw(st.lists(st.integers(low, high), min_size=size, max_size=size))
    return ArrayArg(np.array(drawn, dtype.name).reshape(shape))


@constrain("take")
def _take(builder: CallBuilder) -> Arguments:
    x = builder.array(builder.draw(shapes(min_ndim=1)), builder.any_dtype())
    axis = builder.draw(st.integers(-x.values.ndim, x.values.ndim - 1))
    shape = builder.one_of((0,), (1,), (3,), (), (2, 2))
    indices = _indices(builder, shape, x.values.shape[axis])
    if builder.faulty("axis"):
        axis = x.values.ndim
    return {"x": x, "indices": indices, "axis": axis}


@constrain("take_along_axis")
def _take_along_axis(builder: CallBuilder) -> Arguments:
    """Draw nonempty arrays: in empty ones each index is out of bounds, which is unspecified."""
    x = builder.array(builder.draw(shapes(min_ndim=1, nonempty=True)), builder.any_dtype())
    axis = builder.draw(st.integers(-x.values.ndim, x.values.ndim - 1))
    shape = list(x.values.shape)
    shape[axis] = builder.one_of(0, 1, 2, 3)
    indices = _indices(builder, tuple(shape), x.values.shape[axis])
    return {"x": x, "indices": indices, "axis": axis}


@constrain("set_item")
def _set_item(builder: CallBuilder) -> Arguments:
    """Draw a value of any data type that broadcasts to the selection."""
    dtype = builder.any_dtype()
    builder.values["x"] = x = builder.array(builder.draw(shapes()), dtype)
    key = builder.by_role(builder.contract.parameters[1])
    try:
        places = places_of(x, key)
    except (IndexError, ValueError):
        return {"key": key, "value": 0}
    value: Any
    if builder.chance(3):
        value = builder.draw(python_scalars(dtype, "small"))
        # A float out of range is undefined as an integer: see `castable`.
        if dtype.kind in "iu" and isinstance(value, float):
            value = abs(float(value)) if abs(value) < 100 else 2.5
        return {"key": key, "value": value}
    shape = builder.draw(broadcastable(places.shape))
    if names_twice(x, key):
        shape = ()  # the standard doesn't specify which of several values an element gets
    if builder.faulty("value"):
        shape = (*places.shape, 7)
    value = castable(builder, shape, builder.any_dtype(), dtype)
    return {"key": key, "value": value}


# --- searching, sorting, utility --------------------------------------------------------------


@constrain("searchsorted")
def _searchsorted(builder: CallBuilder) -> Arguments:
    """Draw a sorted array, or one that `sorter` sorts; NaN comes last.

    Complex numbers have no NaN, because the standard orders real numbers only.
    """
    hard = builder.chance(2)

    def array(shape: tuple[int, ...]) -> ArrayArg:
        if hard:
            return builder.hard_array(shape, "f")
        dtype = builder.dtype()
        without_nan = ("small", "moderate", "wide")
        return builder.array(shape, dtype, without_nan if dtype.kind == "c" else None)

    x1 = array(builder.draw(shapes(1, 1)))
    x2: Any = array(builder.draw(shapes()))
    if builder.chance(4) and not builder.faulty("x2"):
        x2 = builder.one_of(0, 1, 2.5, -1)
    if builder.chance(2):
        order = np.argsort(x1.values, kind="stable").astype(builder.any_dtype("iu").name)
        return {"x1": x1, "x2": x2, "sorter": ArrayArg(order)}
    return {"x1": ArrayArg(np.sort(x1.values), x1.view), "x2": x2, "sorter": OMIT}


@constrain("where")
def _where(builder: CallBuilder) -> Arguments:
    dtype = builder.any_dtype() if builder.faulty("condition") else dtypes.bool
    return {"condition": builder.array(builder.shape(), dtype)}


@constrain("lexsort")
def _lexsort(builder: CallBuilder) -> Arguments:
    shape = builder.draw(shapes(min_ndim=1))
    keys = [
        builder.array(shape, builder.any_dtype(), ("small", "moderate"))
        for _ in range(0 if builder.faulty("keys") else builder.one_of(1, 2, 3))
    ]
    return {"keys": keys, "axis": _axis_of(builder, len(shape))}


@constrain("unique")
def _unique(builder: CallBuilder) -> Arguments:
    # Of complex numbers with NaN, NumPy returns any.
    dtype = builder.dtype()
    finite = ("small", "moderate") if dtype.kind == "c" else builder.magnitudes
    x = builder.array(builder.draw(shapes()), dtype, finite)
    # NumPy says nothing about slices without elements.
    return {"x": x} if x.values.size else {"x": x, "axis": OMIT}


@constrain("intersect1d", "union1d", "setdiff1d")
def _sets(builder: CallBuilder) -> Arguments:
    found: Arguments = {
        name: builder.array(builder.draw(shapes()), magnitudes=("small", "moderate"))
        for name in ("ar1", "ar2")
    }
    if builder.contract.name == "intersect1d":
        found["assume_unique"] = builder.one_of(OMIT, False)
    return found


@constrain("array_equal")
def _array_equal(builder: CallBuilder) -> Arguments:
    dtype, shape = builder.dtype(), builder.draw(shapes())
    a1 = builder.array(shape, dtype)
    return {"a1": a1, "a2": builder.one_of(a1, builder.array(shape), builder.array((2, 3)))}


@constrain("nonzero", "unstack", "sort", "argsort")
def _some_axis(builder: CallBuilder) -> Arguments:
    return {"x": builder.array(builder.draw(shapes(0 if builder.faulty("x") else 1)))}


@constrain("top_k")
def _top_k(builder: CallBuilder) -> Arguments:
    shape = () if builder.faulty("x") else builder.draw(shapes(min_ndim=1))
    x, axis = builder.array(shape), _axis_of(builder, len(shape)) if shape else -1
    size = shape[axis] if -len(shape) <= axis < len(shape) else 0
    k = builder.one_of(-1, size + 1) if builder.faulty("k") else builder.draw(st.integers(0, size))
    return {"x": x, "k": k, "axis": axis, "mode": builder.one_of(OMIT, "largest", "smallest")}


@constrain("to_scalar")
def _to_scalar(builder: CallBuilder) -> Arguments:
    forms = ((2,), (0,)) if builder.faulty("x") else ((), (1,), (1, 1))
    return {"x": builder.array(builder.one_of(*forms))}


@constrain("diff")
def _diff(builder: CallBuilder) -> Arguments:
    x = builder.array(builder.draw(shapes(min_ndim=1)))
    axis = _axis_of(builder, x.values.ndim)
    given: Arguments = {"x": x, "axis": axis, "n": -1 if builder.faulty("n") else 1}
    if not builder.faulty("n"):
        given["n"] = builder.one_of(0, 1, 1, 2, 3)
    for name in ("prepend", "append"):
        given[name] = OMIT
        if builder.chance(3) and not builder.faulty("axis"):
            shape = list(x.values.shape)
            shape[axis] = builder.one_of(0, 1, 2)
            given[name] = builder.array(builder.one_of(tuple(shape), ()))
    return given


@constrain("sum", "prod", "cumulative_sum", "cumulative_prod")
def _folds(builder: CallBuilder) -> Arguments:
    """Draw values that the given data type of the result can represent: see `castable`."""
    cumulative = builder.contract.name.startswith("cumulative")
    shape = builder.draw(shapes(1 if cumulative else 0))
    # The order in which complex infinities are multiplied matters: (inf + 0j) * 1j is NaN + inf j.
    finite = ("small", "moderate")
    magnitudes = finite if builder.contract.name.endswith("prod") else builder.magnitudes
    dtype = builder.dtype()
    given: Arguments = {"dtype": OMIT}
    if builder.chance(3):
        given["dtype"] = target = builder.any_dtype()
        given["x"] = castable(builder, shape, dtype, target)
    else:
        given["x"] = builder.array(shape, dtype, magnitudes if dtype.kind == "c" else None)
    if cumulative and len(shape) > 1:
        given["axis"] = _axis_of(builder, len(shape))
    return given
