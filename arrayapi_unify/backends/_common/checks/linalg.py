"""Argument checks of linear algebra, on shapes."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any, Final, NoReturn

import numpy as np

from arrayapi_unify import errors
from arrayapi_unify.backends._common.checks.axes import axis_from_end, normalize_axes, whole
from arrayapi_unify.backends._common.checks.shapes import raise_no_elements_error
from arrayapi_unify.backends._common.checks.sizes import check_held
from arrayapi_unify.errors import UnifyValueError, raise_argument_error, raise_value_error

Shape = Sequence[Any]  # a size that tf.function doesn't know is None

BY_SINGULAR_VALUES: Final = ("nuc", 2, -2)  # norms of matrices that need a decomposition


# Functions of matrices of any shape that raise `LinAlgError` in NumPy, as all of square ones do.
_FACTORIZING: Final = (
    "linalg.cond",
    "linalg.lstsq",
    "linalg.lu",
    "linalg.pinv",
    "linalg.qr",
    "linalg.svd",
    "linalg.svdvals",
)


def ranks_of_nothing(shape: Shape, rtol: Any) -> tuple[int, ...] | None:
    """Return the shape of the ranks of matrices without elements; None of other matrices.

    All of them are 0, for each tolerance.
    """
    if 0 not in shape[-2:]:
        return None
    return np.broadcast_shapes(tuple(shape[:-2]), tuple(getattr(rtol, "shape", ())))


def cross_axis(shape1: Shape, shape2: Shape, axis: int) -> int:
    """Return the axis of the vectors, counted from the end; they have three elements each."""
    axis = axis_from_end("linalg.cross", shape1, shape2, axis)
    for name, shape in (("x1", shape1), ("x2", shape2)):
        if shape[axis] != 3:
            raise_value_error(
                "linalg.cross", name, f"has size {shape[axis]} along axis {axis}",
                "pass vectors of three elements",
            )  # fmt: skip
    return axis


def check_outer(shape1: Shape, shape2: Shape) -> None:
    """Raise for anything but two vectors."""
    for name, shape in (("x1", shape1), ("x2", shape2)):
        if len(shape) != 1:
            problem = f"has shape {tuple(shape)}"
            raise_value_error("linalg.outer", name, problem, "pass a 1-d array")


def check_matrix(function: str, shape: Shape, square: bool = False, argument: str = "x") -> None:
    """Raise for anything but matrices and stacks of matrices, square ones on demand."""
    if len(shape) < 2 or (square and shape[-1] != shape[-2]):
        kind = errors.UnifyLinAlgError if square or function in _FACTORIZING else UnifyValueError
        raise_argument_error(
            kind, function, argument, f"has shape {tuple(shape)}",
            f"pass a {'square ' * square}matrix or a stack of {'square ' * square}matrices",
        )  # fmt: skip


def check_qr(mode: Any) -> None:
    """Raise for modes that the standard doesn't have."""
    if mode not in ("reduced", "complete"):
        raise_value_error("linalg.qr", "mode", f"is {mode!r}", "pass 'reduced' or 'complete'")


def check_product(shape1: Shape, shape2: Shape) -> None:
    """Refuse to multiply numbers, or matrices of sizes that don't fit, with `matmul`."""
    for name, shape in (("x1", shape1), ("x2", shape2)):
        if not shape:
            remedy = "use multiply, or pass vectors and matrices"
            raise_value_error("matmul", name, "is zero-dimensional", remedy)
    rows = shape2[-2] if len(shape2) > 1 else shape2[-1]
    if None not in (shape1[-1], rows) and shape1[-1] != rows:
        problem = f"has shape {tuple(shape2)}, but x1 has shape {tuple(shape1)}"
        remedy = f"multiply with an array of {shape1[-1]} rows"
        raise_value_error("matmul", "x2", problem, remedy)


def check_vectors(shape1: Shape, shape2: Shape, axis: int) -> None:
    """Refuse to `vecdot` vectors of different sizes; the axis counts from the end."""
    if None not in (shape1[axis], shape2[axis]) and shape1[axis] != shape2[axis]:
        problem = f"has {shape2[axis]} elements along the axis, but x1 has {shape1[axis]}"
        raise_value_error("vecdot", "x2", problem, "pass vectors of one size")


def check_solvable(
    shape1: Shape,
    shape2: Shape,
    function: str = "linalg.solve",
    names: tuple[str, str] = ("x1", "x2"),
) -> None:
    """Refuse to `solve` without square matrices, or with other sizes on the right."""
    check_matrix(function, shape1, square=True, argument=names[0])
    if not shape2:
        raise_value_error(function, names[1], "is zero-dimensional", "pass a vector or matrices")
    rows = shape2[0 if len(shape2) == 1 else -2]
    if None not in (shape1[-1], rows) and shape1[-1] != rows:
        problem = f"has shape {tuple(shape2)}, but {names[0]} has shape {tuple(shape1)}"
        raise_value_error(function, names[1], problem, f"pass {shape1[-1]} rows")


def raise_singular_error(function: str, argument: str = "x") -> NoReturn:
    """Raise for a matrix that has no inverse, or (`cholesky`) isn't positive definite."""
    cholesky = function == "linalg.cholesky"
    wrong = "that isn't positive definite" if cholesky else "that is singular, as far as computed"
    remedy = "decompose with svd or eigh" if cholesky else "use linalg.pinv"
    problem = f"holds a matrix {wrong}"
    raise_argument_error(errors.UnifyLinAlgError, function, argument, problem, remedy)


def raise_not_finite_error(function: str, argument: str = "x") -> NoReturn:
    """Refuse to decompose NaN or infinities, of which nothing is to be learnt.

    Drivers of LAPACK crash or hang on them, raise, or make up numbers, by the driver and the build.
    """
    remedy = "replace them first, e.g. with where(isfinite(x), x, 0)"
    problem = "holds NaN or infinities"
    raise_argument_error(errors.UnifyLinAlgError, f"linalg.{function}", argument, problem, remedy)


def check_order(order: Any) -> None:
    """Raise for an array or a list as the order of a norm: some libraries broadcast it."""
    if getattr(order, "ndim", 0) or isinstance(order, list | tuple):
        raise TypeError("the order of the norm is an array, not one number")


def check_norm(
    shape: Shape, ord: Any, function: str = "linalg.matrix_norm", argument: str = "ord"
) -> None:
    """Refuse an order of `matrix_norm` that the standard doesn't have, and the least of nothing."""
    if ord not in ("fro", "nuc", None, 1, -1, 2, -2, math.inf, -math.inf):
        remedy = "pass 'fro', 'nuc', 1, -1, 2, -2, inf or -inf"
        raise_value_error(function, argument, f"is {ord!r}", remedy)
    least_of = {-1: shape[-1:], -math.inf: shape[-2:-1], -2: shape[-2:]}
    if 0 in least_of.get(ord, ()):
        raise_no_elements_error(function, shape)


def is_norm_of_nothing(shape: Shape, ord: Any) -> bool:
    """Return True for norms of vectors or matrices without elements that are 0.

    Older versions of NumPy and JAX refuse the largest of no numbers.
    """
    return 0 in shape and ord in (1, 2, math.inf)


def contraction(shape1: Shape, shape2: Shape, axes: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the axes that `tensordot` contracts of each array, as numbers from 0.

    A size may be None, which is that of any other (tf.function knows no better).
    """
    rank1, rank2 = len(shape1), len(shape2)
    if isinstance(axes, list | tuple):
        first, second = (tuple(a) if isinstance(a, list | tuple) else (a,) for a in axes)
        first = normalize_axes("tensordot", first, rank1, "axes")
        second = normalize_axes("tensordot", second, rank2, "axes")
        fits = len(first) == len(second)
    else:
        number = operator.index(axes)
        first, second = tuple(range(rank1 - number, rank1)), tuple(range(number))
        fits = 0 <= number <= min(rank1, rank2)
    sizes = [(shape1[a], shape2[b]) for a, b in zip(first, second, strict=True)] if fits else []
    if not fits or any(None not in pair and pair[0] != pair[1] for pair in sizes):
        raise_value_error(
            "tensordot", "axes",
            f"is {axes}, but the arrays have shapes {tuple(shape1)} and {tuple(shape2)}",
            "pass how many axes to contract, or a tuple of two sequences of axes, of equal sizes",
        )  # fmt: skip
    return first, second


def check_tolerance(rtol: Any) -> Any:
    """Return a tolerance, a Python number as a float; refuse a complex one."""
    if isinstance(rtol, complex):
        raise TypeError("a tolerance is a real number")
    return float(rtol) if isinstance(rtol, int) else rtol


def diagonal_offset(shape: Shape, offset: int) -> int:
    """Return an offset within the matrix: all those outside give an empty diagonal.

    Libraries take no offset beyond 32 or 64 bits.
    """
    rows, columns = shape[-2:] if len(shape) > 1 else (0, 0)
    return max(-rows, min(whole("linalg.diagonal", "offset", offset), columns))


def check_diagonal(ndim: int, shape: Any, k: Any) -> int:
    """Raise for for `diag` what is neither a vector nor a matrix, and more than memory can hold.

    The number of the diagonal is returned: one beyond all of them for those outside of a matrix.
    """
    if ndim not in (1, 2):
        raise_value_error(
            "diag", "x", f"has shape {tuple(shape)}",
            "pass a vector or a matrix; linalg.diagonal takes stacks of matrices",
        )  # fmt: skip
    number: int = whole("diag", "k", k)
    if None in shape:  # a size that tf.function doesn't know
        return number
    if ndim == 2:
        return diagonal_offset(shape, number)
    size = shape[0] + abs(number)
    check_held("diag", "k", number, size * size)
    return number
