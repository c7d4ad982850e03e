"""Arrays as nests of TensorFlow, so that `tf.function` and `tf.nest` take them.

Containers need nothing: they are mutable mappings, which TensorFlow takes apart and puts together
again by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tensorflow.core.function import trace_type
from tensorflow.core.function.trace_type.custom_nest_trace_type import CustomNestTraceType

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

    def tf_tracing_type(self: Any, context: Any) -> Any:
        # What has __array__ would be traced as a NumPy array, before the protocol is asked for.
        structure, parts = tf_flatten(self)
        components = tuple(trace_type.from_value(part, context) for part in parts)
        return CustomNestTraceType(type(self), structure, components)

    protocol = {
        "__tf_flatten__": tf_flatten,
        "__tf_unflatten__": classmethod(tf_unflatten),
        "__tf_tracing_type__": tf_tracing_type,
    }
    for name, method in protocol.items():
        setattr(kind, name, method)
