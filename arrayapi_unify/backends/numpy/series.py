"""NumPy's own running extremes, which take real numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.axes import normalize_axis, only_axis

__all__ = ["cummax", "cummin"]

Arr = npt.NDArray[Any]


def _accumulation(name: str, accumulate: Callable[..., Arr]) -> Callable[..., Arr]:
    def native(x: Arr, /, *, axis: int | None = None) -> Arr:
        if axis is None or x.ndim == 0:
            axis = only_axis(name, x.ndim, axis)
        return accumulate(x, normalize_axis(name, axis, x.ndim))

    native.__name__ = native.__qualname__ = name
    vars(native).update(partial_mixed_handler=_is_real)
    return native


def _is_real(x: Arr, /, **kwargs: object) -> bool:
    return x.dtype.kind != "c"


cummax = _accumulation("cummax", np.maximum.accumulate)
cummin = _accumulation("cummin", np.minimum.accumulate)
