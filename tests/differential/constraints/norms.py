"""Constraints of the normalizations beyond those of `layers`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from tests.differential.case import ArrayArg
from tests.differential.constraints._registry import SHAPES, Arguments, constrain
from tests.differential.strategies import OMIT, broadcastable, shapes

if TYPE_CHECKING:
    from tests.differential.arguments import CallBuilder

__all__: list[str] = []

_FINITE = ("small", "moderate")
# Large enough for values that are equal up to rounding.
_EPS = (0.125, 1.0)


def _omitted(builder: CallBuilder, value: Any) -> Any:
    return OMIT if builder.chance(3) else value


def _channels(
    builder: CallBuilder, shape: tuple[int, ...], *names: str, first: bool = False
) -> Any:
    """Draw the axis of the channels, and arrays of one number for each."""
    low = 0 if first else 1
    axis = builder.draw(st.integers(low, len(shape) - 1)) - builder.one_of(0, len(shape))
    given: Arguments = {"axis": OMIT if axis == 1 else axis}
    for name in names:
        size = shape[axis] + 1 if builder.faulty(name) else shape[axis]
        given[name] = builder.array((size,), magnitudes=_FINITE)
        if name in ("scale", "offset"):
            given[name] = _omitted(builder, given[name])
    if builder.faulty("axis"):
        given["axis"] = len(shape)
    return given


SHAPES["nn.batch_norm"] = ((1, 1), (1,), (1,))


@constrain("nn.batch_norm")
def _batch_norm(builder: CallBuilder) -> Arguments:
    shape = builder.one_of((2, 3), (3, 3), (3, 1), (2, 3, 2), (2, 1, 3))
    if builder.faulty("x"):
        shape = (1, 3)
    given = {"x": builder.array(shape, magnitudes=_FINITE)}
    names = ("mean", "variance", "scale", "offset")
    given |= _channels(builder, shape, *names, first=not builder.faulty("x"))
    variance = given["variance"].values
    if variance.dtype.kind in "fi":
        given["variance"] = ArrayArg(np.abs(variance))
    return {
        **given, "eps": builder.one_of(*_EPS), "training": builder.one_of(OMIT, False, True, True),
        "momentum": _omitted(builder, builder.one_of(0.25, 1)),
    }  # fmt: skip


SHAPES["nn.instance_norm"] = ((1, 1, 2),)


@constrain("nn.instance_norm")
def _instance_norm(builder: CallBuilder) -> Arguments:
    shape = builder.one_of((2, 3, 2), (2, 1, 3), (1, 2, 4), (1, 2, 2, 3), (0, 2, 3))
    if builder.faulty("x"):
        shape = builder.one_of((2, 3), (2, 3, 1))
    given = _channels(builder, shape, "scale", "offset") | {"eps": builder.one_of(*_EPS)}
    if builder.faulty("x") and len(shape) == 3:
        given |= {"axis": 1, "scale": OMIT, "offset": OMIT}
    return {"x": builder.array(shape, magnitudes=_FINITE), **given}


@constrain("nn.group_norm")
def _group_norm(builder: CallBuilder) -> Arguments:
    shape = builder.one_of((2, 4), (2, 4, 2), (2, 2, 4), (1, 2, 2, 4), (0, 4))
    if builder.faulty("x"):
        shape = (2, 1)
    given = _channels(builder, shape, "scale", "offset")
    place = 1 if given["axis"] is OMIT or given["axis"] == len(shape) else given["axis"]
    channels = shape[place]
    least = 1 if len(shape) > 2 and channels in (2, 4) else 2
    groups = builder.one_of(*(g for g in (1, 2) if channels // g >= least or g == 1))
    return {
        "x": builder.array(shape, magnitudes=_FINITE),
        "num_groups": builder.one_of(0, 3, -1) if builder.faulty("num_groups") else groups,
        **given, "eps": builder.one_of(*_EPS),
    }  # fmt: skip


@constrain("nn.local_response_norm")
def _local_response_norm(builder: CallBuilder) -> Arguments:
    shape = builder.one_of((2, 3), (3, 3), (2, 3, 2), (1, 3), (0, 3))
    x = builder.array(shape, magnitudes=_FINITE)
    return {
        "x": x,
        "size": builder.one_of(0, -2) if builder.faulty("size") else builder.one_of(1, 2, 3, 4),
        "alpha": _omitted(builder, builder.one_of(0.5, 1)),
        "beta": _omitted(builder, builder.one_of(0.5, 1)),
        "k": _omitted(builder, builder.one_of(2, 0.5)),
        **_channels(builder, shape, first=True),
    }  # fmt: skip


@constrain("nn.l1_normalize", "nn.l2_normalize")
def _unit(builder: CallBuilder) -> Arguments:
    return {
        "x": builder.array(builder.draw(shapes(nonempty=True)), magnitudes=_FINITE),
        "eps": 0.0 if builder.faulty("eps") else builder.one_of(OMIT, 0.5),
    }


@constrain("nn.rms_norm")
def _rms_norm(builder: CallBuilder) -> Arguments:
    shape = builder.draw(shapes(min_ndim=1, nonempty=True))
    ndim = len(shape)
    count = builder.draw(st.integers(1, ndim))
    axes: Any = tuple(builder.draw(st.permutations(range(ndim))))[:count]
    if builder.chance(2):
        axes = tuple(range(ndim - count, ndim))
    own = shape[ndim - count :] if builder.chance(2) else builder.draw(broadcastable(shape))
    return {
        "x": builder.array(shape, magnitudes=_FINITE),
        "normalized_idxs": ndim if builder.faulty("normalized_idxs") else axes,
        "scale": _omitted(builder, builder.array(own, magnitudes=_FINITE)),
        "eps": builder.one_of(*_EPS),
    }
