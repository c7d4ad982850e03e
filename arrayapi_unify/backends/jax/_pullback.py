"""Derivatives that are finite: a function's own derivative is 0 where it has none.

The pullback of `jax.vjp` is a linear program. It is read here, operation by operation. If a factor
isn't finite, and the product with the derivative from above is NaN or infinite, the operation adds
nothing. An overflow of a finite factor stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

Values = list[Any]

# Operations that move, add or select: their factors are finite.
_SAFE: Final = frozenset(
    {
        "add", "add_any", "broadcast_in_dim", "complex", "concatenate", "conj",
        "convert_element_type", "copy", "copy_p", "cumsum", "device_put", "dynamic_slice",
        "dynamic_update_slice", "expand_dims", "gather", "imag", "neg", "optimization_barrier",
        "pad", "pbroadcast", "pvary", "real", "reduce_precision", "reduce_sum", "reshape", "rev",
        "scatter", "scatter-add", "select_n", "sharding_constraint", "slice", "split", "squeeze",
        "sub", "transpose",
    }
)  # fmt: skip
# Operations that cost much: they are looked at where values are known.
_DEAR: Final = frozenset({"conv_general_dilated"})
# Calls of programs that can be read as if they stood here.
_CALLS: Final = frozenset({"checkpoint", "closed_call", "core_call", "jit", "pjit", "remat2"})


def value_of(x: Any) -> Any:
    """Return the values of an array, also of one that is differentiated or mapped, or None."""
    while isinstance(x, jax.core.Tracer):
        inner: Any = getattr(x, "primal", None)
        x = getattr(x, "val", None) if inner is None else inner
    return x if isinstance(x, jax.Array | np.ndarray) else None


@jax.jit
def _all_finite(xs: Values) -> Any:
    return jnp.all(jnp.asarray([jnp.all(jnp.isfinite(x)) for x in xs]))


def defined(pull: Callable[[Any], Any], upstream: tuple[Any, ...]) -> Any:
    """Pull back; an operation adds nothing where its own derivative isn't finite."""
    found = pull(upstream)
    values = [value_of(x) for x in found]
    if all(x is not None for x in values):
        with jax.ensure_compile_time_eval():  # constants of a function that is traced
            finite = bool(_all_finite(values))
        if finite:
            return found
    program = jax.make_jaxpr(pull)(upstream)
    given = jax.tree_util.tree_leaves(upstream)
    outs, _ = _run(program.jaxpr, program.consts, given, [True] * len(given))
    return outs


def _run(
    program: Any, consts: Sequence[Any], args: Sequence[Any], moved: Sequence[bool]
) -> tuple[Values, list[bool]]:
    """Run a program, of whose arguments some are pulled back; say which results are."""
    values: dict[Any, Any] = dict(zip(program.constvars, consts, strict=True))
    values.update(zip(program.invars, args, strict=True))
    pulled = {var for var, yes in zip(program.invars, moved, strict=True) if yes}

    def is_pulled(atom: Any) -> bool:
        return not hasattr(atom, "val") and atom in pulled

    def read(atom: Any) -> Any:
        return atom.val if hasattr(atom, "val") else values[atom]

    for equation in program.eqns:
        inputs = [read(atom) for atom in equation.invars]
        flags = [is_pulled(atom) for atom in equation.invars]
        if any(flags):
            outs, above = _step(equation, inputs, flags)
        else:
            outs, above = _bound(equation, inputs), [False] * len(equation.outvars)
        values.update(zip(equation.outvars, outs, strict=True))
        pulled.update(var for var, yes in zip(equation.outvars, above, strict=True) if yes)
    return [read(a) for a in program.outvars], [is_pulled(a) for a in program.outvars]


def _bound(equation: Any, inputs: Values) -> Values:
    given = equation.primitive.get_bind_params(equation.params)
    functions, params = given if isinstance(given, tuple) else ((), given)  # of older versions
    found = equation.primitive.bind(*functions, *inputs, **params)
    return list(found) if equation.primitive.multiple_results else [found]


def _step(equation: Any, inputs: Values, flags: list[bool]) -> tuple[Values, list[bool]]:
    """Do one operation of what is pulled back."""
    name, params = equation.primitive.name, equation.params
    if name in _CALLS:
        inner = params["jaxpr"]
        consts = getattr(inner, "consts", ())
        return _run(getattr(inner, "jaxpr", inner), consts, inputs, flags)
    if name == "scan":
        return _scanned(params, inputs, flags)
    if name == "cond":
        return _branched(params, inputs, flags)
    outs = _bound(equation, inputs)
    if name in _SAFE or (name in _DEAR and value_of(outs[0]) is None):
        return outs, [True] * len(outs)
    if not all(map(_is_finite, outs)):
        rows = [
            _ones(x, _free(equation, i)) if flag else x
            for i, (x, flag) in enumerate(zip(inputs, flags, strict=True))
        ]
        outs = list(map(_kept, outs, _bound(equation, rows)))
    return outs, [True] * len(outs)


def _is_finite(x: Any) -> bool:
    """Return True only if all elements have values, and these are finite."""
    x = value_of(x)
    return x is not None and bool(np.isfinite(x).all())


def _free(equation: Any, place: int) -> list[int]:
    """Return the axes of an operand of a product of matrices along which all rows are alike."""
    if equation.primitive.name != "dot_general":
        return []
    summed, batch = equation.params["dimension_numbers"]
    return sorted(set(range(equation.invars[place].aval.ndim)) - {*summed[place], *batch[place]})


def _ones(x: Any, free: list[int]) -> Any:
    if not jnp.issubdtype(jnp.result_type(x), jnp.inexact):
        return x
    return jnp.ones([1 if i in free else n for i, n in enumerate(jnp.shape(x))], x.dtype)


def _kept(x: Any, of_one: Any) -> Any:
    """Return 0 where x isn't finite, though an overflow isn't the reason."""
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        return x
    finite = jnp.broadcast_to(jnp.isfinite(of_one), x.shape)
    return lax.select(jnp.isfinite(x) | finite, x, jnp.zeros_like(x))


def _scanned(params: Any, inputs: Values, flags: list[bool]) -> tuple[Values, list[bool]]:
    """Run a loop, whose state is pulled back if a step makes it so."""
    inner, first, count = params["jaxpr"], params["num_consts"], params["num_carry"]
    last = first + count
    marks = list(flags)
    while True:
        above: list[bool] = []

        def step(
            carry: Values, rows: Values, marks: list[bool] = marks, above: list[bool] = above
        ) -> tuple[Values, Values]:
            given = [*inputs[:first], *carry, *rows]
            outs, above[:] = _run(inner.jaxpr, inner.consts, given, marks)
            return outs[:count], outs[count:]

        options = {name: params[name] for name in ("length", "reverse", "unroll")}
        carry, rows = lax.scan(step, inputs[first:last], inputs[last:], **options)
        state = [a or b for a, b in zip(marks[first:last], above[:count], strict=True)]
        if state == marks[first:last]:
            return [*carry, *rows], above
        marks = [*marks[:first], *state, *marks[last:]]


def _branched(params: Any, inputs: Values, flags: list[bool]) -> tuple[Values, list[bool]]:
    """Run one of several branches."""
    above: list[bool] = []

    def branch(inner: Any) -> Callable[..., Values]:
        def run(*args: Any) -> Values:
            outs, moved = _run(inner.jaxpr, inner.consts, args, flags[1:])
            above[:] = [a or b for a, b in zip(above or moved, moved, strict=True)]
            return outs

        return run

    index, *operands = inputs
    outs = lax.switch(index, [branch(inner) for inner in params["branches"]], *operands)
    return outs, above
