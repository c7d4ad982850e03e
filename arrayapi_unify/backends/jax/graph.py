"""How JAX's functions are traced: to a jaxpr, without what contributes nothing."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import jax
import jax.numpy as jnp
from jax.extend import core
from jax.interpreters import partial_eval

from arrayapi_unify.backends._common.tracing import Op

__all__ = ["COMPOSED", "LIVE", "asks_for_value", "counterpart", "group", "is_array", "trace"]

LIVE: Final = False
_VALUE_ERRORS: Final = (
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
    jax.errors.NonConcreteBooleanIndexError,
)
Found = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]
_FLOATS: Final = frozenset({"float32", "float64"})

# What jax.numpy computes as our functions do, for real floating-point arrays.
_UNARY: Final = {
    name: getattr(jnp, name)
    for name in (
        "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "exp",
        "expm1", "floor", "isfinite", "isinf", "isnan", "log", "log10", "log1p", "log2",
        "negative", "round", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc",
    )
}  # fmt: skip
_BINARY: Final = {
    name: getattr(jnp, name)
    for name in (
        "add", "subtract", "multiply", "divide", "equal", "not_equal", "less", "less_equal",
        "greater", "greater_equal", "maximum", "minimum", "logaddexp", "atan2", "hypot",
    )
}  # fmt: skip


def _is_real(x: Any) -> bool:
    return str(getattr(x, "dtype", "")) in _FLOATS


def _two(function: Any, x1: Any, x2: Any) -> Found | None:
    alike = _is_real(x1) and _is_real(x2) and x1.dtype == x2.dtype
    beside = (_is_real(x1) and _is_number(x2)) or (_is_real(x2) and _is_number(x1))
    strong = not any(getattr(x, "weak_type", False) for x in (x1, x2))
    return (function, (x1, x2), {}) if strong and (alike or beside) else None


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < 2**24


def _reduced(function: Any) -> Any:
    def find(
        x: Any, /, *, axis: Any = None, keepdims: bool = False, dtype: Any = None, **more: Any
    ) -> Found | None:
        if (
            not _is_real(x)
            or dtype is not None
            or 0 in x.shape
            or (axis is not None and not x.ndim)
        ):
            return None
        if any(more.values()):
            return None
        return function, (x,), {"axis": axis, "keepdims": keepdims}

    return find


def _joined(function: Any) -> Any:
    def find(arrays: Any, /, *, axis: int | None = 0) -> Found | None:
        alike = len({str(x.dtype) for x in arrays}) == 1 and all(map(_is_real, arrays))
        return (function, (list(arrays),), {"axis": axis}) if alike else None

    return find


_COUNTERPARTS: Final[dict[str, Any]] = {
    "sum": _reduced(jnp.sum), "mean": _reduced(jnp.mean), "max": _reduced(jnp.max),
    "min": _reduced(jnp.min), "var": _reduced(jnp.var), "std": _reduced(jnp.std),
    "prod": _reduced(jnp.prod), "concat": _joined(jnp.concatenate), "stack": _joined(jnp.stack),
    "matmul": lambda x1, x2, /: _two(jnp.matmul, x1, x2) if x1.ndim and x2.ndim else None,
    "where": lambda c, x1, x2, /: (
        (jnp.where, (c, x1, x2), {}) if _two(None, x1, x2) and str(c.dtype) == "bool" else None
    ),
    "diag": lambda x, /, *, offset=0: (
        (jnp.diag, (x,), {"k": offset}) if x.ndim == 1 and _is_real(x) else None
    ),
}  # fmt: skip

# Functions of ours that are made of others, where the library has one of the same meaning.
COMPOSED: Final = frozenset({"diag"})


def counterpart(name: str, args: Any, kwargs: dict[str, Any]) -> Found | None:
    """Return JAX's own function for a call of ours, where it gives the same in each call."""
    if name in _UNARY:
        return (_UNARY[name], tuple(args), kwargs) if _is_real(args[0]) and not kwargs else None
    if name in _BINARY:
        return _two(_BINARY[name], *args) if not kwargs else None
    find = _COUNTERPARTS.get(name)
    found: Found | None = find(*args, **kwargs) if find else None
    return found


def asks_for_value(error: BaseException) -> bool:
    """Whether an error says that a value is needed that there isn't while JAX traces."""
    return isinstance(error, _VALUE_ERRORS)


def is_array(value: Any) -> bool:
    """Whether a value is an array of JAX's."""
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
        self._closed = core.ClosedJaxpr(jaxpr, closed.consts)
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
            key: Any = scope or i
            label = scope.split(".", 1)[1].rpartition(".")[0] if scope else _label(eqn)
            if not scope and _makes_mean(before, eqn, uses):
                key, label = i - 1, "mean"
            before = eqn if not scope else None
            yield Op(
                eqn.primitive.name, label, key,
                tuple(map(self._value, eqn.invars)), tuple([str(id(v)) for v in eqn.outvars]),
                _detail(eqn), f"jax.lax.{eqn.primitive.name}", not _made_by_us(eqn),
            )  # fmt: skip


def _scope(eqn: Any) -> str:
    parts = str(eqn.source_info.name_stack).split("/")
    return next((part for part in parts if part.startswith("unify.")), "")


def _made_by_us(eqn: Any) -> bool:
    parts = str(eqn.source_info.name_stack).split("/")
    return any(part.startswith(("unify.", "api.")) for part in parts)


def _label(eqn: Any) -> str:
    name = eqn.primitive.name
    if name in ("jit", "pjit", "closed_call", "custom_jvp_call", "custom_vjp_call"):
        name = str(eqn.params.get("name", name)).strip("_")
    found: str = _NAMES.get(name, name)
    return found


def _makes_mean(total: Any, eqn: Any, uses: dict[Any, int]) -> bool:
    """Whether a sum is divided by the number of its elements, which is how JAX takes the mean."""
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
