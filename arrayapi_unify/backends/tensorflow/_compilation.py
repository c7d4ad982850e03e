"""Compilation by `tf.function`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import tensorflow as tf

__all__ = ["WHOLE", "compiled"]

WHOLE: Final = False


def compiled(function: Callable[..., Any], dynamic: bool | None) -> Callable[..., Any]:
    """Compile; Python's code isn't rewritten, so that it means the same on every backend."""
    made = tf.function(function, autograph=False, reduce_retracing=bool(dynamic))
    return cast("Callable[..., Any]", made)
