"""Arrays and Containers as nodes of PyTorch's trees, so that `torch.func` takes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch.utils import _pytree as pytree

__all__ = ["register_node"]


def register_node(
    kind: type,
    flatten: Callable[[Any], tuple[Sequence[Any], Any]],
    unflatten: Callable[[Any, Sequence[Any]], Any],
) -> None:
    """Register a class with PyTorch's trees."""
    pytree.register_pytree_node(
        kind,
        lambda x: _listed(*flatten(x)),
        lambda parts, structure: unflatten(structure, list(parts)),
        serialized_type_name=f"{kind.__module__}.{kind.__qualname__}",
    )


def _listed(parts: Sequence[Any], structure: Any) -> tuple[list[Any], Any]:
    return list(parts), structure
