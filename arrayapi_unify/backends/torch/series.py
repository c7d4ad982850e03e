"""PyTorch's own running extremes, which take real numbers, and areas below series."""

from __future__ import annotations

from collections.abc import Callable

import torch

from arrayapi_unify.backends._common.axes import normalize_axis, only_axis
from arrayapi_unify.backends._common.series import sums_trapezoids
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.torch._unsigned import from_order, to_order
from arrayapi_unify.backends.torch.dtypes import COMPLEX, REAL_FLOATING

__all__ = ["cummax", "cummin", "trapezoid"]

Tensor = torch.Tensor


def _accumulation(
    name: str, accumulate: Callable[[Tensor, int], tuple[Tensor, Tensor]]
) -> Callable[..., Tensor]:
    def native(x: Tensor, /, *, axis: int | None = None) -> Tensor:
        if axis is None or x.ndim == 0:
            axis = only_axis(name, x.ndim, axis)
        axis = normalize_axis(name, axis, x.ndim)
        return from_order(accumulate(to_order(x), axis)[0], x.dtype)

    native.__name__ = native.__qualname__ = name
    return partial_mixed(_is_real)(native)


def _is_real(x: Tensor, /, **kwargs: object) -> bool:
    """Return True if x is real and not empty: the kernel refuses some empty shapes."""
    return x.dtype not in COMPLEX and x.numel() > 0


cummax = _accumulation("cummax", torch.cummax)
cummin = _accumulation("cummin", torch.cummin)


@partial_mixed(sums_trapezoids(lambda y: y.dtype in REAL_FLOATING))
def trapezoid(y: Tensor, x: Tensor | None = None, /, *, dx: float = 1.0, axis: int = -1) -> Tensor:
    """Integrate by PyTorch's own function where there are places, else by two sums."""
    at = normalize_axis("trapezoid", axis, y.ndim)
    if x is not None:
        return torch.trapezoid(y, x, dim=at)
    # PyTorch's own takes half of the ends off the sum of all: NaN, where one is infinite.
    count = max(y.shape[at] - 1, 0)
    left = y.narrow(at, 0, count).sum(at)
    right = y.narrow(at, y.shape[at] - count, count).sum(at)
    return (left + right) * (dx / 2)
