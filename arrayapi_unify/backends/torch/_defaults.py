"""The defaults that the user may set, as PyTorch's own data types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import torch

from arrayapi_unify import dtypes
from arrayapi_unify.backends.torch.dtypes import BY_NAME

T = TypeVar("T")


def settled(f: Callable[[], T]) -> Callable[[], T]:
    """Let torch.compile take what a function without arguments returns now for a constant.

    It can't trace the context variables that hold the defaults. This is what
    `torch.compiler.assume_constant_result` does, which imports all of the compiler for it.
    """
    f._dynamo_marked_constant = True  # type: ignore[attr-defined]  # dynamo looks for it
    return f


@settled
def default_int() -> torch.dtype:
    """Return what Python integers become."""
    return BY_NAME[dtypes.held_int().value.name]


@settled
def default_float() -> torch.dtype:
    """Return what Python floats become."""
    return BY_NAME[dtypes.held_float().value.name]


@settled
def default_complex() -> torch.dtype:
    """Return what Python's complex numbers become."""
    return BY_NAME[dtypes.default_complex().name]


def of_scalar(value: Any) -> torch.dtype:
    """Return what a lone Python scalar becomes."""
    if isinstance(value, bool):
        return torch.bool
    if isinstance(value, int):
        return default_int()
    return default_float() if isinstance(value, float) else default_complex()
