"""The registry of oracles, by qualified name, and their common helpers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

__all__ = ["ORACLES", "floating", "floats", "narrow", "oracle", "same", "wide"]

Oracle = Callable[..., Any]
ORACLES: Final[dict[str, Oracle]] = {}
_WIDE: Final = {"f": np.longdouble, "c": np.clongdouble}


def oracle(*functions: str) -> Callable[[Oracle], Oracle]:
    """Register an oracle of these functions."""

    def register(function: Oracle) -> Oracle:
        ORACLES.update(dict.fromkeys(functions, function))
        return function

    return register


def same(module: Any, *functions: str, prefix: str = "") -> None:
    """Register a module's own functions, which have the same names and arguments."""
    ORACLES.update({prefix + name: getattr(module, name) for name in functions})


def floats(x: Any) -> Any:
    """Return an array in its own floating-point data type, or in float64."""
    x = np.asarray(x)
    return x if x.dtype.kind in "fc" else x.astype(np.float64)


def wide(x: Any) -> Any:
    """Return floating-point numbers in extended precision, if the machine has it."""
    x = floats(x)
    return x.astype(_WIDE[x.dtype.kind])


def narrow(x: Any, dtype: Any) -> Any:
    """Round numbers of higher precision."""
    x = np.asarray(x)
    if x.dtype.kind == "c" and np.dtype(dtype).kind != "c":
        x = x.real
    return x.astype(dtype)


def floating(*arrays: Any) -> Any:
    """Return the floating-point data type to which arrays promote."""
    from tests.differential.oracle.promotion import promoted

    found = promoted(*(np.asarray(x).dtype.name for x in arrays))
    return np.dtype(found if found.startswith(("float", "complex")) else "float64")
