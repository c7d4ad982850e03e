"""Arrays and Containers as nodes of PyTorch's trees, so that `torch.func` takes them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch.utils import _pytree as pytree

from arrayapi_unify._core.registered import Rest


def register_node(
    kind: type,
    flatten: Callable[[Any], tuple[Sequence[Any], Any]],
    unflatten: Callable[[Any, Sequence[Any]], Any],
    names: Callable[[Any], Sequence[str]],
) -> None:
    """Register a class with PyTorch's trees."""
    key = pytree.MappingKey if issubclass(kind, Mapping) else pytree.GetAttrKey

    def with_keys(x: Any) -> tuple[list[tuple[Any, Any]], Any]:
        parts, structure = flatten(x)
        return [(key(n), part) for n, part in zip(names(structure), parts, strict=True)], structure

    with contextlib.suppress(ValueError):  # it is registered, by a first use that was interrupted
        pytree.register_pytree_node(
            kind,
            lambda x: _listed(*flatten(x)),
            lambda parts, structure: unflatten(structure, list(parts)),
            flatten_with_keys_fn=with_keys,
            serialized_type_name=f"{kind.__module__}.{kind.__qualname__}",
        )


def _listed(parts: Sequence[Any], structure: Any) -> tuple[list[Any], Any]:
    return list(parts), structure


def node_of(kind: type) -> tuple[Callable[..., Any], Callable[..., Any]] | None:
    """Return `flatten` and `unflatten` of a class in PyTorch's trees; None if it isn't there."""
    node = pytree.SUPPORTED_NODES.get(kind)
    if node is None:
        return None

    def flatten(x: Any) -> tuple[Sequence[Any], Any]:
        parts, context = node.flatten_fn(x)
        return parts, Rest(context)

    return flatten, lambda rest, parts: node.unflatten_fn(list(parts), rest.value)
