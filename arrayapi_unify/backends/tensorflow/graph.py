"""Tracing of TensorFlow's functions to a concrete function, whose graph is pruned."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf

from arrayapi_unify.backends._common.algorithms.graph_values import Op
from arrayapi_unify.backends.tensorflow._equivalents import (
    equivalent as equivalent,
)

TRACES_EAGERLY: Final = False
# Parts of the messages of TensorFlow and of ours, where the value of a symbolic tensor is used.
_NO_VALUE: Final = ("has no values yet", "symbolic", "has no attribute 'numpy'")


def asks_for_value(error: BaseException) -> bool:
    """Return True if an error says that code needs a value, which a trace doesn't have."""
    refused = isinstance(error, tf.errors.OperatorNotAllowedInGraphError)
    return refused or any(part in str(error) for part in _NO_VALUE)


def is_array(value: Any) -> bool:
    """Return True if a value is a tensor."""
    return isinstance(value, tf.Tensor)


group = tf.name_scope

_NAMES: Final = {
    "AddV2": "add", "Add": "add", "Mul": "multiply", "Sub": "subtract", "RealDiv": "divide",
    "Pack": "stack", "ConcatV2": "concat", "MatrixDiagV3": "diag", "BatchMatMulV2": "matmul",
    "MatMul": "matmul", "SelectV2": "where", "StridedSlice": "get_item",
    "Transpose": "permute_dims",
    "Neg": "negative", "reduce_variance": "var", "reduce_std": "std", "Cast": "astype",
    "GreaterEqual": "greater_equal", "LessEqual": "less_equal", "NotEqual": "not_equal",
    "ExpandDims": "expand_dims", "reduce_logsumexp": "logsumexp", "Pow": "pow",
}  # fmt: skip
_NUMBERED: Final = re.compile(r"_\d+$")
_FED: Final = frozenset({"Placeholder", "Const", "Identity", "NoOp"})


class Traced:
    """A concrete function; only what its results need is shown, and run."""

    def __init__(self, concrete: Any, inputs: list[Any], outputs: list[Any]) -> None:
        """Hold a concrete function."""
        self.run = concrete
        self._graph = concrete.graph
        self._needed = _needed(outputs)
        self.inputs = [x.name for x in inputs]
        self.outputs = [self._value(x) for x in outputs]
        self.ops = list(self._ops())

    def text(self) -> str:
        """Return the operations, a line each."""
        lines = [
            f"{op.name} = {op.type}({', '.join(x.name for x in op.inputs)})"
            for op in self._graph.get_operations()
            if op in self._needed
        ]
        return "\n".join([*lines, ""])

    def _value(self, x: Any) -> str:
        while x.op.type == "Identity":
            x = x.op.inputs[0]
        if x.op.type == "Const":
            values = tf.make_ndarray(x.op.get_attr("value"))
            return f"constant {values.tolist()!r} {values.dtype} {values.shape}"
        return x.name

    def _ops(self) -> Any:
        for op in self._graph.get_operations():
            if op not in self._needed or op.type in _FED:
                continue
            api, rest = _apart(op.name)
            scope = rest.partition("/")[0] if "/" in rest else ""
            ours = scope.startswith("unify.")
            label = scope.split(".", 1)[1].rpartition(".")[0] if ours else _NUMBERED.sub("", scope)
            label = label or op.type
            found = _NAMES.get(label, label if ours else _snake(label))
            key = f"{api}/{scope}" if scope else op.name
            outputs = tuple([x.name for x in op.outputs])
            yield Op(
                op.type, found, key, tuple(map(self._value, op.inputs)), outputs, _detail(op),
                f"tf.raw_ops.{op.type}", not (api or ours),
            )  # fmt: skip


def _apart(name: str) -> tuple[str, str]:
    """Split off the scope in which a function of ours called TensorFlow's own."""
    first, _, rest = name.partition("/")
    return (first, rest) if first.startswith("api.") else ("", name)


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _detail(op: Any) -> str:
    attributes = {key: str(op.node_def.attr[key]) for key in sorted(op.node_def.attr)}
    shapes = [str(x.shape) for x in (*op.inputs, *op.outputs)]
    return f"{attributes} {shapes}"


def _needed(outputs: list[Any]) -> set[Any]:
    """Return the operations that results need, in whichever order they run."""
    found: set[Any] = set()
    left = [x.op for x in outputs]
    while left:
        op = left.pop()
        if op not in found:
            found.add(op)
            left += [x.op for x in op.inputs] + list(op.control_inputs)
    return found


def trace(function: Callable[..., list[Any]], natives: list[Any]) -> Traced:
    """Trace a function of native arrays."""
    specs = [tf.TensorSpec(x.shape, x.dtype) for x in natives]
    traced = tf.function(
        lambda *xs: tuple(map(tf.convert_to_tensor, function(*xs))), autograph=False
    ).get_concrete_function(*specs)
    outputs = list(traced.outputs)
    inputs = list(traced.inputs)[: len(specs)]
    return Traced(traced, inputs, outputs)
