"""PyTorch's own covariances, of the rows of one array."""

from __future__ import annotations

import torch

from arrayapi_unify.backends._common.correlation import has_correlations, has_covariances
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.torch._core import is_compiling
from arrayapi_unify.backends.torch.dtypes import REAL_FLOATING

__all__ = ["corrcoef", "cov"]

Tensor = torch.Tensor


def _is_served(x: Tensor) -> bool:
    """Return True if PyTorch's functions take x; they read values, which can't be traced."""
    return x.dtype in REAL_FLOATING and not is_compiling()


@partial_mixed(has_covariances(_is_served))
def cov(
    x: Tensor,
    y: Tensor | None = None,
    /,
    *,
    rowvar: bool = True,
    correction: float = 1,
    fweights: Tensor | None = None,
    aweights: Tensor | None = None,
) -> Tensor:
    """Compute by PyTorch's own function."""
    return torch.cov(x, correction=int(correction))


@partial_mixed(has_correlations(_is_served))
def corrcoef(x: Tensor, y: Tensor | None = None, /, *, rowvar: bool = True) -> Tensor:
    """Compute by PyTorch's own function."""
    return torch.corrcoef(x)
