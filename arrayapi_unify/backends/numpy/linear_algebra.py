"""Linear algebra functions of the main namespace, for the NumPy backend."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.algorithms.einsum import resolve
from arrayapi_unify.backends._common.checks.axes import axis_from_end
from arrayapi_unify.backends._common.checks.linalg import check_diagonal, contraction
from arrayapi_unify.backends.kernel import Kernel, partial_mixed, writes_out
from arrayapi_unify.backends.numpy._core import returns_array
from arrayapi_unify.backends.numpy._out import check_shape

NDArray = npt.NDArray[Any]


# Called with two arrays, the ufunc does all that `matmul` does.
@writes_out
@Kernel(fast_call=np.matmul)
@returns_array
def matmul(x1: NDArray, x2: NDArray, /, *, out: NDArray | None = None) -> Any:
    """Multiply; `out` must have the result's shape and take it without loss."""
    if out is None:
        return np.matmul(x1, x2)
    # NumPy would broadcast the result into a larger out.
    batch = np.broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    shape = batch + x1.shape[-2:-1] + (x2.shape[-1:] if x2.ndim > 1 else ())
    check_shape("matmul", out, shape)
    return np.matmul(x1, x2, out=out, casting="safe")


def matrix_transpose(x: NDArray, /) -> NDArray:
    """Transpose; NumPy refuses arrays of less than two dimensions as the standard does."""
    return x.mT


@returns_array
def tensordot(
    x1: NDArray, x2: NDArray, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2
) -> Any:
    """Contract; a negative number of axes means none to NumPy."""
    return np.tensordot(x1, x2, contraction(x1.shape, x2.shape, axes))


@returns_array
def vecdot(x1: NDArray, x2: NDArray, /, *, axis: int = -1) -> Any:
    """Multiply; a positive axis could be another one in each array."""
    vectors: Any = np.vecdot  # NumPy's stubs don't know `axis`
    return vectors(x1, x2, axis=axis_from_end("vecdot", x1.shape, x2.shape, axis))


@functools.lru_cache(maxsize=1024)
def _plan(equation: str, *shapes: tuple[int, ...]) -> tuple[str, tuple[tuple[int, ...], ...]]:
    """Return the equation in plain labels, and the axes to squeeze, if there are any."""
    resolved = resolve(equation, shapes)
    return resolved.equation, resolved.squeezed if any(resolved.squeezed) else ()


def _few_numbers(equation: str, /, *operands: NDArray) -> bool:
    """Return True for one or two small arrays of numbers of one data type.

    NumPy's loops use no matrix products, which are faster for many elements and round less.
    """
    if not 0 < len(operands) < 3 or type(equation) is not str:
        return False
    x, y = operands[0], operands[-1]
    small = x.size <= _SMALL and y.size <= _SMALL
    return small and x.dtype.kind in "iufc" and x.dtype == y.dtype


@partial_mixed(_few_numbers)
@returns_array
def einsum(equation: str, /, *operands: NDArray) -> Any:
    """Contract small arrays by loops; of one operand NumPy's result can be a view."""
    if len(operands) == 1:
        (x,) = operands
        plain, squeezed = _plan(equation, x.shape)
        return _einsum(plain, x.squeeze(squeezed[0]) if squeezed else x).copy()
    x, y = operands
    plain, squeezed = _plan(equation, x.shape, y.shape)
    if squeezed:
        x, y = x.squeeze(squeezed[0]), y.squeeze(squeezed[1])
    return _einsum(plain, x, y)


_einsum: Any = np.einsum
_SMALL: Final = 64


def diag(x: NDArray, /, *, k: int = 0) -> NDArray:
    """Make a matrix, or copy a diagonal: NumPy's own is a view."""
    k = check_diagonal(x.ndim, x.shape, k)
    return np.diag(x, k) if x.ndim == 1 else x.diagonal(k).copy()
