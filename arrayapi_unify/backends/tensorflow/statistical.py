"""TensorFlow's implementations of the statistical functions."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.algorithms.arithmetic import accumulator
from arrayapi_unify.backends._common.checks.arguments import check_cast, check_number
from arrayapi_unify.backends._common.checks.axes import (
    count,
    normalize_axes,
    normalize_axis,
    only_axis,
)
from arrayapi_unify.backends._common.checks.shapes import raise_no_elements_error
from arrayapi_unify.backends._common.checks.statistical import check_segments
from arrayapi_unify.backends.tensorflow import _complex, _derivatives
from arrayapi_unify.backends.tensorflow._core import (
    COMPONENT,
    NativeDType,
    Tensor,
    cast,
    const,
    in_xla,
    ints,
    kind_of,
    padded,
    rank_of,
    raw,
    shape_of,
    shape_tensor,
)
from arrayapi_unify.backends.tensorflow._factories import Implementation, Table, table
from arrayapi_unify.backends.tensorflow._minmax import extreme_of_complex
from arrayapi_unify.backends.tensorflow.dtypes import BY_NAME, DTYPES, dtype_of

Axis = int | tuple[int, ...] | None


@functools.lru_cache(maxsize=4096)
def _axes(values: tuple[int, ...]) -> Tensor:
    """Return a constant like those of `ints`, of int32.

    With int64 TensorFlow's derivatives fail where the shape isn't known while tracing.
    """
    with tf.init_scope(), tf.device("CPU:0"):
        return tf.constant(values, tf.int32, (len(values),))


@functools.cache
def _all_axes(rank: int) -> Tensor:
    return _axes(tuple(range(rank)))


def axes_of(function: str, x: Tensor, axis: Axis) -> Tensor:
    """Return the axes to reduce over as the constant that kernels take."""
    if axis is None:
        return _all_axes(rank_of(x))
    return _axes(tuple(normalize_axes(function, axis, rank_of(x))))


def reduction(operation: Implementation) -> Implementation:
    """Make a positional function of a raw reduction."""
    return lambda x, axes, keepdims: operation(input=x, axis=axes, keep_dims=keepdims)


# Floats keep their data type, so for them the check of what to add up in is a dictionary's.
_KEEP = frozenset({tf.float32, tf.float64, tf.complex64, tf.complex128})


def _accumulated(name: str, x: Tensor, dtype: NativeDType | None) -> Tensor:
    """Return x in the data type in which it adds up."""
    if dtype is None:
        if x.dtype in _KEEP:
            return x
        dtype = DTYPES[accumulator(dtype_of(x), dtypes.held_int().value)]
    else:
        check_cast(name, dtype_of(x), dtypes.as_dtype(dtype.name))
    return cast(x, dtype)


def _fold(name: str, operation: Implementation, how: Table) -> Callable[..., Tensor]:
    """Make sum or prod. Without options they go the shortest way."""

    def fold(
        x: Tensor, /, *, axis: Axis = None, dtype: NativeDType | None = None, keepdims: bool = False
    ) -> Tensor:
        if axis is None and dtype is None and x.dtype in _KEEP:
            return operation(input=x, axis=_all_axes(x.shape.rank), keep_dims=keepdims)
        x = _accumulated(name, x, dtype)
        axes = axes_of(name, x, axis)
        return how[x.dtype](x, axes, keepdims)

    fold.__name__ = fold.__qualname__ = name
    return fold


def _no_elements(name: str, x: Tensor, axis: Axis) -> bool:
    """Refuse to find an extreme of no elements, unless there is nothing to find."""
    shape = shape_of(x)
    if 0 not in shape:
        return False
    axes = normalize_axes(name, axis, len(shape))
    if all(size != 0 for i, size in enumerate(shape) if i not in axes):
        raise_no_elements_error(name, shape)
    return True


def _with_nan(operation: Implementation) -> Implementation:
    """Make max or min of floating-point numbers, in which XLA's ignores NaN."""

    def reduce(*, input: Tensor, axis: Tensor, keep_dims: bool) -> Tensor:
        result = operation(input=input, axis=axis, keep_dims=keep_dims)
        if not in_xla():
            return result
        missing = raw.Any(input=raw.IsNan(x=input), axis=axis, keep_dims=keep_dims)
        return raw.SelectV2(condition=missing, t=const(math.nan, result.dtype), e=result)

    return reduce


def _extreme(name: str, operation: Implementation, on_bool: Implementation) -> Callable[..., Any]:
    """Make max or min. NaNs propagate."""
    how = table(
        name, reduction(operation), f=reduction(_with_nan(operation)),
        b=lambda x, axes, keepdims: on_bool(input=x, axis=axes, keep_dims=keepdims),
        c=extreme_of_complex(greatest=name == "max"),
    )  # fmt: skip

    def extreme(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
        axes = axes_of(name, x, axis)
        _no_elements(name, x, axis)
        return how[x.dtype](x, axes, keepdims)

    extreme.__name__ = extreme.__qualname__ = name
    return extreme


def _accumulation(name: str, operation: Implementation, identity: int) -> Callable[..., Tensor]:
    """Make cumulative_sum or cumulative_prod."""
    how = table(name, lambda x, axis: operation(x=x, axis=axis), b=_on_bool(operation))

    def accumulation(
        x: Tensor,
        /,
        *,
        axis: int | None = None,
        dtype: NativeDType | None = None,
        include_initial: bool = False,
    ) -> Tensor:
        rank = rank_of(x)
        axis = normalize_axis(name, only_axis(name, rank, axis), rank)
        x = _accumulated(name, x, dtype)
        result = how[x.dtype](x, const(axis, tf.int32))
        if not include_initial:
            return result
        paddings = [[int(i == axis), 0] for i in range(rank)]
        return padded(result, tf.constant(paddings), const(identity, x.dtype))

    accumulation.__name__ = accumulation.__qualname__ = name
    return accumulation


def _on_bool(operation: Implementation) -> Implementation:
    """Accumulate bools as integers, which are true where they aren't zero."""
    return lambda x, axis: cast(operation(x=cast(x, tf.int64), axis=axis), tf.bool)


def _number(x: Tensor, axis: Axis, axes: Tensor) -> Any:
    """Return how many elements a reduction takes together, a tensor where sizes aren't known."""
    if x.shape.is_fully_defined():
        return count(shape_of(x), axis)
    sizes = raw.GatherV2(params=shape_tensor(x), indices=axes, axis=const(0, tf.int32))
    number = raw.Prod(input=sizes, axis=ints((0,)))
    return cast(number, COMPONENT[x.dtype])


def _ratio(total: Tensor, number: Any) -> Tensor:
    """Divide by a number of elements; of none the result is NaN."""
    if isinstance(number, tf.Tensor):
        return raw.RealDiv(x=total, y=cast(number, total.dtype))
    return raw.RealDiv(x=total, y=const(number if number > 0 else math.nan, total.dtype))


def _real_or_float(x: Tensor) -> tuple[Tensor, bool]:
    """Return x as floating-point, and whether it was exact."""
    exact = x.dtype not in _KEEP
    return (cast(x, tf.float64) if exact else x), exact


def _to_default(result: Tensor) -> Tensor:
    """Give float64 results of integers the default floating-point dtype."""
    return cast(result, BY_NAME[dtypes.held_float().value.name])


def mean(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Sum over count; NaN over no elements."""
    axes = axes_of("mean", x, axis)
    x, exact = _real_or_float(x)
    number = _number(x, axis, axes)
    total = raw.Sum(input=x, axis=axes, keep_dims=keepdims)
    if kind_of(x) == "c":
        # Apart, so that a NaN or infinity in one component leaves the other alone (the standard).
        parts = (_complex.real(total), _complex.imag(total))
        return _complex.join(*(_ratio(part, number) for part in parts))
    result = _ratio(total, number)
    return _to_default(result) if exact else result


def var(
    x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> Tensor:
    """Mean squared distance from the mean, in two passes; NaN where no freedom is left."""
    check_number(correction)
    axes = axes_of("var", x, axis)
    x, exact = _real_or_float(x)
    number = _number(x, axis, axes)
    total = raw.Sum(input=x, axis=axes, keep_dims=True)
    distance = raw.Sub(x=x, y=_ratio(total, number))
    if kind_of(x) == "c":
        square = raw.Square(x=_complex.real(distance)) + raw.Square(x=_complex.imag(distance))
    else:
        square = raw.Square(x=distance)
    total = raw.Sum(input=square, axis=axes, keep_dims=keepdims)
    result = _ratio(total, number - correction)
    return _to_default(result) if exact else result


def std(
    x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: bool = False
) -> Tensor:
    """Square root of the variance."""
    return raw.Sqrt(x=var(x, axis=axis, correction=correction, keepdims=keepdims))


sum = _fold("sum", raw.Sum, table("sum", reduction(raw.Sum), b=reduction(raw.Any)))
prod = _fold(
    "prod",
    _derivatives.product,
    table("prod", reduction(_derivatives.product), b=reduction(raw.All)),
)
max = _extreme("max", raw.Max, raw.Any)
min = _extreme("min", raw.Min, raw.All)
cumulative_sum = _accumulation("cumulative_sum", raw.Cumsum, 0)
cumulative_prod = _accumulation("cumulative_prod", _derivatives.cumulative_product, 1)


def segment_sum(x: Tensor, segment_ids: Tensor, num_segments: int, /) -> Tensor:
    """Add up at indices; the kernel leaves negative ones out, and so all that are out of range."""
    check_segments(
        shape_of(x), dtype_of(x), shape_of(segment_ids), dtype_of(segment_ids), num_segments
    )
    # Large uint64 numbers become negative.
    places = cast(segment_ids, tf.int64)
    outside = raw.GreaterEqual(x=places, y=const(num_segments, tf.int64))
    places = raw.SelectV2(condition=outside, t=const(-1, tf.int64), e=places)
    return raw.UnsortedSegmentSum(
        data=x, segment_ids=places, num_segments=const(num_segments, tf.int32)
    )
