"""Real functions that XLA computes with a loss of digits."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from arrayapi_unify.backends.jax._kernels import Arr

__all__ = ["atanh", "cosh", "log1p", "sinh", "sinh_cosh"]


def sinh_cosh(x: Arr) -> tuple[Arr, Arr]:
    """Compute both from exp(|x| / 2), which overflows no earlier than they do.

    XLA's exp(x - log(2)) loses as many digits as x has before the point.
    """
    size = jnp.abs(x)
    half = jnp.exp(size / 2)
    grown, shrunk = half / 2 * half, 0.5 / half / half
    more = jnp.expm1(jnp.minimum(size, 1))
    small = 0.5 * (more + more / (more + 1))
    return jnp.copysign(jnp.where(size < 1, small, grown - shrunk), x), grown + shrunk


def sinh(x: Arr) -> Arr:
    """Compute the hyperbolic sine."""
    return sinh_cosh(x)[0]


def cosh(x: Arr) -> Arr:
    """Compute the hyperbolic cosine."""
    return sinh_cosh(x)[1]


@jax.custom_jvp
def log1p(x: Arr) -> Arr:
    """Compute `log(1 + x)`: the logarithm of 1 + x as rounded, corrected for the rounding."""
    rounded = 1 + x
    plain = (rounded == 1) | jnp.isinf(rounded)
    return jnp.where(
        plain,
        x,
        jnp.log(rounded) * (x / jnp.where(plain, 1, rounded - 1)),
    )


@log1p.defjvp
def _(primals: tuple[Arr], tangents: tuple[Arr]) -> tuple[Arr, Arr]:
    (x,), (t,) = primals, tangents
    return log1p(x), t / (1 + x)


def atanh(x: Arr) -> Arr:
    """Compute the inverse hyperbolic tangent."""
    size = jnp.abs(x)
    return jnp.copysign(0.5 * log1p(2 * size / (1 - size)), x)
