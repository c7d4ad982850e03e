"""The linalg extension for the TensorFlow backend."""

from __future__ import annotations

import cmath
import math
import operator
from typing import Any, Final, Literal

import numpy as np
import tensorflow as tf

from arrayapi_unify import dtypes, limits
from arrayapi_unify.backends._common.checks.axes import normalize_axes
from arrayapi_unify.backends._common.checks.linalg import (
    BY_SINGULAR_VALUES,
    check_matrix,
    check_norm,
    check_order,
    check_outer,
    check_qr,
    check_solvable,
    cross_axis,
    diagonal_offset,
    raise_not_finite_error,
    raise_singular_error,
    ranks_of_nothing,
)
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.tensorflow import _complex, _derivatives, _linalg_norms, statistical
from arrayapi_unify.backends.tensorflow._core import (
    COMPONENT,
    SCALARS,
    NativeDType,
    Tensor,
    broadcast,
    cast,
    const,
    eager,
    ints,
    kind_of,
    pair,
    rank_of,
    raw,
    recorded,
    shape_of,
    tensor,
)
from arrayapi_unify.backends.tensorflow.dtypes import BY_NAME
from arrayapi_unify.backends.tensorflow.elementwise import conj, multiply, subtract
from arrayapi_unify.backends.tensorflow.linear_algebra import matmul, matrix_transpose
from arrayapi_unify.backends.tensorflow.manipulation import (
    broadcast_arrays,
    moveaxis,
    reshape,
    stack,
)

__getattr__, __dir__ = make_extension_getattr(__name__)


def _floating(x: Tensor) -> Tensor:
    """Return a floating-point array as it is, others as float64."""
    return x if x.dtype in COMPONENT else cast(x, tf.float64)


def _matrices(function: str, x: Tensor, square: bool = False) -> Tensor:
    """Return floating-point matrices; refuse anything else."""
    check_matrix(f"linalg.{function}", shape_of(x), square)
    return _floating(x)


def _finite(function: str, x: Tensor, square: bool = False, lower: bool = False) -> Tensor:
    """Return floating-point matrices; refuse NaN and infinities, of which kernels make up numbers.

    Traced values aren't known. Where a sum isn't finite it may have overflown, or have met what the
    kernel doesn't read, as it reads the lower triangle only.
    """
    x = _matrices(function, x, square)
    if not eager():
        return x
    total = raw.Sum(input=x, axis=ints(tuple(range(rank_of(x)))))
    if not cmath.isfinite(total.numpy()):
        values = np.tril(x.numpy()) if lower else x.numpy()
        if not np.isfinite(values).all():
            raise_not_finite_error(function)
    return x


def _adjoint(x: Tensor) -> Tensor:
    return conj(matrix_transpose(x))


# --- products ---------------------------------------------------------------------------------


def cross(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """Multiply vectors of three elements."""
    axis = cross_axis(shape_of(x1), shape_of(x2), axis)
    x1, x2 = broadcast_arrays(*pair(x1, x2))
    a, b = (raw.Unpack(value=moveaxis(x, axis, -1), num=3, axis=-1) for x in (x1, x2))
    parts = [
        subtract(multiply(a[i], b[j]), multiply(a[j], b[i])) for i, j in ((1, 2), (2, 0), (0, 1))
    ]
    return moveaxis(stack(parts, axis=-1), -1, axis)


def outer(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Multiply each element with each other."""
    check_outer(shape_of(x1), shape_of(x2))
    return multiply(raw.ExpandDims(input=x1, axis=const(1, tf.int32)), tensor(x2))


def matrix_power(x: Tensor, n: int, /) -> Tensor:
    """Multiply by repeated squaring; a negative power is that of the inverse."""
    n = operator.index(n)
    x = _matrices("matrix_power", x, square=True)
    if n < 0:
        x, n = inv(x), -n
    if n == 0:
        return _identity(x)
    result: Tensor = None
    while n:
        if n & 1:
            result = x if result is None else matmul(result, x)
        n >>= 1
        if n:
            x = matmul(x, x)
    return tensor(result)


def _identity(x: Tensor) -> Tensor:
    """Return identity matrices of x's shape."""
    size = x.shape[-1]
    one = raw.Equal(x=reshape(tf.range(size), (size, 1)), y=tf.range(size))
    return broadcast(cast(one, x.dtype), shape_of(x))


# --- parts of a matrix ------------------------------------------------------------------------


def diagonal(x: Tensor, /, *, offset: int = 0) -> Tensor:
    """Take every (columns + 1)th element of the flattened matrix."""
    check_matrix("linalg.diagonal", shape_of(x))
    *lead, rows, columns = shape_of(x)
    offset = diagonal_offset((rows, columns), offset)
    start = offset if offset >= 0 else -offset * columns
    length = min(rows - max(-offset, 0), columns - max(offset, 0))
    limit = start + max(length, 0) * (columns + 1)
    places = raw.Range(
        start=const(start, tf.int64),
        limit=const(limit, tf.int64),
        delta=const(columns + 1, tf.int64),
    )
    flat = reshape(x, (*lead, rows * columns))
    return raw.GatherV2(params=flat, indices=places, axis=const(len(lead), tf.int32))


def trace(x: Tensor, /, *, offset: int = 0, dtype: NativeDType | None = None) -> Tensor:
    """Sum the diagonal, in the data type of `sum`."""
    check_matrix("linalg.trace", shape_of(x))
    return statistical.sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


# --- decompositions ---------------------------------------------------------------------------


def cholesky(x: Tensor, /, *, upper: bool = False) -> Tensor:
    """Decompose; the kernel reads and returns the lower triangle.

    For a matrix that isn't positive definite it returns NaN, or complex zeros.
    """
    x = _matrices("cholesky", x, square=True)
    lower = raw.Cholesky(input=_adjoint(x) if upper else x)
    size = _real(raw.MatrixDiagPart(input=lower))
    if eager():
        pivots = size.numpy()
        if not (np.isfinite(pivots) & (pivots > 0)).all():
            raise_singular_error("linalg.cholesky")
    else:
        positive = raw.IsFinite(x=size) & (size > 0)
        valid = raw.All(input=positive, axis=ints((-1,)), keep_dims=True)
        one, missing = (const(value, lower.dtype) for value in (1, math.nan))
        # A choice for each element would take a tenth of the decomposition's time.
        factor = raw.SelectV2(condition=valid, t=one, e=missing)
        lower = raw.Mul(x=lower, y=raw.ExpandDims(input=factor, axis=const(-1, tf.int32)))
    return _adjoint(lower) if upper else lower


def _complex_of(x: Tensor) -> NativeDType:
    return tf.complex64 if COMPONENT[x.dtype] is tf.float32 else tf.complex128


def eig(x: Tensor, /) -> tuple[Tensor, Tensor]:
    """Decompose."""
    x = _finite("eig", x, square=True)
    scale = _scale(x)
    found = raw.Eig(input=x / scale, Tout=_complex_of(x), compute_v=True)
    return found.e * _scale_of_values(scale, found.e), found.v


def eigvals(x: Tensor, /) -> Tensor:
    """Find the eigenvalues."""
    x = _finite("eigvals", x, square=True)
    scale = _scale(x)
    values = raw.Eig(input=x / scale, Tout=_complex_of(x), compute_v=False).e
    return values * _scale_of_values(scale, values)


def _scale_of_values(scale: Tensor, values: Tensor) -> Tensor:
    """Return the scale of matrices as that of their eigenvalues; kernels overflow without one."""
    return cast(raw.Squeeze(input=scale, axis=[-1]), values.dtype)


def eigh(x: Tensor, /) -> tuple[Tensor, Tensor]:
    """Decompose; the eigenvalues are real, which the kernel returns as complex numbers."""
    x = _derivatives.symmetric(_finite("eigh", x, square=True, lower=True))
    found = raw.SelfAdjointEigV2(input=x, compute_v=True)
    return _real(found.e), found.v


def eigvalsh(x: Tensor, /) -> Tensor:
    """Find the eigenvalues."""
    x = _derivatives.symmetric(_finite("eigvalsh", x, square=True, lower=True))
    return _real(raw.SelfAdjointEigV2(input=x, compute_v=False).e)


def _real(x: Tensor) -> Tensor:
    return _complex.real(x) if kind_of(x) == "c" else x


def qr(x: Tensor, /, *, mode: Literal["reduced", "complete"] = "reduced") -> tuple[Tensor, Tensor]:
    """Decompose; the kernel squares elements, so large and small ones have to be scaled first."""
    check_qr(mode)
    x = _matrices("qr", x)
    scale = _scale(x)
    found = raw.Qr(input=x / scale, full_matrices=mode == "complete")
    return found.q, found.r * scale


def _scale(x: Tensor) -> Tensor:
    """Return for each matrix the power of two next to its largest element; 1 if there is none."""
    # Only the bits of an exponent are taken from it, and they have no derivative.
    size = _complex.absolute(x) if x.dtype.is_complex else raw.Abs(x=x)
    size = raw.Max(input=size, axis=ints((-2, -1)), keep_dims=True)
    whole, exponent = _EXPONENTS[size.dtype]
    power = raw.BitwiseAnd(x=raw.Bitcast(input=size, type=whole), y=const(exponent, whole))
    ordinary = raw.IsFinite(x=size) & (size > 0)
    scale = raw.SelectV2(
        condition=ordinary, t=raw.Bitcast(input=power, type=size.dtype), e=raw.OnesLike(x=size)
    )
    return cast(scale, x.dtype)


# The masks of the bits of a number's exponent.
_EXPONENTS: Final = {
    tf.float32: (tf.int32, 0x7F80_0000),
    tf.float64: (tf.int64, 0x7FF0_0000_0000_0000),
}


def svd(x: Tensor, /, *, full_matrices: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """Decompose; the kernel returns V, the standard its adjoint."""
    return _svd(_finite("svd", x), full_matrices)


def _svd(x: Tensor, full_matrices: bool) -> tuple[Tensor, Tensor, Tensor]:
    found = raw.Svd(input=x, compute_uv=True, full_matrices=full_matrices)
    return found.u, _real(found.s), _adjoint(found.v)


def svdvals(x: Tensor, /) -> Tensor:
    """Find the singular values."""
    return _singular_values(_finite("svdvals", x))


def _singular_values(x: Tensor) -> Tensor:
    return _real(raw.Svd(input=x, compute_uv=False).s)


# --- solutions --------------------------------------------------------------------------------


def inv(x: Tensor, /) -> Tensor:
    """Invert."""
    return raw.MatrixInverse(input=_matrices("inv", x, square=True))


def _tolerance(x: Tensor, rtol: Any, kind: NativeDType) -> Tensor:
    """Return the relative tolerance of matrices, with an axis for the singular values."""
    if rtol is None:
        rtol = max(x.shape[-2:]) * limits.finfo(dtypes.as_dtype(kind.name)).eps
    if type(rtol) in SCALARS:
        return const(float(rtol), kind)
    return raw.ExpandDims(input=cast(rtol, kind), axis=const(-1, tf.int32))


def pinv(x: Tensor, /, *, rtol: Tensor | float | None = None) -> Tensor:
    """Invert the singular values above the tolerance."""
    x = _finite("pinv", x)
    if 0 in shape_of(x)[-2:]:
        return raw.ZerosLike(x=matrix_transpose(x))
    result, kept = _pseudo_inverse(x, rtol)
    if not recorded():
        return result
    # Singular values below a tolerance have a part in the derivative that the rule lacks.
    if rtol is None or (eager() and bool(tf.reduce_all(kept))):
        return _derivatives.pseudo_inverse(x, lambda x: _pseudo_inverse(x, rtol)[0])
    return result


def _pseudo_inverse(x: Tensor, rtol: Tensor | float | None) -> tuple[Tensor, Tensor]:
    """Return the inverse, and which singular values are in it."""
    u, s, vh = _svd(x, full_matrices=False)
    largest = raw.Max(input=s, axis=ints((-1,)), keep_dims=True)
    kept = s > _tolerance(x, rtol, s.dtype) * largest
    safe = raw.SelectV2(condition=kept, t=s, e=const(1, s.dtype))
    inverse = raw.SelectV2(condition=kept, t=1 / safe, e=const(0, s.dtype))
    scaled = _adjoint(vh) * cast(raw.ExpandDims(input=inverse, axis=const(-2, tf.int32)), x.dtype)
    return matmul(scaled, _adjoint(u)), kept


def solve(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Solve; the kernel neither broadcasts nor takes vectors."""
    x1, x2 = pair(x1, x2)
    check_solvable(shape_of(x1), shape_of(x2))
    x1, x2 = _floating(x1), _floating(x2)
    vector = rank_of(x2) == 1
    if vector:
        x2 = raw.ExpandDims(input=x2, axis=const(1, tf.int32))
    shape1, shape2 = shape_of(x1), shape_of(x2)
    if shape1[:-2] != shape2[:-2] or None in shape1[:-2]:
        lead = tuple(tf.broadcast_static_shape(x1.shape[:-2], x2.shape[:-2]))
        x1, x2 = broadcast(x1, lead + shape1[-2:]), broadcast(x2, lead + shape2[-2:])
    if 0 in shape2[-1:]:
        raw.MatrixInverse(input=x1)  # the other kernel looks at no matrix then, singular or not
    result = raw.MatrixSolve(matrix=x1, rhs=x2)
    return raw.Squeeze(input=result, axis=[-1]) if vector else result


# --- numbers ----------------------------------------------------------------------------------


def det(x: Tensor, /) -> Tensor:
    """Find the determinant."""
    return _derivatives.determinant(_matrices("det", x, square=True))


def slogdet(x: Tensor, /) -> tuple[Tensor, Tensor]:
    """Find the sign and logarithm of the determinant."""
    x = _matrices("slogdet", x, square=True)
    sign, logarithm = _derivatives.sign_and_log_determinant(x)
    # The kernel gives NaN for the sign of some singular matrices.
    singular = raw.Equal(x=logarithm, y=const(-math.inf, logarithm.dtype))
    sign = raw.SelectV2(condition=singular, t=const(0, x.dtype), e=sign)
    return sign, logarithm


def matrix_rank(x: Tensor, /, *, rtol: Tensor | float | None = None) -> Tensor:
    """Count the singular values above the tolerance."""
    x = _finite("matrix_rank", x)
    kind = BY_NAME[dtypes.held_int().value.name]
    if (shape := ranks_of_nothing(shape_of(x), rtol)) is not None:
        return raw.Fill(dims=ints(shape), value=const(0, kind))
    s = _singular_values(x)
    largest = raw.Max(input=s, axis=ints((-1,)), keep_dims=True)
    kept = s > _tolerance(x, rtol, s.dtype) * largest
    return raw.Sum(input=cast(kept, kind), axis=ints((-1,)))


def matrix_norm(
    x: Tensor, /, *, keepdims: bool = False, ord: float | Literal["fro", "nuc"] | None = "fro"
) -> Tensor:
    """Find the norm of each matrix."""
    x = _matrices("matrix_norm", x)
    check_norm(shape_of(x), ord)
    if ord in BY_SINGULAR_VALUES:
        values = _singular_values(_finite("matrix_norm", x))
        return _linalg_norms.singular(values, ord, keepdims)
    return _linalg_norms.matrix(x, ord, keepdims)


def vector_norm(
    x: Tensor,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: float = 2,
) -> Tensor:
    """Find the norm of each vector."""
    check_order(ord)
    axes = normalize_axes("linalg.vector_norm", axis, rank_of(x))
    return _linalg_norms.vector(_floating(x), axes, keepdims, ord)
