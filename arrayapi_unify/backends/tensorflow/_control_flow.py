"""Loops and branches as TensorFlow's operations, in the graphs that `tf.function` makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf

from arrayapi_unify.backends._common.protocols import defaults
from arrayapi_unify.backends._common.protocols.transformations import Function, Natives, Step
from arrayapi_unify.backends.tensorflow._core import EagerTensor, Tensor
from arrayapi_unify.backends.tensorflow.gradients import refuse_vectorization

TRACES_BRANCHES_FIRST: Final = False
share_memory: Final = defaults.shares_memory
count_writes: Final = defaults.version_of


def lowers_control_flow() -> bool:
    """Return True if a graph is being traced."""
    return not tf.executing_eagerly()


def is_known(truth: Tensor) -> bool:
    """Return True if the tensor has a value."""
    return type(truth) is EagerTensor


def _rows(xs: Natives, length: int) -> list[Any]:
    """Return the rows of tensors for a loop to read: slices have derivatives of whole ones."""
    return [tf.TensorArray(x.dtype, length, element_shape=x.shape[1:]).unstack(x) for x in xs]


def lowered_scan(
    step: Step, carry: Natives, xs: Natives, length: int, reverse: bool
) -> tuple[Natives, Natives]:
    """Loop over positions, and write what each step gives."""
    count = len(carry)

    def flat(*given: Tensor) -> list[Tensor]:
        found, y = step(given[:count], given[count:])
        return [*found, *y]

    # The shapes and data types of what is kept have to be known before the loop.
    specs = [tf.TensorSpec(v.shape, v.dtype) for v in carry]
    specs += [tf.TensorSpec(x.shape[1:], x.dtype) for x in xs]
    known = tf.function(flat, autograph=False).get_concrete_function(*specs)
    kept = known.structured_outputs[count:]
    rows = _rows(xs, length)
    columns = [tf.TensorArray(y.dtype, length, element_shape=y.shape) for y in kept]

    def one(i: Tensor, values: Any, columns: Any) -> Any:
        place = length - 1 - i if reverse else i
        found, ys = step(values, [row.read(place) for row in rows])
        written = [c.write(place, y) for c, y in zip(columns, ys, strict=True)]
        return i + 1, list(found), written

    _, values, columns = tf.while_loop(
        lambda i, *rest: i < length, one, (tf.constant(0), list(carry), columns),
        maximum_iterations=length,
    )  # fmt: skip
    return values, [column.stack() for column in columns]


def lowered_while(
    test: Callable[..., Any], step: Function, carry: Natives, most: int | None
) -> Natives:
    """Loop; XLA pulls derivatives back only if there is a bound."""
    refuse_vectorization()
    return tf.while_loop(test, lambda *v: list(step(*v)), list(carry), maximum_iterations=most)


def lowered_cond(
    truth: Tensor, true_fun: Function, false_fun: Function, operands: Natives
) -> Natives:
    """Choose."""
    return tf.cond(
        truth,
        lambda: [tf.identity(x) for x in true_fun(*operands)],
        lambda: [tf.identity(x) for x in false_fun(*operands)],
    )
