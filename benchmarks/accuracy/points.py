"""The points at which functions are measured: all numbers in blocks, or a search for the worst."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from benchmarks.accuracy.units import Format

__all__ = ["BLOCK", "block", "blocks_of", "drawn", "near", "rounds"]

BLOCK: Final = 2**22
"""Numbers in a block: 32 MB in float64."""


def blocks_of(format_: Format) -> int:
    """Return the number of blocks that hold every number of a data type of 16 or 32 bits."""
    return max(1, (1 << 8 * format_.dtype.itemsize) // BLOCK)


def block(format_: Format, index: int) -> Any:
    """Return the numbers whose bits, as an integer, are those of one block."""
    size = min(BLOCK, 2 ** (8 * format_.dtype.itemsize))
    bits = np.arange(size, dtype=format_.bits)
    bits += format_.bits(index * size)
    return bits.view(format_.dtype)


def _bit_patterns(rng: np.random.Generator, size: int, format_: Format) -> Any:
    """Return numbers of all magnitudes alike, NaN and infinities among them.

    NaN is a quiet one: C's functions return NaN for a signaling one where they ignore NaN, as
    ``hypot(inf, nan)`` does, and libraries quiet it on the way.
    """
    largest = 2 ** (8 * format_.dtype.itemsize)
    found = rng.integers(0, largest, size, np.uint64).astype(format_.bits).view(format_.dtype)
    with np.errstate(all="ignore"):  # comparisons with NaN of bfloat16 warn
        found[found != found] = np.nan
    return found


def drawn(rng: np.random.Generator, size: int, format_: Format, arity: int) -> list[Any]:
    """Return arguments of all magnitudes, ordinary ones, and pairs that are close to each other."""
    with np.errstate(over="ignore"):
        ordinary = [
            (rng.normal(size=size // 2) * 2.0 ** rng.integers(-6, 7, size // 2)).astype(
                format_.dtype
            )
            for _ in range(arity)
        ]
    arguments = [np.concatenate([o, _bit_patterns(rng, size - len(o), format_)]) for o in ordinary]
    for other in arguments[1:]:
        close = slice(0, size // 8)
        scale = 1 + rng.normal(size=size // 8) * 2.0 ** -rng.integers(1, 20, size // 8)
        other[close] = (arguments[0][close].astype(np.float64) * scale).astype(format_.dtype)
    return arguments


def near(
    rng: np.random.Generator, worst: list[list[float]], size: int, format_: Format
) -> list[Any]:
    """Return points next to the worst ones: by some units, or by many."""
    chosen = np.asarray(worst)[rng.integers(0, len(worst), size)]
    arguments = []
    for column in chosen.T:
        x = column.astype(format_.dtype)
        bits = x.view(format_.bits).astype(np.int64)
        steps = rng.integers(-(2**10), 2**10, size) << rng.integers(0, 34, size)
        steps %= 2 ** max(format_.precision - 1, 1)
        moved = (bits + steps).astype(format_.bits).view(format_.dtype)
        arguments.append(np.where(rng.random(size) < 0.2, x, moved))
    return arguments


def rounds(
    format_: Format, arity: int, size: int, count: int, seed: int
) -> Iterator[tuple[list[Any], Callable[[list[list[float]]], None]]]:
    """Yield the points of a search, and a function that takes the worst of them so far."""
    rng = np.random.default_rng([seed, arity, format_.precision])
    worst: list[list[float]] = []
    for turn in range(count):
        explore = turn % 2 == 0 or not worst
        points = drawn(rng, size, format_, arity) if explore else near(rng, worst, size, format_)
        yield points, worst.extend
        del worst[:-64]
