"""Functions whose derivative JAX would get wrong from our formulas."""

from __future__ import annotations

from collections.abc import Callable

import jax
import jax.numpy as jnp

from arrayapi_unify.backends.jax._core import JaxArray


def with_derivatives(
    *partial: Callable[..., JaxArray],
) -> Callable[[Callable[..., JaxArray]], Callable[..., JaxArray]]:
    """Declare the partial derivatives of a function, from its arguments and its result.

    Those of a formula are wrong where it selects among constants and roundings for the sake of a
    value, such as that of a zero; and what it doesn't select may be infinite, which makes NaN.
    """

    def rule(derivative: Callable[..., JaxArray]) -> Callable[..., JaxArray]:
        return lambda tangent, result, *args: tangent * derivative(*args, result)

    def decorate(f: Callable[..., JaxArray]) -> Callable[..., JaxArray]:
        function = jax.custom_jvp(f)
        function.defjvps(*map(rule, partial))
        return function

    return decorate


@jax.custom_jvp
def symmetric(x: JaxArray) -> JaxArray:
    """Return Hermitian matrices, of which one triangle is read, as they are.

    Derivatives are Hermitian, too: a change of one element changes the one across as well.
    """
    return x


@symmetric.defjvp
def _(values: tuple[JaxArray], tangents: tuple[JaxArray]) -> tuple[JaxArray, JaxArray]:
    """Move both triangles alike."""
    (change,) = tangents
    return symmetric(*values), (change + jnp.conj(jnp.matrix_transpose(change))) / 2
