"""The short way of reductions that PyTorch computes as the standard has it, along one axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING

Tensor = torch.Tensor


def along_one_axis(
    short: Callable[..., Tensor], of_nothing: bool = False
) -> Callable[[Callable[..., Tensor]], Any]:
    """Let PyTorch's own function reduce real floats along one axis; all else is for the decorated.

    `short` gets the tensor, the axis, and whether to keep it. `of_nothing` says that it knows what
    the result of no elements is: torch.compile may not know whether there are any.
    """

    def decorated(careful: Callable[..., Tensor]) -> Any:
        def native(x: Tensor, /, *, axis: Any = None, keepdims: bool = False) -> Tensor:
            if type(axis) is int and x.dtype in REAL_FLOATING and (of_nothing or x.numel()):
                rank = x.ndim
                if -rank <= axis < rank:
                    return short(x, axis, keepdims)
            return careful(x, axis, keepdims)

        native.__name__ = native.__qualname__ = careful.__name__
        native.__doc__ = careful.__doc__
        return native

    return decorated
