"""PyTorch's own losses of real numbers, of tensors that are alike, over all axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch

from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING

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
    return partial_mixed(fits)(loss)


mse = _plain("mse", _nn.mse_loss)
mae = _plain("mae", _nn.l1_loss)


def _fits_huber(
    true: Tensor, pred: Tensor, /, *, delta: Any = 1.0, axis: Any = None, reduction: str = "mean"
) -> bool:
    return type(delta) is float and 0 < delta < _LARGE and _alike(true, pred, axis, reduction)


@partial_mixed(_fits_huber)
def huber(
    true: Tensor, pred: Tensor, /, *, delta: float = 1.0, axis: Axis = None, reduction: str = "mean"
) -> Tensor:
    """Compute by PyTorch's own function."""
    return _nn.huber_loss(pred, true, reduction=reduction, delta=delta)


def _fits_smooth_l1(
    true: Tensor, pred: Tensor, /, *, beta: Any = 1.0, axis: Any = None, reduction: str = "mean"
) -> bool:
    return type(beta) is float and 0 < beta < _LARGE and _alike(true, pred, axis, reduction)


@partial_mixed(_fits_smooth_l1)
def smooth_l1(
    true: Tensor, pred: Tensor, /, *, beta: float = 1.0, axis: Axis = None, reduction: str = "mean"
) -> Tensor:
    """Compute by PyTorch's own function."""
    return _nn.smooth_l1_loss(pred, true, reduction=reduction, beta=beta)


_LARGE: Final = 1e30


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


@partial_mixed(_fits_poisson_nll)
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
    return _nn.poisson_nll_loss(
        pred, true, log_input=bool(log_input), full=bool(full), eps=epsilon, reduction=reduction
    )
