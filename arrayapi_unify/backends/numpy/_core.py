"""What every category needs of NumPy: the names of its types, and a cheap question about values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["FEW", "Arr", "Operand", "any_true"]

Arr: TypeAlias = npt.NDArray[Any]
Operand: TypeAlias = "Arr | bool | int | float | complex"


# Up to here, Python adds numbers up in less time than a call into NumPy takes.
FEW: Final = 16

# Whether any element is true; on small arrays this takes half the time of `any`.
any_true: Callable[[Any], int] = np.count_nonzero
