"""Arrays and Containers as nodes of `jax.tree_util`, so that `jit`, `grad`, `vmap` take them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax

from arrayapi_unify._core.registered import Rest


def register_node(
    kind: type,
    flatten: Callable[[Any], tuple[Sequence[Any], Any]],
    unflatten: Callable[[Any, Sequence[Any]], Any],
    names: Callable[[Any], Sequence[str]],
) -> None:
    """Register a class with JAX's trees."""
    key = jax.tree_util.DictKey if issubclass(kind, Mapping) else jax.tree_util.GetAttrKey

    def with_keys(x: Any) -> tuple[list[tuple[Any, Any]], Any]:
        parts, structure = flatten(x)
        return [(key(n), part) for n, part in zip(names(structure), parts, strict=True)], structure

    with contextlib.suppress(ValueError):  # it is registered, by a first use that was interrupted
        jax.tree_util.register_pytree_with_keys(
            kind, with_keys, lambda structure, parts: unflatten(structure, tuple(parts)), flatten
        )


def node_of(kind: type) -> tuple[Callable[..., Any], Callable[..., Any]] | None:
    """Return `flatten` and `unflatten` of a class in JAX's trees; None if it isn't there."""
    try:
        empty: Any = object.__new__(kind)
    except TypeError:  # derived of a built-in class, or abstract
        return None
    with contextlib.suppress(Exception):  # a function that takes an empty object apart: known
        if jax.tree_util.default_registry.flatten_one_level(empty) is None:
            return None

    def flatten(x: Any) -> tuple[Sequence[Any], Any]:
        parts, tree = jax.tree_util.tree_flatten(x, is_leaf=lambda part: part is not x)
        level: Any = jax.tree_util.default_registry.flatten_one_level(x)
        return parts, Rest(level[1], tree)

    return flatten, lambda rest, parts: jax.tree_util.tree_unflatten(rest.made_by, parts)
