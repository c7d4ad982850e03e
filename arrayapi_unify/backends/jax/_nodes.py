"""Arrays and Containers as nodes of `jax.tree_util`, so that `jit`, `grad`, `vmap` take them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax

__all__ = ["register_node"]


def register_node(
    kind: type,
    flatten: Callable[[Any], tuple[Sequence[Any], Any]],
    unflatten: Callable[[Any, Sequence[Any]], Any],
) -> None:
    """Register a class with JAX's trees."""
    jax.tree_util.register_pytree_node(kind, flatten, unflatten)
