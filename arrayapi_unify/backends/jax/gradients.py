"""Differentiation and vectorization of functions of arrays by JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from arrayapi_unify.backends._common.protocols.transformations import (
    ONES,
    Function,
    Natives,
    Pull,
    Rule,
)
from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.jax._pullback import defined

DIFFERENTIATES: Final = True

Tracer = jax.core.Tracer


def stop_gradient(x: JaxArray, /, *, preserve_type: bool = True) -> JaxArray:
    """Return the values; nothing differentiates through. JAX's arrays are of one type."""
    return jax.lax.stop_gradient(x)


def requires_gradient(x: JaxArray, /) -> bool:
    """Return True if JAX is differentiating a function by this array, also inside vmap."""
    inner: Any = x
    while isinstance(inner, Tracer):
        if hasattr(inner, "tangent"):
            return True
        inner = getattr(inner, "val", None)  # a tracer of vmap wraps another
    return False


def uncompiled(call: Callable[[Any], Any], argument: Any) -> Any:
    """Call the function: this library's tracers let Python run."""
    return call(argument)


def detached(x: JaxArray) -> JaxArray:
    """Return the values; only what is traced can be tracked."""
    return jax.lax.stop_gradient(x) if isinstance(x, Tracer) else x


def tracking(xs: Natives) -> bool:
    """Say yes: it costs nothing here."""
    return True


def depends(func: Callable[..., Any], xs: Natives) -> bool:
    """Return True if outputs depend on the arrays; JAX doesn't track steps, such as `floor`."""
    try:
        program = jax.make_jaxpr(lambda *xs: func(*xs)[0])(*xs).jaxpr
    except Exception:  # it has to know values
        return True
    reached = set(program.invars)
    for equation in program.eqns:
        if any(not hasattr(atom, "val") and atom in reached for atom in equation.invars):
            reached.update(v for v in equation.outvars if jnp.issubdtype(v.aval.dtype, jnp.inexact))
    return any(not hasattr(atom, "val") and atom in reached for atom in program.outvars)


# --- derivatives ------------------------------------------------------------------------------


def _conj(x: Any) -> Any:
    """Go between JAX's derivatives by complex numbers and ours."""
    return jnp.conj(x) if jnp.iscomplexobj(x) else x


def pullback(func: Callable[..., Any], xs: Natives, keep: bool) -> tuple[Natives, Natives, Pull]:
    """Call the function, and return how to pull back."""
    outputs, whole, others = jax.vjp(func, *xs, has_aux=True)
    pulls = [whole]
    del whole

    def pull_filled(upstream: Natives, last: bool) -> Natives:
        # XLA runs asynchronously, and can reuse memory without references.
        pull = pulls.pop() if last else pulls[-1]
        found = defined(pull, tuple(map(_above, upstream, outputs)))
        return [_conj(g) for g in found]

    return outputs, others, pull_filled


def _above(upstream: Any, output: JaxArray) -> JaxArray:
    """Return what JAX takes for what comes from above an output."""
    if upstream is None:
        return jnp.zeros_like(output)
    return jnp.ones_like(output) if upstream is ONES else _conj(upstream)


def vectorized(func: Function, xs: Natives) -> tuple[JaxArray, ...]:
    """Call the function for all rows at once."""
    return jax.vmap(func)(*xs)


def with_rule(func: Function, rule: Rule, xs: Natives) -> tuple[JaxArray, ...]:
    """Call the function with a derivative of its own."""

    @jax.custom_vjp
    def ruled(*given: JaxArray) -> tuple[JaxArray, ...]:
        return func(*given)

    def forward(*given: JaxArray) -> tuple[tuple[JaxArray, ...], Any]:
        # A further differentiation uses the rule again.
        outputs = ruled(*given)
        return outputs, (given, outputs)

    def backward(saved: Any, upstream: Any) -> tuple[Any, ...]:
        given, outputs = saved
        above = [_conj(_number(u, y)) for u, y in zip(upstream, outputs, strict=True)]
        found = rule(given, outputs, above)
        return tuple(_of_its_type(g, x) for g, x in zip(found, given, strict=True))

    ruled.defvjp(forward, backward)
    return ruled(*xs)


def _number(upstream: Any, output: JaxArray) -> Any:
    """Return what comes from above; of integers it is an array of no type."""
    none = upstream.dtype == jax.dtypes.float0
    return jnp.zeros_like(output, dtype=float) if none else upstream


def _of_its_type(gradient: JaxArray, x: JaxArray) -> Any:
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        return np.zeros(x.shape, jax.dtypes.float0)
    return _conj(gradient)


def recomputed(func: Function, xs: Natives) -> tuple[JaxArray, ...]:
    """Call the function, and again for its derivative."""
    return jax.checkpoint(func)(*xs)
