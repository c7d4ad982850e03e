"""The cast of float64 to float16 in one rounding, for libraries that go through float32.

Two roundings to nearest are not one: 1 + 2**-11 + 2**-40 is nearest to 1 + 2**-10 in float16, but
its float32 lies halfway, and goes to 1. The first step rounds to odd instead: it truncates, and
sets the last bit if any bit that it cut off was set. Then no number next to a midpoint of float16
becomes that midpoint, and only the second step rounds.
"""

from __future__ import annotations

from typing import Final

__all__ = ["CUT", "LAST"]

# Of the bits of a float64: those that a float32 has no place for, and the last one that it has.
CUT: Final = 2**29 - 1
LAST: Final = 2**29
