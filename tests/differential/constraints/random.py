"""Constraints of random numbers: keys, ranges, and parameters of distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from arrayapi_unify import dtypes
from tests.differential.case import ArrayArg
from tests.differential.constraints._registry import Arguments, constrain
from tests.differential.strategies import OMIT, shapes

if TYPE_CHECKING:
    from tests.differential.arguments import Drawer

__all__: list[str] = []

_WORDS = (0, 1, 7, 2**31, 2**32 - 1, 0x12345678)


def _key(drawer: Drawer) -> ArrayArg:
    """Draw a key: two words of 32 bits."""
    words = [drawer.one_of(*_WORDS) for _ in range(2)]
    if drawer.faulty("key"):
        return ArrayArg(drawer.one_of(np.array(words), np.array([*words, 1], "uint32")))
    return ArrayArg(np.array(words, "uint32"))


def _float(drawer: Drawer) -> Any:
    if drawer.faulty("dtype"):
        return drawer.one_of(dtypes.int32, dtypes.complex64)
    return drawer.one_of(OMIT, dtypes.float32, dtypes.float64)


def _integer(drawer: Drawer, *others: Any) -> Any:
    return dtypes.float64 if drawer.faulty("dtype") else drawer.one_of(OMIT, *others)


def _numbers(drawer: Drawer, name: str, *values: float, scalar: bool = True) -> Any:
    """Draw a parameter: a number, or an array that broadcasts with the first one."""
    if drawer.faulty(name):
        return ArrayArg(np.full(drawer.shape(), 1j))
    if scalar and drawer.chance(3):
        return drawer.one_of(*values)
    shape = drawer.shape()
    size = int(np.prod(shape))
    kind = drawer.one_of("float64", "float64", "float32")
    given = np.array([drawer.one_of(*values) for _ in range(size)], kind)
    return ArrayArg(given.reshape(shape))


def _shape(drawer: Drawer) -> Any:
    """Draw the shape of a result, to which those of the parameters broadcast, or leave it out."""
    whole = drawer._shape if drawer._shape is not None else drawer.shape()
    if drawer.faulty("shape"):
        return (-1,)
    if drawer.chance(2):
        return drawer.one_of(OMIT, None)
    return drawer.one_of(whole, (2, *whole))


def _whole(drawer: Drawer) -> None:
    drawer._shape = drawer.draw(shapes(max_ndim=3))


@constrain("random.key")
def _of_key(drawer: Drawer) -> Arguments:
    bad = drawer.one_of(-1, 2**64, 1.5)
    good = drawer.one_of(0, 7, 2**32, 2**64 - 1)
    return {"seed": bad if drawer.faulty("seed") else good}


@constrain("random.split")
def _split(drawer: Drawer) -> Arguments:
    number = -1 if drawer.faulty("num") else drawer.one_of(0, 1, 2, 3)
    return {"key": _key(drawer), "num": drawer.one_of(OMIT, number)}


@constrain("random.fold_in")
def _fold_in(drawer: Drawer) -> Arguments:
    number: Any = drawer.one_of(0, 1, 2**31, 2**32 - 1)
    if drawer.faulty("data"):
        number = -1
    elif drawer.chance(2):
        number = ArrayArg(np.array(drawer.one_of(0, 3, 2**31 - 1), drawer.one_of("int64", "int32")))
    return {"key": _key(drawer), "data": number}


@constrain("random.bits")
def _bits(drawer: Drawer) -> Arguments:
    kinds = [getattr(dtypes, f"uint{size}") for size in (8, 16, 32, 64)]
    return {"key": _key(drawer), "dtype": _integer(drawer, *kinds)}


@constrain("random.normal", "random.exponential")
def _plain(drawer: Drawer) -> Arguments:
    return {"key": _key(drawer), "dtype": _float(drawer)}


@constrain("random.uniform")
def _uniform(drawer: Drawer) -> Arguments:
    _whole(drawer)
    low = _numbers(drawer, "minval", -1.0, 0.0, 0.5, 2)
    high = _numbers(drawer, "maxval", 1.0, 3.0, 2)
    return {
        "key": _key(drawer), "shape": drawer._shape, "dtype": _float(drawer),
        "minval": drawer.one_of(OMIT, low), "maxval": drawer.one_of(OMIT, high),
    }  # fmt: skip


@constrain("random.truncated_normal")
def _truncated_normal(drawer: Drawer) -> Arguments:
    _whole(drawer)
    return {
        "key": _key(drawer), "shape": drawer._shape, "dtype": _float(drawer),
        "lower": _numbers(drawer, "lower", -2.0, -0.5, 0.25, 2),
        "upper": _numbers(drawer, "upper", 0.5, 1.0, 3.0, 1),
    }  # fmt: skip


@constrain("random.integers")
def _integers(drawer: Drawer) -> Arguments:
    low, high = drawer.one_of((0, 7), (-3, 4), (0, 100), (-128, 128))
    dtype = _integer(drawer, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64)
    if drawer.chance(4) and dtype is not dtypes.float64:
        low, high, dtype = 0, 2**64, dtypes.uint64
    if high > 127 and dtype is dtypes.int8:
        low, high = -128, 128
    if drawer.faulty("low"):
        low = drawer.one_of(high, 0.5)
    return {"key": _key(drawer), "low": low, "high": high, "dtype": dtype}


@constrain("random.bernoulli")
def _bernoulli(drawer: Drawer) -> Arguments:
    _whole(drawer)
    return {
        "key": _key(drawer), "p": drawer.one_of(OMIT, _numbers(drawer, "p", 0.0, 0.25, 0.5, 1)),
        "shape": _shape(drawer),
    }  # fmt: skip


@constrain("random.gamma")
def _gamma(drawer: Drawer) -> Arguments:
    _whole(drawer)
    return {
        "key": _key(drawer), "a": _numbers(drawer, "a", 0.5, 1.0, 3.0, 40, 0),
        "shape": _shape(drawer), "dtype": _float(drawer),
    }  # fmt: skip


@constrain("random.beta")
def _beta(drawer: Drawer) -> Arguments:
    _whole(drawer)
    return {
        "key": _key(drawer), "a": _numbers(drawer, "a", 0.5, 1.0, 3.0, 40),
        "b": _numbers(drawer, "b", 0.5, 1.0, 3.0, 2, -1), "shape": _shape(drawer),
        "dtype": _float(drawer),
    }  # fmt: skip


def _rows(drawer: Drawer, name: str, *values: float) -> ArrayArg:
    """Draw an array with numbers along its last axis."""
    if drawer.faulty(name):
        return ArrayArg(np.array(1.0))
    shape = (*drawer.shape(), drawer.one_of(1, 2, 3, 5))
    given = [drawer.one_of(*values) for _ in range(int(np.prod(shape)))]
    return ArrayArg(np.array(given, drawer.one_of("float64", "float32")).reshape(shape))


@constrain("random.dirichlet")
def _dirichlet(drawer: Drawer) -> Arguments:
    drawer._shape = drawer.draw(shapes(max_ndim=2))
    return {
        "key": _key(drawer), "alpha": _rows(drawer, "alpha", 0.5, 1.0, 4.0),
        "shape": _shape(drawer), "dtype": _float(drawer),
    }  # fmt: skip


@constrain("random.poisson")
def _poisson(drawer: Drawer) -> Arguments:
    _whole(drawer)
    return {
        "key": _key(drawer), "rate": _numbers(drawer, "rate", 0.0, 0.5, 4.0, 9.5, 10.0, 200, -1),
        "shape": _shape(drawer), "dtype": _integer(drawer, dtypes.int32, dtypes.int64),
    }  # fmt: skip


@constrain("random.binomial")
def _binomial(drawer: Drawer) -> Arguments:
    _whole(drawer)
    return {
        "key": _key(drawer), "n": _numbers(drawer, "n", 0, 1, 5, 40, 1000, -1),
        "p": _numbers(drawer, "p", 0.0, 0.125, 0.5, 0.75, 1.0, 2.0), "shape": _shape(drawer),
        "dtype": _integer(drawer, dtypes.int32, dtypes.int64),
    }  # fmt: skip


@constrain("random.multinomial")
def _multinomial(drawer: Drawer) -> Arguments:
    drawer._shape = drawer.draw(shapes(max_ndim=2))
    return {
        "key": _key(drawer), "n": _numbers(drawer, "n", 0, 5, 60),
        "p": _rows(drawer, "p", 0.0, 0.25, 0.5, 1.0), "shape": _shape(drawer),
        "dtype": _integer(drawer, dtypes.int32, dtypes.int64),
    }  # fmt: skip


@constrain("random.categorical")
def _categorical(drawer: Drawer) -> Arguments:
    drawer._shape = drawer.draw(shapes(max_ndim=2))
    logits = _rows(drawer, "logits", 0.0, -1.0, 2.5, -np.inf)
    given: Arguments = {"key": _key(drawer), "logits": logits, "shape": OMIT}
    if drawer.chance(2):
        given["shape"] = (2, *logits.values.shape[:-1])
        given["axis"] = drawer.one_of(OMIT, -1)
    elif drawer.faulty("axis"):
        given["axis"] = 9
    elif drawer.chance(2):
        sized = [axis for axis, size in enumerate(logits.values.shape) if size]
        given["axis"] = drawer.one_of(*sized) if sized else -1
    return given


@constrain("random.permutation")
def _permutation(drawer: Drawer) -> Arguments:
    if drawer.chance(3):
        number = drawer.one_of(-1, 0.5) if drawer.faulty("x") else drawer.one_of(0, 1, 5)
        return {"key": _key(drawer), "x": number, "axis": drawer.one_of(OMIT, 0, -1)}
    shape = drawer.draw(shapes(min_ndim=0 if drawer.faulty("x") else 1))
    x = drawer.array(shape, drawer.any_dtype())
    axes = [9] if drawer.faulty("axis") or not shape else [OMIT, 0, -1, len(shape) - 1]
    return {"key": _key(drawer), "x": x, "axis": drawer.one_of(*axes)}


@constrain("random.choice")
def _choice(drawer: Drawer) -> Arguments:
    given: Arguments = {"key": _key(drawer), "axis": OMIT}
    if drawer.chance(2):
        n: int = drawer.one_of(1, 3, 5)
        given["a"] = drawer.one_of(-1, 0.5) if drawer.faulty("a") else n
    else:
        shape = drawer.draw(shapes(min_ndim=1, nonempty=True))
        given["axis"] = axis = drawer.one_of(0, -1, len(shape) - 1)
        n = shape[axis]
        given["a"] = drawer.array(shape, drawer.any_dtype())
        given["axis"] = 9 if drawer.faulty("axis") else axis
    given["replace"] = again = drawer.one_of(OMIT, True, False)
    sizes = [(), (n,), n, (1, n)] + ([(2, 3)] if again is not False else [])
    given["shape"] = (n + 1,) if drawer.faulty("shape") else drawer.one_of(OMIT, *sizes)
    weights = np.array([drawer.one_of(0.25, 1.0, 2.0) for _ in range(n)])
    given["p"] = drawer.one_of(OMIT, None, ArrayArg(weights))
    if drawer.faulty("p"):
        given["p"] = ArrayArg(np.ones(n + 1))
    return given


@constrain("random.orthogonal")
def _orthogonal(drawer: Drawer) -> Arguments:
    number = -1 if drawer.faulty("n") else drawer.one_of(0, 1, 2, 4)
    return {"key": _key(drawer), "n": number, "dtype": _float(drawer)}
