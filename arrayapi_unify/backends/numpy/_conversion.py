"""Arrays out of anything that holds values: what `asarray` takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.algorithms.conversion import convert
from arrayapi_unify.backends._common.protocols.interchange import is_writeable


def converted(
    function: str, obj: Any, dtype: np.dtype[Any] | None, copy: bool | None
) -> npt.NDArray[Any]:
    """Convert what `asarray` takes; only of a read-only NumPy array the result is read-only too.

    Other libraries' arrays, and bytes, give NumPy read-only views; no other backend's Array of them
    would refuse a write.
    """
    values = convert(function, "obj", obj, dtype, copy)
    if type(obj) is list:
        return values
    sealed = copy is None and not isinstance(obj, np.ndarray) and not is_writeable(values)
    return values.copy() if sealed else values
