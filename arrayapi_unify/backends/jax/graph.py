"""Tracing of functions to a jaxpr, without equations that contribute nothing."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import jax
import jax.numpy as jnp
from jax.extend import core
from jax.interpreters import partial_eval

from arrayapi_unify.backends._common.algorithms.graph_values import Op
from arrayapi_unify.backends.jax._equivalents import equivalent as equivalent

TRACES_EAGERLY: Final = False
_VALUE_ERRORS: Final = (
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
    jax.errors.NonConcreteBooleanIndexError,
)


def asks_for_value(error: BaseException) -> bool:
    """Return True if an error says that a value is needed, which a tracer doesn't have."""
    return isinstance(error, _VALUE_ERRORS)


def is_array(value: Any) -> bool:
    """Return True if a value is an array of JAX."""
    return isinstance(value, jax.Array)


group = jax.named_scope

_NAMES: Final = {
    "mul": "multiply", "sub": "subtract", "div": "divide", "reduce_sum": "sum", "neg": "negative",
    "reduce_max": "max", "reduce_min": "min", "reduce_prod": "prod", "concatenate": "concat",
    "dot_general": "matmul", "gt": "greater", "lt": "less", "ge": "greater_equal",
    "le": "less_equal", "eq": "equal", "ne": "not_equal", "transpose": "permute_dims",
    "select_n": "where", "convert_element_type": "astype", "max": "maximum", "min": "minimum",
    "integer_pow": "pow", "rem": "remainder", "broadcast_in_dim": "broadcast_to",
    "clamp": "clip", "rng_bit_generator": "random",
}  # fmt: skip


class Traced:
    """A jaxpr in which everything contributes."""

    def __init__(self, closed: Any) -> None:
        """Drop what doesn't contribute."""
        used = [True] * len(closed.jaxpr.outvars)
        jaxpr, _ = partial_eval.dce_jaxpr(closed.jaxpr, used, instantiate=True)
        self._closed = closed.replace(jaxpr=jaxpr)
        self.run = jax.jit(core.jaxpr_as_fun(self._closed))
        self.inputs = [str(id(v)) for v in jaxpr.invars]
        self.outputs = [self._value(v) for v in jaxpr.outvars]
        self.ops = list(self._ops(jaxpr))

    def text(self) -> str:
        """Return the jaxpr as JAX prints it."""
        return str(self._closed)

    def _value(self, var: Any) -> str:
        if isinstance(var, core.Literal):
            return f"literal {var.val!r} {var.aval}"
        consts = self._closed.jaxpr.constvars
        for known, value in zip(consts, self._closed.consts, strict=True):
            if known is var:
                return f"constant {jnp.asarray(value).tolist()!r} {var.aval}"
        return str(id(var))

    def _ops(self, jaxpr: Any) -> Any:
        uses: dict[Any, int] = {}
        for eqn in jaxpr.eqns:
            for var in eqn.invars:
                uses[str(id(var))] = uses.get(str(id(var)), 0) + 1
        before: Any = None
        for i, eqn in enumerate(jaxpr.eqns):
            scope = _scope(eqn)
            target = i if scope else _operation(jaxpr.eqns, i, uses)
            if target != i:  # the operands of one function, which are broadcast on the way
                yield self._op(eqn, _label(eqn), target, jaxpr.eqns[target])
                continue
            key: Any = scope or i
            label = scope.split(".", 1)[1].rpartition(".")[0] if scope else _label(eqn)
            if not scope and _makes_mean(before, eqn, uses):
                key, label = i - 1, "mean"
            before = eqn if not scope else None
            yield self._op(eqn, label, key, eqn)

    def _op(self, eqn: Any, label: str, key: Any, shown: Any) -> Op:
        return Op(
            eqn.primitive.name, label, key,
            tuple(map(self._value, eqn.invars)), tuple([str(id(v)) for v in eqn.outvars]),
            _detail(eqn), f"jax.lax.{shown.primitive.name}", not _made_by_us(eqn),
        )  # fmt: skip


def _operation(eqns: Any, i: int, uses: dict[Any, int]) -> int:
    """Return the number of the operation for which an operand is broadcast; else its own."""
    own = i
    while i < len(eqns) and _broadcasts_operand(eqns[i], uses):
        i += 1
    made = [str(id(eqn.outvars[0])) for eqn in eqns[own:i]]
    used = [str(id(var)) for var in eqns[i].invars] if i < len(eqns) else []
    return i if made and set(made) <= set(used) else own


def _broadcasts_operand(eqn: Any, uses: dict[Any, int]) -> bool:
    """Return True if JAX broadcasts an operand implicitly, without a call of `broadcast_in_dim`."""
    if eqn.primitive.name != "broadcast_in_dim" or _scope(eqn):
        return False
    if uses.get(str(id(eqn.outvars[0]))) != 1:
        return False
    trace = eqn.source_info.traceback
    names = [frame.function_name for frame in trace.frames[:8]] if trace is not None else []
    return "broadcast_in_dim" not in names


def _scope(eqn: Any) -> str:
    parts = str(eqn.source_info.name_stack).split("/")
    return next((part for part in parts if part.startswith("unify.")), "")


def _made_by_us(eqn: Any) -> bool:
    parts = str(eqn.source_info.name_stack).split("/")
    return any(part.startswith(("unify.", "api.")) for part in parts)


def _label(eqn: Any) -> str:
    name = eqn.primitive.name
    if name in ("jit", "pjit", "closed_call", "custom_jvp_call", "custom_vjp_call"):
        name = str(eqn.params.get("name", _called(eqn) or name)).strip("_")
    return _NAMES.get(name, name)


def _called(eqn: Any) -> str:
    """Return the name of the function that has a derivative of its own."""
    called = eqn.params.get("call_jaxpr")
    said = getattr(getattr(called, "jaxpr", None), "debug_info", None)
    return str(getattr(said, "func_src_info", None) or "").partition(" ")[0].rpartition(".")[2]


def _makes_mean(total: Any, eqn: Any, uses: dict[Any, int]) -> bool:
    """Return True if a sum is divided by the number of its terms, as JAX computes the mean."""
    if total is None or total.primitive.name != "reduce_sum" or eqn.primitive.name != "div":
        return False
    summed, divisor = total.invars[0], eqn.invars[1]
    if eqn.invars[0] is not total.outvars[0] or uses[str(id(total.outvars[0]))] != 1:
        return False
    count = math.prod([summed.aval.shape[a] for a in total.params["axes"]])
    return isinstance(divisor, core.Literal) and divisor.val == count


def _detail(eqn: Any) -> str:
    shapes = ", ".join(str(v.aval) for v in (*eqn.invars, *eqn.outvars))
    params = {key: str(value) for key, value in sorted(eqn.params.items())}
    return f"{params} {shapes}"


def trace(function: Callable[..., list[Any]], natives: list[Any]) -> Traced:
    """Trace a function of native arrays."""
    return Traced(jax.make_jaxpr(lambda *xs: tuple(map(jnp.asarray, function(*xs))))(*natives))
