"""The special functions of NumPy's arrays, which other libraries may share their memory with."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.algorithms.special import BLOCKS, FUNCTIONS, NAMES

__all__ = ["in_blocks"]

NDArray: TypeAlias = npt.NDArray[Any]


def _holds(condition: NDArray) -> bool | None:
    count = np.count_nonzero(condition)
    return count == condition.size if count in (0, condition.size) else None


_NAMESPACE: Final = SimpleNamespace(
    **{name: getattr(np, name) for name in NAMES},
    constants=lambda numbers, _: np.asarray(numbers),
    stop_gradient=lambda x: x,
    holds=_holds,
    compresses=lambda *_: True,
)


def in_blocks(name: str) -> Callable[..., NDArray]:
    """Make a function of NumPy's arrays, and of Python numbers.

    It computes in double precision, by parts that stay in the cache.
    """
    compute, block = FUNCTIONS[name], BLOCKS[name]

    @np.errstate(all="ignore")
    def kernel(*operands: Any) -> NDArray:
        dtype = next(x.dtype for x in operands if isinstance(x, np.ndarray))
        arrays = np.broadcast_arrays(*(np.asarray(x, dtype) for x in operands))
        flat = [x.reshape(-1) for x in arrays]
        found = np.empty(flat[0].size, dtype)
        for start in range(0, found.size, block):
            part = slice(start, start + block)
            found[part] = compute(_NAMESPACE, *(x[part].astype(np.float64) for x in flat))
        return found.reshape(arrays[0].shape)

    return kernel
