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
    from tests.differential.arguments import CallBuilder

__all__: list[str] = []

_FINITE = ("small", "moderate")


def _omitted(builder: CallBuilder, value: Any) -> Any:
    return OMIT if builder.chance(3) else value


def _pair(builder: CallBuilder, second: Any = None) -> Arguments:
    builder._shape = builder.draw(shapes(nonempty=True))
    return {
        "true": builder.array(builder.shape(), magnitudes=_FINITE),
        "pred": builder.array(builder.shape(), second, _FINITE),
    }


@constrain("nn.hinge", "nn.mae", "nn.mse")
def _losses(builder: CallBuilder) -> Arguments:
    return _pair(builder)


@constrain("nn.huber")
def _huber(builder: CallBuilder) -> Arguments:
    delta = builder.one_of(0.0, -1.0) if builder.faulty("delta") else builder.one_of(1.0, 0.5, 3)
    return {**_pair(builder), "delta": _omitted(builder, delta)}


@constrain("nn.smooth_l1")
def _smooth_l1(builder: CallBuilder) -> Arguments:
    beta = -1.0 if builder.faulty("beta") else builder.one_of(0.0, 0.5, 3)
    return {**_pair(builder), "beta": _omitted(builder, beta)}


def _exponents(builder: CallBuilder) -> Any:
    """Draw small numbers, whose exponentials lose no digits."""

    def small(array: ArrayArg) -> ArrayArg:
        values = array.values
        return ArrayArg(np.clip(values, -8, 8)) if values.dtype.kind == "f" else array

    return small


@constrain("nn.kl_div")
def _kl_div(builder: CallBuilder) -> Arguments:
    given = _pair(builder)
    true = given["true"]
    logs = builder.one_of(OMIT, False, True)
    if logs is True:
        true = _exponents(builder)(true)
    elif true.values.dtype.kind in "fi" and not builder.chance(4):
        true = ArrayArg(np.abs(true.values), true.view)
    return {**given, "true": true, "log_target": logs}


@constrain("nn.poisson_nll")
def _poisson_nll(builder: CallBuilder) -> Arguments:
    given = _pair(builder)
    logs = builder.one_of(OMIT, False, True)
    pred = given["pred"]
    if logs is not False:
        pred = _exponents(builder)(pred)
    return {
        **given, "pred": pred, "log_input": logs,
        "epsilon": _omitted(builder, builder.one_of(1e-8, 0.125)),
    }  # fmt: skip


SHAPES["nn.sparse_cross_entropy"] = ((1,), (1, 1))


@constrain("nn.sparse_cross_entropy")
def _sparse_cross_entropy(builder: CallBuilder) -> Arguments:
    shape = builder.one_of((3,), (2, 3), (3, 3), (2, 3, 2))
    axis = builder.draw(st.integers(-len(shape), len(shape) - 1))
    samples = list(shape)
    classes = samples.pop(axis)
    dtype = builder.any_dtype("f") if builder.faulty("true") else builder.any_dtype("iu")
    size = math.prod(samples)
    # Rarely an invalid class.
    drawn = builder.draw(st.lists(st.integers(0, classes), min_size=size, max_size=size))
    wrong = -1 if dtype.kind == "i" and builder.chance(2) else classes
    classes_ = [wrong if v == classes and builder.chance(2) else v % classes for v in drawn]
    kind = builder.any_dtype("c") if builder.faulty("pred") else builder.any_dtype("bif")
    return {
        "true": ArrayArg(np.array(classes_, dtype.name).reshape(samples)),
        "pred": builder.array(shape, kind, _FINITE),
        "axis": len(shape) if builder.faulty("axis") else axis,
        "epsilon": _omitted(builder, builder.one_of(1e-7, 0.125)),
    }


@constrain("nn.cosine_similarity")
def _cosine_similarity(builder: CallBuilder) -> Arguments:
    low = 0 if builder.faulty("x1") else 1
    builder._shape = builder.draw(shapes(low, 4 if low else 0, nonempty=True))
    return {
        "x1": builder.array(builder._shape, magnitudes=_FINITE),
        "x2": builder.array(builder.shape(), magnitudes=_FINITE),
        "epsilon": _omitted(builder, builder.one_of(1e-8, 0.5)),
    }
