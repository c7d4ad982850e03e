"""Argument checks of linear algebra, on shapes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arrayapi_unify.backends._common.axes import axis_from_end
from arrayapi_unify.errors import UnifyValueError, refuse

__all__ = [
    "check_contraction",
    "check_matrix",
    "check_outer",
    "check_qr",
    "cross_axis",
    "diagonal_offset",
]

Shape = Sequence[int]


def cross_axis(shape1: Shape, shape2: Shape, axis: int) -> int:
    """Return the axis of the vectors, counted from the end; they have three elements each."""
    axis = axis_from_end("linalg.cross", shape1, shape2, axis)
    for name, shape in (("x1", shape1), ("x2", shape2)):
        if shape[axis] != 3:
            refuse(
                UnifyValueError,
                "linalg.cross",
                name,
                f"has size {shape[axis]} along axis {axis}",
                "pass vectors of three elements",
            )
    return axis


def check_outer(shape1: Shape, shape2: Shape) -> None:
    """Refuse anything but two vectors."""
    for name, shape in (("x1", shape1), ("x2", shape2)):
        if len(shape) != 1:
            problem = f"has shape {tuple(shape)}"
            refuse(UnifyValueError, "linalg.outer", name, problem, "pass a 1-d array")


def check_matrix(function: str, shape: Shape, square: bool = False, argument: str = "x") -> None:
    """Refuse anything but matrices and stacks of matrices, square ones on demand."""
    if len(shape) < 2 or (square and shape[-1] != shape[-2]):
        refuse(
            UnifyValueError,
            function,
            argument,
            f"has shape {tuple(shape)}",
            f"pass a {'square ' * square}matrix or a stack of {'square ' * square}matrices",
        )


def check_qr(mode: Any) -> None:
    """Refuse modes that the standard doesn't have."""
    if mode not in ("reduced", "complete"):
        refuse(UnifyValueError, "linalg.qr", "mode", f"is {mode!r}", "pass 'reduced' or 'complete'")


def check_contraction(axes: Any) -> None:
    """Refuse a negative number of axes to contract, which NumPy reads as none."""
    if isinstance(axes, int) and axes < 0:
        refuse(
            UnifyValueError,
            "tensordot",
            "axes",
            f"is {axes}",
            "pass the number of axes to contract, or a tuple of two sequences of axes",
        )


def diagonal_offset(shape: Shape, offset: int) -> int:
    """Return an offset within the matrix: all those outside give an empty diagonal.

    Libraries take no offset beyond 32 or 64 bits.
    """
    rows, columns = shape[-2:] if len(shape) > 1 else (0, 0)
    return max(-rows, min(offset, columns))
