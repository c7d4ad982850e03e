"""Compilation by `torch.compile`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch

__all__ = ["WHOLE", "compiled"]

WHOLE: Final = True


def compiled(function: Callable[..., Any], dynamic: bool | None) -> Callable[..., Any]:
    """Compile."""
    return torch.compile(function, dynamic=dynamic)
