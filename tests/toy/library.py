"""A fictitious array library."""

from __future__ import annotations

from typing import Any

import numpy as np

KINDS = {"bit": np.dtype(bool), "single": np.dtype("f4"), "double": np.dtype("f8")}


class Grid:
    """Numbers, or truth values, in a grid."""

    def __init__(self, values: Any, dtype: str | None = None) -> None:
        found = np.asarray(values, KINDS[dtype] if dtype else None)
        self.dtype = next((name for name in KINDS if KINDS[name] == found.dtype), "double")
        self.values = found.astype(KINDS[self.dtype], copy=False)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape


def value(x: Any) -> Any:
    return x.values if isinstance(x, Grid) else x
