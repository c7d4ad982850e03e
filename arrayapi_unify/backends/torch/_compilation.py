"""Compilation by `torch.compile`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import torch

from arrayapi_unify.errors import UnifyError

__all__ = ["WHOLE", "compiled"]

WHOLE: Final = True

_OURS: Final = "_UnifyError"  # what all functions that binding makes have among their names


def _kept(guards: Sequence[Any]) -> list[bool]:
    """Say which guards are checked before each call.

    PyTorch watches every global name that it met. Those of our own functions never change, and
    looking at them takes as long as a small function does.
    """
    scopes = [
        guard.name
        for guard in guards
        if isinstance(guard.value, dict) and guard.value.get(_OURS) is UnifyError
    ]
    return [not any(scope in guard.name for scope in scopes) for guard in guards]


def compiled(function: Callable[..., Any], dynamic: bool | None) -> Callable[..., Any]:
    """Compile by inductor, which needs a compiler of C++ on processors."""
    return torch.compile(function, dynamic=dynamic, options={"guard_filter_fn": _kept})
