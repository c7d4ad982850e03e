"""The linalg extension for the PyTorch backend."""

from __future__ import annotations

import math
import operator
from typing import Any, Final, Literal

import torch

from arrayapi_unify.backends._common.algorithms.out import plain
from arrayapi_unify.backends._common.checks import linalg as common
from arrayapi_unify.backends._common.checks.axes import count, normalize_axes
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.kernel import FastKernel, Kernel
from arrayapi_unify.backends.torch import statistical
from arrayapi_unify.backends.torch._core import (
    all_finite,
    all_rows,
    is_compiling,
    is_wrapped,
    may_be_differentiated,
    promoted,
)
from arrayapi_unify.backends.torch._defaults import default_int
from arrayapi_unify.backends.torch._out import filled_by
from arrayapi_unify.backends.torch.dtypes import FLOATING
from arrayapi_unify.backends.torch.elementwise import multiply, subtract
from arrayapi_unify.backends.torch.manipulation import stack

__getattr__, __dir__ = make_extension_getattr(__name__)

Tensor = torch.Tensor

_multiply, _subtract, _stack, _sum = map(plain, (multiply, subtract, stack, statistical.sum))


def _floating(x: Tensor) -> Tensor:
    """Return a floating-point tensor as it is, others as float64."""
    return x if x.dtype in FLOATING else x.to(torch.float64)


def _matrix(function: str, x: Tensor, square: bool = False) -> Tensor:
    """Return floating-point matrices; refuse other shapes."""
    shape = x.shape
    if len(shape) < 2 or (square and shape[-1] != shape[-2]):
        common.check_matrix(f"linalg.{function}", shape, square)
    return x if x.dtype in FLOATING else x.to(torch.float64)


def _finite(function: str, x: Tensor, square: bool = False, lower: bool = False) -> Tensor:
    """Return floating-point matrices; refuse NaN and infinities, on which drivers crash.

    For functions that read the lower triangle only, the upper one may hold anything. While
    compiling the values aren't known, and pass.
    """
    x = _matrix(function, x, square)
    if not all_finite(x) and not is_compiling() and _known_infinite(x, lower):
        common.raise_not_finite_error(function)
    return x


def _known_infinite(x: Tensor, lower: bool) -> bool:
    """Return True if an element that is read is known to be infinite or NaN."""
    x = all_rows(torch.tril(x) if lower else x).detach()
    try:
        return not bool(torch.isfinite(x).all())
    except RuntimeError:  # while tracing
        return False


# --- products ---------------------------------------------------------------------------------


def cross(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """Multiply with the namespace's own functions, which know all data types."""
    axis = common.cross_axis(x1.shape, x2.shape, axis)
    first, second = torch.unbind(x1, axis), torch.unbind(x2, axis)
    parts = [
        _subtract(
            _multiply(first[i - 2], second[i - 1]),
            _multiply(first[i - 1], second[i - 2]),
        )
        for i in range(3)
    ]
    return _stack(parts, axis=axis)


@filled_by(
    lambda x1, x2, *, out: torch.outer(x1, x2, out=out), lambda x1, x2: (*x1.shape, *x2.shape)
)
def outer(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Multiply each element with each other."""
    common.check_outer(x1.shape, x2.shape)
    return _multiply(x1.unsqueeze(1), x2.unsqueeze(0))


_LARGEST_POWER: Final = 2**62


def matrix_power(x: Tensor, n: int, /) -> Tensor:
    """Multiply."""
    x = _matrix("matrix_power", x, square=True)
    n = operator.index(n)
    if abs(n) >= _LARGEST_POWER:  # PyTorch has 64 bits for it
        half = matrix_power(x, n // 2)
        return half @ half @ x if n % 2 else half @ half
    result = torch.linalg.matrix_power(x, n)
    return result.clone() if result is x else result


# --- parts of a matrix ------------------------------------------------------------------------


def diagonal(x: Tensor, /, *, offset: int = 0) -> Any:
    """View the diagonal."""
    if offset == 0 and x.ndim > 1:
        return torch.diagonal(x, 0, -2, -1)
    common.check_matrix("linalg.diagonal", x.shape)
    return torch.diagonal(x, common.diagonal_offset(x.shape, offset), -2, -1)


def trace(x: Tensor, /, *, offset: int = 0, dtype: torch.dtype | None = None) -> Any:
    """Sum the diagonal, in the data type of `sum`."""
    common.check_matrix("linalg.trace", x.shape)
    return _sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


# --- decompositions ---------------------------------------------------------------------------


def _hermitian(x: Tensor) -> Tensor:
    """Return matrices as they are, and give them a Hermitian derivative where PyTorch doesn't."""
    if not (x.is_complex() and may_be_differentiated(x)):
        return x
    half = (x + x.mH) / 2
    return x.detach() + (half - half.detach())


def cholesky(x: Tensor, /, *, upper: bool = False) -> Any:
    """Decompose."""
    x = _hermitian(_matrix("cholesky", x, square=True))
    result = torch.linalg.cholesky(x, upper=upper)
    # For one matrix PyTorch sums the pivots in a single call.
    pivots = torch.trace(result) if result.ndim == 2 else torch.diagonal(result, 0, -2, -1)
    if not all_finite(pivots) and not is_compiling():
        pivots = torch.diagonal(result, 0, -2, -1)
        if _known_infinite(pivots, lower=False):
            common.raise_singular_error("linalg.cholesky")
    return result


def eig(x: Tensor, /) -> tuple[Tensor, Tensor]:
    """Decompose."""
    return tuple(torch.linalg.eig(_finite("eig", x, square=True)))


def eigvals(x: Tensor, /) -> Any:
    """Find the eigenvalues; PyTorch's function ends the process if it gets a NaN.

    So where the values aren't known, those of a matrix with NaN are NaN.
    """
    x = _finite("eigvals", x, square=True)
    if not is_compiling() and not is_wrapped(x):
        return torch.linalg.eigvals(x)
    finite = torch.isfinite(x).all(-1, keepdim=True).all(-2, keepdim=True)
    values = torch.linalg.eigvals(torch.where(finite, x, 0))
    return torch.where(finite[..., 0], values, math.nan)


def eigh(x: Tensor, /) -> tuple[Tensor, Tensor]:
    """Decompose."""
    return tuple(torch.linalg.eigh(_finite("eigh", x, square=True, lower=True)))


def eigvalsh(x: Tensor, /) -> Any:
    """Find the eigenvalues."""
    return torch.linalg.eigvalsh(_finite("eigvalsh", x, square=True, lower=True))


def qr(x: Tensor, /, *, mode: Literal["reduced", "complete"] = "reduced") -> tuple[Tensor, Tensor]:
    """Decompose."""
    common.check_qr(mode)
    matrix = _matrix("qr", x)
    if matrix.is_cpu or matrix.numel() == 0:
        return tuple(torch.linalg.qr(matrix, mode))
    return _scaled_qr(matrix, mode)


def _scaled_qr(x: Tensor, mode: str) -> tuple[Tensor, Tensor]:
    scale = _scale(x.detach())
    q, r = torch.linalg.qr(x * scale, mode)
    return q, r / scale


def _scale(x: Tensor) -> Tensor:
    """Return powers of two that bring the largest element of each matrix between 4 and 8.

    CUDA squares the elements of stacks of matrices, so that elements above the root of the largest
    number would overflow.
    """
    size = torch.amax(
        torch.maximum(x.real.abs(), x.imag.abs()) if x.is_complex() else x.abs(), (-2, -1), True
    )
    size = size.clamp(min=16 * torch.finfo(size.dtype).tiny)
    mantissa = torch.frexp(size).mantissa
    return torch.where(torch.isfinite(size), 8 * mantissa / size, 1.0)


def lu(x: Tensor, /, *, p_indices: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """Decompose; P has no derivative, and is real."""
    p, lower, upper = torch.linalg.lu(_finite("lu", x))
    p = p.detach().real
    if p_indices:
        p = torch.sum(p.to(torch.int64) * torch.arange(p.shape[-1], device=p.device), -1)
    return p, lower, upper


def svd(x: Tensor, /, *, full_matrices: bool = True) -> tuple[Tensor, Tensor, Tensor]:
    """Decompose."""
    return tuple(torch.linalg.svd(_finite("svd", x), full_matrices))


def svdvals(x: Tensor, /) -> Any:
    """Find the singular values."""
    return torch.linalg.svdvals(_finite("svdvals", x))


# --- solutions --------------------------------------------------------------------------------


def inv(x: Tensor, /) -> Any:
    """Invert."""
    return torch.linalg.inv(_matrix("inv", x, square=True))


def pinv(x: Tensor, /, *, rtol: Tensor | float | None = None) -> Any:
    """Invert."""
    x = _finite("pinv", x)
    if x.numel() == 0:
        return torch.transpose(x, -1, -2).clone()
    return torch.linalg.pinv(x, rtol=_tolerance(rtol))


def _tolerance(rtol: Any) -> Any:
    """Return what PyTorch takes as a tolerance: a float or a floating-point tensor."""
    if isinstance(rtol, Tensor):
        return rtol.detach().to(torch.float64)  # the result doesn't depend on it smoothly
    return rtol if rtol is None else float(rtol)


def solve(x1: Tensor, x2: Tensor, /) -> Any:
    """Solve; only a one-dimensional x2 is a vector, whereas PyTorch guesses by the ranks."""
    dtype = x1.dtype
    known = x1.ndim == x2.ndim > 1 or x1.ndim == x2.ndim + 1 == 2
    if known and dtype in FLOATING and dtype is x2.dtype:
        return torch.linalg.solve(x1, x2)
    common.check_solvable(x1.shape, x2.shape)
    dtype = promoted(x1, x2)
    dtype = dtype if dtype in FLOATING else torch.float64
    x1, x2 = x1.to(dtype), x2.to(dtype)
    vector = x2.ndim == 1
    if vector:
        x2 = x2.unsqueeze(-1)
    if x2.ndim == x1.ndim - 1:
        x2 = x2.unsqueeze(0)
    result = torch.linalg.solve(x1, x2)
    return result.squeeze(-1) if vector else result


# --- numbers ----------------------------------------------------------------------------------


def det(x: Tensor, /) -> Any:
    """Find the determinant."""
    return torch.linalg.det(_matrix("det", x, square=True))


def slogdet(x: Tensor, /) -> tuple[Tensor, Tensor]:
    """Find the sign and logarithm of the determinant."""
    return tuple(torch.linalg.slogdet(_matrix("slogdet", x, square=True)))


def matrix_rank(x: Tensor, /, *, rtol: Tensor | float | None = None) -> Any:
    """Find the rank."""
    x = _finite("matrix_rank", x)
    target = default_int()
    if (shape := common.ranks_of_nothing(x.shape, rtol)) is not None:
        return torch.zeros(shape, dtype=target, device=x.device)
    tolerance = _tolerance(rtol)
    if isinstance(tolerance, Tensor):
        # PyTorch warns where tolerances have more axes, or longer ones, than the stack has.
        stack = torch.broadcast_shapes(x.shape[:-2], tolerance.shape)  # type: ignore[no-untyped-call]
        x = x.expand(*stack, *x.shape[-2:])
    return torch.linalg.matrix_rank(x, rtol=tolerance).to(target)


def matrix_norm(
    x: Tensor, /, *, keepdims: bool = False, ord: float | Literal["fro", "nuc"] | None = "fro"
) -> Any:
    """Find the norm of each matrix."""
    x = (_finite if ord in common.BY_SINGULAR_VALUES else _matrix)("matrix_norm", x)
    try:
        return torch.linalg.matrix_norm(x, "fro" if ord is None else ord, (-2, -1), keepdims)
    except IndexError:  # of empty matrices, which some versions take for none of these orders
        common.check_norm(tuple(x.shape), ord)
        return x.abs().sum(dim=(-2, -1), keepdim=keepdims)


@Kernel(fast_kernel=FastKernel(torch.linalg.vector_norm, argument=torch.float64))
def vector_norm(
    x: Tensor,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    ord: float = 2,
) -> Any:
    """Find the norm of each vector; no axes mean all axes to PyTorch."""
    x = _floating(x)
    axes = normalize_axes("linalg.vector_norm", axis, x.ndim)
    if not axes:
        return vector_norm(x.unsqueeze(-1), axis=-1, ord=ord)
    if ord == 0:
        # PyTorch counts in complex numbers, and warns that it drops the imaginary parts.
        return torch.sum(x != 0, axes, keepdims, dtype=x.real.dtype)
    if count(x.shape, axes) == 0 and ord != -math.inf:
        # A sum of nothing, to some power; PyTorch refuses most.
        return torch.sum(x.abs(), axes, keepdims) + (math.inf if ord < 0 else 0.0)
    return torch.linalg.vector_norm(x, int(ord) if type(ord) is bool else ord, axes, keepdims)
