"""The package's files, for tests that trace lines: its own and those of rendered functions."""

from __future__ import annotations

import dis
import functools
from pathlib import Path
from types import CodeType, FrameType
from typing import Final

import arrayapi_unify

__all__ = ["OURS", "ends_block"]

OURS: Final = (str(Path(arrayapi_unify.__file__).parent), "<arrayapi_unify.")
"""Prefixes of the file names of the package's code."""


def ends_block(frame: FrameType) -> bool:
    """Return True where the line of a `with` is traced again, before the call of `__exit__`.

    Python handles no signal there: it looks for one after a call, which is inside the block.
    """
    return frame.f_lasti in _ends(frame.f_code)


@functools.cache
def _ends(code: CodeType) -> frozenset[int]:
    found = set[int]()
    known = list(dis.get_instructions(code))
    for i, one in enumerate(known):
        exits = known[i + (one.opname == "SWAP") :][:4]  # a `return` has a value on the stack
        names = [(part.opname, part.argval) for part in exits]
        if names[:3] == [("LOAD_CONST", None)] * 3 and names[3:] and "CALL" in names[3][0]:
            found.add(one.offset)
    return frozenset(found)
