"""Constraints of random numbers: keys, ranges, and parameters of distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from arrayapi_unify import dtypes
from tests.differential.case import ArrayArg
from tests.differential.constraints._registry import Arguments, constrain
from tests.differential.strategies import OMIT, shapes

if TYPE_CHECKING:
    from tests.differential.arguments import CallBuilder

__all__: list[str] = []

_WORDS = (0, 1, 7, 2**31, 2**32 - 1, 0x12345678)


def _key(builder: CallBuilder) -> ArrayArg:
    """Draw a key: two 32-bit words."""
    words = [builder.one_of(*_WORDS) for _ in range(2)]
    if builder.faulty("key"):
        return ArrayArg(builder.one_of(np.array(words), np.array([*words, 1], "uint32")))
    return ArrayArg(np.array(words, "uint32"))


def _float(builder: CallBuilder) -> Any:
    if builder.faulty("dtype"):
        return builder.one_of(dtypes.int32, dtypes.complex64)
    return builder.one_of(OMIT, dtypes.float32, dtypes.float64)


def _integer(builder: CallBuilder, *others: Any) -> Any:
    return dtypes.float64 if builder.faulty("dtype") else builder.one_of(OMIT, *others)


def _numbers(builder: CallBuilder, name: str, *values: float, scalar: bool = True) -> Any:
    """Draw a parameter: a number, or an array that broadcasts with the first one."""
    if builder.faulty(name):
        return ArrayArg(np.full(builder.shape(), 1j))
    if scalar and builder.chance(3):
        return builder.one_of(*values)
    shape = builder.shape()
    size = int(np.prod(shape))
    kind = builder.one_of("float64", "float64", "float32")
    given = np.array([builder.one_of(*values) for _ in range(size)], kind)
    return ArrayArg(given.reshape(shape))


def _shape(builder: CallBuilder) -> Any:
    """Draw the shape of a result, to which the parameters broadcast, or omit it."""
    whole = builder._shape if builder._shape is not None else builder.shape()
    if builder.faulty("shape"):
        return (-1,)
    if builder.chance(2):
        return builder.one_of(OMIT, None)
    return builder.one_of(whole, (2, *whole))


def _whole(builder: CallBuilder) -> None:
    builder._shape = builder.draw(shapes(max_ndim=3))


@constrain("random.key")
def _of_key(builder: CallBuilder) -> Arguments:
    bad = builder.one_of(-1, 2**64, 1.5)
    good = builder.one_of(0, 7, 2**32, 2**64 - 1)
    return {"seed": bad if builder.faulty("seed") else good}


@constrain("random.split")
def _split(builder: CallBuilder) -> Arguments:
    number = -1 if builder.faulty("num") else builder.one_of(0, 1, 2, 3)
    return {"key": _key(builder), "num": builder.one_of(OMIT, number)}


@constrain("random.fold_in")
def _fold_in(builder: CallBuilder) -> Arguments:
    number: Any = builder.one_of(0, 1, 2**31, 2**32 - 1)
    if builder.faulty("data"):
        number = -1
    elif builder.chance(2):
        number = ArrayArg(
            np.array(builder.one_of(0, 3, 2**31 - 1), builder.one_of("int64", "int32"))
        )
    return {"key": _key(builder), "data": number}


@constrain("random.bits")
def _bits(builder: CallBuilder) -> Arguments:
    kinds = [getattr(dtypes, f"uint{size}") for size in (8, 16, 32, 64)]
    return {"key": _key(builder), "dtype": _integer(builder, *kinds)}


@constrain("random.normal", "random.exponential")
def _plain(builder: CallBuilder) -> Arguments:
    return {"key": _key(builder), "dtype": _float(builder)}


@constrain("random.uniform")
def _uniform(builder: CallBuilder) -> Arguments:
    _whole(builder)
    low = _numbers(builder, "minval", -1.0, 0.0, 0.5, 2)
    high = _numbers(builder, "maxval", 1.0, 3.0, 2)
    return {
        "key": _key(builder), "shape": builder._shape, "dtype": _float(builder),
        "minval": builder.one_of(OMIT, low), "maxval": builder.one_of(OMIT, high),
    }  # fmt: skip


@constrain("random.truncated_normal")
def _truncated_normal(builder: CallBuilder) -> Arguments:
    _whole(builder)
    return {
        "key": _key(builder), "shape": builder._shape, "dtype": _float(builder),
        "lower": _numbers(builder, "lower", -2.0, -0.5, 0.25, 2),
        "upper": _numbers(builder, "upper", 0.5, 1.0, 3.0, 1),
    }  # fmt: skip


@constrain("random.integers")
def _integers(builder: CallBuilder) -> Arguments:
    low, high = builder.one_of((0, 7), (-3, 4), (0, 100), (-128, 128))
    dtype = _integer(builder, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64)
    if builder.chance(4) and dtype is not dtypes.float64:
        low, high, dtype = 0, 2**64, dtypes.uint64
    if high > 127 and dtype is dtypes.int8:
        low, high = -128, 128
    if builder.faulty("low"):
        low = builder.one_of(high, 0.5)
    return {"key": _key(builder), "low": low, "high": high, "dtype": dtype}


@constrain("random.bernoulli")
def _bernoulli(builder: CallBuilder) -> Arguments:
    _whole(builder)
    return {
        "key": _key(builder), "p": builder.one_of(OMIT, _numbers(builder, "p", 0.0, 0.25, 0.5, 1)),
        "shape": _shape(builder),
    }  # fmt: skip


@constrain("random.gamma")
def _gamma(builder: CallBuilder) -> Arguments:
    _whole(builder)
    return {
        "key": _key(builder), "a": _numbers(builder, "a", 0.5, 1.0, 3.0, 40, 0),
        "shape": _shape(builder), "dtype": _float(builder),
    }  # fmt: skip


@constrain("random.beta")
def _beta(builder: CallBuilder) -> Arguments:
    _whole(builder)
    return {
        "key": _key(builder), "a": _numbers(builder, "a", 0.5, 1.0, 3.0, 40),
        "b": _numbers(builder, "b", 0.5, 1.0, 3.0, 2, -1), "shape": _shape(builder),
        "dtype": _float(builder),
    }  # fmt: skip


def _rows(builder: CallBuilder, name: str, *values: float) -> ArrayArg:
    """Draw an array with numbers along its last axis."""
    if builder.faulty(name):
        return ArrayArg(np.array(1.0))
    shape = (*builder.shape(), builder.one_of(1, 2, 3, 5))
    given = [builder.one_of(*values) for _ in range(int(np.prod(shape)))]
    return ArrayArg(np.array(given, builder.one_of("float64", "float32")).reshape(shape))


@constrain("random.dirichlet")
def _dirichlet(builder: CallBuilder) -> Arguments:
    builder._shape = builder.draw(shapes(max_ndim=2))
    return {
        "key": _key(builder), "alpha": _rows(builder, "alpha", 0.5, 1.0, 4.0),
        "shape": _shape(builder), "dtype": _float(builder),
    }  # fmt: skip


@constrain("random.poisson")
def _poisson(builder: CallBuilder) -> Arguments:
    _whole(builder)
    return {
        "key": _key(builder), "rate": _numbers(builder, "rate", 0.0, 0.5, 4.0, 9.5, 10.0, 200, -1),
        "shape": _shape(builder), "dtype": _integer(builder, dtypes.int32, dtypes.int64),
    }  # fmt: skip


@constrain("random.binomial")
def _binomial(builder: CallBuilder) -> Arguments:
    _whole(builder)
    return {
        "key": _key(builder), "n": _numbers(builder, "n", 0, 1, 5, 40, 1000, -1),
        "p": _numbers(builder, "p", 0.0, 0.125, 0.5, 0.75, 1.0, 2.0), "shape": _shape(builder),
        "dtype": _integer(builder, dtypes.int32, dtypes.int64),
    }  # fmt: skip


@constrain("random.multinomial")
def _multinomial(builder: CallBuilder) -> Arguments:
    builder._shape = builder.draw(shapes(max_ndim=2))
    return {
        "key": _key(builder), "n": _numbers(builder, "n", 0, 5, 60),
        "p": _rows(builder, "p", 0.0, 0.25, 0.5, 1.0), "shape": _shape(builder),
        "dtype": _integer(builder, dtypes.int32, dtypes.int64),
    }  # fmt: skip


@constrain("random.categorical")
def _categorical(builder: CallBuilder) -> Arguments:
    builder._shape = builder.draw(shapes(max_ndim=2))
    logits = _rows(builder, "logits", 0.0, -1.0, 2.5, -np.inf)
    given: Arguments = {"key": _key(builder), "logits": logits, "shape": OMIT}
    if builder.chance(2):
        given["shape"] = (2, *logits.values.shape[:-1])
        given["axis"] = builder.one_of(OMIT, -1)
    elif builder.faulty("axis"):
        given["axis"] = 9
    elif builder.chance(2):
        sized = [axis for axis, size in enumerate(logits.values.shape) if size]
        given["axis"] = builder.one_of(*sized) if sized else -1
    return given


@constrain("random.permutation")
def _permutation(builder: CallBuilder) -> Arguments:
    if builder.chance(3):
        number = builder.one_of(-1, 0.5) if builder.faulty("x") else builder.one_of(0, 1, 5)
        return {"key": _key(builder), "x": number, "axis": builder.one_of(OMIT, 0, -1)}
    shape = builder.draw(shapes(min_ndim=0 if builder.faulty("x") else 1))
    x = builder.array(shape, builder.any_dtype())
    axes = [9] if builder.faulty("axis") or not shape else [OMIT, 0, -1, len(shape) - 1]
    return {"key": _key(builder), "x": x, "axis": builder.one_of(*axes)}


@constrain("random.choice")
def _choice(builder: CallBuilder) -> Arguments:
    given: Arguments = {"key": _key(builder), "axis": OMIT}
    if builder.chance(2):
        n: int = builder.one_of(1, 3, 5)
        given["a"] = builder.one_of(-1, 0.5) if builder.faulty("a") else n
    else:
        shape = builder.draw(shapes(min_ndim=1, nonempty=True))
        given["axis"] = axis = builder.one_of(0, -1, len(shape) - 1)
        n = shape[axis]
        given["a"] = builder.array(shape, builder.any_dtype())
        given["axis"] = 9 if builder.faulty("axis") else axis
    given["replace"] = again = builder.one_of(OMIT, True, False)
    sizes = [(), (n,), n, (1, n)] + ([(2, 3)] if again is not False else [])
    given["shape"] = (n + 1,) if builder.faulty("shape") else builder.one_of(OMIT, *sizes)
    weights = np.array([builder.one_of(0.25, 1.0, 2.0) for _ in range(n)])
    given["p"] = builder.one_of(OMIT, None, ArrayArg(weights))
    if builder.faulty("p"):
        given["p"] = ArrayArg(np.ones(n + 1))
    return given


@constrain("random.orthogonal")
def _orthogonal(builder: CallBuilder) -> Arguments:
    number = -1 if builder.faulty("n") else builder.one_of(0, 1, 2, 4)
    return {"key": _key(builder), "n": number, "dtype": _float(builder)}
