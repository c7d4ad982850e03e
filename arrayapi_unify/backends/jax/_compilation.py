"""Compilation by `jax.jit`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import jax

WHOLE: Final = False


def compiled(
    function: Callable[..., Any], dynamic: bool | None, **options: Any
) -> Callable[..., Any]:
    """Compile; XLA makes one program for each shape, with any options."""
    return jax.jit(function, **options)
