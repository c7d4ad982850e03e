"""The general functions on PyTorch."""

from __future__ import annotations

from typing import Any

import torch

from arrayapi_unify.backends._common.checks.shapes import raise_many_error
from arrayapi_unify.backends.torch import _saved
from arrayapi_unify.backends.torch._interchange import to_numpy as to_numpy


def to_list(x: torch.Tensor, /) -> Any:
    """Return nested lists of Python scalars."""
    if _saved.tapes and x.requires_grad:
        _saved.check_untracked(x)
    return x.tolist()


def to_scalar(x: torch.Tensor, /) -> bool | int | float | complex:
    """Return the only element."""
    if _saved.tapes and x.requires_grad:
        _saved.check_untracked(x)
    try:
        return x.item()
    except RuntimeError:
        if x.numel() == 1:
            raise
    raise_many_error(x.shape)
