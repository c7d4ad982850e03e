"""`batch_norm` of a training step by PyTorch's own kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import torch

from arrayapi_unify.backends._common.algorithms.batch_norm import has_plain_channels
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.torch._core import is_compiling, is_transformed
from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING
from arrayapi_unify.backends.torch.gradients import with_rule

Tensor = torch.Tensor

_plain: Final = has_plain_channels(REAL_FLOATING)


def _fits(*args: Any, eps: float = 1e-5, **options: Any) -> bool:
    """Return True in training, if the parameters are plain.

    PyTorch doesn't differentiate by running statistics, which are used in evaluation. With an `eps`
    of zero, its results for equal values aren't NaN. Compiled, the body is one kernel as well, and
    takes the statistics once.
    """
    return not is_compiling() and eps > 0 and _plain(*args, **options)


@partial_mixed(_fits)
def batch_norm(
    x: Tensor,
    mean: Tensor,
    variance: Tensor,
    /,
    *,
    scale: Tensor | None = None,
    offset: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
    axis: int = 1,
) -> tuple[Tensor, Tensor, Tensor]:
    """Normalize in one kernel, whose derivative by an offset needs a scale."""
    scale = torch.ones_like(offset) if scale is None and offset is not None else scale
    second = axis in (1, 1 - x.ndim)
    rows = x if second else x.movedim(axis, -1).reshape(-1, x.shape[axis])
    output, *found = _normalized(rows, scale, offset, eps)
    if not second:
        shape = [*x.shape]
        shape.append(shape.pop(axis))
        output = output.reshape(shape).movedim(-1, axis)
    share = 1 - momentum
    return output, share * mean + momentum * found[0], share * variance + momentum * found[1]


def _normalized(
    x: Tensor, scale: Tensor | None, offset: Tensor | None, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the normalized x, and mean and estimated variance of each channel."""
    normalize = torch.nn.functional.batch_norm
    if is_transformed():
        variance, mean = torch.var_mean(x, [a for a in range(x.ndim) if a != 1], correction=1)
        return normalize(x, None, None, scale, offset, True, 0.0, eps), mean, variance
    # With a momentum of one, the kernel writes what it has computed.
    mean, variance = x.new_zeros(x.shape[1]), x.new_ones(x.shape[1])
    output = normalize(x, mean, variance, scale, offset, True, 1.0, eps)
    if x.requires_grad and torch.is_grad_enabled():
        # The kernel's derivative has kept these tensors, which must not become tracked ones.
        known = mean.detach(), variance.detach()
        mean, variance = with_rule(lambda _: known, _of_moments, [x])
    return output, mean, variance


def _of_moments(
    xs: Sequence[Tensor], outputs: Sequence[Tensor], upstream: Sequence[Tensor]
) -> list[Tensor]:
    """Return the derivative of means and variances, times what comes from above."""
    (x,), (mean, _) = xs, outputs
    count = x.numel() // x.shape[1]
    shape = [1, -1, *[1] * (x.ndim - 2)]
    by_mean, by_variance, mean = (y.reshape(shape) for y in (*upstream, mean))
    return [by_mean / count + by_variance * (x - mean) * (2 / (count - 1))]
