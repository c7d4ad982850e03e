"""Hypothesis strategies of values, data types, shapes and arrays."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from hypothesis import strategies as st

from arrayapi_unify import dtypes, limits
from arrayapi_unify.dtypes import DType
from tests.differential.case import VIEWS, ArrayArg

__all__ = [
    "MAGNITUDES",
    "OMIT",
    "SHAPES",
    "Draw",
    "array",
    "broadcastable",
    "elements",
    "python_scalars",
    "shapes",
]

T = TypeVar("T")
Draw = Callable[[st.SearchStrategy[Any]], Any]
Shape = tuple[int, ...]


class _Omit:
    """The marker of an omitted optional argument."""


OMIT = _Omit()

# The magnitudes of elements. One array has one magnitude, so that special values occur both with
# others of their kind and alone among ordinary ones.
#   small     few values near zero, all finite: many ties and duplicates
#   moderate  finite, of magnitudes between 1/8 and 100: nothing overflows or cancels badly
#   light     moderate, with NaN and infinities between
#   special   limits of the data type, NaN, infinities, signed zeros
#   wide      any value of the data type but subnormal numbers, which XLA flushes to zero
#   tiny      subnormal numbers and zeros, and some others; on request only
MAGNITUDES = ("small", "moderate", "light", "special", "wide")

_NONFINITE = (math.nan, math.inf, -math.inf)


def _reals(dtype: DType, magnitude: str) -> st.SearchStrategy[float]:
    info = limits.finfo(dtype)
    single = dtype in (dtypes.float32, dtypes.complex64)
    if magnitude == "small":
        return st.sampled_from([0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 3.0])
    if magnitude == "moderate":
        return st.integers(-800, 800).map(lambda n: n / 8)
    if magnitude == "light":
        return st.one_of(_reals(dtype, "moderate"), st.sampled_from([*_NONFINITE, -0.0]))
    if magnitude == "tiny":
        least = info.smallest_normal * info.eps
        tiny = [least, -least, 7 * least, info.smallest_normal / 2, info.smallest_normal]
        return st.sampled_from([*tiny, 0.0, -0.0, 1.0, -2.0])
    if magnitude == "special":
        small = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -2.5, 3.0, math.pi]
        if dtype.kind == "f":
            small += [info.max, info.min, info.eps, info.smallest_normal, 1 + info.eps]
        # Rounded to the data type, so that literals in a report equal the arguments.
        rounded = [float(np.float32(v)) if single else v for v in small]
        return st.sampled_from([*rounded, *_NONFINITE])
    # Components of complex numbers are limited so that no intermediate product can overflow, which
    # would depend on the formula and is unspecified in the standard.
    limit = info.max if dtype.kind == "f" else 2.0**20
    return st.floats(-limit, limit, width=32 if single else 64, allow_subnormal=False)


def _complexes(dtype: DType, magnitude: str) -> st.SearchStrategy[complex]:
    real = _reals(dtype, magnitude)
    if magnitude == "wide":  # squares of tiny components underflow in some formulas only
        real = real.map(lambda v: v if abs(v) > 2.0**-20 else 0.0)
    return st.builds(complex, real, real)


def _integers(dtype: DType, magnitude: str) -> st.SearchStrategy[int]:
    info = limits.iinfo(dtype)
    low = max(info.min, -4)
    if magnitude == "wide":
        return st.integers(info.min, info.max)
    if magnitude == "special":
        edges = {info.min, info.min + 1, info.max - 1, info.max, info.max // 2, 0, 1, 7}
        return st.sampled_from(sorted(edges))
    return st.integers(low, 8) if magnitude != "small" else st.integers(max(info.min, -2), 3)


@functools.cache
def elements(dtype: DType, magnitude: str) -> st.SearchStrategy[Any]:
    """Return the strategy of one element."""
    if dtype is dtypes.bool:
        return st.booleans()
    if dtype.kind in "iu":
        return _integers(dtype, magnitude)
    return _reals(dtype, magnitude) if dtype.kind == "f" else _complexes(dtype, magnitude)


# Few shapes, because JAX compiles each operation for each shape; they include 0-d and empty arrays,
# axes of size one, and more axes than two.
SHAPES: tuple[Shape, ...] = (
    (), (1,), (2,), (3,), (0,), (5,), (2, 3), (3, 3), (1, 3), (3, 1), (0, 3), (2, 0), (2, 1, 3),
    (2, 3, 2), (1, 1), (1, 2, 1, 3),
)  # fmt: skip


def shapes(min_ndim: int = 0, max_ndim: int = 4, nonempty: bool = False) -> st.SearchStrategy[Any]:
    """Return the strategy of a shape."""
    return st.sampled_from(
        [s for s in SHAPES if min_ndim <= len(s) <= max_ndim and not (nonempty and 0 in s)]
    )


@functools.cache
def _broadcast_forms(shape: Shape) -> tuple[Shape, ...]:
    forms = [shape, shape, shape]
    forms += [shape[i:] for i in range(1, len(shape) + 1)]
    forms += [(*shape[:i], 1, *shape[i + 1 :]) for i in range(len(shape))]
    return tuple(forms)


def broadcastable(shape: Shape) -> st.SearchStrategy[Shape]:
    """Return the strategy of a shape that broadcasts to `shape`."""
    return st.sampled_from(_broadcast_forms(shape))


@functools.cache
def _views(shape: Shape) -> st.SearchStrategy[str | None]:
    fitting = [name for name, view in VIEWS.items() if view.fits(shape)]
    return st.sampled_from([None] * 12 + fitting)


def array(draw: Draw, shape: Shape, dtype: DType, magnitude: str, view: bool = True) -> ArrayArg:
    """Draw an array."""
    size = math.prod(shape)
    drawn = draw(st.lists(elements(dtype, magnitude), min_size=size, max_size=size))
    with np.errstate(all="ignore"):
        values = np.array(drawn, dtype.name).reshape(shape)
    layout = draw(_views(shape)) if view else None
    if layout == "broadcast":
        values = np.repeat(values[:1], shape[0], 0)
    return ArrayArg(values, layout)


_NUMPY_SCALARS = (np.float64(0.5), np.float32(2.0), np.int64(3), np.int8(-1), np.bool_(True))


@functools.cache
def python_scalars(dtype: DType, magnitude: str) -> st.SearchStrategy[Any]:
    """Return the strategy of a scalar operand with an array of `dtype`.

    Mostly of the array's kind; also of lower and higher kinds, integers out of range of the array's
    data type, and NumPy's scalars, which count as Python's.
    """
    own = elements(dtype, "small" if magnitude == "wide" else magnitude)
    others: list[Any] = [True, 0, 1, -3, 2, 300, 2**40, 2**63, 0.5, -2.0, 1e300, 2j]
    if magnitude in ("light", "special"):
        others += [math.nan, math.inf, -0.0]
    return st.one_of(own, own, st.sampled_from([*others, *_NUMPY_SCALARS]))
