"""Helpers of the random functions: fractions, probabilities, shapes, and checks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from arrayapi_unify import dtypes, limits
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends import as_dtype
from arrayapi_unify.backends._common.algorithms.creation import shape_tuple
from arrayapi_unify.backends._common.algorithms.special.normal import upper_tail
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import describe, raise_type_error, raise_value_error
from arrayapi_unify.functional._common import BodyArray, is_number

Shape = int | Sequence[int]

# The number of random bits of a number: all that its data type represents exactly below one. For
# float16 and bfloat16, a float64 number is rounded.
_DIGITS: Final = {"float32": 24, "float64": 53, "float16": 53, "bfloat16": 53}
_WORD: Final = 2**64


# --- arguments ----------------------------------------------------------------------------------


def float_dtype(function: str, dtype: DType | None) -> DType:
    """Return the data type of real numbers to draw."""
    dtype = dtypes.default_float() if dtype is None else as_dtype(dtype)
    if dtype.name not in _DIGITS:
        raise_type_error(
            f"random.{function}", "dtype", f"is {dtype}", "pass a real floating-point data type"
        )
    return dtype


def computing(dtype: DType) -> DType:
    """Return the data type in which what isn't worth more is computed: float64 of halves."""
    return dtypes.float32 if dtype is dtypes.float32 else dtypes.float64


def integer_dtype(function: str, dtype: DType | None) -> DType:
    """Return the data type of integers to draw."""
    dtype = dtypes.default_int() if dtype is None else as_dtype(dtype)
    if dtype.kind not in "iu":
        raise_type_error(f"random.{function}", "dtype", f"is {dtype}", "pass an integer data type")
    return dtype


def parameter(function: str, name: str, value: Any, key: BodyArray) -> Array:
    """Return a parameter of a distribution in double precision, on the key's backend."""
    xp = key.__array_namespace__()
    if isinstance(value, complex) or (not is_number(value) and value.dtype.kind == "c"):
        raise_type_error(f"random.{function}", name, f"is {describe(value)}", "pass real numbers")
    return xp.asarray(value, dtype=dtypes.float64, device=key.device)


def key_beside(key: BodyArray, x: BodyArray) -> Array:
    """Return a key on the devices of an array of which each has a part."""
    if x.device.kind != "mesh" or key.device == x.device:
        return key
    return key.__array_namespace__().to_device(key, x.device)


def broadcast(function: str, shape: Sequence[int], **arrays: Array) -> list[Array]:
    """Return arrays in a shape, to which each of them must broadcast."""
    shape = tuple(shape)
    for name, array in arrays.items():
        sizes = (1,) * (len(shape) - array.ndim) + tuple(array.shape)
        if len(sizes) != len(shape) or any(
            size not in (1, wanted) for size, wanted in zip(sizes, shape, strict=True)
        ):
            raise_value_error(
                f"random.{function}", name,
                f"has shape {tuple(array.shape)}, which doesn't broadcast to {shape}",
                "pass a shape to which it broadcasts",
            )  # fmt: skip
    return [x.__array_namespace__().broadcast_to(x, shape) for x in arrays.values()]


def shape_of_all(key: BodyArray, shape: Shape | None, *given: Any) -> tuple[int, ...]:
    """Return a shape, or that to which all that was given broadcasts."""
    if shape is not None:
        return shape_tuple(shape)
    sizes = (tuple(getattr(value, "shape", ())) for value in given)
    return key.__array_namespace__().broadcast_shapes(*sizes)


def check_count(function: str, argument: str, n: Any) -> int:
    """Raise for what is no Python integer from 0."""
    if not isinstance(n, int) or isinstance(n, bool):
        raise_type_error(
            f"random.{function}", argument, f"is {describe(n)}",
            "pass an array, or a Python integer n for arange(n)",
        )  # fmt: skip
    if n < 0:
        raise_value_error(f"random.{function}", argument, f"is {n}", "pass 0 or more")
    return n


def check_range(low: Any, high: Any, dtype: DType) -> None:
    """Raise for a range that is empty, or that a data type doesn't hold."""
    for name, value in (("low", low), ("high", high)):
        if not isinstance(value, int) or isinstance(value, bool):
            raise_type_error(
                "random.integers", name, f"is {describe(value)}", "pass a Python integer"
            )
    info = limits.iinfo(dtype)
    if not info.min <= low < high <= info.max + 1:
        raise_value_error(
            "random.integers", "high", f"is {high} and low is {low}: no range of {dtype}",
            f"pass a low below high, both from {info.min} to {info.max + 1}",
        )  # fmt: skip


def check_choice(count: int, n: int, replace: bool, p: BodyArray | None) -> None:
    """Refuse to draw more parts than there are, and probabilities of others."""
    if p is not None and tuple(p.shape) != (n,):
        raise_value_error(
            "random.choice", "p", f"has shape {tuple(p.shape)}",
            f"pass a probability for each of the {n} parts",
        )  # fmt: skip
    if count and (not n or (not replace and count > n)):
        raise_value_error(
            "random.choice", "shape", f"asks for {count} of {n} parts",
            "draw less, or pass replace=True",
        )  # fmt: skip


# --- numbers ------------------------------------------------------------------------------------


def _numbers(key: BodyArray, shape: Shape, digits: int) -> Array:
    """Draw integers of so many bits, which are the highest of 32 or 64 random ones."""
    xp = key.__array_namespace__()
    wide = digits > 32
    words = xp.random.bits(key, shape, dtype=xp.uint64 if wide else xp.uint32)
    shifted = xp.bitwise_right_shift(words, (64 if wide else 32) - digits)
    return xp.astype(shifted, xp.int64)


def fractions(key: BodyArray, shape: Shape, dtype: DType = dtypes.float64) -> Array:
    """Draw multiples of a power of two in [0, 1), each as likely."""
    xp = key.__array_namespace__()
    digits = _DIGITS[dtype.name]
    return xp.astype(_numbers(key, shape, digits), computing(dtype)) * 2.0**-digits


def probabilities(key: BodyArray, shape: Shape, dtype: DType = dtypes.float64) -> Array:
    """Draw odd multiples of a power of two in (0, 1): neither end, and as many on either side.

    Those of float32 come in float64, too: what is computed of them is rounded once, at the end.
    """
    xp = key.__array_namespace__()
    digits = _DIGITS[dtype.name] - 1
    odd = _numbers(key, shape, digits) * 2 + 1
    return xp.astype(odd, dtypes.float64) * 2.0 ** -(digits + 1)


def given_as(
    function: str, key: BodyArray, shape: Sequence[int], dtype: DType = dtypes.float64, **given: Any
) -> list[Array]:
    """Return the parameters of a distribution in the shape of the result."""
    arrays = {
        name: parameter(function, name, value, key).astype(dtype, copy=False)
        for name, value in given.items()
    }
    return broadcast(function, shape, **arrays)


def rounded(x: Array, dtype: DType) -> Array:
    """Round what was computed in double precision."""
    return x.astype(dtype, copy=False)


def below(x: Array) -> Array:
    """Return the probability that a standard normal is below x."""
    xp = x.__array_namespace__()
    tail = upper_tail(xp, xp.abs(x))
    return xp.where(x < 0, tail, 1 - tail)


def remainders(key: BodyArray, shape: Shape, span: int) -> Array:
    """Draw words of 64 bits below a span of 2**64 at most."""
    xp = key.__array_namespace__()
    words: Array = xp.random.bits(key, shape, dtype=xp.uint64)
    return words if span == _WORD else xp.remainder(words, span)


def signed(words: Array, dtype: DType) -> Array:
    """Return the signed integers that have the lowest bits of words of 64 bits."""
    xp = words.__array_namespace__()
    upper = xp.astype(xp.bitwise_right_shift(words, 63), xp.int64)
    lower = xp.astype(xp.bitwise_and(words, 2**63 - 1), xp.int64)
    return xp.astype(lower - upper * (2**63 - 1) - upper, dtype)


def order(key: BodyArray, n: int) -> Array:
    """Draw an order of n things."""
    xp = key.__array_namespace__()
    return xp.argsort(_numbers(key, n, 63))


def weighted(key: BodyArray, p: Array, count: int, replace: bool) -> Array:
    """Draw indices by probabilities."""
    xp = key.__array_namespace__()
    if replace:
        sums = xp.cumulative_sum(p)
        u = fractions(key, count) * sums[-1:]
        # To the right of equal sums: what has no probability is never drawn.
        return xp.minimum(xp.searchsorted(sums, u, side="right"), max(p.shape[0] - 1, 0))
    waits = -xp.log(probabilities(key, p.shape)) / p
    return xp.argsort(waits)[:count]
