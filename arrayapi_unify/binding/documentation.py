"""Sections of documentation that many functions share: written once, inserted into each.

The docstring of a contract omits the parameter `out`, which means the same everywhere.
"""

from __future__ import annotations

import sys
from typing import Final

__all__ = ["MARGIN", "documented", "with_margin"]

# Python 3.13 takes the margin off docstrings.
MARGIN: Final = "" if sys.version_info >= (3, 13) else "    "

_RETURNS: Final = f"\n\n{MARGIN}Returns\n"


def with_margin(text: str) -> str:
    """Give lines the margin that those of a docstring have here."""
    return "\n".join(MARGIN + line if line else line for line in text.split("\n"))


_OUT: Final = """
out
    Array to write the result into, which is then returned. It must have the result's shape,
    and a data type to which the result's casts without loss."""
_OUT_AND_RETURNS: Final = with_margin(_OUT) + _RETURNS


def documented(docstring: str | None, takes_out: bool) -> str | None:
    """Return a function's documentation: its docstring, and `out` as the last of the parameters.

    Parameters are followed by what the function returns, as `tests/test_docstrings.py` sees to.
    """
    if not takes_out or docstring is None:  # it is None under `python -OO`
        return docstring
    return docstring.replace(_RETURNS, _OUT_AND_RETURNS, 1)
