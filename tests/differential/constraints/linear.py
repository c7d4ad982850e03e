"""Constraints of linear algebra and of the Fourier transforms.

Matrices are well conditioned, or singular by a row of zeros. What is singular up to rounding is
left out: the standard leaves open what becomes of it, and whether the last pivot comes out as zero
is chance (`limits`). So are NaN and infinities: `tests/backends/test_hard_matrices.py` has them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import strategies as st

from arrayapi_unify.dtypes import DType
from tests.differential.case import ArrayArg
from tests.differential.constraints._registry import Arguments, constrain
from tests.differential.strategies import OMIT, broadcastable, shapes

if TYPE_CHECKING:
    from tests.differential.arguments import Drawer

__all__: list[str] = []

_STACKS = ((), (), (2,), (1,), (0,), (2, 1))


def _not_square(drawer: Drawer) -> ArrayArg | None:
    """Draw a matrix of the wrong shape if that is the fault."""
    return drawer.array(drawer.one_of((2, 3), (3,), ())) if drawer.faulty("x") else None


def _square(drawer: Drawer, dtype: DType | None = None, stack: Any = None) -> ArrayArg:
    """Draw regular matrices: their diagonals, all different, dominate."""
    n = drawer.one_of(1, 2, 3, 3, 0)
    stack = drawer.one_of(*_STACKS) if stack is None else stack
    arg = drawer.array((*stack, n, n), dtype, ("small",))
    values = arg.values.copy()
    diagonal = np.arange(1, n + 1) * 8 * n
    values[..., range(n), range(n)] = diagonal.astype(values.dtype)
    if values.dtype.kind == "b":
        values &= np.eye(n, dtype=bool)
    return ArrayArg(values, arg.view)


def _perhaps_singular(drawer: Drawer, arg: ArrayArg) -> ArrayArg:
    """Now and then make the last rows zero, by which every algorithm finds a pivot of zero."""
    if drawer.smooth or arg.values.ndim < 2 or not arg.values.size or not drawer.chance(5):
        return arg
    values = arg.values.copy()
    values[..., -1, :] = 0
    return ArrayArg(values, arg.view)


def _hermitian(drawer: Drawer, definite: bool) -> ArrayArg:
    arg = _square(drawer)
    values = np.tril(arg.values)
    values = values + np.conj(np.swapaxes(np.tril(values, -1), -1, -2))
    if not definite and values.dtype.kind in "ifc":
        values = values - (8 * np.eye(values.shape[-1])).astype(values.dtype)
    return ArrayArg(values.astype(arg.values.dtype), arg.view)


@constrain("linalg.det", "linalg.slogdet", "linalg.inv", "linalg.eig", "linalg.eigvals")
def _regular(drawer: Drawer) -> Arguments:
    return {"x": _not_square(drawer) or _perhaps_singular(drawer, _square(drawer))}


@constrain("linalg.eigh", "linalg.eigvalsh")
def _selfadjoint(drawer: Drawer) -> Arguments:
    return {"x": _not_square(drawer) or _hermitian(drawer, definite=False)}


@constrain("linalg.cholesky")
def _cholesky(drawer: Drawer) -> Arguments:
    definite = drawer.smooth or not drawer.chance(5)
    x = _not_square(drawer) or _hermitian(drawer, definite=True)
    if not definite and x.values.size and x.values.ndim > 1 and x.values.dtype.kind in "ifc":
        values = x.values.copy()
        values[..., -1, -1] = -values[..., -1, -1]
        x = ArrayArg(values, x.view)
    return {"x": x}


@constrain("linalg.matrix_power")
def _matrix_power(drawer: Drawer) -> Arguments:
    x = _not_square(drawer) or _perhaps_singular(drawer, _square(drawer))
    return {"x": x, "n": drawer.one_of(0, 1, 2, 3, -1, -2)}


@constrain("linalg.solve")
def _solve(drawer: Drawer) -> Arguments:
    x1 = _not_square(drawer) or _perhaps_singular(drawer, _square(drawer))
    n, stack = x1.values.shape[-1:] or (1,), x1.values.shape[:-2]
    if drawer.faulty("x2"):
        return {"x1": x1, "x2": drawer.array((*n, 1, 7, 2))}
    shape = drawer.one_of(n, (*stack, *n, drawer.one_of(0, 1, 2)))
    return {"x1": x1, "x2": drawer.array(shape)}


def _rectangular(drawer: Drawer, low: int = 0) -> Any:
    """Draw matrices of full rank and any shape."""
    rows, columns = drawer.one_of((2, 3), (3, 2), (3, 3), (1, 3), (3, 1), (1, 1), (0, 3), (2, 0))
    stack = drawer.one_of(*_STACKS)
    if low:
        rows, columns = max(rows, low), max(columns, low)
    arg = drawer.array((*stack, rows, columns), magnitudes=("small",))
    values = arg.values.copy()
    k = min(rows, columns)
    values[..., range(k), range(k)] = (np.arange(1, k + 1) * 24).astype(values.dtype)
    return ArrayArg(values, arg.view)


def _vector(drawer: Drawer) -> ArrayArg | None:
    return drawer.array(drawer.one_of((3,), ())) if drawer.faulty("x") else None


@constrain("linalg.svd", "linalg.svdvals", "linalg.qr")
def _decomposed(drawer: Drawer) -> Arguments:
    return {"x": _vector(drawer) or _perhaps_singular(drawer, _rectangular(drawer))}


@constrain("linalg.pinv", "linalg.matrix_rank")
def _ranked(drawer: Drawer) -> Arguments:
    x = _vector(drawer) or _perhaps_singular(drawer, _rectangular(drawer))
    stack = x.values.shape[:-2]
    given: Arguments = {"x": x, "rtol": OMIT}
    if drawer.chance(2):
        tolerance = st.sampled_from([1e-3, 1e-6])
        count = math.prod(stack)
        drawn = drawer.draw(st.lists(tolerance, min_size=count, max_size=count))
        name = drawer.any_dtype("f").name
        given["rtol"] = drawer.one_of(1e-4, ArrayArg(np.array(drawn, name).reshape(stack)))
    return given


@constrain("linalg.matrix_norm")
def _matrix_norm(drawer: Drawer) -> Arguments:
    # Without elements there is no largest column; `tests/backends/test_edges.py` has such norms.
    ord_ = drawer.one_of("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf, None)
    return {
        "x": _vector(drawer) or _rectangular(drawer, 1),
        "ord": "no such norm" if drawer.faulty("ord") else ord_,
    }


@constrain("linalg.vector_norm")
def _vector_norm(drawer: Drawer) -> Arguments:
    # Nothing has no largest and no smallest element; its other norms are zero.
    return {
        "x": drawer.array(drawer.draw(shapes(nonempty=True))),
        "ord": drawer.one_of(0, 1, 2, 3, 0.5, -1, -2, math.inf, -math.inf, 2.0),
    }


@constrain("linalg.diagonal", "linalg.trace")
def _diagonal(drawer: Drawer) -> Arguments:
    low, high = (0, 1) if drawer.faulty("x") else (2, 4)
    return {"x": drawer.array(drawer.draw(shapes(low, high)))} | (
        {"dtype": drawer.any_dtype("fc") if drawer.chance(3) else OMIT}
        if drawer.contract.name == "trace"
        else {}
    )


@constrain("matrix_transpose")
def _matrix_transpose(drawer: Drawer) -> Arguments:
    low, high = (0, 1) if drawer.faulty("x") else (2, 4)
    return {"x": drawer.array(drawer.draw(shapes(low, high)))}


# --- products ---------------------------------------------------------------------------------


@constrain("linalg.cross")
def _cross(drawer: Drawer) -> Arguments:
    shape, axis = drawer.one_of(
        ((3,), OMIT), ((2, 3), OMIT), ((0, 3), -1), ((1, 3), 1), ((3, 2), 0), ((3, 2), -2),
        ((2, 1, 3), -1), ((2, 3, 2), 1), ((2, 3, 2), -2), ((3, 0), 0), ((3,), 0), ((3, 2, 1), 0),
    )  # fmt: skip
    # Axes from the front are those of both arrays, which then have equally many.
    other = shape if axis is OMIT or axis >= 0 else drawer.one_of(shape, shape[axis:])
    if drawer.chance(3):
        other = tuple(side if side == 3 else 1 for side in other)
    if drawer.faulty("x1"):
        shape = tuple(side - 1 if side == 3 else side for side in shape)
    if drawer.faulty("axis"):
        axis = 5
    pair = (drawer.any_dtype("uifc") for _ in range(2))
    x1, x2 = (drawer.array(s, d) for s, d in zip((shape, other), pair, strict=True))
    return {"x1": x1, "x2": x2, "axis": axis}


@constrain("linalg.outer")
def _outer(drawer: Drawer) -> Arguments:
    low, high = (0, 2) if drawer.faulty("x1") else (1, 1)
    return {"x1": drawer.array(drawer.draw(shapes(low, high))), "x2": drawer.array((2,))}


@constrain("matmul")
def _matmul(drawer: Drawer) -> Arguments:
    k = drawer.one_of(0, 1, 2, 3)
    wrong = k + 1 if drawer.faulty("x2") else k
    stack = drawer.one_of(*_STACKS)
    n, m = drawer.one_of(0, 1, 2, 3), drawer.one_of(1, 2)
    left = drawer.one_of((k,), (*drawer.draw(broadcastable(stack)), n, k))
    right = drawer.one_of((wrong,), (*drawer.draw(broadcastable(stack)), wrong, m))
    return {"x1": drawer.array(left), "x2": drawer.array(right)}


@constrain("vecdot")
def _vecdot(drawer: Drawer) -> Arguments:
    shape = drawer.draw(shapes(min_ndim=1))
    axis = drawer.draw(st.integers(-len(shape), -1))
    tail = shape[axis:]
    other = drawer.one_of(shape, tail, (tail[0], *(1 for _ in tail[1:])))
    if drawer.faulty("x2"):
        other = (tail[0] + 2, *tail[1:])
    if drawer.faulty("axis"):
        axis = -len(shape) - 1
    elif axis == -1 and drawer.chance(2):
        axis = OMIT
    return {"x1": drawer.array(shape), "x2": drawer.array(other), "axis": axis}


@constrain("tensordot")
def _tensordot(drawer: Drawer) -> Arguments:
    x1 = drawer.array(drawer.draw(shapes(max_ndim=3)))
    shape = x1.values.shape
    if drawer.chance(2):
        count = drawer.draw(st.integers(0, len(shape)))
        x2 = drawer.array((*shape[len(shape) - count :], 2))
        return {"x1": x1, "x2": x2, "axes": count + 3 if drawer.faulty("axes") else count}
    order = drawer.draw(st.permutations(range(len(shape))))
    picked = order[: drawer.draw(st.integers(0, len(shape)))]
    x2 = drawer.array((2, *(shape[a] for a in picked)))
    first = [a - len(shape) if drawer.chance(3) else a for a in picked]
    return {"x1": x1, "x2": x2, "axes": (tuple(first), tuple(range(1, len(picked) + 1)))}


# --- Fourier transforms -----------------------------------------------------------------------


@constrain("fft.fft", "fft.ifft", "fft.rfft", "fft.irfft", "fft.hfft", "fft.ihfft")
def _one_axis(drawer: Drawer) -> Arguments:
    """Draw lines of one point at least: there is no transform of none, and NumPy refuses."""
    shape = drawer.draw(shapes(0 if drawer.faulty("x") else 1, nonempty=True))
    return {"x": drawer.hard_array(shape) if drawer.chance(3) else drawer.array(shape)}


@constrain("fft.fftn", "fft.ifftn", "fft.rfftn", "fft.irfftn")
def _many_axes(drawer: Drawer) -> Arguments:
    """Draw arrays with elements, as for one axis, and few: all axes are transformed, one by one."""
    shape = drawer.draw(shapes(min_ndim=1, max_ndim=3, nonempty=True))
    x = drawer.hard_array(shape) if drawer.chance(3) else drawer.array(shape)
    ndim = x.values.ndim
    axes = tuple(drawer.draw(st.permutations(range(ndim))))[: drawer.draw(st.integers(1, ndim))]
    if drawer.faulty("axes"):
        axes = (ndim,)
    given: Arguments = {"x": x, "axes": axes, "s": OMIT}
    if drawer.chance(2):
        given["s"] = tuple(drawer.one_of(1, 2, 3, 4, -1) for _ in axes)
        if drawer.chance(3):  # the last ones are meant
            given["axes"] = OMIT
    if drawer.faulty("s"):
        given["s"] = (2,) * (len(axes) + 1)
    elif given["s"] is OMIT and drawer.chance(3):
        given["axes"] = OMIT
    return given


@constrain("fft.fftshift", "fft.ifftshift")
def _shift(drawer: Drawer) -> Arguments:
    return {"x": drawer.array(drawer.draw(shapes()))}


@constrain("fft.fftfreq", "fft.rfftfreq")
def _frequencies(drawer: Drawer) -> Arguments:
    target = drawer.any_dtype("iu") if drawer.faulty("dtype") else drawer.any_dtype("f")
    return {
        "n": drawer.one_of(0, -1) if drawer.faulty("n") else drawer.one_of(1, 2, 5, 8),
        "dtype": target if drawer.chance(2) or drawer.faulty("dtype") else OMIT,
    }
