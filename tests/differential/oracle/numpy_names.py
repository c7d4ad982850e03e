"""Oracles of the functions that bear NumPy's names: NumPy's own."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.differential.oracle._registry import ORACLES, oracle, same

__all__: list[str] = []

same(
    np,
    "atleast_1d", "atleast_2d", "atleast_3d", "diagonal", "fliplr", "flipud", "ravel", "rot90",
    "swapaxes", "transpose",
)  # fmt: skip


def _cut(name: str) -> Any:
    return lambda *args, **kwargs: tuple(getattr(np, name)(*args, **kwargs))


ORACLES.update({name: _cut(name) for name in ("array_split", "dsplit", "hsplit", "vsplit")})


@oracle("trace")
def _trace(x: Any, /, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None) -> Any:
    planes = np.moveaxis(x, (axis1, axis2), (-2, -1))
    if axis1 % x.ndim == axis2 % x.ndim:
        raise ValueError("the axes are the same")
    return ORACLES["linalg.trace"](planes, offset=offset, dtype=dtype)
