"""Reductions that PyTorch lacks: extremes of complex numbers, and where they are."""

from __future__ import annotations

from collections.abc import Callable

import torch

Tensor = torch.Tensor


def flattened_axes(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    """Move axes to the end and make one of them, in their order."""
    kept = [a for a in range(x.ndim) if a not in axes]
    shape = [x.shape[a] for a in kept]
    size = 1
    for a in axes:
        size *= x.shape[a]
    return x.permute([*kept, *sorted(axes)]).reshape(*shape, size)


def position_of_complex(x: Tensor, reduce: Callable[..., Tensor]) -> Tensor:
    """Find along the last axis the first extreme, by real and then imaginary part.

    A NaN counts as the extreme. `reduce` is torch.amax or torch.amin.
    """
    missing = torch.isnan(x)
    worst = float("-inf") if reduce is torch.amax else float("inf")
    a = torch.where(missing, worst, x.real)
    top = a == reduce(a, -1, True)
    # Among the numbers of that real part; those that aren't candidates must not win.
    b = torch.where(top & ~missing, x.imag, worst)
    best = top & ~missing & (b == reduce(b, -1, True))
    found = torch.where(missing.any(-1, keepdim=True), missing, best)
    return torch.argmax(found.to(torch.uint8), -1)


def extreme_of_complex(
    x: Tensor, axes: tuple[int, ...], keepdims: bool, reduce: Callable[..., Tensor]
) -> Tensor:
    """Pick the first extreme of complex numbers along axes."""
    flat = flattened_axes(x, axes)
    at = position_of_complex(flat, reduce).unsqueeze(-1)
    result = torch.gather(flat, -1, at).squeeze(-1)
    if keepdims:
        result = result.reshape([1 if a in axes else n for a, n in enumerate(x.shape)])
    return result
