"""Constraints of linear algebra and of the Fourier transforms.

Matrices are well conditioned, or singular by a row of zeros. Matrices that are singular up to
rounding are omitted: the standard doesn't specify their results, and the last pivot is zero by
chance (`limits`). So are NaN and infinities, which `tests/backends/test_hard_matrices.py` covers.
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
    from tests.differential.arguments import CallBuilder

__all__: list[str] = []

_STACKS = ((), (), (2,), (1,), (0,), (2, 1))


def _not_square(builder: CallBuilder) -> ArrayArg | None:
    """Draw a matrix of an invalid shape if that is the fault."""
    return builder.array(builder.one_of((2, 3), (3,), ())) if builder.faulty("x") else None


def _square(builder: CallBuilder, dtype: DType | None = None, stack: Any = None) -> ArrayArg:
    """Draw regular matrices, with dominant diagonals of different elements."""
    n = builder.one_of(1, 2, 3, 3, 0)
    stack = builder.one_of(*_STACKS) if stack is None else stack
    arg = builder.array((*stack, n, n), dtype, ("small",))
    values = arg.values.copy()
    diagonal = np.arange(1, n + 1) * 8 * n
    values[..., range(n), range(n)] = diagonal.astype(values.dtype)
    if values.dtype.kind == "b":
        values &= np.eye(n, dtype=bool)
    return ArrayArg(values, arg.view)


def _perhaps_singular(builder: CallBuilder, arg: ArrayArg) -> ArrayArg:
    """Rarely set the last rows to zero, so that every algorithm finds a pivot of zero."""
    if builder.smooth or arg.values.ndim < 2 or not arg.values.size or not builder.chance(5):
        return arg
    values = arg.values.copy()
    values[..., -1, :] = 0
    return ArrayArg(values, arg.view)


def _hermitian(builder: CallBuilder, definite: bool) -> ArrayArg:
    arg = _square(builder)
    values = np.tril(arg.values)
    values = values + np.conj(np.swapaxes(np.tril(values, -1), -1, -2))
    if not definite and values.dtype.kind in "ifc":
        values = values - (8 * np.eye(values.shape[-1])).astype(values.dtype)
    return ArrayArg(values.astype(arg.values.dtype), arg.view)


@constrain("linalg.det", "linalg.slogdet", "linalg.inv", "linalg.eig", "linalg.eigvals")
def _regular(builder: CallBuilder) -> Arguments:
    return {"x": _not_square(builder) or _perhaps_singular(builder, _square(builder))}


@constrain("linalg.expm")
def _expm(builder: CallBuilder) -> Arguments:
    n = builder.one_of(1, 2, 3, 3, 0)
    stack = builder.one_of(*_STACKS)
    return {"x": _not_square(builder) or builder.array((*stack, n, n), None, ("small",))}


@constrain("linalg.eigh", "linalg.eigvalsh")
def _selfadjoint(builder: CallBuilder) -> Arguments:
    return {"x": _not_square(builder) or _hermitian(builder, definite=False)}


@constrain("linalg.cholesky")
def _cholesky(builder: CallBuilder) -> Arguments:
    definite = builder.smooth or not builder.chance(5)
    x = _not_square(builder) or _hermitian(builder, definite=True)
    if not definite and x.values.size and x.values.ndim > 1 and x.values.dtype.kind in "ifc":
        values = x.values.copy()
        values[..., -1, -1] = -values[..., -1, -1]
        x = ArrayArg(values, x.view)
    return {"x": x}


@constrain("linalg.matrix_power")
def _matrix_power(builder: CallBuilder) -> Arguments:
    x = _not_square(builder) or _perhaps_singular(builder, _square(builder))
    return {"x": x, "n": builder.one_of(0, 1, 2, 3, -1, -2)}


@constrain("linalg.solve")
def _solve(builder: CallBuilder) -> Arguments:
    x1 = _not_square(builder) or _perhaps_singular(builder, _square(builder))
    n, stack = x1.values.shape[-1:] or (1,), x1.values.shape[:-2]
    if builder.faulty("x2"):
        return {"x1": x1, "x2": builder.array((*n, 1, 7, 2))}
    shape = builder.one_of(n, (*stack, *n, builder.one_of(0, 1, 2)))
    return {"x1": x1, "x2": builder.array(shape)}


def _rectangular(builder: CallBuilder, low: int = 0) -> Any:
    """Draw matrices of full rank and any shape."""
    rows, columns = builder.one_of((2, 3), (3, 2), (3, 3), (1, 3), (3, 1), (1, 1), (0, 3), (2, 0))
    stack = builder.one_of(*_STACKS)
    if low:
        rows, columns = max(rows, low), max(columns, low)
    arg = builder.array((*stack, rows, columns), magnitudes=("small",))
    values = arg.values.copy()
    k = min(rows, columns)
    values[..., range(k), range(k)] = (np.arange(1, k + 1) * 24).astype(values.dtype)
    return ArrayArg(values, arg.view)


def _vector(builder: CallBuilder) -> ArrayArg | None:
    return builder.array(builder.one_of((3,), ())) if builder.faulty("x") else None


@constrain("linalg.svd", "linalg.svdvals", "linalg.qr")
def _decomposed(builder: CallBuilder) -> Arguments:
    return {"x": _vector(builder) or _perhaps_singular(builder, _rectangular(builder))}


@constrain("linalg.lu")
def _lu(builder: CallBuilder) -> Arguments:
    return {**_decomposed(builder), "p_indices": builder.one_of(OMIT, True)}


@constrain("linalg.pinv", "linalg.matrix_rank")
def _ranked(builder: CallBuilder) -> Arguments:
    x = _vector(builder) or _perhaps_singular(builder, _rectangular(builder))
    stack = x.values.shape[:-2]
    given: Arguments = {"x": x, "rtol": OMIT}
    if builder.chance(2):
        tolerance = st.sampled_from([1e-3, 1e-6])
        count = math.prod(stack)
        drawn = builder.draw(st.lists(tolerance, min_size=count, max_size=count))
        name = builder.any_dtype("f").name
        given["rtol"] = builder.one_of(1e-4, ArrayArg(np.array(drawn, name).reshape(stack)))
    return given


@constrain("linalg.matrix_norm")
def _matrix_norm(builder: CallBuilder) -> Arguments:
    # Empty matrices have no largest column; `tests/backends/test_edges.py` has such norms.
    ord_ = builder.one_of("fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf, None)
    return {
        "x": _vector(builder) or _rectangular(builder, 1),
        "ord": "no such norm" if builder.faulty("ord") else ord_,
    }


@constrain("linalg.vector_norm")
def _vector_norm(builder: CallBuilder) -> Arguments:
    # Empty vectors have no largest and no smallest element; their other norms are zero.
    return {
        "x": builder.array(builder.draw(shapes(nonempty=True))),
        "ord": builder.one_of(0, 1, 2, 3, 0.5, -1, -2, math.inf, -math.inf, 2.0),
    }


@constrain("linalg.solve_triangular")
def _solve_triangular(builder: CallBuilder) -> Arguments:
    given = _solve(builder)
    found = {"a": given["x1"], "b": given["x2"]}
    if builder.faulty("a"):
        found["a"] = builder.array((2, 3))
    if builder.faulty("b"):
        found["b"] = builder.array((7, 2))
    return {**found, "trans": 3 if builder.faulty("trans") else builder.one_of(0, 1, 2, "T", "C")}


@constrain("linalg.lstsq")
def _lstsq(builder: CallBuilder) -> Arguments:
    a = builder.array((3,)) if builder.faulty("a") else _rectangular(builder)
    *stack, rows, _ = (1, *a.values.shape)[-max(a.values.ndim, 2) :]
    rows = rows + 3 if builder.faulty("b") else rows
    b = builder.array(builder.one_of((rows,), (*stack, rows, builder.one_of(1, 2))))
    return {"a": a, "b": b, "rcond": builder.one_of(OMIT, 1e-4, -1)}


_NORMS = ("fro", "f", "nuc", 1, -1, 2, -2, math.inf, -math.inf, None)


@constrain("linalg.norm")
def _norm(builder: CallBuilder) -> Arguments:
    x = _rectangular(builder, 1)
    ndim = x.values.ndim
    given: Arguments = {"x": x, "ord": OMIT, "axis": OMIT}
    if builder.faulty("axis"):
        return {**given, "axis": builder.one_of(ndim, (0, 0))}
    plane = tuple(builder.draw(st.permutations(range(ndim)))[:2])
    axis = builder.one_of(OMIT, -1, plane)
    if axis is OMIT and ndim > 2:
        return given
    vectors = isinstance(axis, int)
    orders = (0, 1, 3, 0.5, -1, math.inf, None) if vectors else _NORMS
    return {**given, "axis": axis, "ord": "?" if builder.faulty("ord") else builder.one_of(*orders)}


@constrain("linalg.cond")
def _cond(builder: CallBuilder) -> Arguments:
    if builder.faulty("x"):
        return {"x": builder.array(builder.one_of((3,), (), (0, 0))), "p": OMIT}
    p = builder.one_of(*(order for order in _NORMS if order not in ("f", "nuc")))
    if builder.faulty("p"):
        return {"x": _square(builder), "p": "?"}
    # The least singular value of a singular matrix is zero up to rounding.
    if p in (None, 2, -2):
        return {"x": _rectangular(builder, 1), "p": p}
    x = _square(builder)
    return {"x": _perhaps_singular(builder, x) if x.values.size else builder.array((1, 1)), "p": p}


@constrain("linalg.diagonal", "linalg.trace")
def _diagonal(builder: CallBuilder) -> Arguments:
    low, high = (0, 1) if builder.faulty("x") else (2, 4)
    return {"x": builder.array(builder.draw(shapes(low, high)))} | (
        {"dtype": builder.any_dtype("fc") if builder.chance(3) else OMIT}
        if builder.contract.name == "trace"
        else {}
    )


@constrain("matrix_transpose")
def _matrix_transpose(builder: CallBuilder) -> Arguments:
    low, high = (0, 1) if builder.faulty("x") else (2, 4)
    return {"x": builder.array(builder.draw(shapes(low, high)))}


# --- products ---------------------------------------------------------------------------------


@constrain("linalg.cross")
def _cross(builder: CallBuilder) -> Arguments:
    shape, axis = builder.one_of(
        ((3,), OMIT), ((2, 3), OMIT), ((0, 3), -1), ((1, 3), 1), ((3, 2), 0), ((3, 2), -2),
        ((2, 1, 3), -1), ((2, 3, 2), 1), ((2, 3, 2), -2), ((3, 0), 0), ((3,), 0), ((3, 2, 1), 0),
    )  # fmt: skip
    # Nonnegative axes apply to both arrays, which then have equal numbers of axes.
    other = shape if axis is OMIT or axis >= 0 else builder.one_of(shape, shape[axis:])
    if builder.chance(3):
        other = tuple(side if side == 3 else 1 for side in other)
    if builder.faulty("x1"):
        shape = tuple(side - 1 if side == 3 else side for side in shape)
    if builder.faulty("axis"):
        axis = 5
    pair = (builder.any_dtype("uifc") for _ in range(2))
    x1, x2 = (builder.array(s, d) for s, d in zip((shape, other), pair, strict=True))
    return {"x1": x1, "x2": x2, "axis": axis}


@constrain("linalg.outer")
def _outer(builder: CallBuilder) -> Arguments:
    low, high = (0, 2) if builder.faulty("x1") else (1, 1)
    return {"x1": builder.array(builder.draw(shapes(low, high))), "x2": builder.array((2,))}


@constrain("matmul")
def _matmul(builder: CallBuilder) -> Arguments:
    k = builder.one_of(0, 1, 2, 3)
    wrong = k + 1 if builder.faulty("x2") else k
    stack = builder.one_of(*_STACKS)
    n, m = builder.one_of(0, 1, 2, 3), builder.one_of(1, 2)
    left = builder.one_of((k,), (*builder.draw(broadcastable(stack)), n, k))
    right = builder.one_of((wrong,), (*builder.draw(broadcastable(stack)), wrong, m))
    return {"x1": builder.array(left), "x2": builder.array(right)}


@constrain("vecdot")
def _vecdot(builder: CallBuilder) -> Arguments:
    shape = builder.draw(shapes(min_ndim=1))
    axis = builder.draw(st.integers(-len(shape), -1))
    tail = shape[axis:]
    other = builder.one_of(shape, tail, (tail[0], *(1 for _ in tail[1:])))
    if builder.faulty("x2"):
        other = (tail[0] + 2, *tail[1:])
    if builder.faulty("axis"):
        axis = -len(shape) - 1
    elif axis == -1 and builder.chance(2):
        axis = OMIT
    return {"x1": builder.array(shape), "x2": builder.array(other), "axis": axis}


@constrain("tensordot")
def _tensordot(builder: CallBuilder) -> Arguments:
    x1 = builder.array(builder.draw(shapes(max_ndim=3)))
    shape = x1.values.shape
    if builder.chance(2):
        count = builder.draw(st.integers(0, len(shape)))
        x2 = builder.array((*shape[len(shape) - count :], 2))
        return {"x1": x1, "x2": x2, "axes": count + 3 if builder.faulty("axes") else count}
    order = builder.draw(st.permutations(range(len(shape))))
    picked = order[: builder.draw(st.integers(0, len(shape)))]
    x2 = builder.array((2, *(shape[a] for a in picked)))
    first = [a - len(shape) if builder.chance(3) else a for a in picked]
    return {"x1": x1, "x2": x2, "axes": (tuple(first), tuple(range(1, len(picked) + 1)))}


# --- Fourier transforms -----------------------------------------------------------------------


@constrain("fft.fft", "fft.ifft", "fft.rfft", "fft.irfft", "fft.hfft", "fft.ihfft")
def _one_axis(builder: CallBuilder) -> Arguments:
    """Draw lines of at least one point: NumPy refuses transforms of empty lines."""
    shape = builder.draw(shapes(0 if builder.faulty("x") else 1, nonempty=True))
    return {"x": builder.hard_array(shape) if builder.chance(3) else builder.array(shape)}


@constrain("fft.fftn", "fft.ifftn", "fft.rfftn", "fft.irfftn")
def _many_axes(builder: CallBuilder) -> Arguments:
    """Draw small nonempty arrays, because all axes are transformed one by one."""
    shape = builder.draw(shapes(min_ndim=1, max_ndim=3, nonempty=True))
    x = builder.hard_array(shape) if builder.chance(3) else builder.array(shape)
    ndim = x.values.ndim
    axes = tuple(builder.draw(st.permutations(range(ndim))))[: builder.draw(st.integers(1, ndim))]
    if builder.faulty("axes"):
        axes = (ndim,)
    given: Arguments = {"x": x, "axes": axes, "s": OMIT}
    if builder.chance(2):
        given["s"] = tuple(builder.one_of(1, 2, 3, 4, -1) for _ in axes)
        if builder.chance(3):  # by default the last axes
            given["axes"] = OMIT
    if builder.faulty("s"):
        given["s"] = (2,) * (len(axes) + 1)
    elif given["s"] is OMIT and builder.chance(3):
        given["axes"] = OMIT
    return given


@constrain("fft.fft2", "fft.ifft2", "fft.rfft2")
def _two_axes(builder: CallBuilder) -> Arguments:
    shape = builder.draw(shapes(min_ndim=2, max_ndim=3, nonempty=True))
    x = builder.hard_array(shape) if builder.chance(3) else builder.array(shape)
    axes = tuple(builder.draw(st.permutations(range(len(shape)))))[:2]
    if builder.faulty("axes"):
        axes = (0, len(shape))
    sizes = tuple(builder.one_of(1, 2, 3, 4, -1) for _ in axes)
    given = OMIT if builder.chance(2) else sizes
    return {
        "x": x, "axes": OMIT if builder.chance(2) and axes[1] < len(shape) else axes,
        "s": (2, 2, 2) if builder.faulty("s") else given,
    }  # fmt: skip


@constrain("fft.fftshift", "fft.ifftshift")
def _shift(builder: CallBuilder) -> Arguments:
    return {"x": builder.array(builder.draw(shapes()))}


@constrain("fft.fftfreq", "fft.rfftfreq")
def _frequencies(builder: CallBuilder) -> Arguments:
    target = builder.any_dtype("iu") if builder.faulty("dtype") else builder.any_dtype("f")
    return {
        "n": builder.one_of(0, -1) if builder.faulty("n") else builder.one_of(1, 2, 5, 8),
        "dtype": target if builder.chance(2) or builder.faulty("dtype") else OMIT,
    }
