"""Arrays as nests of TensorFlow, so that `tf.function` and `tf.nest` take them.

Containers need nothing: they are mutable mappings, which TensorFlow flattens and rebuilds on its
own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tensorflow as tf
from tensorflow.core.function import trace_type
from tensorflow.core.function.trace_type.custom_nest_trace_type import CustomNestTraceType


def register_node(
    kind: type,
    flatten: Callable[[Any], tuple[Sequence[Any], Any]],
    unflatten: Callable[[Any, Sequence[Any]], Any],
    names: Callable[[Any], Sequence[str]],
) -> None:
    """Give a class the protocol of TensorFlow's custom nests."""
    if issubclass(kind, Mapping) or "__tf_flatten__" in vars(kind):
        return

    def tf_flatten(self: Any) -> tuple[Any, tuple[Any, ...]]:
        parts, structure = flatten(self)
        return structure, tuple(parts)

    def tf_unflatten(cls: type, structure: Any, parts: Sequence[Any]) -> Any:
        return unflatten(structure, parts)

    def tf_tracing_type(self: Any, context: Any) -> Any:
        # Objects with __array__ would be traced as NumPy arrays, before this protocol is used.
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


# TensorFlow's interface for the libraries around it, such as Keras.
_Dispatcher: Any = tf.__internal__.dispatch.OpDispatcher


class _Explicit(_Dispatcher):  # type: ignore[misc]  # TensorFlow has no stubs
    """A dispatcher of `tf.convert_to_tensor` alone, called once its own conversion has failed."""

    def __init__(self, backend: str) -> None:
        """Give the native arrays of this backend."""
        self._backend = backend

    def handle(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Convert the native array in place of an Array, with the same options."""
        value, *rest = args or (kwargs["value"],)
        if not hasattr(type(value), "__unify_backend__"):
            return self.NOT_SUPPORTED
        options = {key: option for key, option in kwargs.items() if key != "value"}
        return tf.convert_to_tensor(value._native_of(self._backend), *rest, **options)


def convert_explicitly(backend: str) -> None:
    """Have `tf.convert_to_tensor` take Arrays; other functions refuse them (`__tf_tensor__`)."""
    _Explicit(backend).register(tf.convert_to_tensor)
