"""Linear algebra functions of the main namespace, for the JAX backend."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import jax
import jax.numpy as jnp
from jax import lax

from arrayapi_unify.backends._common.algorithms.einsum import resolve_again
from arrayapi_unify.backends._common.checks.axes import axis_from_end
from arrayapi_unify.backends._common.checks.linalg import check_diagonal, check_matrix, contraction
from arrayapi_unify.backends.jax._core import JaxArray, promoted
from arrayapi_unify.backends.kernel import partial_mixed

# On accelerators JAX multiplies matrices of float32 in a lower precision unless told otherwise.
_EXACT = lax.Precision.HIGHEST


@jax.jit
def _matmul(x1: JaxArray, x2: JaxArray) -> JaxArray:
    return jnp.matmul(*promoted(x1, x2), precision=_EXACT)


def matmul(x1: JaxArray, x2: JaxArray, /) -> JaxArray:
    """Multiply."""
    return _matmul(x1, x2)


# A compiled function is called faster than the operation that is in it.
_matrix_transpose = jax.jit(jnp.matrix_transpose)


def matrix_transpose(x: JaxArray, /) -> JaxArray:
    """Transpose."""
    check_matrix("matrix_transpose", x.shape)
    return _matrix_transpose(x)


@functools.partial(jax.jit, static_argnums=2)
def _tensordot(
    x1: JaxArray, x2: JaxArray, axes: tuple[tuple[int, ...], tuple[int, ...]]
) -> JaxArray:
    first, second = promoted(x1, x2)
    return jnp.tensordot(first, second, axes=axes, precision=_EXACT)


def tensordot(
    x1: JaxArray, x2: JaxArray, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2
) -> JaxArray:
    """Contract."""
    return _tensordot(x1, x2, contraction(x1.shape, x2.shape, axes))


@functools.partial(jax.jit, static_argnums=2)
def _vecdot(x1: JaxArray, x2: JaxArray, axis: int) -> JaxArray:
    return jnp.vecdot(*promoted(x1, x2), axis=axis, precision=_EXACT)


def vecdot(x1: JaxArray, x2: JaxArray, /, *, axis: int = -1) -> JaxArray:
    """Multiply."""
    return _vecdot(x1, x2, axis_from_end("vecdot", x1.shape, x2.shape, axis))


@functools.partial(jax.jit, static_argnums=0)
def _einsum(equation: str, *operands: JaxArray) -> JaxArray:
    return jnp.einsum(equation, *operands, precision=_EXACT)


def _floats(equation: str, /, *operands: JaxArray) -> bool:
    """Return True if all operands have one floating-point data type."""
    return (
        bool(operands)
        and type(equation) is str
        and operands[0].dtype.kind in "fc"
        and len({x.dtype for x in operands}) == 1
    )


@partial_mixed(_floats)
def einsum(equation: str, /, *operands: JaxArray) -> JaxArray:
    """Contract in the order that the library finds, once the equation is in plain labels."""
    resolved = resolve_again(equation, tuple([x.shape for x in operands]))
    squeezed = [
        jnp.squeeze(x, gone) if gone else x
        for x, gone in zip(operands, resolved.squeezed, strict=True)
    ]
    return _einsum(resolved.equation, *squeezed)


def _same_floats(x1: JaxArray, x2: JaxArray, /) -> bool:
    """Return True if both have one real floating-point data type."""
    return bool(x1.dtype.kind == "f" and x1.dtype == x2.dtype)


@partial_mixed(_same_floats)
def kron(x1: JaxArray, x2: JaxArray, /) -> JaxArray:
    """Multiply in one kernel."""
    return jnp.kron(x1, x2)


_diag = jax.jit(jnp.diag, static_argnums=1)


def diag(x: JaxArray, /, *, k: int = 0) -> JaxArray:
    """Make a matrix, or copy a diagonal."""
    return _diag(x, check_diagonal(x.ndim, x.shape, k))
