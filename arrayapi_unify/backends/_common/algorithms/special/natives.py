"""Native functions of several operands, made of kernels."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.algorithms.special import BLOCKS, FUNCTIONS, NAMES
from arrayapi_unify.backends.kernel import partial_mixed

__all__ = ["PARAMETERS", "in_blocks", "native_functions"]

PARAMETERS: Final = {"betainc": 2, "polygamma": 1, "zeta": 1}
"""The number of operands by which a function isn't differentiated."""


def native_functions(
    kernels: Mapping[str, Callable[..., Any]],
    is_real: Callable[[Any], bool],
    is_tracked: Callable[[Any], bool],
) -> dict[str, Callable[..., Any]]:
    """Make functions of arrays of one real floating-point data type, and of Python numbers.

    `is_real` tells arrays of such a data type from all else, and `is_tracked` those that might be
    differentiated: the body refuses that for the parameters of a function.
    """
    return {name: _native(name, kernel, is_real, is_tracked) for name, kernel in kernels.items()}


def _native(name: str, kernel: Any, is_real: Any, is_tracked: Any) -> Callable[..., Any]:
    count = PARAMETERS.get(name, 0)

    def fits(*operands: Any) -> bool:
        arrays = [x for x in operands if not _is_number(x)]
        alike = all(is_real(x) and x.dtype == arrays[0].dtype for x in arrays)
        if not (arrays and alike):
            return False
        return not any(is_tracked(x) for x in operands[:count] if not _is_number(x))

    def native(*operands: Any) -> Any:
        return kernel(*operands)

    native.__name__ = native.__qualname__ = name
    native.__doc__ = "Compute in double precision."
    native.__signature__ = _signature(name)  # type: ignore[attr-defined]  # inspect looks for it
    return partial_mixed(fits)(native)


def _signature(name: str) -> inspect.Signature:
    """Return the parameters of a function without its namespace, as the contract has them."""
    given = [*inspect.signature(FUNCTIONS[name]).parameters][1:]
    kind = inspect.Parameter.POSITIONAL_ONLY
    return inspect.Signature([inspect.Parameter(each, kind) for each in given])


def _is_number(x: Any) -> bool:
    return type(x) in (int, float) and abs(x) <= sys.float_info.max


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
