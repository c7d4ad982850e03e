"""How float64 becomes float16 in one rounding, for libraries that take float32 on the way.

Two roundings to nearest are not one: 1 + 2**-11 + 2**-40 is nearest to 1 + 2**-10 in float16, but
its float32 lies halfway, and goes to 1. The first step rounds to odd instead: it cuts off, and sets
the last bit where something was cut off. Then no number that lay beside the middle comes to lie in
it, and the second step is the only one that rounds.
"""

from __future__ import annotations

from typing import Final

__all__ = ["CUT", "LAST"]

# Of the bits of a float64: those that a float32 has no place for, and the last one that it has.
CUT: Final = 2**29 - 1
LAST: Final = 2**29
