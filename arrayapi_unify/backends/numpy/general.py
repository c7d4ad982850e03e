"""The general functions on NumPy."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.checks.shapes import raise_many_error
from arrayapi_unify.backends.kernel import FastKernel, Kernel
from arrayapi_unify.backends.numpy._interchange import to_numpy as to_numpy


def to_list(x: npt.NDArray[Any], /) -> Any:
    """Return nested lists of Python scalars."""
    return x.tolist()


@Kernel(fast_kernel=FastKernel(np.ndarray.item))
def to_scalar(x: npt.NDArray[Any], /) -> bool | int | float | complex:
    """Return the only element."""
    if x.size != 1:
        raise_many_error(x.shape)
    return cast("bool | int | float | complex", x.item())
