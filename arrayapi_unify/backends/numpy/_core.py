"""What every category needs of NumPy: its types, arrays for scalars, a cheap question on values."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

__all__ = ["FEW", "Arr", "Operand", "any_true", "arrays_out"]

Arr: TypeAlias = npt.NDArray[Any]
Operand: TypeAlias = "Arr | bool | int | float | complex"
Native = TypeVar("Native", bound=Callable[..., Any])


# Up to here, Python adds numbers up in less time than a call into NumPy takes.
FEW: Final = 16

# Whether any element is true; on small arrays this takes half the time of `any`.
any_true: Callable[[Any], int] = np.count_nonzero


def arrays_out(native: Native) -> Native:
    """Make the form of a native function that returns arrays where NumPy returns scalars.

    Binding calls `direct`, which may return scalars, and makes arrays of them itself: it looks at
    the type of a result anyway.
    """

    @functools.wraps(native)
    def whole(*args: Any, **kwargs: Any) -> Any:
        return _array(native(*args, **kwargs))

    vars(whole).setdefault("direct", None)
    vars(whole)["direct"] = vars(whole)["direct"] or native
    return cast(Native, whole)


def _array(result: Any) -> Any:
    if type(result) is np.ndarray:
        return result
    return tuple(map(_array, result)) if isinstance(result, tuple) else np.asarray(result)
