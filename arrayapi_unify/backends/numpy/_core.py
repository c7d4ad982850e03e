"""NumPy helpers for all categories: types, arrays in place of scalars, a cheap test of values."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends.kernel import kernel_of

NDArray: TypeAlias = npt.NDArray[Any]
Operand: TypeAlias = "NDArray | bool | int | float | complex"
Native = TypeVar("Native", bound=Callable[..., Any])


# Up to here, Python adds numbers up in less time than a call into NumPy takes.
FEW: Final = 16

# The arguments of a ufunc's reduction over all axes, with an array for its result since NumPy 2.3.
_RETURNS_ARRAY: Final = np.lib.NumpyVersion(np.__version__) >= "2.3.0"
WHOLE: Final[dict[str, Any]] = {"axis": None, **({"out": ...} if _RETURNS_ARRAY else {})}

# Not 0 if any element is true; on small arrays this takes half the time of `any`.
any_true: Callable[[Any], int] = np.count_nonzero


def returns_array(native: Native) -> Native:
    """Make the form of a native function that returns arrays where NumPy returns scalars.

    Binding calls `fast_call`, which may return scalars, and makes arrays of them itself: it looks
    at the type of a result anyway.
    """

    @functools.wraps(native)
    def whole(*args: Any, **kwargs: Any) -> Any:
        return _array(native(*args, **kwargs))

    kernel = kernel_of(native)
    kernel = kernel if kernel.fast_call else replace(kernel, fast_call=native)
    return cast(Native, kernel(whole))


def _array(result: Any) -> Any:
    if type(result) is np.ndarray:
        return result
    return tuple(map(_array, result)) if isinstance(result, tuple) else np.asarray(result)
