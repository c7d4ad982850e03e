"""Oracles of the functions of einops: einops itself, on arrays of NumPy."""

from __future__ import annotations

import re
from typing import Any

import einops
import numpy as np

from tests.differential.oracle._registry import narrow, oracle, wide

__all__: list[str] = []


@oracle("einops_rearrange")
def _rearrange(x: Any, pattern: str, /, **axes_lengths: int) -> Any:
    return np.array(einops.rearrange(x, pattern, **axes_lengths))


@oracle("einops_repeat")
def _repeat(x: Any, pattern: str, /, **axes_lengths: int) -> Any:
    return np.array(einops.repeat(x, pattern, **axes_lengths))


def _reduced(pattern: str) -> set[str]:
    """Return the axes that a pattern names on its left side only, if any is reduced."""
    left, right = (set(re.findall(r"[^\W\d]\w*|\.\.\.", side)) for side in pattern.split("->"))
    return left - right


@oracle("einops_reduce")
def _reduce(x: Any, pattern: str, reduction: str, /, **axes_lengths: int) -> Any:
    if reduction in ("all", "any") or not _reduced(pattern):
        reduction = reduction if _reduced(pattern) else "max"  # valid for any numbers
        return np.asarray(einops.reduce(x, pattern, reduction, **axes_lengths))
    if x.dtype.kind == "c" and reduction == "mean":
        parts = (_reduce(part, pattern, "mean", **axes_lengths) for part in (x.real, x.imag))
        return (next(parts) + 1j * next(parts)).astype(x.dtype)
    if x.dtype.kind in "fc":
        return narrow(einops.reduce(wide(x), pattern, reduction, **axes_lengths), x.dtype)
    if reduction == "mean":
        return np.asarray(einops.reduce(x.astype(np.float64), pattern, "mean", **axes_lengths))
    # Sums of integers have the width of the default integers of their kind.
    widened = x.astype(np.uint64 if x.dtype.kind == "u" else np.int64)
    x = widened if reduction in ("sum", "prod") else x
    return np.asarray(einops.reduce(x, pattern, reduction, **axes_lengths))
