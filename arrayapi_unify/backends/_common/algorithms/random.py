"""Random bits: the counter-based generator that all backends share, and the plan of a draw.

The generator is Threefry-2x32 with 20 rounds. It encrypts a counter of two words of 32 bits with a
key of two words. Element i of a draw is what counter i becomes, so it depends on nothing but the
key and i: on no backend, device, thread or block size.

Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC, 2011.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.algorithms.creation import shape_tuple
from arrayapi_unify.backends._common.checks.sizes import check_held
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import (
    UnifyOverflowError,
    describe,
    raise_argument_error,
    raise_type_error,
    raise_value_error,
)

Words = TypeVar("Words")

# Bytes for each element while numbers are drawn: what is counted, rotated and given back.
_HELD: Final = 24

_ROTATIONS: Final = ((13, 15, 26, 6), (17, 29, 16, 24))
_PARITY: Final = 0x1BD11BDA
_WORD: Final = 2**32


def rotated(x: Any, by: int) -> Any:
    """Rotate words to the left; their shift to the right may repeat the sign, as of int32."""
    left = x << by
    x >>= 32 - by
    x &= (1 << by) - 1
    left |= x
    return left


def encrypted(
    key: tuple[Words, Words],
    counter: tuple[Words, Words],
    rotated: Callable[[Any, int], Any] = rotated,
) -> tuple[Words, Words]:
    """Encrypt counters. The arithmetic of the words wraps around.

    The first sums are new arrays. The rest runs in place where a library can.
    """
    first: Any = key[0]
    second: Any = key[1]
    keys = (first, second, first ^ second ^ _PARITY)
    x: Any = counter[0] + keys[0]
    y: Any = counter[1] + keys[1]
    for turn in range(5):
        for by in _ROTATIONS[turn % 2]:
            x += y
            y = rotated(y, by)
            y ^= x
        x += keys[(turn + 1) % 3]
        y += keys[(turn + 2) % 3] + (turn + 1)
    return x, y


class Draw(NamedTuple):
    """The shape, size and data type of an array that `bits` draws."""

    shape: tuple[int, ...]
    size: int
    dtype: DType


def draw(shape: int | Sequence[int], dtype: DType | None) -> Draw:
    """Check the arguments of `bits`."""
    dtype = dtypes.uint32 if dtype is None else dtype
    if dtype.kind != "u":
        raise_type_error(
            "random.bits", "dtype", f"is {dtype}", "pass uint8, uint16, uint32 or uint64"
        )
    sizes = shape_tuple(shape)
    check_held("random.bits", "shape", sizes, math.prod(sizes), each=_HELD)
    return Draw(sizes, math.prod(sizes), dtype)


def check_key(function: str, shape: tuple[int, ...], dtype: DType) -> None:
    """Raise for what isn't a key."""
    if tuple(shape) != (2,) or dtype is not dtypes.uint32:
        raise_type_error(
            function, "key", f"has shape {tuple(shape)} and data type {dtype}",
            "pass a key: key(seed), or one row of split(key, num)",
        )  # fmt: skip


def seed_words(seed: int) -> list[int]:
    """Return the two words of the key that belongs to a seed."""
    return list(divmod(checked_seed("random.key", seed), _WORD))


def checked_seed(function: str, seed: int) -> int:
    """Check a seed: two words of 32 bits."""
    number = _integer(function, "seed", seed)
    if not 0 <= number < _WORD**2:
        raise_argument_error(
            UnifyOverflowError, function, "seed", f"is {number}", "pass 0 to 2**64 - 1"
        )
    return number


def folded(data: Any, array: type, dtype_of: Callable[[Any], DType]) -> Any:
    """Check the number that `fold_in` gets, which may be an `array` of no axes."""
    if isinstance(data, array):
        native: Any = data
        shape, dtype = tuple(native.shape), dtype_of(native)
        if shape != () or dtype.kind not in "iu":
            raise_type_error(
                "random.fold_in", "data", f"has shape {shape} and data type {dtype}",
                "pass an integer, or a zero-dimensional array of integers",
            )  # fmt: skip
        return native
    number = _integer("random.fold_in", "data", data)
    if not 0 <= number < _WORD:
        raise_value_error("random.fold_in", "data", f"is {number}", "pass 0 to 2**32 - 1")
    return number


def _integer(function: str, name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise_type_error(function, name, f"is {describe(value)}", "pass an integer")
