"""Compilation by `tf.function`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import tensorflow as tf

from arrayapi_unify.backends.tensorflow._core import EagerTensor

WHOLE: Final = False


def compiled(
    function: Callable[..., Any], dynamic: bool | None, **options: Any
) -> Callable[..., Any]:
    """Compile; Python's code isn't rewritten, so that it means the same on every backend.

    `tf.function` takes a third of the time of a small function to find its graph. What finds it by
    shapes and data types takes less.
    """
    whole: Any = tf.function(function, autograph=False, reduce_retracing=bool(dynamic), **options)
    if dynamic:
        return cast("Callable[..., Any]", whole)
    graphs: dict[Any, Any] = {}

    def run(*natives: Any) -> Any:
        key = []
        for x in natives:
            if type(x) is not EagerTensor:  # a variable, or part of another graph
                return whole(*natives)
            key += [x._shape_tuple(), x.dtype]
        known = tuple(key)
        graph = graphs.get(known)
        if graph is None:
            graph = graphs[known] = whole.get_concrete_function(*natives)
        # Called as a function, a graph compares all shapes and data types with its own once more.
        return graph._call_flat([*natives], graph.captured_inputs)

    return run
