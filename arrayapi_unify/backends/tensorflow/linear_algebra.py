"""Linear algebra functions of the main namespace, for the TensorFlow backend."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final

import tensorflow as tf

from arrayapi_unify.backends._common.algorithms.einsum import resolve_again
from arrayapi_unify.backends._common.checks.axes import axis_from_end
from arrayapi_unify.backends._common.checks.linalg import (
    check_diagonal,
    check_matrix,
    check_product,
    check_vectors,
    contraction,
)
from arrayapi_unify.backends.kernel import partial_mixed
from arrayapi_unify.backends.tensorflow._core import (
    EagerTensor,
    Tensor,
    axis_constant,
    cast,
    const,
    ints,
    kind_of,
    pair,
    rank_of,
    raw,
    shape_of,
    taped,
)
from arrayapi_unify.backends.tensorflow._factories import Implementation, table, via
from arrayapi_unify.backends.tensorflow._unsigned import bits
from arrayapi_unify.backends.tensorflow.manipulation import moveaxis, reshape


def _product(x1: Tensor, x2: Tensor) -> Tensor:
    """Multiply matrices, or stacks of them which broadcast."""
    x1, turned1 = _unturned(x1)
    x2, turned2 = _unturned(x2)
    if x1.shape.rank == 2 and x2.shape.rank == 2:
        return raw.MatMul(a=x1, b=x2, transpose_a=turned1, transpose_b=turned2)
    return raw.BatchMatMulV2(x=x1, y=x2, adj_x=turned1, adj_y=turned2)


def _unturned(x: Tensor) -> tuple[Tensor, bool]:
    """Return what a graph transposes before it multiplies, and that it does: the kernels can.

    They conjugate, too, so complex matrices stay as they are. A tape may be used for the
    derivative with respect to the transposed matrix, which has to be read then.
    """
    if type(x) is EagerTensor or not isinstance(x, tf.Tensor) or x.op.type != "Transpose":
        return x, False
    if taped():
        return x, False
    before, order = x.op.inputs
    axes = tf.get_static_value(order)
    last = x.shape.rank
    if x.dtype.is_complex or axes is None or list(axes) != [*range(last - 2), last - 1, last - 2]:
        return x, False
    return before, True


def _of_bools(x1: Tensor, x2: Tensor) -> Tensor:
    """Multiply matrices of bools, in which addition is "or"."""
    return cast(_product(cast(x1, tf.int32), cast(x2, tf.int32)), tf.bool)


_wide: Implementation = via(tf.int64, _product)
_PRODUCT = table(
    "matmul", _product, b=_of_bools, int8=_wide, int16=_wide, u=_wide, uint64=bits(_product)
)


def matmul(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Multiply; a vector is a row on the left and a column on the right."""
    if x1.dtype is not x2.dtype:
        x1, x2 = pair(x1, x2)
    rank1, rank2 = rank_of(x1), rank_of(x2)
    if rank1 == 0 or rank2 == 0:
        check_product(shape_of(x1), shape_of(x2))
    if rank1 == 1:
        x1 = raw.ExpandDims(input=x1, axis=const(0, tf.int32))
    if rank2 == 1:
        x2 = raw.ExpandDims(input=x2, axis=const(1, tf.int32))
    result = _PRODUCT[x1.dtype](x1, x2)
    drop = [-2] * (rank1 == 1) + [-1] * (rank2 == 1)
    return raw.Squeeze(input=result, axis=drop) if drop else result


def matrix_transpose(x: Tensor, /) -> Tensor:
    """Transpose."""
    check_matrix("matrix_transpose", shape_of(x))
    order = list(range(rank_of(x)))
    order[-2:] = order[-1], order[-2]
    return raw.Transpose(x=x, perm=ints(tuple(order)))


def tensordot(
    x1: Tensor, x2: Tensor, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2
) -> Tensor:
    """Contract, as a product of matrices."""
    x1, x2 = pair(x1, x2)
    first, second = contraction(shape_of(x1), shape_of(x2), axes)
    keep1 = [a for a in range(rank_of(x1)) if a not in first]
    keep2 = [a for a in range(rank_of(x2)) if a not in second]
    left = raw.Transpose(x=x1, perm=ints((*keep1, *first)))
    right = raw.Transpose(x=x2, perm=ints((*second, *keep2)))
    rows, columns, inner = 1, 1, 1
    for a in keep1:
        rows *= x1.shape[a]
    for a in keep2:
        columns *= x2.shape[a]
    for a in first:
        inner *= x1.shape[a]
    product = _PRODUCT[x1.dtype](reshape(left, (rows, inner)), reshape(right, (inner, columns)))
    return reshape(product, tuple(x1.shape[a] for a in keep1) + tuple(x2.shape[a] for a in keep2))


def vecdot(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """Multiply vectors, as rows with columns; the first is conjugated."""
    x1, x2 = pair(x1, x2)
    axis = axis_from_end("vecdot", shape_of(x1), shape_of(x2), axis)
    check_vectors(shape_of(x1), shape_of(x2), axis)
    if x1.dtype.is_complex:
        x1 = raw.Conj(input=x1)
    left = raw.ExpandDims(input=moveaxis(x1, axis, -1), axis=const(-2, tf.int32))
    right = raw.ExpandDims(input=moveaxis(x2, axis, -1), axis=const(-1, tf.int32))
    return raw.Squeeze(input=_PRODUCT[x1.dtype](left, right), axis=[-2, -1])


def _floats(equation: str, /, *operands: Tensor) -> bool:
    """Return True if all operands are floating-point, real or complex, of one data type."""
    if not operands or type(equation) is not str or kind_of(operands[0]) not in "fc":
        return False
    return len({x.dtype for x in operands}) == 1


@partial_mixed(_floats)
def einsum(equation: str, /, *operands: Tensor) -> Tensor:
    """Contract in the order that the library finds, once the equation is in plain labels."""
    resolved = resolve_again(equation, tuple([tuple(shape_of(x)) for x in operands]))
    squeezed = [
        raw.Squeeze(input=x, axis=list(gone)) if gone else x
        for x, gone in zip(operands, resolved.squeezed, strict=True)
    ]
    return tf.einsum(resolved.equation, *squeezed)


def _has_elements(x: Tensor, /, *, k: int = 0) -> bool:
    """Return True if the diagonal surely has elements; TensorFlow refuses those off the matrix."""
    shape = shape_of(x)
    if len(shape) not in (1, 2) or None in shape or 0 in shape:
        return False
    return len(shape) == 1 or -shape[0] < k < shape[1]


@partial_mixed(_has_elements)
def diag(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Make a matrix, or copy a diagonal, in one kernel."""
    shape = shape_of(x)
    k = check_diagonal(len(shape), shape, k)
    if len(shape) == 2 and k in (-shape[0], shape[1]):
        return raw.Fill(dims=ints((0,)), value=_zero(x.dtype))
    at, zero = const(k, tf.int32), _zero(x.dtype)
    if len(shape) == 2:
        return raw.MatrixDiagPartV3(input=x, k=at, padding_value=zero)
    return raw.MatrixDiagV3(
        diagonal=x, k=at, num_rows=_UNKNOWN, num_cols=_UNKNOWN, padding_value=zero
    )


_UNKNOWN: Final = axis_constant(-1)


@functools.cache
def _zero(dtype: Any) -> Tensor:
    with tf.init_scope():
        return const(0, dtype)
