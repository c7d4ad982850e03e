"""Calls in which NumPy reports nothing about floating-point numbers, at next to no cost.

NumPy keeps what it reports in a context variable. `np.errstate` sets it around a block, which takes
longer than a small cast. Here the call is made in a context in which it was set once.

Elsewhere `np.errstate` decorates functions. At the end of a `with` an interrupt can come before its
`__exit__`, and NumPy would report nothing from then on.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable
from typing import Any, Final

import numpy as np

_SILENCE: Final = np.errstate(all="ignore")
_CONTEXT: Final = contextvars.copy_context()
_CONTEXT.run(_SILENCE.__enter__)

run: Final = _CONTEXT.run
"""Makes the call, or raises a RuntimeError if another thread makes one now."""


@np.errstate(all="ignore")
def _quietly(function: Callable[..., Any], *args: Any) -> Any:
    return function(*args)


def without_warnings(function: Callable[..., Any], *args: Any) -> Any:
    """Call a function of NumPy's that calls none of Python's."""
    try:
        return run(function, *args)
    except RuntimeError:
        return _quietly(function, *args)
