"""Creation functions of the TensorFlow backend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, Literal

import numpy as np
import tensorflow as tf

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.algorithms import creation as common
from arrayapi_unify.backends._common.algorithms.conversion import default_of
from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends._common.checks.sizes import check_held
from arrayapi_unify.backends.kernel import Kernel, partial_mixed
from arrayapi_unify.backends.tensorflow._conversion import converted
from arrayapi_unify.backends.tensorflow._core import (
    NativeDType,
    Tensor,
    axis_constant,
    broadcast,
    cast,
    const,
    ints,
    rank_of,
    raw,
    shape_of,
    shape_tensor,
)
from arrayapi_unify.backends.tensorflow._devices import placed
from arrayapi_unify.backends.tensorflow._interchange import imported
from arrayapi_unify.backends.tensorflow.dtypes import BY_NAME, DTYPES, as_dtype
from arrayapi_unify.backends.tensorflow.manipulation import broadcast_to, reshape

Shape = int | Sequence[int]
# The data types that TensorFlow's kernel takes.
_INDICES: Final = frozenset({tf.int8, tf.int32, tf.int64, tf.uint8})


def _float(dtype: NativeDType | None) -> NativeDType:
    """Return `dtype`, the default real floating one where none is given."""
    return BY_NAME[dtypes.held_float().value.name] if dtype is None else dtype


# --- from values ------------------------------------------------------------------------------


def _from_list(obj: Any) -> Tensor | None:
    """Make a tensor of a list of numbers of one type, which TensorFlow reads faster than NumPy."""
    default = default_of(obj)
    if default is None:
        return None
    try:
        with placed(None):
            return tf.constant(obj, DTYPES.by_name[default.name])
    except (TypeError, ValueError):
        return None  # an integer beyond the default data type


@Kernel(from_list=_from_list)
def asarray(
    obj: Any,
    /,
    *,
    dtype: NativeDType | None = None,
    device: str | None = None,
    copy: bool | None = None,
) -> Tensor:
    """Convert."""
    return converted("asarray", "obj", obj, dtype, device, copy)


def array(
    obj: Any,
    /,
    *,
    dtype: NativeDType | None = None,
    device: str | None = None,
    copy: bool | None = True,
) -> Tensor:
    """Convert, with a copy unless told otherwise."""
    return converted("array", "obj", obj, dtype, device, copy)


def from_dlpack(x: Any, /, *, device: str | None = None, copy: bool | None = None) -> Tensor:
    """Import, and move if a device is given."""
    y = imported(x, copy)
    return y if device is None else converted("from_dlpack", "x", y, None, device, None)


# --- from a shape -----------------------------------------------------------------------------


def _filled(shape: Shape, value: Any, dtype: NativeDType | None, device: str | None) -> Tensor:
    dims = ints(common.shape_tuple(shape))
    with placed(device):
        return raw.Fill(dims=dims, value=const(value, _float(dtype)))


def empty(shape: Shape, *, dtype: NativeDType | None = None, device: str | None = None) -> Tensor:
    """Make an array of zeros: TensorFlow gives no memory away unwritten."""
    return _filled(shape, 0, dtype, device)


def ones(shape: Shape, *, dtype: NativeDType | None = None, device: str | None = None) -> Tensor:
    """Make an array of ones."""
    return _filled(shape, 1, dtype, device)


def zeros(shape: Shape, *, dtype: NativeDType | None = None, device: str | None = None) -> Tensor:
    """Make an array of zeros."""
    return _filled(shape, 0, dtype, device)


def full(
    shape: Shape, fill_value: Any, *, dtype: NativeDType | None = None, device: str | None = None
) -> Tensor:
    """Make an array of one value."""
    value = converted("full", "fill_value", fill_value, dtype, device, None)
    if value.shape.rank:
        common.check_fill("full", shape_of(value))
    with placed(device):
        return broadcast_to(value, common.shape_tuple(shape))


def _like(x: Tensor, value: Any, dtype: NativeDType | None, device: str | None) -> Tensor:
    with placed(device or x.device or None):
        return raw.Fill(dims=shape_tensor(x), value=const(value, dtype or x.dtype))


def empty_like(
    x: Tensor, /, *, dtype: NativeDType | None = None, device: str | None = None
) -> Tensor:
    """Make an array of zeros and of x's shape."""
    return _like(x, 0, dtype, device)


def ones_like(
    x: Tensor, /, *, dtype: NativeDType | None = None, device: str | None = None
) -> Tensor:
    """Make an array of ones and of x's shape."""
    return _like(x, 1, dtype, device)


def zeros_like(
    x: Tensor, /, *, dtype: NativeDType | None = None, device: str | None = None
) -> Tensor:
    """Make an array of zeros and of x's shape."""
    return _like(x, 0, dtype, device)


def _unknown(x: Tensor) -> Tensor | None:
    """Return the shape as a tensor where it isn't known while tracing."""
    return None if x.shape.is_fully_defined() else shape_tensor(x)


def full_like(
    x: Tensor, /, fill_value: Any, *, dtype: NativeDType | None = None, device: str | None = None
) -> Tensor:
    """Make an array of one value and of x's shape."""
    where = device or x.device or None
    value = converted("full_like", "fill_value", fill_value, dtype or x.dtype, where, None)
    if value.shape.rank:
        common.check_fill("full_like", shape_of(value))
    with placed(where):
        return broadcast(value, shape_of(x), _unknown(x))


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: NativeDType | None = None,
    device: str | None = None,
) -> Tensor:
    """Make a matrix with one diagonal of ones."""
    columns = n_rows if n_cols is None else n_cols
    shape = common.shape_tuple((n_rows, columns))
    check_held("eye", "n_rows", n_rows, math.prod(shape))
    k = common.triangle_offset("eye", shape, k)
    length = min(n_rows + min(k, 0), columns - max(k, 0))
    if length <= 0:  # the diagonal is outside of the matrix
        return _filled(shape, 0, dtype, device)
    kind = _float(dtype)
    with placed(device):
        return raw.MatrixDiagV3(
            diagonal=raw.Fill(dims=ints((length,)), value=const(1, kind)),
            k=const(k, tf.int32), num_rows=const(n_rows, tf.int32),
            num_cols=const(columns, tf.int32), padding_value=const(0, kind),
        )  # fmt: skip


# --- ranges and grids -------------------------------------------------------------------------


def _count(length: int, dtype: NativeDType) -> Tensor:
    """Count from zero."""
    return raw.Range(start=const(0, dtype), limit=const(length, dtype), delta=const(1, dtype))


def _column_minus_row(rows: int, columns: int) -> Tensor:
    """Make the matrix of which diagonal each element is on."""
    down = reshape(_count(rows, tf.int64), (rows, 1))
    return raw.Sub(x=_count(columns, tf.int64), y=down)


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: NativeDType | None = None,
    device: str | None = None,
) -> Tensor:
    """Count, by one multiplication and one addition for each element."""
    plan = common.arange(start, stop, step, None if dtype is None else as_dtype(dtype))
    kind: Any = tf.float64 if plan.compute.kind == "f" else tf.int64
    with placed(device):
        values = _count(plan.length, kind)
        if plan.step != 1:
            values = raw.Mul(x=values, y=const(_wrapped(plan.step, kind), kind))
        if plan.start != 0:
            values = raw.AddV2(x=values, y=const(_wrapped(plan.start, kind), kind))
        return cast(cast(values, DTYPES[plan.compute]), DTYPES[plan.dtype])


def _wrapped(value: Any, dtype: NativeDType) -> Any:
    """Return a number as the data type holds it, integers modulo 2**64."""
    return float(value) if dtype is tf.float64 else (value + 2**63) % 2**64 - 2**63


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: NativeDType | None = None,
    device: str | None = None,
    endpoint: bool = True,
) -> Tensor:
    """Divide an interval, in the precision of doubles; integers are rounded down as by NumPy."""
    given = None if dtype is None else as_dtype(dtype)
    first, last, target = common.linspace(start, stop, num, given)
    kind: Any = tf.complex128 if isinstance(first + last, complex) else tf.float64
    steps = num - 1 if endpoint else num
    with placed(device):
        values = cast(_count(num, tf.float64), kind)
        distance = np.subtract(last, first, dtype=kind.as_numpy_dtype)
        step = distance / steps if steps > 0 else distance
        if step == 0 and steps > 0:  # too small for a double: divide last
            values = values / const(steps, kind) * const(distance, kind)
        else:
            values = values * const(step, kind)
        values = values + const(first, kind)
        if endpoint and num > 1:
            values = raw.ConcatV2(values=[values[:-1], tf.constant([last], kind)], axis=0)
        if target.kind in "iu":
            values = raw.Floor(x=values)
        return cast(values, DTYPES[target])


def meshgrid(*arrays: Tensor, indexing: Literal["xy", "ij"] = "xy") -> tuple[Tensor, ...]:
    """Make a grid; with "xy" the first two arrays change places among the axes."""
    common.check_meshgrid([shape_of(x) for x in arrays], indexing)
    flat = [reshape(x, (-1,)) for x in arrays]
    order = list(range(len(flat)))
    if indexing == "xy" and len(flat) > 1:
        order[:2] = [1, 0]
    shape = tuple(flat[i].shape[0] for i in order)
    return tuple(
        broadcast_to(reshape(x, (-1,) + (1,) * (len(flat) - 1 - order[i])), shape)
        for i, x in enumerate(flat)
    )


# --- triangles --------------------------------------------------------------------------------


def _triangle(function: str, x: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """Return on which diagonal each element is, and the one to compare with."""
    k = common.triangle_offset(function, shape_of(x), k)
    return _column_minus_row(*shape_of(x)[-2:]), const(k, tf.int64)


def tril(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Keep the lower triangle."""
    diagonal, limit = _triangle("tril", x, k)
    return raw.SelectV2(condition=diagonal <= limit, t=x, e=const(0, x.dtype))


def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Keep the upper triangle."""
    diagonal, limit = _triangle("triu", x, k)
    return raw.SelectV2(condition=diagonal >= limit, t=x, e=const(0, x.dtype))


@partial_mixed(common.plain_one_hot(_INDICES))
def one_hot(
    indices: Tensor,
    depth: int,
    /,
    *,
    on_value: Any = None,
    off_value: Any = None,
    axis: int = -1,
    dtype: NativeDType | None = None,
    device: str | None = None,
) -> Tensor:
    """Set in one kernel, which sets nothing for an index out of range."""
    axis = normalize_axis("one_hot", axis, rank_of(indices) + 1)
    target = _float(dtype)
    return raw.OneHot(
        indices=indices,
        depth=axis_constant(depth),
        on_value=const(1, target),
        off_value=const(0, target),
        axis=axis,
    )
