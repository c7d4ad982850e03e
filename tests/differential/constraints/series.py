"""Constraints of counts, covariances and series."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from arrayapi_unify import dtypes
from tests.differential.case import ArrayArg
from tests.differential.constraints._registry import SHAPES, Arguments, constrain
from tests.differential.strategies import OMIT, shapes

if TYPE_CHECKING:
    from tests.differential.arguments import CallBuilder

__all__: list[str] = []

_FINITE = ("small", "moderate")
_USUAL = ("small", "moderate", "light")


def _omitted(builder: CallBuilder, value: Any) -> Any:
    return OMIT if builder.chance(3) else value


def _whole(builder: CallBuilder, low: int, high: int, size: int, kinds: str = "iu") -> ArrayArg:
    """Draw integers of any integer data type."""
    dtype = builder.any_dtype(kinds)
    low = max(low, 0) if dtype.kind == "u" else low
    drawn = builder.draw(st.lists(st.integers(low, high), min_size=size, max_size=size))
    return ArrayArg(np.array(drawn, dtype.name))


@constrain("percentile")
def _percentile(builder: CallBuilder) -> Arguments:
    shares = st.sampled_from([0.0, 12.5, 25, 50.0, 75.0, 100])
    q: Any = builder.draw(shares)
    if builder.chance(2):
        shape = builder.one_of((), (2,), (0,), (2, 1))
        size = math.prod(shape)
        drawn = builder.draw(st.lists(shares, min_size=size, max_size=size))
        q = ArrayArg(np.asarray(drawn, builder.any_dtype("f").name).reshape(shape))
    if builder.faulty("q"):
        q = 150
    return {"x": builder.array(builder.draw(shapes()), magnitudes=_USUAL), "q": q}


@constrain("cummax", "cummin")
def _running(builder: CallBuilder) -> Arguments:
    low, high = (0, 0) if builder.faulty("x") else (1, 4)
    x = builder.array(builder.draw(shapes(low, high)))
    ndim = x.values.ndim
    axis: Any = OMIT if ndim == 1 and builder.chance(2) else 0
    if axis is not OMIT and ndim:
        axis = builder.draw(st.integers(-ndim, ndim - 1))
    return {"x": x, "axis": ndim if builder.faulty("axis") else axis}


SHAPES["trapezoid"] = ((2,),)


@constrain("trapezoid")
def _trapezoid(builder: CallBuilder) -> Arguments:
    shape = builder.one_of((2,), (3,), (2, 3), (3, 2, 2), (0,), (1,), (2, 1))
    axis = builder.draw(st.integers(-len(shape), len(shape) - 1))
    size = shape[axis]
    # A number of positions other than one or these is incompatible with every shape.
    own = builder.one_of((size,), shape)
    x = builder.array((size + 3,) if builder.faulty("x") and size > 1 else own, magnitudes=_FINITE)
    return {
        "y": builder.array(shape, magnitudes=_FINITE), "x": builder.one_of(None, x),
        "dx": _omitted(builder, builder.one_of(0.5, 2)),
        "axis": len(shape) if builder.faulty("axis") else _omitted(builder, axis),
    }  # fmt: skip


SHAPES["gradient"] = ((2,),)


@constrain("gradient")
def _gradient(builder: CallBuilder) -> Arguments:
    shape = builder.one_of((2,), (3,), (5,), (3, 3), (2, 3), (3, 4, 3), (0,), (1,))
    order = 3 if builder.faulty("edge_order") else builder.one_of(OMIT, 1, 2)
    axis: Any = builder.draw(st.integers(-len(shape), len(shape) - 1))
    axis = builder.one_of(OMIT, None, axis, (axis,), tuple(range(len(shape)))[::-1])
    several = axis in (OMIT, None) or isinstance(axis, tuple)
    axes = list(axis) if isinstance(axis, tuple) else range(len(shape)) if several else [axis]

    def distance(size: int) -> Any:
        size = size + 2 if builder.faulty("varargs") else size
        steps = np.array([builder.one_of(0.5, 1.0, 3.0) for _ in range(size)])
        return builder.one_of(0.5, 2, ArrayArg(np.cumsum(steps)))

    each = tuple(distance(shape[a]) for a in axes)
    return {
        "f": builder.array(shape, magnitudes=_FINITE),
        "varargs": builder.one_of((), (builder.one_of(0.25, 3),), each),
        "axis": len(shape) if builder.faulty("axis") else axis, "edge_order": order,
    }  # fmt: skip


@constrain("ediff1d")
def _ediff1d(builder: CallBuilder) -> Arguments:
    x = builder.array(builder.draw(shapes()))
    kind = "iu" if builder.faulty("to_end") and x.values.dtype.kind == "u" else ""
    ends = [
        builder.one_of(OMIT, None, 3, builder.array((2,), dtypes.as_dtype(x.values.dtype.name)))
        for _ in range(2)
    ]
    if builder.faulty("to_end") and not kind:
        ends[0] = ArrayArg(np.array([1j]))
    return {"x": x, "to_end": ends[0], "to_begin": ends[1]}


SHAPES["convolve"] = ((2,), (2,))


@constrain("convolve")
def _convolve(builder: CallBuilder) -> Arguments:
    forms = [builder.one_of((), (1,), (2,), (3,), (5,)) for _ in range(2)]
    if builder.faulty("x1"):
        forms[0] = builder.one_of((0,), (2, 2))
    x1, x2 = (builder.array(form, magnitudes=_FINITE) for form in forms)
    return {"x1": x1, "x2": x2}


@constrain("average")
def _average(builder: CallBuilder) -> Arguments:
    shape = builder.draw(shapes(nonempty=True))
    x = builder.array(shape, magnitudes=_FINITE)
    axis: Any = builder.draw(st.integers(-len(shape), len(shape) - 1)) if shape else None
    both = tuple(range(len(shape)))[::-1]
    axis = builder.one_of(OMIT, None, axis, both if len(shape) > 1 else axis)
    axes = both if axis in (OMIT, None) else axis if isinstance(axis, tuple) else (axis,)
    form = shape if axis in (OMIT, None) else builder.one_of(shape, tuple(shape[a] for a in axes))
    form = (*form, 7) if builder.faulty("weights") else form
    drawn = [builder.one_of(0.5, 1.0, 2.0, 3.0) for _ in range(math.prod(form))]
    weights = ArrayArg(np.array(drawn, builder.any_dtype("fc").name).reshape(form))
    return {
        "x": x, "axis": len(shape) if builder.faulty("axis") else axis,
        "weights": builder.one_of(None, weights, weights),
    }  # fmt: skip


SHAPES["digitize"] = ((2,), (2,))


@constrain("digitize")
def _digitize(builder: CallBuilder) -> Arguments:
    bins = builder.array((builder.one_of(0, 1, 2, 5),), magnitudes=("small", "moderate"))
    edges = np.sort(bins.values)
    if builder.faulty("bins"):
        edges = np.array([0, 2, 1]).astype(edges.dtype)
    edges = edges[::-1] if builder.chance(2) else edges
    x = builder.array(builder.draw(shapes()), dtypes.as_dtype(edges.dtype.name))
    return {"x": x, "bins": ArrayArg(np.array(edges))}


SHAPES["interp"] = ((2,), (2,), (2,))


@constrain("interp")
def _interp(builder: CallBuilder) -> Arguments:
    size = builder.one_of(1, 2, 3, 5)
    kinds = builder.one_of("f", "f", "iu")
    # Distinct points: two equal ones make a step, and rounding may put x on either side.
    drawn = builder.draw(
        st.lists(st.integers(0, 12), min_size=size, max_size=size, unique=True).map(sorted)
    )
    period = builder.chance(4)
    if builder.smooth:
        kinds = "f"
    points = ArrayArg(np.array(drawn, builder.any_dtype(kinds).name))
    wrong = size + 1 if builder.faulty("fp") else size
    kind = builder.any_dtype("fc") if builder.smooth else builder.any_dtype("iufc")
    if builder.faulty("xp"):
        points = builder.array((size, 1), builder.any_dtype("f"), _FINITE)
    x_dtype = builder.any_dtype("c") if builder.faulty("x") else builder.any_dtype("bif")
    if builder.smooth:
        x_dtype = builder.any_dtype("f")
    # Between and beyond the points; finite, because NumPy's own function isn't exact at infinity.
    return {
        "x": builder.array(builder.draw(shapes()), x_dtype, ("small", "small", "moderate")),
        "xp": points, "fp": builder.array((wrong,), kind, _FINITE),
        "left": _omitted(builder, builder.one_of(None, -1.0, 2)),
        "right": _omitted(builder, builder.one_of(None, 7, 0.5)),
        # No point at the period, where x % period jumps.
        "period": (0 if builder.faulty("period") else 16) if period else OMIT,
    }  # fmt: skip


SHAPES["segment_sum"] = ((1,), (1,))


@constrain("segment_sum")
def _segment_sum(builder: CallBuilder) -> Arguments:
    shape = () if builder.faulty("x") else builder.draw(shapes(min_ndim=1))
    dtype = builder.any_dtype("iufc")
    ids = _whole(builder, -1, 4, shape[0] if shape else 1)
    if builder.faulty("segment_ids"):
        ids = _whole(builder, 0, 2, shape[0] + 1)
    return {
        "x": builder.array(shape, dtype, ("small", "moderate", "wide") if dtype.kind in "iu"
                          else _FINITE),
        "segment_ids": ids,
        "num_segments": -1 if builder.faulty("num_segments") else builder.one_of(0, 1, 4, 6),
    }  # fmt: skip


@constrain("bincount")
def _bincount(builder: CallBuilder) -> Arguments:
    size = builder.one_of(0, 1, 3, 5)
    length = builder.one_of(None, 0, 2, 6) if not builder.faulty("length") else -1
    low = -1 if length is not None or builder.faulty("x") else 0
    x = _whole(builder, low, 4, size)
    if builder.faulty("dtype"):
        x = builder.array((size,), builder.any_dtype("f"), ("small",))
    wrong = size + 1 if builder.faulty("weights") else size
    weights = builder.array((wrong,), builder.any_dtype("buif"), _FINITE)
    return {
        "x": x, "weights": _omitted(builder, weights),
        "minlength": -1 if builder.faulty("minlength") else builder.one_of(OMIT, 0, 3),
        "length": length,
    }  # fmt: skip


@constrain("histogram")
def _histogram(builder: CallBuilder) -> Arguments:
    # Edges that are exact: rounding could put others on either side of an element.
    shape = builder.draw(shapes())
    limits = builder.one_of((0, 4), (-2.0, 2.0), (-8.0, 24.0))
    dtype = builder.any_dtype("c") if builder.faulty("x") else builder.any_dtype("buif")
    bins = builder.one_of(1, 2, 4, ArrayArg(np.array([-2.0, 0.0, 0.5, 3.0])))
    if builder.faulty("range"):
        limits, bins = builder.one_of((2, 0), (0.0, math.inf)), 2
    given = OMIT if builder.chance(3) and not builder.faulty("range") else limits
    wrong = (*shape, 2) if builder.faulty("weights") else shape
    weights = builder.array(wrong, builder.any_dtype("uifc"), ("small",))
    magnitude = ("small",) if given is OMIT else ("small", "moderate", "light")
    x = builder.array(shape, dtype, magnitude)
    if given is OMIT and x.values.dtype.kind in "uif":
        # Extremes whose difference is a power of two.
        x = ArrayArg(np.clip(x.values, 0, 2), x.view)
    density = builder.one_of(OMIT, False, True)
    if density is True:  # a sum of positive numbers doesn't cancel
        weights = ArrayArg(
            np.abs(weights.values) if weights.values.dtype.kind != "u" else weights.values
        )
    return {
        "x": x, "bins": 0 if builder.faulty("bins") else bins, "range": given,
        "weights": _omitted(builder, weights), "density": density,
    }  # fmt: skip


@constrain("histogram2d", "histogramdd")
def _grids(builder: CallBuilder) -> Arguments:
    """Draw points whose edges are exact."""
    rank = 2 if builder.contract.name == "histogram2d" else builder.one_of(1, 2, 3)
    count = builder.draw(st.integers(0, 6))
    wrong = (count + 1,) if builder.faulty("weights") else (count,)
    weights = builder.array(wrong, builder.any_dtype("uif"), ("small",))
    density = builder.one_of(OMIT, False)
    given: Arguments = {
        "bins": 0 if builder.faulty("bins") else builder.one_of(1, 2, (2,) * (rank - 1) + (4,)),
        "range": ((2, 0),) * rank if builder.faulty("range") else ((-2.0, 2.0),) * rank,
        "weights": _omitted(builder, weights), "density": density,
    }  # fmt: skip
    magnitude = ("small", "moderate", "light")
    if rank == 2 and builder.contract.name == "histogram2d":
        dtypes = [builder.any_dtype("c") if builder.faulty("x") else builder.any_dtype("buif")]
        dtypes.append(builder.any_dtype("c") if builder.faulty("y") else dtypes[0])
        x, y = (builder.array((count,), dtype, magnitude) for dtype in dtypes)
        return {"x": x, "y": y, **given}
    dtype = builder.any_dtype("c") if builder.faulty("sample") else builder.any_dtype("buif")
    return {"sample": builder.array((count, rank), dtype, magnitude), **given}


@constrain("unravel_index")
def _unravel_index(builder: CallBuilder) -> Arguments:
    shape = builder.one_of((), (3,), (2, 3), (4, 1, 2), 5)
    if builder.faulty("shape"):
        shape = (2, 0)
    size = math.prod(shape) if isinstance(shape, tuple) else shape
    of = builder.draw(shapes()) if size > 1 else ()  # NumPy returns one index for a 0-d array
    flat = _whole(builder, 0, max(size - 1, 0), math.prod(of))
    indices = ArrayArg(flat.values.reshape(of))
    if builder.faulty("indices"):
        indices = builder.array(of, builder.any_dtype("f"), ("small",))
    return {"indices": indices, "shape": shape}


@constrain("cov", "corrcoef")
def _cov(builder: CallBuilder) -> Arguments:
    variables, count = builder.one_of(1, 2, 3), builder.one_of(2, 3, 5)
    rows = builder.one_of(OMIT, True, False)
    form = (count, variables) if rows is False else (variables, count)
    form = builder.one_of(form, (count,))
    other = builder.one_of((count,), (count, 2) if rows is False else (2, count))
    if builder.faulty("y"):
        other = (count + 1,)
    if builder.faulty("x"):
        form = (*form, 1, 2)
    given: Arguments = {
        "x": builder.array(form, magnitudes=("moderate",)),
        "y": builder.one_of(None, builder.array(other, magnitudes=("moderate",))),
        "rowvar": rows,
    }
    if builder.contract.name == "corrcoef":
        return given
    wrong = count + 1 if builder.faulty("fweights") else count
    repeats = _whole(builder, 1, 3, wrong)
    shares = st.sampled_from([0.5, 1.0, 2.0, 3.0])
    size = count + 1 if builder.faulty("aweights") else count
    weights = builder.draw(st.lists(shares, min_size=size, max_size=size))
    numbers = np.array(weights, builder.any_dtype("f").name)
    return {
        **given, "fweights": _omitted(builder, repeats),
        "aweights": _omitted(builder, ArrayArg(numbers)),
        "correction": builder.one_of(OMIT, 0, 1.0),
    }  # fmt: skip
