"""Constraints of the losses beyond those of `layers`."""

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


def _omitted(drawer: Drawer, value: Any) -> Any:
    return OMIT if drawer.chance(3) else value


def _pair(drawer: Drawer, second: Any = None) -> Arguments:
    drawer._shape = drawer.draw(shapes(nonempty=True))
    return {
        "true": drawer.array(drawer.shape(), magnitudes=_FINITE),
        "pred": drawer.array(drawer.shape(), second, _FINITE),
    }


@constrain("hinge", "mae", "mse")
def _losses(drawer: Drawer) -> Arguments:
    return _pair(drawer)


@constrain("huber")
def _huber(drawer: Drawer) -> Arguments:
    delta = drawer.one_of(0.0, -1.0) if drawer.faulty("delta") else drawer.one_of(1.0, 0.5, 3)
    return {**_pair(drawer), "delta": _omitted(drawer, delta)}


@constrain("smooth_l1")
def _smooth_l1(drawer: Drawer) -> Arguments:
    beta = -1.0 if drawer.faulty("beta") else drawer.one_of(0.0, 0.5, 3)
    return {**_pair(drawer), "beta": _omitted(drawer, beta)}


def _exponents(drawer: Drawer) -> Any:
    """Keep numbers so small that their exponentials lose no digits."""

    def small(array: ArrayArg) -> ArrayArg:
        values = array.values
        return ArrayArg(np.clip(values, -8, 8)) if values.dtype.kind == "f" else array

    return small


@constrain("kl_div")
def _kl_div(drawer: Drawer) -> Arguments:
    given = _pair(drawer)
    true = given["true"]
    logs = drawer.one_of(OMIT, False, True)
    if logs is True:
        true = _exponents(drawer)(true)
    elif true.values.dtype.kind in "fi" and not drawer.chance(4):
        true = ArrayArg(np.abs(true.values), true.view)
    return {**given, "true": true, "log_target": logs}


@constrain("poisson_nll")
def _poisson_nll(drawer: Drawer) -> Arguments:
    given = _pair(drawer)
    logs = drawer.one_of(OMIT, False, True)
    pred = given["pred"]
    if logs is not False:
        pred = _exponents(drawer)(pred)
    return {
        **given, "pred": pred, "log_input": logs,
        "epsilon": _omitted(drawer, drawer.one_of(1e-8, 0.125)),
    }  # fmt: skip


SHAPES["sparse_cross_entropy"] = ((1,), (1, 1))


@constrain("sparse_cross_entropy")
def _sparse_cross_entropy(drawer: Drawer) -> Arguments:
    shape = drawer.one_of((3,), (2, 3), (3, 3), (2, 3, 2))
    axis = drawer.draw(st.integers(-len(shape), len(shape) - 1))
    samples = list(shape)
    classes = samples.pop(axis)
    dtype = drawer.any_dtype("f") if drawer.faulty("true") else drawer.any_dtype("iu")
    size = math.prod(samples)
    # Now and then one that is no class.
    drawn = drawer.draw(st.lists(st.integers(0, classes), min_size=size, max_size=size))
    wrong = -1 if dtype.kind == "i" and drawer.chance(2) else classes
    classes_ = [wrong if v == classes and drawer.chance(2) else v % classes for v in drawn]
    kind = drawer.any_dtype("c") if drawer.faulty("pred") else drawer.any_dtype("bif")
    return {
        "true": ArrayArg(np.array(classes_, dtype.name).reshape(samples)),
        "pred": drawer.array(shape, kind, _FINITE),
        "axis": len(shape) if drawer.faulty("axis") else axis,
        "epsilon": _omitted(drawer, drawer.one_of(1e-7, 0.125)),
    }


@constrain("cosine_similarity")
def _cosine_similarity(drawer: Drawer) -> Arguments:
    low = 0 if drawer.faulty("x1") else 1
    drawer._shape = drawer.draw(shapes(low, 4 if low else 0, nonempty=True))
    return {
        "x1": drawer.array(drawer._shape, magnitudes=_FINITE),
        "x2": drawer.array(drawer.shape(), magnitudes=_FINITE),
        "epsilon": _omitted(drawer, drawer.one_of(1e-8, 0.5)),
    }
