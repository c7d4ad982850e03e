"""Derivatives that are finite: a function's own derivative is 0 where it has none.

TensorFlow's tapes call a function of Python for the derivative of each operation. If derivatives
aren't finite, or their values aren't known, they are pulled back once more with our function before
it. If a factor isn't finite, and the product with the derivative from above is NaN or infinite, the
operation adds nothing. An overflow of a finite factor stays.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
import tensorflow as tf
from tensorflow.python import pywrap_tfe
from tensorflow.python.eager import backprop, record
from tensorflow.python.framework import ops

from arrayapi_unify._core.locks import new_lock
from arrayapi_unify.backends._common.checks.arguments import TrackedError
from arrayapi_unify.backends.tensorflow._core import EagerTensor, Tensor, raw

# Operations that move, add or select: their factors are finite.
_SAFE: Final = frozenset(
    {
        "AddN", "AddV2", "BiasAdd", "BroadcastTo", "Cast", "Complex", "ConcatV2", "Conj", "Cumsum",
        "ExpandDims", "GatherNd", "GatherV2", "Identity", "Imag", "LeakyRelu", "MatrixDiagPartV3",
        "Maximum", "Mean", "Minimum", "Neg", "Pack", "Pad", "PadV2", "PlaceholderWithDefault",
        "Real", "Relu", "Relu6", "Reshape", "ResourceGather", "ReverseV2", "ScatterNd", "Select",
        "SelectV2", "Slice", "Split", "SplitV", "Squeeze", "StridedSlice", "Sub", "Sum",
        "TensorScatterUpdate", "Tile", "Transpose", "Unpack",
    }
)  # fmt: skip
# Operations that call graphs, whose own operations are looked at.
_CALLS: Final = frozenset(
    {
        "Case", "If", "PartitionedCall", "StatefulPartitionedCall", "StatelessCase", "StatelessIf",
        "StatelessWhile", "While",
    }
)  # fmt: skip
# Operations of two operands that are broadcast.
_BROADCAST: Final = frozenset(
    {
        "Atan2", "Div", "DivNoNan", "FloorDiv", "FloorMod", "Igamma", "Igammac", "Mul", "MulNoNan",
        "NextAfter", "Polygamma", "Pow", "RealDiv", "SquaredDifference", "TruncateDiv", "Xdivy",
        "Xlog1py", "Xlogy", "Zeta",
    }
)  # fmt: skip

# Products of matrices, whose derivatives cost as much: looked at where values are known.
_DEAR: Final = ("BatchMatMul", "Conv", "DepthwiseConv", "Einsum", "MatMul", "SparseMatMul")

_of_tapes: Final = backprop._gradient_function
_of_graphs: Final = ops.get_gradient_function
_lock: Final = new_lock()
_installed = False
# The number of functions that are being differentiated, in all threads.
running = 0


class _Watch(threading.local):
    """The places where derivatives of operations are looked at, for each thread."""

    tapes = False
    graphs = False  # functions of TensorFlow's, while they are called


_watch: Final = _Watch()


def defined(pull: Callable[[], Sequence[Tensor]]) -> Sequence[Tensor]:
    """Pull back; an operation adds nothing where its own derivative isn't finite."""
    if tf.executing_eagerly():
        found = pull()
        if all(map(_is_finite, found)):
            return found
    before, _watch.tapes = _watch.tapes, True
    try:
        with differentiated():
            return pull()
    finally:
        _watch.tapes = before


@contextmanager
def differentiated() -> Iterator[None]:
    """Look at the derivatives of graphs that are made meanwhile."""
    global _installed, running
    if not _installed:
        with _lock:
            pywrap_tfe.TFE_Py_RegisterGradientFunction(_in_tape)
            ops.get_gradient_function = _in_graph
            _installed = True
    before, _watch.graphs = _watch.graphs, True
    with _lock:
        running += 1
    try:
        yield
    finally:
        with _lock:
            running -= 1
        _watch.graphs = before


def check_undifferentiated(x: Tensor) -> None:
    """Refuse to make a constant of a tensor that a derivative is being computed by."""
    if _watch.graphs and type(x) is EagerTensor and record.should_record_backprop([x]):
        raise TrackedError("a tape watches the tensor")


def custom_gradient(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a function a derivative of its own, as `tf.custom_gradient` does."""

    def watched(*args: Any) -> Any:
        result, gradient = function(*args)

        def kept(*upstream: Tensor) -> Any:
            found = gradient(*upstream)
            if not _watch.tapes:
                return found
            one = not isinstance(found, tuple | list)
            parts = _look(
                [found] if one else found, lambda: _listed(gradient(*map(_ones, upstream)))
            )
            return parts[0] if one else tuple(parts)

        return result, kept

    made: Callable[..., Any] = tf.custom_gradient(watched)
    return made


def _listed(found: Any) -> list[Any]:
    return list(found) if isinstance(found, tuple | list) else [found]


def _in_tape(
    op_name: str,
    attr_tuple: Any,
    num_inputs: int,
    inputs: Any,
    outputs: Any,
    out_grads: Any,
    skip_input_indices: Any,
    forward_pass_name_scope: Any,
) -> Any:
    """Differentiate an operation of a tape, in place of TensorFlow's own function."""

    def ask(given: Any, upstream: Any) -> Any:
        return _of_tapes(
            op_name, attr_tuple, num_inputs, given, outputs, upstream, skip_input_indices,
            forward_pass_name_scope,
        )  # fmt: skip

    return _looked(op_name, inputs, out_grads, ask) if _watch.tapes else ask(inputs, out_grads)


def _in_graph(op: Any) -> Any:
    """Return the derivative of an operation of a graph, in place of TensorFlow's function."""
    found = _of_graphs(op)
    if found is None or not _watch.graphs:
        return found
    inputs = list(op.inputs)

    def gradient(_: Any, *upstream: Any) -> Any:
        def ask(given: Any, upstream: Any) -> Any:
            return found(op if given is inputs else _Operation(op, given), *upstream)

        return _looked(op.type, inputs, upstream, ask)

    return gradient


class _Operation:
    """An operation with other inputs."""

    def __init__(self, op: Any, inputs: Any) -> None:
        self.inputs, self._op = inputs, op

    def __getattr__(self, name: str) -> Any:
        return getattr(self._op, name)


def _looked(name: str, inputs: Any, upstream: Any, ask: Callable[[Any, Any], Any]) -> Any:
    """Return the parts of the derivatives by its inputs that come from one operation."""
    eager = tf.executing_eagerly()
    found = ask(inputs, upstream)
    if name in _SAFE or name in _CALLS or (name.startswith(_DEAR) and not eager):
        return found
    if eager and all(g is None or _is_finite(g) for g in _listed(found)):
        return found
    whole, shapes = inputs, None
    if name in _BROADCAST:
        shapes = [raw.Shape(input=x) for x in inputs]
        shape = raw.BroadcastArgs(s0=shapes[0], s1=shapes[1])
        whole = [raw.BroadcastTo(input=x, shape=shape) for x in inputs]
        found = ask(whole, upstream)

    def of_one() -> list[Any]:
        if name == "Mul":
            return list(whole)[::-1]
        return _listed(ask(whole, [_ones(u) for u in upstream]))

    kept = _look(_listed(found), of_one)
    return kept if shapes is None else _summed(kept, shapes)


def _look(found: Sequence[Any], of_one: Callable[[], Sequence[Any]]) -> list[Any]:
    """Replace what isn't finite."""
    if tf.executing_eagerly() and all(g is None or _is_finite(g) for g in found):
        return list(found)
    if not any(map(_is_number, found)):
        return list(found)
    return [_kept(g, z) if _is_number(g) else g for g, z in zip(found, of_one(), strict=True)]


def _is_number(x: Any) -> bool:
    """Return False for no derivative, and for the states of TensorFlow's loops."""
    return x is not None and (x.dtype.is_floating or x.dtype.is_complex)


def _ones(upstream: Any) -> Any:
    """Return ones: of zeros some of TensorFlow's derivatives are zero, whatever their factors."""
    return raw.OnesLike(x=upstream) if _is_number(upstream) else upstream


def _kept(x: Any, of_one: Any) -> Any:
    """Return 0 where x isn't finite, though an overflow isn't the reason."""
    if isinstance(x, tf.IndexedSlices):
        return tf.IndexedSlices(_kept(x.values, of_one.values), x.indices, x.dense_shape)
    finite = raw.LogicalOr(x=_finite(x), y=_finite(of_one))
    return raw.SelectV2(condition=finite, t=x, e=raw.ZerosLike(x=x))


def _finite(x: Tensor) -> Tensor:
    if x.dtype.is_complex:
        return raw.LogicalAnd(x=_finite(tf.math.real(x)), y=_finite(tf.math.imag(x)))
    return raw.IsFinite(x=x)


def _summed(found: Sequence[Any], shapes: Sequence[Tensor]) -> list[Any]:
    """Sum over axes along which an operand was broadcast."""
    over = raw.BroadcastGradientArgs(s0=shapes[0], s1=shapes[1])
    return [
        g if g is None else raw.Reshape(tensor=raw.Sum(input=g, axis=axes), shape=shape)
        for g, axes, shape in zip(found, over, shapes, strict=True)
    ]


@np.errstate(all="ignore")
def _is_finite(x: Any) -> bool:
    """Return True only if all elements are finite, which their sum shows."""
    x = x.values if isinstance(x, tf.IndexedSlices) else x
    if type(x) is not EagerTensor or not _is_number(x):
        return type(x) is EagerTensor
    total = x.numpy().sum()
    return math.isfinite(total.real) and math.isfinite(total.imag)
