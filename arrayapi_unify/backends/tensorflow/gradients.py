"""TensorFlow's differentiation and vectorization of functions of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf
from tensorflow.python.eager import record

from arrayapi_unify.backends._common.algorithms.graph_values import stacked
from arrayapi_unify.backends._common.protocols.transformations import (
    ONES,
    Function,
    Natives,
    OutsideWrite,
    Pull,
    Rule,
)
from arrayapi_unify.backends.tensorflow._core import (
    VECTORIZED,
    EagerTensor,
    Tensor,
    tensor,
)
from arrayapi_unify.backends.tensorflow._pullback import custom_gradient, defined, differentiated

DIFFERENTIATES: Final = True

# Rules, and operations that can't be vectorized, which a function may meet.
_RULE: Final = "rule"
_LOOP: Final = "loop"
_ZERO: Final = tf.UnconnectedGradients.ZERO


def stop_gradient(x: Tensor, /, *, preserve_type: bool = True) -> Tensor:
    """Return the values; nothing differentiates through. The results of functions are tensors."""
    return tf.stop_gradient(tensor(x))


def requires_gradient(x: Tensor, /) -> bool:
    """Return True if a tape watches the tensor."""
    return bool(record.should_record_backprop([tensor(x)]))


def uncompiled(call: Callable[[Any], Any], argument: Any) -> Any:
    """Call the function: TensorFlow's tracers run Python."""
    return call(argument)


def detached(x: Tensor) -> Tensor:
    """Return the values; a tensor with values is tracked only if a tape says so."""
    x = tensor(x)
    plain = type(x) is EagerTensor and not record.could_possibly_record()
    return x if plain else tf.stop_gradient(x)


def tracking(xs: Natives) -> bool:
    """Return True: this costs nothing here."""
    return True


def depends(func: Callable[..., Any], xs: Natives) -> bool:
    """Say no: the library tracks the results of all functions of numbers."""
    return False


# --- derivatives ------------------------------------------------------------------------------


def _leaves(xs: Natives) -> list[Tensor]:
    """Return new tensors of the same values, which are used nowhere else."""
    return [tf.identity(x) for x in xs]


def pullback(func: Callable[..., Any], xs: Natives, keep: bool) -> tuple[Natives, Natives, Pull]:
    """Call the function, and return how to pull back."""
    leaves = _leaves(xs)
    with tf.GradientTape(persistent=True, watch_accessed_variables=False) as tape:
        tape.watch(leaves)
        with differentiated():
            outputs, others = func(*leaves)

    def pull(upstream: Natives, last: bool) -> Natives:
        relevant = [(y, u) for y, u in zip(outputs, upstream, strict=True) if u is not None]
        ends = [y for y, _ in relevant]
        # TensorFlow's own ones are no part of what it records.
        above = None if any(u is ONES for _, u in relevant) else [u for _, u in relevant]

        def gradient() -> Natives:
            found = tape.gradient(ends, leaves, above, unconnected_gradients=_ZERO)
            return [tf.convert_to_tensor(g) for g in found]  # those of gathers are IndexedSlices

        return defined(gradient)

    return outputs, others, pull


def vectorized(func: Function, xs: Natives) -> tuple[Tensor, ...]:
    """Call the function for all rows at once.

    Vectorization loses the rules of `with_rule`. A function that has met one is called row by row
    if it may be differentiated from outside. So is one whose inner derivative writes to an array of
    the caller, and one with an operation that TensorFlow can't vectorize: it fails on some, on
    others only for some data types, or once their derivative is vectorized
    (`refuse_vectorization`).
    """
    met: list[str] = []
    token = VECTORIZED.set(met)
    found: tuple[Tensor, ...] | None = None
    raised: list[Exception] = []
    dtypes: list[Any] = []

    def each(rows: Natives) -> Any:
        try:
            results = func(*rows)
        except Exception as error:
            raised.append(error)
            raise
        dtypes[:] = [x.dtype for x in results]
        return tuple(map(_of_loop, results))

    try:
        found = tf.vectorized_map(each, tuple(xs), warn=False)
    except Exception:  # TensorFlow may have made another one of that which was raised
        outside = bool(raised) and isinstance(raised[0], OutsideWrite)
        if raised and _LOOP not in met and not outside:
            raise raised[0] from None
        met.append(_LOOP)
    finally:
        VECTORIZED.reset(token)
        raised.clear()
    if found is not None:
        found = tuple(map(_as_dtype, found, dtypes))
        if not met:
            return found
    _meet_rule()  # for a vectorization around this one
    if found is not None and tf.executing_eagerly() and not record.could_possibly_record():
        return found
    rows = zip(*map(tf.unstack, xs), strict=True)
    return stacked([func(*row) for row in rows], tf.stack)


def _of_loop(x: Tensor) -> Tensor:
    """Return a result as a tensor that TensorFlow can tile: made in the loop, and not of uint16."""
    return tf.bitcast(x, tf.int16) if x.dtype is tf.uint16 else tf.identity(x)


def _as_dtype(x: Tensor, dtype: Any) -> Tensor:
    return x if x.dtype is dtype else tf.bitcast(x, dtype)


def refuse_vectorization() -> None:
    """Raise in a vectorized call that may be differentiated: TensorFlow's loops can't be both."""
    met = VECTORIZED.get(None)
    if met is not None and record.could_possibly_record():
        met.append(_LOOP)
        raise NotImplementedError("tf.vectorized_map: no derivative of tf.while_loop")


def _meet_rule() -> None:
    met = VECTORIZED.get(None)
    if met is not None:
        met.append(_RULE)


def with_rule(func: Function, rule: Rule, xs: Natives) -> tuple[Tensor, ...]:
    """Call the function with a derivative of its own."""
    _meet_rule()

    @custom_gradient
    def ruled(*given: Tensor) -> Any:
        outputs = func(*given)
        return outputs, lambda *upstream: tuple(rule(given, outputs, upstream))

    return ruled(*xs)


def recomputed(func: Function, xs: Natives) -> tuple[Tensor, ...]:
    """Call the function, and again for its derivative, which has derivatives itself.

    That of `tf.recompute_grad` has none.
    """

    @tf.custom_gradient  # type: ignore[untyped-decorator]  # TensorFlow has no types
    def calling(*given: Tensor) -> Any:
        def pull(*upstream: Tensor) -> Any:
            _, _, pull_again = pullback(lambda *leaves: (func(*leaves), ()), given, True)
            above = [u if u.dtype.is_floating or u.dtype.is_complex else None for u in upstream]
            return pull_again(above, True)

        return func(*given), pull

    return calling(*xs)
