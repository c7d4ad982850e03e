"""PyTorch's own losses of real numbers, of tensors that are alike, over all axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch

from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING

__all__ = ["huber", "mae", "mse", "poisson_nll", "smooth_l1"]

Tensor = torch.Tensor
Axis = int | tuple[int, ...] | None
_nn: Final[Any] = torch.nn.functional
_REDUCTIONS: Final = ("mean", "sum", "none")


def _alike(true: Tensor, pred: Tensor, axis: Axis, reduction: str) -> bool:
    if axis is not None or reduction not in _REDUCTIONS:
        return False
    same = true.dtype is pred.dtype and true.shape == pred.shape
    return same and true.dtype in REAL_FLOATING


def _plain(name: str, function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Make the native function of a loss without a number of its own."""

    def loss(
        true: Tensor, pred: Tensor, /, *, axis: Axis = None, reduction: str = "mean"
    ) -> Tensor:
        return function(pred, true, reduction=reduction)

    def fits(true: Tensor, pred: Tensor, /, *, axis: Any = None, reduction: str = "mean") -> bool:
        return _alike(true, pred, axis, reduction)

    loss.__name__ = loss.__qualname__ = name
    loss.__doc__ = "Compute by PyTorch's own function."
    vars(loss).update(partial_mixed_handler=fits)
    return loss


mse = _plain("mse", _nn.mse_loss)
mae = _plain("mae", _nn.l1_loss)


def huber(
    true: Tensor,
    pred: Tensor,
    /,
    *,
    delta: float = 1.0,
    axis: Axis = None,
    reduction: str = "mean",
) -> Tensor:
    """Compute by PyTorch's own function."""
    loss: Tensor = _nn.huber_loss(pred, true, reduction=reduction, delta=delta)
    return loss


def _fits_huber(
    true: Tensor, pred: Tensor, /, *, delta: Any = 1.0, axis: Any = None, reduction: str = "mean"
) -> bool:
    return type(delta) is float and 0 < delta < _LARGE and _alike(true, pred, axis, reduction)


def smooth_l1(
    true: Tensor,
    pred: Tensor,
    /,
    *,
    beta: float = 1.0,
    axis: Axis = None,
    reduction: str = "mean",
) -> Tensor:
    """Compute by PyTorch's own function."""
    loss: Tensor = _nn.smooth_l1_loss(pred, true, reduction=reduction, beta=beta)
    return loss


def _fits_smooth_l1(
    true: Tensor, pred: Tensor, /, *, beta: Any = 1.0, axis: Any = None, reduction: str = "mean"
) -> bool:
    return type(beta) is float and 0 < beta < _LARGE and _alike(true, pred, axis, reduction)


_LARGE: Final = 1e30
vars(huber).update(partial_mixed_handler=_fits_huber)
vars(smooth_l1).update(partial_mixed_handler=_fits_smooth_l1)


def poisson_nll(
    true: Tensor,
    pred: Tensor,
    /,
    *,
    log_input: bool = True,
    full: bool = False,
    epsilon: float = 1e-8,
    axis: Axis = None,
    reduction: str = "mean",
) -> Tensor:
    """Compute by PyTorch's own function."""
    loss: Tensor = _nn.poisson_nll_loss(
        pred, true, log_input=bool(log_input), full=bool(full), eps=epsilon, reduction=reduction
    )
    return loss


def _fits_poisson_nll(
    true: Tensor,
    pred: Tensor,
    /,
    *,
    epsilon: Any = 1e-8,
    axis: Any = None,
    reduction: str = "mean",
    **options: Any,
) -> bool:
    return type(epsilon) is float and _alike(true, pred, axis, reduction)


vars(poisson_nll).update(partial_mixed_handler=_fits_poisson_nll)
