"""Arrays as nests of TensorFlow, so that `tf.function` and `tf.nest` take them.

Containers need nothing: they are mutable mappings, which TensorFlow takes apart and puts together
again by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

__all__ = ["register_node"]


def register_node(
    kind: type,
    flatten: Callable[[Any], tuple[Sequence[Any], Any]],
    unflatten: Callable[[Any, Sequence[Any]], Any],
) -> None:
    """Give a class the protocol of TensorFlow's custom nests."""
    if issubclass(kind, Mapping):
        return

    def tf_flatten(self: Any) -> tuple[Any, tuple[Any, ...]]:
        parts, structure = flatten(self)
        return structure, tuple(parts)

    def tf_unflatten(cls: type, structure: Any, parts: Sequence[Any]) -> Any:
        return unflatten(structure, parts)

    vars_of_protocol = {"__tf_flatten__": tf_flatten, "__tf_unflatten__": classmethod(tf_unflatten)}
    for name, method in vars_of_protocol.items():
        setattr(kind, name, method)
