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


@jax.jit
def _finite(x: JaxArray) -> JaxArray:
    return jnp.isfinite(jnp.sum(x))


def finite(xs: Natives) -> bool:
    """Return True only if no array is traced and all elements are finite.

    Sums decide: a sum that overflows gives False for finite elements.
    """
    return not any(isinstance(x, Tracer) for x in xs) and all(bool(_finite(x)) for x in xs)


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
        found = pull(tuple(map(_above, upstream, outputs)))
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
