"""TensorFlow helpers for all categories: constants, casts, shapes, promotion of operands.

Natives call `tf.raw_ops`: the functions of `tf.math` cost two to three times as much at small
sizes, for name scopes, conversions and dispatch that are of no use here.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any, Final, TypeAlias

import numpy as np
import tensorflow as tf
from tensorflow.python.eager import record
from tensorflow.python.ops.control_flow_util import GraphOrParentsInXlaContext

from arrayapi_unify import dtypes, limits
from arrayapi_unify.backends._common.algorithms.arithmetic import CUT, LAST
from arrayapi_unify.backends._common.checks.arguments import raise_integer_error
from arrayapi_unify.backends.tensorflow.dtypes import BEFORE_SCALAR, DTYPES, PROMOTED, dtype_of
from arrayapi_unify.errors import UnifyValueError

# TensorFlow publishes no type information.
Tensor: TypeAlias = Any
NativeDType: TypeAlias = Any

raw: Final = tf.raw_ops
EagerTensor: Final[Any] = tf.__internal__.EagerTensor
eager = tf.executing_eagerly
# Rules and loops of the function that is being vectorized, see `gradients.vectorized`.
VECTORIZED: Final[ContextVar[list[str]]] = ContextVar("arrayapi_unify_tensorflow_vectorized")
_not: Final = inspect.unwrap(raw.LogicalNot)

# The end of the names of TensorFlow's devices of this kind.
CPU: Final = "CPU:0"
SCALARS: Final = frozenset({bool, int, float, complex})
_INTS_CACHED: Final = 8192
_SCALARS_CACHED: Final = 1024
_AXES_CACHED: Final = 4096
_BROADCAST_RANK: Final = 5

LIMITS: Final[dict[NativeDType, tuple[int, int]]] = {
    DTYPES[d]: (limits.iinfo(d).min, limits.iinfo(d).max) for d in dtypes.KINDS["integral"]
}
COMPONENT: Final = {
    tf.float32: tf.float32,
    tf.float64: tf.float64,
    tf.complex64: tf.float32,
    tf.complex128: tf.float64,
}
_FLOATS: Final = frozenset({tf.float32, tf.float64})
_NARROW: Final = frozenset({tf.int8, tf.uint8, tf.int16, tf.uint16, tf.int32, tf.uint32})
_KINDS: Final = {DTYPES[d]: d.kind for d in dtypes.ALL}


def kind_of(x: Tensor) -> str:
    """Return the kind of x's data type: one of "b", "u", "i", "f" and "c"."""
    kind = _KINDS.get(x.dtype)
    return dtype_of(x).kind if kind is None else kind  # the former raises


def tensor(x: Tensor) -> Tensor:
    """Return a tensor: a variable is read."""
    if type(x) is EagerTensor:
        return x
    return x.read_value() if isinstance(x, tf.Variable) else x


def hidden(x: Tensor) -> Tensor:
    """Return an operand so that TensorFlow's optimizer of graphs doesn't see that it is constant.

    It would make `x / 3` a product with a third, `1 / x` an approximate reciprocal, and `x**0.5` a
    square root, which have other results.
    """
    known = type(x) is EagerTensor or tf.get_static_value(x) is not None
    return raw.PlaceholderWithDefault(input=x, shape=x.shape) if known else x


# --- constants --------------------------------------------------------------------------------


@functools.lru_cache(maxsize=_INTS_CACHED)
def ints(values: tuple[int | None, ...]) -> Tensor:
    """Return a constant vector of int64 for shapes, axes and positions.

    Made once for each value, as it costs more than most operations. Kept outside of whatever
    function is being traced, and on the host, where the kernels want such arguments.
    """
    if not isinstance(values, tuple):  # TensorFlow waits 20 s for the memory of a long range
        raise TypeError("not a tuple of integers")
    with tf.init_scope(), tf.device("CPU:0"):
        return tf.constant(values, tf.int64, (len(values),))


@functools.lru_cache(maxsize=_AXES_CACHED)
def axis_constant(axis: int) -> Tensor:
    """Return the constant that kernels want for an axis, kept as `ints` keeps its vectors."""
    with tf.init_scope(), tf.device("CPU:0"):
        return const(axis, tf.int32)


def const(value: Any, dtype: NativeDType) -> Tensor:
    """Return a 0-d constant of a value that the data type holds."""
    return tf.constant(bool(value) if dtype is tf.bool else value, dtype)


def negated(x: Tensor) -> Tensor:
    """Negate bools.

    TensorFlow's optimizer of graphs makes x >= y of not(x < y), which is wrong where one of them is
    NaN. It leaves an equation alone.
    """
    return _not(x) if type(x) is EagerTensor else raw.Equal(x=x, y=const(False, tf.bool))


def scalar(value: Any, dtype: NativeDType) -> Tensor:
    """Return a 0-d constant; a Python integer that the data type can't hold raises."""
    if type(value) is int and dtype in LIMITS:
        low, high = LIMITS[dtype]
        if not low <= value <= high:
            raise_integer_error(value, dtype.name)
    elif dtype in COMPONENT:
        if value == 0:
            # As an array: of Python's zeros TensorFlow keeps one, which may have the other sign.
            return tf.constant(np.asarray(value, dtype.as_numpy_dtype))
        value = value if type(value) is complex else float(value)
    elif type(value) is bool and dtype is not tf.bool:
        value = int(value)
    return tf.constant(value, dtype)


def beside(value: Any, dtype: NativeDType) -> Tensor:
    """Return a scalar as an operand, which is never a result: the same tensor for each value.

    Making one costs as much as most operations. A trace gets constants of its own, by which the
    compiler may simplify.
    """
    if not eager():
        return scalar(value, dtype)
    # Zeros are equal whatever their sign is, and so are complex numbers that have one.
    spelling = "" if value and type(value) is not complex else repr(value)
    return _kept(value, spelling, dtype)


@functools.lru_cache(maxsize=_SCALARS_CACHED, typed=True)
def _kept(value: Any, spelling: str, dtype: NativeDType) -> Tensor:
    with tf.device("CPU:0"):
        return scalar(value, dtype)


# --- shapes -----------------------------------------------------------------------------------


def shape_of(x: Tensor) -> tuple[int, ...]:
    """Return the shape; a size that isn't known while tracing is None."""
    # The property `shape` makes another object of this tuple on each access.
    return x._shape_tuple() if type(x) is EagerTensor else tuple(x.shape)


def rank_of(x: Tensor) -> int:
    """Return the number of axes."""
    rank = x.shape.rank
    if rank is None:
        raise UnifyValueError("the rank of a traced tensor isn't known; give it a static shape")
    return int(rank)


def shape_tensor(x: Tensor) -> Tensor:
    """Return the shape as an int64 tensor, also where it isn't known while tracing."""
    shape = x.shape
    if shape.is_fully_defined():
        return ints(tuple(shape))
    return raw.Shape(input=x, out_type=tf.int64)


def broadcast(x: Tensor, shape: tuple[int | None, ...], sizes: Tensor | None = None) -> Tensor:
    """Broadcast to a shape, which is also given as a tensor where it isn't known while tracing.

    The kernel takes no more than five alternations of sizes that are and aren't broadcast.
    """
    if sizes is not None or len(shape) <= _BROADCAST_RANK:
        return raw.BroadcastTo(input=x, shape=ints(shape) if sizes is None else sizes)
    given = (1,) * (len(shape) - x.shape.rank) + tuple(x.shape)
    if len(given) > len(shape) or any(a not in (1, b) for a, b in zip(given, shape, strict=True)):
        raise ValueError(f"the shape {given} doesn't broadcast to {shape}")
    counts = tuple(b if a == 1 else 1 for a, b in zip(given, shape, strict=True))
    return tiled(raw.Reshape(tensor=x, shape=ints(given)), counts)


def tiled(x: Tensor, counts: tuple[int | None, ...]) -> Tensor:
    """Tile, by as many counts as there are axes; uint16 is the one data type without a kernel."""
    if x.dtype is tf.uint16:
        return tf.bitcast(raw.Tile(input=tf.bitcast(x, tf.int16), multiples=ints(counts)), x.dtype)
    return raw.Tile(input=x, multiples=ints(counts))


def padded(x: Tensor, paddings: Tensor, value: Tensor) -> Tensor:
    """Pad with a value, which tf.vectorized_map drops: there, it is put in afterwards."""
    if VECTORIZED.get(None) is None:
        return raw.PadV2(input=x, paddings=paddings, constant_values=value)
    inside = raw.Fill(dims=shape_tensor(x), value=const(True, tf.bool))
    return raw.SelectV2(
        condition=raw.Pad(input=inside, paddings=paddings),
        t=raw.Pad(input=x, paddings=paddings),
        e=value,
    )


# --- casts and promotion ----------------------------------------------------------------------


def cast(x: Tensor, dtype: NativeDType) -> Tensor:
    """Cast without any check of kinds; to bool by comparison with zero."""
    source = x.dtype
    if source is dtype:
        return x
    if dtype is tf.bool:
        return raw.NotEqual(x=x, y=const(0, source))
    if source in _FLOATS and dtype in _NARROW:
        # Values out of bounds wrap around; the kernels' results depend on the processor.
        x = raw.Cast(x=x, DstT=tf.int64)
    elif source is tf.float64 and dtype is tf.float16:
        x = _nearly(x)
    return raw.Cast(x=x, DstT=dtype)


def _nearly(x: Tensor) -> Tensor:
    """Return float64 as the float32 that has the same float16; tapes follow the plain cast."""
    single = raw.Cast(x=x, DstT=tf.float32)
    bits = raw.Bitcast(input=x, type=tf.int64)
    cut = raw.BitwiseAnd(x=bits, y=const(CUT, tf.int64))
    last = const(LAST, tf.int64)
    kept = raw.BitwiseXor(x=bits, y=cut)
    odd = raw.SelectV2(
        condition=raw.Equal(x=cut, y=const(0, tf.int64)), t=kept, e=raw.BitwiseOr(x=kept, y=last)
    )
    single_odd = raw.Cast(x=raw.Bitcast(input=odd, type=tf.float64), DstT=tf.float32)
    off = raw.StopGradient(input=raw.Sub(x=single, y=single_odd))
    zero = const(0, tf.float32)
    # A difference, not a sum: -0.0 stays what it is.
    return raw.Sub(x=single, y=raw.SelectV2(condition=raw.IsFinite(x=off), t=off, e=zero))


def scalar_dtype(dtype: NativeDType, value: Any) -> NativeDType:
    """Return the data type to which an array promotes with a Python scalar."""
    try:
        return BEFORE_SCALAR[dtype, type(value)]
    except KeyError:
        return DTYPES[dtypes.promote_scalar(dtypes.as_dtype(dtype.name), value)]


def pair(x1: Any, x2: Any) -> tuple[Tensor, Tensor]:
    """Return two operands as tensors of the data type to which they promote."""
    if type(x2) in SCALARS:
        dtype = scalar_dtype(x1.dtype, x2)
        return cast(x1, dtype), beside(x2, dtype)
    if type(x1) in SCALARS:
        dtype = scalar_dtype(x2.dtype, x1)
        return beside(x1, dtype), cast(x2, dtype)
    try:
        dtype = PROMOTED[x1.dtype, x2.dtype]
    except KeyError:
        dtype = DTYPES[dtypes.promote(dtype_of(x1), dtype_of(x2))]  # raises
    return cast(x1, dtype), cast(x2, dtype)


def common_dtype(operands: Iterable[Any]) -> NativeDType:
    """Return the data type to which any number of operands promotes; one of them is an array."""
    values = list(operands)
    found = dtypes.promote(*(dtype_of(v) for v in values if type(v) not in SCALARS))
    for value in values:
        if type(value) in SCALARS:
            found = dtypes.promote_scalar(found, value)
    return DTYPES[found]


def operand(value: Any, dtype: NativeDType) -> Tensor:
    """Return an operand as a tensor of the data type of the operation."""
    return scalar(value, dtype) if type(value) in SCALARS else cast(value, dtype)


def together(operands: Iterable[Any]) -> list[Tensor]:
    """Return any number of operands as tensors of the data type to which all of them promote."""
    values = list(operands)
    dtype = common_dtype(values)
    return [operand(value, dtype) for value in values]


# --- values -----------------------------------------------------------------------------------


def repaired(
    result: Tensor,
    bad: Callable[[], Tensor],
    repair: Callable[[], Tensor],
    suspicious: Callable[[], bool] | None = None,
) -> Tensor:
    """Replace the bad elements of a result; without any, the repair isn't computed.

    `suspicious` says in less time whether there can be one; only eagerly, as it reads values.
    """

    def choice() -> Tensor:
        return raw.SelectV2(condition=bad(), t=repair(), e=result)

    if eager():
        found = any_true(bad()) if suspicious is None else suspicious()
        return choice() if found else result
    return tf.cond(tf.reduce_any(bad()), choice, lambda: tf.identity(result))


def taped() -> bool:
    """Return True if a tape or a forward accumulator may record."""
    return bool(record.could_possibly_record())


def recorded() -> bool:
    """Return True if derivatives may be needed: by a tape, or of a program that is being traced."""
    return not eager() or taped()


def in_xla() -> bool:
    """Return True in a trace of `tf.function(jit_compile=True)`."""
    return not eager() and bool(GraphOrParentsInXlaContext(tf.compat.v1.get_default_graph()))


def any_true(mask: Tensor) -> bool:
    """Return True if any element is true; it reads the value, which isn't possible in a trace."""
    return bool(raw.Any(input=mask, axis=ints(tuple(range(mask.shape.rank)))))
