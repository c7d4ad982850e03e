"""Constraints of counts, covariances and series."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from tests.differential.case import ArrayArg
from tests.differential.constraints._registry import SHAPES, Arguments, constrain
from tests.differential.strategies import OMIT, shapes

if TYPE_CHECKING:
    from tests.differential.arguments import Drawer

__all__: list[str] = []

_FINITE = ("small", "moderate")
_USUAL = ("small", "moderate", "light")


def _omitted(drawer: Drawer, value: Any) -> Any:
    return OMIT if drawer.chance(3) else value


def _whole(drawer: Drawer, low: int, high: int, size: int, kinds: str = "iu") -> ArrayArg:
    """Draw integers of any integer data type."""
    dtype = drawer.any_dtype(kinds)
    low = max(low, 0) if dtype.kind == "u" else low
    drawn = drawer.draw(st.lists(st.integers(low, high), min_size=size, max_size=size))
    return ArrayArg(np.array(drawn, dtype.name))


@constrain("percentile")
def _percentile(drawer: Drawer) -> Arguments:
    shares = st.sampled_from([0.0, 12.5, 25, 50.0, 75.0, 100])
    q: Any = drawer.draw(shares)
    if drawer.chance(2):
        shape = drawer.one_of((), (2,), (0,), (2, 1))
        size = math.prod(shape)
        drawn = drawer.draw(st.lists(shares, min_size=size, max_size=size))
        q = ArrayArg(np.asarray(drawn, drawer.any_dtype("f").name).reshape(shape))
    if drawer.faulty("q"):
        q = 150
    return {"x": drawer.array(drawer.draw(shapes()), magnitudes=_USUAL), "q": q}


@constrain("cummax", "cummin")
def _running(drawer: Drawer) -> Arguments:
    low, high = (0, 0) if drawer.faulty("x") else (1, 4)
    x = drawer.array(drawer.draw(shapes(low, high)))
    ndim = x.values.ndim
    axis: Any = OMIT if ndim == 1 and drawer.chance(2) else 0
    if axis is not OMIT and ndim:
        axis = drawer.draw(st.integers(-ndim, ndim - 1))
    return {"x": x, "axis": ndim if drawer.faulty("axis") else axis}


SHAPES["trapezoid"] = ((2,),)


@constrain("trapezoid")
def _trapezoid(drawer: Drawer) -> Arguments:
    shape = drawer.one_of((2,), (3,), (2, 3), (3, 2, 2), (0,), (1,), (2, 1))
    axis = drawer.draw(st.integers(-len(shape), len(shape) - 1))
    size = shape[axis]
    # Another number of places than one or these fits no shape.
    own = drawer.one_of((size,), shape)
    x = drawer.array((size + 3,) if drawer.faulty("x") and size > 1 else own, magnitudes=_FINITE)
    return {
        "y": drawer.array(shape, magnitudes=_FINITE), "x": drawer.one_of(None, x),
        "dx": _omitted(drawer, drawer.one_of(0.5, 2)),
        "axis": len(shape) if drawer.faulty("axis") else _omitted(drawer, axis),
    }  # fmt: skip


SHAPES["interp"] = ((2,), (2,), (2,))


@constrain("interp")
def _interp(drawer: Drawer) -> Arguments:
    size = drawer.one_of(1, 2, 3, 5)
    kinds = drawer.one_of("f", "f", "iu")
    # Distinct ones: between two at one place there is a step, on either side of which x may be.
    drawn = drawer.draw(
        st.lists(st.integers(0, 12), min_size=size, max_size=size, unique=True).map(sorted)
    )
    period = drawer.chance(4)
    if drawer.smooth:
        kinds = "f"
    points = ArrayArg(np.array(drawn, drawer.any_dtype(kinds).name))
    wrong = size + 1 if drawer.faulty("values") else size
    kind = drawer.any_dtype("fc") if drawer.smooth else drawer.any_dtype("iufc")
    if drawer.faulty("points"):
        points = drawer.array((size, 1), drawer.any_dtype("f"), _FINITE)
    x_dtype = drawer.any_dtype("c") if drawer.faulty("x") else drawer.any_dtype("bif")
    if drawer.smooth:
        x_dtype = drawer.any_dtype("f")
    # Between and beyond the points; of finite numbers, as NumPy's own function isn't exact at
    # infinity.
    return {
        "x": drawer.array(drawer.draw(shapes()), x_dtype, ("small", "small", "moderate")),
        "points": points, "values": drawer.array((wrong,), kind, _FINITE),
        "left": _omitted(drawer, drawer.one_of(None, -1.0, 2)),
        "right": _omitted(drawer, drawer.one_of(None, 7, 0.5)),
        # The length of a period is no point: there x % period jumps.
        "period": (0 if drawer.faulty("period") else 16) if period else OMIT,
    }  # fmt: skip


SHAPES["segment_sum"] = ((1,), (1,))


@constrain("segment_sum")
def _segment_sum(drawer: Drawer) -> Arguments:
    shape = () if drawer.faulty("x") else drawer.draw(shapes(min_ndim=1))
    dtype = drawer.any_dtype("iufc")
    ids = _whole(drawer, -1, 4, shape[0] if shape else 1)
    if drawer.faulty("segment_ids"):
        ids = _whole(drawer, 0, 2, shape[0] + 1)
    return {
        "x": drawer.array(shape, dtype, ("small", "moderate", "wide") if dtype.kind in "iu"
                          else _FINITE),
        "segment_ids": ids,
        "num_segments": -1 if drawer.faulty("num_segments") else drawer.one_of(0, 1, 4, 6),
    }  # fmt: skip


@constrain("bincount")
def _bincount(drawer: Drawer) -> Arguments:
    size = drawer.one_of(0, 1, 3, 5)
    length = drawer.one_of(None, 0, 2, 6) if not drawer.faulty("length") else -1
    low = -1 if length is not None or drawer.faulty("x") else 0
    x = _whole(drawer, low, 4, size)
    if drawer.faulty("dtype"):
        x = drawer.array((size,), drawer.any_dtype("f"), ("small",))
    wrong = size + 1 if drawer.faulty("weights") else size
    weights = drawer.array((wrong,), drawer.any_dtype("buif"), _FINITE)
    return {
        "x": x, "weights": _omitted(drawer, weights),
        "minlength": -1 if drawer.faulty("minlength") else drawer.one_of(OMIT, 0, 3),
        "length": length,
    }  # fmt: skip


@constrain("histogram")
def _histogram(drawer: Drawer) -> Arguments:
    # Edges of these are exact: others fall on either side of an element.
    shape = drawer.draw(shapes())
    limits = drawer.one_of((0, 4), (-2.0, 2.0), (-8.0, 24.0))
    dtype = drawer.any_dtype("c") if drawer.faulty("x") else drawer.any_dtype("buif")
    bins = drawer.one_of(1, 2, 4, ArrayArg(np.array([-2.0, 0.0, 0.5, 3.0])))
    if drawer.faulty("range"):
        limits, bins = drawer.one_of((2, 0), (0.0, math.inf)), 2
    given = OMIT if drawer.chance(3) and not drawer.faulty("range") else limits
    wrong = (*shape, 2) if drawer.faulty("weights") else shape
    weights = drawer.array(wrong, drawer.any_dtype("uifc"), ("small",))
    magnitude = ("small",) if given is OMIT else ("small", "moderate", "light")
    x = drawer.array(shape, dtype, magnitude)
    if given is OMIT and x.values.dtype.kind in "uif":
        # Extremes whose difference is a power of two.
        x = ArrayArg(np.clip(x.values, 0, 2), x.view)
    density = drawer.one_of(OMIT, False, True)
    if density is True:  # the sum of positive numbers isn't lost
        weights = ArrayArg(
            np.abs(weights.values) if weights.values.dtype.kind != "u" else weights.values
        )
    return {
        "x": x, "bins": 0 if drawer.faulty("bins") else bins, "range": given,
        "weights": _omitted(drawer, weights), "density": density,
    }  # fmt: skip


@constrain("unravel_index")
def _unravel_index(drawer: Drawer) -> Arguments:
    shape = drawer.one_of((), (3,), (2, 3), (4, 1, 2), 5)
    if drawer.faulty("shape"):
        shape = (2, 0)
    size = math.prod(shape) if isinstance(shape, tuple) else shape
    of = drawer.draw(shapes()) if size > 1 else ()  # NumPy has one index for an array of no axes
    flat = _whole(drawer, 0, max(size - 1, 0), math.prod(of))
    indices = ArrayArg(flat.values.reshape(of))
    if drawer.faulty("indices"):
        indices = drawer.array(of, drawer.any_dtype("f"), ("small",))
    return {"indices": indices, "shape": shape}


@constrain("cov", "corrcoef")
def _cov(drawer: Drawer) -> Arguments:
    variables, count = drawer.one_of(1, 2, 3), drawer.one_of(2, 3, 5)
    rows = drawer.one_of(OMIT, True, False)
    form = (count, variables) if rows is False else (variables, count)
    form = drawer.one_of(form, (count,))
    other = drawer.one_of((count,), (count, 2) if rows is False else (2, count))
    if drawer.faulty("y"):
        other = (count + 1,)
    if drawer.faulty("x"):
        form = (*form, 1, 2)
    given: Arguments = {
        "x": drawer.array(form, magnitudes=("moderate",)),
        "y": drawer.one_of(None, drawer.array(other, magnitudes=("moderate",))),
        "rowvar": rows,
    }
    if drawer.contract.name == "corrcoef":
        return given
    wrong = count + 1 if drawer.faulty("fweights") else count
    repeats = _whole(drawer, 1, 3, wrong)
    shares = st.sampled_from([0.5, 1.0, 2.0, 3.0])
    size = count + 1 if drawer.faulty("aweights") else count
    weights = drawer.draw(st.lists(shares, min_size=size, max_size=size))
    numbers = np.array(weights, drawer.any_dtype("f").name)
    return {
        **given, "fweights": _omitted(drawer, repeats),
        "aweights": _omitted(drawer, ArrayArg(numbers)),
        "correction": drawer.one_of(OMIT, 0, 1.0),
    }  # fmt: skip
