"""Linear algebra functions of the main namespace, for the PyTorch backend."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from arrayapi_unify.backends._common.algorithms.einsum import resolve, resolve_again
from arrayapi_unify.backends._common.algorithms.out import plain
from arrayapi_unify.backends._common.checks.axes import axis_from_end
from arrayapi_unify.backends._common.checks.linalg import (
    check_diagonal,
    check_matrix,
    check_vectors,
    contraction,
)
from arrayapi_unify.backends.kernel import FastKernel, Kernel, partial_mixed
from arrayapi_unify.backends.torch._core import is_compiling, promoted
from arrayapi_unify.backends.torch._out import filled_by, joint_shape
from arrayapi_unify.backends.torch._unsigned import bits, from_bits
from arrayapi_unify.backends.torch.dtypes import COMPLEX, FLOATING

Tensor = torch.Tensor


def _shape(x1: Tensor, x2: Tensor) -> tuple[int, ...]:
    stack = joint_shape({x1.shape[:-2], x2.shape[:-2]})
    return (*stack, *x1.shape[-2:-1], *(x2.shape[-1:] if x2.ndim > 1 else ()))


@filled_by(torch.matmul, _shape)
def matmul(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Multiply; floats of one data type go straight to PyTorch."""
    dtype = x1.dtype
    if dtype in FLOATING and dtype is x2.dtype:
        return torch.matmul(x1, x2)
    dtype = promoted(x1, x2)
    x1, x2 = x1.to(dtype), x2.to(dtype)
    if dtype in FLOATING:
        return torch.matmul(x1, x2)
    if dtype is torch.bool:
        # The number of matches, which float32 never rounds to zero.
        return torch.matmul(x1.to(torch.float32), x2.to(torch.float32)) != 0
    return from_bits(_product_of_integers(bits(x1), bits(x2)), dtype)


_matmul = plain(matmul)


def _product_of_integers(x1: Tensor, x2: Tensor) -> Tensor:
    """Multiply; accelerators have no matrix product of integers."""
    if x1.is_cpu or x1.shape[-1] != x2.shape[-2 if x2.ndim > 1 else -1]:
        return torch.matmul(x1, x2)  # which refuses shapes that don't fit
    return _sum_of_products(x1, x2)


def _sum_of_products(x1: Tensor, x2: Tensor) -> Tensor:
    first = x1.unsqueeze(0) if x1.ndim == 1 else x1
    second = x2.unsqueeze(1) if x2.ndim == 1 else x2
    products = first.unsqueeze(-1) * second.unsqueeze(-3)
    result = torch.sum(products, -2, dtype=x1.dtype)
    if x2.ndim == 1:
        result = result.squeeze(-1)
    return result.squeeze(-1 if x2.ndim == 1 else -2) if x1.ndim == 1 else result


def _turned(x: Tensor) -> Tensor:
    # That of a vector raises, and that of a value is the value itself.
    turned = x.mT
    return matrix_transpose(x) if turned is x else turned


@Kernel(fast_kernel=FastKernel(_turned))
def matrix_transpose(x: Tensor, /) -> Tensor:
    """Transpose by a view; the attribute is shorter than torch.transpose."""
    if x.ndim < 2:
        check_matrix("matrix_transpose", x.shape)
    return x.mT


def tensordot(
    x1: Tensor, x2: Tensor, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2
) -> Tensor:
    """Contract by one matrix product, which knows all data types."""
    first, second = contraction(x1.shape, x2.shape, axes)
    rest1 = [a for a in range(x1.ndim) if a not in first]
    rest2 = [a for a in range(x2.ndim) if a not in second]
    shape1, shape2 = [x1.shape[a] for a in rest1], [x2.shape[a] for a in rest2]
    inner = math.prod([x1.shape[a] for a in first])
    left = x1.permute([*rest1, *first]).reshape(math.prod(shape1), inner)
    right = x2.permute([*second, *rest2]).reshape(inner, math.prod(shape2))
    return _matmul(left, right).reshape([*shape1, *shape2])


def vecdot(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """Multiply, by matrix products of rows with columns."""
    axis = axis_from_end("vecdot", x1.shape, x2.shape, axis)
    if x1.shape[axis] != x2.shape[axis]:
        check_vectors(x1.shape, x2.shape, axis)
    first, second = x1.movedim(axis, -1), x2.movedim(axis, -1)
    if first.dtype in COMPLEX:
        first = first.conj()
    result = _matmul(first.unsqueeze(-2), second.unsqueeze(-1))
    return result.squeeze(-1).squeeze(-1)


def _floats(equation: str, /, *operands: Tensor) -> bool:
    """Return True if all operands have one floating-point data type."""
    return (
        bool(operands)
        and type(equation) is str
        and operands[0].dtype in FLOATING
        and len({x.dtype for x in operands}) == 1
    )


@partial_mixed(_floats)
def einsum(equation: str, /, *operands: Tensor) -> Tensor:
    """Contract in the order that the library finds, once the equation is in plain labels."""
    if is_compiling():
        resolved = resolve(equation, [x.shape for x in operands])
    else:
        resolved = resolve_again(equation, tuple([x.shape for x in operands]))
    if any(resolved.squeezed):
        pairs = zip(operands, resolved.squeezed, strict=True)
        operands = tuple([x.squeeze(gone) if gone else x for x, gone in pairs])
    result = torch.einsum(resolved.equation, *operands)
    # The result of a single operand may be a view, also if axes of size one are summed.
    return result.clone() if len(operands) == 1 else result


def diag(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Make a matrix, or copy a diagonal."""
    return torch.diag(x, check_diagonal(x.ndim, x.shape, k))


def _same_floats(x1: Tensor, x2: Tensor, /) -> bool:
    """Return True if both have one floating-point data type.

    Compiled code can't catch the error of `torch.kron`, so compiling needs contiguous operands.
    """
    if (dtype := x1.dtype) is not x2.dtype or dtype not in FLOATING:
        return False
    return not is_compiling() or (x1.is_contiguous() and x2.is_contiguous())


@partial_mixed(_same_floats)
def kron(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Multiply in one kernel, which can't give every layout of a product its shape."""
    try:
        return torch.kron(x1, x2)
    except RuntimeError:
        return torch.kron(x1.contiguous(), x2.contiguous())
