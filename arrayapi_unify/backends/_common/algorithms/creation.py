"""Rules of the creation functions, shared by all backends: ranges, ends, triangles, grids."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from arrayapi_unify import dtypes, limits
from arrayapi_unify.backends._common.checks.axes import in_order, whole
from arrayapi_unify.dtypes import DType
from arrayapi_unify.errors import (
    UnifyOverflowError,
    raise_argument_error,
    raise_type_error,
    raise_value_error,
)

SMALL: Final = 2**31
"""Below this every default integer data type holds all integers."""


class Progression(NamedTuple):
    """`start + i * step` for i below `length`, computed in one data type and cast to another.

    In an integer `compute` every element fits, so it may be computed modulo its width.
    """

    start: float
    step: float
    length: int
    compute: DType
    dtype: DType


def counts(start: Any, stop: Any, step: Any) -> bool:
    """Return True if `arange` gets integers with small ends, which all libraries count alike."""
    ints = type(start) is int and type(step) is int and (stop is None or type(stop) is int)
    return ints and step != 0 and -SMALL < start < SMALL and -SMALL < (stop or 0) < SMALL


def arange(start: Any, stop: Any, step: Any, dtype: DType | None) -> Progression:
    """Say what `arange` has to compute.

    Element i is `start + i * step` so that rounding errors don't add up, and the length of
    integers is exact (most libraries take it from a division of floats).
    """
    first, last = (0, start) if stop is None else (start, stop)
    bounds = [python_number(value) for value in (first, last, step)]
    if bounds[2] == 0:
        raise_value_error("arange", "step", "is 0", "pass the distance of two elements")
    if all(isinstance(bound, int) for bound in bounds):
        return _integers(range(*bounds), dtype or dtypes.default_int())
    length = max(0, math.ceil((bounds[1] - bounds[0]) / bounds[2]))
    return Progression(
        bounds[0], bounds[2], length, dtypes.float64, dtype or dtypes.default_float()
    )


def _integers(values: range, dtype: DType) -> Progression:
    exact = dtype if dtype.kind in "iu" else dtypes.int64
    if not values:
        return Progression(0, 1, 0, exact, dtype)
    info = limits.iinfo(exact)
    fits = info.min <= values[0] <= info.max and info.min <= values[-1] <= info.max
    if exact is dtype and not fits:
        raise_argument_error(
            UnifyOverflowError,
            "arange",
            "stop",
            f"leads to {values[0]} ... {values[-1]}, which {dtype} can't hold",
            "use a wider data type",
        )
    return Progression(
        values.start, values.step, len(values), exact if fits else dtypes.float64, dtype
    )


def python_number(value: Any) -> Any:
    """Return the Python number of a scalar (or 0-d array) of any sort."""
    if isinstance(value, int | float):
        return value
    try:
        return operator.index(value)
    except TypeError:
        return float(value)


def linspace(start: Any, stop: Any, num: int, dtype: DType | None) -> tuple[Any, Any, DType]:
    """Return the ends as floats or complex numbers, and the data type of the result."""
    if whole("linspace", "num", num) < 0:
        raise_value_error("linspace", "num", f"is {num}", "pass 0 or more")
    # Integers above 64 bits would be objects to NumPy.
    ends = [v if isinstance(v, float | complex) else _float_or_complex(v) for v in (start, stop)]
    is_complex = any(isinstance(end, complex) for end in ends)
    if dtype is None:
        dtype = dtypes.default_complex() if is_complex else dtypes.default_float()
    elif is_complex and dtype.kind in "iuf":
        raise_type_error(
            "linspace", "start", f"or stop is complex, so {dtype} would lose the imaginary part",
            "pass real ends, or a complex data type",
        )  # fmt: skip
    return ends[0], ends[1], dtype


def _float_or_complex(value: Any) -> float | complex:
    """Return a scalar or 0-d array as Python's float or complex."""
    if isinstance(value, int):
        return float(value)
    number = complex(value)
    dtype = getattr(value, "dtype", None)
    return number if "complex" in str(dtype) else number.real


def shape_tuple(shape: int | Sequence[int]) -> tuple[int, ...]:
    """Return a shape as a tuple of Python integers; refuse negative sizes."""
    if type(shape) is int:
        sizes: tuple[int, ...] = (shape,)
    elif hasattr(shape, "__index__") and not isinstance(shape, list | tuple):
        sizes = (operator.index(shape),)
    else:
        sizes = tuple(map(operator.index, in_order(shape)))
    for size in sizes:
        if size < 0:
            raise ValueError(f"the shape {sizes} has a negative size")
    if bool in map(type, shape if isinstance(shape, list | tuple) else (shape,)):
        raise TypeError(f"the shape {shape} holds a bool")
    return sizes


def check_fill(function: str, shape: Sequence[int]) -> None:
    """Raise for a fill value of so many numbers, which some libraries would broadcast."""
    if len(shape):
        raise_value_error(
            function, "fill_value", f"has the shape {tuple(shape)}, and isn't one number",
            "pass a number or an array without axes, or use broadcast_to",
        )  # fmt: skip


def check_meshgrid(shapes: Iterable[Sequence[int]], indexing: str) -> None:
    """Raise for arrays of more than one dimension, and unknown orders of axes."""
    for shape in shapes:
        if len(shape) > 1:
            raise_value_error(
                "meshgrid", "arrays", f"holds an array of shape {tuple(shape)}",
                "pass one-dimensional arrays",
            )  # fmt: skip
    if indexing not in ("xy", "ij"):
        raise_value_error("meshgrid", "indexing", f"is {indexing!r}", "pass 'xy' or 'ij'")


def triangle_offset(function: str, shape: Sequence[int], k: int) -> int:
    """Return the diagonal of a triangle, moved to the edge where it lies outside of the matrix.

    All diagonals outside are alike, and libraries take no numbers beyond 32 or 64 bits.
    """
    k = whole(function, "k", k)
    if len(shape) < 2:
        raise_value_error(
            function, "x", f"has shape {tuple(shape)}", "pass a matrix or a stack of matrices"
        )
    rows, columns = shape[-2:]
    return max(-rows, min(k, columns))


def plain_one_hot(dtypes_of_indices: frozenset[Any]) -> Callable[..., bool]:
    """Return what says whether a call of `one_hot` gives zeros and ones where the indices are."""

    def is_plain(
        indices: Any, depth: int, /, *, on_value: Any = None, off_value: Any = None,
        axis: int = -1, dtype: Any = None, device: Any = None,
    ) -> bool:  # fmt: skip
        settled = on_value is None and off_value is None and device is None
        return settled and type(depth) is int and depth >= 0 and indices.dtype in dtypes_of_indices

    return is_plain


def plain_logspace(floats: frozenset[Any], integers: frozenset[Any]) -> Callable[..., bool]:
    """Return what says whether a call of `logspace` is one sequence, between two numbers alike.

    Numbers come as arrays of no axes.
    """
    bases = floats | integers

    def is_plain(
        start: Any, stop: Any, num: int, base: Any = 10.0, axis: int = 0, *,
        endpoint: bool = True, dtype: Any = None, device: Any = None,
    ) -> bool:  # fmt: skip
        numbers = len(start.shape) == len(stop.shape) == 0 and start.dtype == stop.dtype
        if not numbers or start.dtype not in bases or type(num) is not int or num < 0:
            return False
        usual = base == 10.0 if type(base) is float else not len(base.shape) and base.dtype in bases
        placed = axis in (0, -1) and device is None
        return usual and placed and (dtype is None or dtype in floats)

    return is_plain
