"""Creation functions of the JAX backend."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final, Literal

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.algorithms import creation as common
from arrayapi_unify.backends._common.algorithms.conversion import convert
from arrayapi_unify.backends._common.checks.arguments import check_complex
from arrayapi_unify.backends._common.checks.axes import normalize_axis
from arrayapi_unify.backends._common.checks.sizes import check_addressed
from arrayapi_unify.backends.jax._conversion import converted
from arrayapi_unify.backends.jax._core import JaxArray, cast
from arrayapi_unify.backends.jax._devices import placed_new, target_device
from arrayapi_unify.backends.jax._interchange import from_host, imported
from arrayapi_unify.backends.jax._meshes import fitted
from arrayapi_unify.backends.jax.dtypes import BY_NAME, DTYPES, as_dtype, dtype_of
from arrayapi_unify.backends.kernel import partial_mixed

NativeDType = np.dtype[Any]
Shape = int | Sequence[int]
_FLOATS: Final = frozenset({np.dtype(np.float32), np.dtype(np.float64)})
_INDICES: Final = frozenset(DTYPES[d] for d in dtypes.KINDS["integral"])


def _float(dtype: NativeDType | None) -> NativeDType:
    """Return `dtype`, the default real floating one where none is given."""
    return BY_NAME[dtypes.held_float().value.name] if dtype is None else dtype


# --- from values ------------------------------------------------------------------------------


def asarray(
    obj: Any, /, *, dtype: NativeDType | None = None, device: Any = None, copy: bool | None = None
) -> JaxArray:
    """Convert by the rules of `_common.host`."""
    return converted("asarray", obj, dtype, device, copy)


def array(
    obj: Any, /, *, dtype: NativeDType | None = None, device: Any = None, copy: bool | None = True
) -> JaxArray:
    """Convert, with a copy unless told otherwise."""
    return converted("array", obj, dtype, device, copy)


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> JaxArray:
    """Import through DLPack."""
    return imported(x, device, copy)


# --- from a shape -----------------------------------------------------------------------------


def _filled(function: str, shape: Shape, value: Any, dtype: NativeDType, device: Any) -> JaxArray:
    sizes = common.shape_tuple(shape)
    check_addressed(function, "shape", sizes)
    return jnp.full(sizes, value, dtype, device=target_device(device, sizes))


def empty(shape: Shape, *, dtype: NativeDType | None = None, device: Any = None) -> JaxArray:
    """Make an array of zeros: JAX has no uninitialised memory."""
    return _filled("empty", shape, 0, _float(dtype), device)


def ones(shape: Shape, *, dtype: NativeDType | None = None, device: Any = None) -> JaxArray:
    """Make an array of ones."""
    return _filled("ones", shape, 1, _float(dtype), device)


def zeros(shape: Shape, *, dtype: NativeDType | None = None, device: Any = None) -> JaxArray:
    """Make an array of zeros."""
    return _filled("zeros", shape, 0, _float(dtype), device)


def full(
    shape: Shape, fill_value: Any, *, dtype: NativeDType | None = None, device: Any = None
) -> JaxArray:
    """Make an array of one value, whose data type is inferred as in `asarray`."""
    value = _fill_value("full", fill_value, dtype)
    return _filled("full", shape, value, value.dtype, device)


def _fill_value(function: str, value: Any, dtype: NativeDType | None) -> Any:
    """Return a fill value as an array of the result's data type; JAX's own are cast natively."""
    if isinstance(value, jax.Array):
        target = value.dtype if dtype is None else dtype
        source, wanted = dtype_of(value), as_dtype(target) or dtypes.float64
        check_complex(function, "fill_value", source, wanted)
        found = cast(value, target)
    else:
        found = convert(function, "fill_value", value, dtype, None)
    common.check_fill(function, found.shape)
    return found


def empty_like(x: JaxArray, /, *, dtype: NativeDType | None = None, device: Any = None) -> JaxArray:
    """Make an array of zeros and of x's shape."""
    return jnp.full_like(x, 0, dtype, device=fitted(device, x.shape))


def ones_like(x: JaxArray, /, *, dtype: NativeDType | None = None, device: Any = None) -> JaxArray:
    """Make an array of ones and of x's shape."""
    return jnp.full_like(x, 1, dtype, device=fitted(device, x.shape))


def zeros_like(x: JaxArray, /, *, dtype: NativeDType | None = None, device: Any = None) -> JaxArray:
    """Make an array of zeros and of x's shape."""
    return jnp.full_like(x, 0, dtype, device=fitted(device, x.shape))


def full_like(
    x: JaxArray, /, fill_value: Any, *, dtype: NativeDType | None = None, device: Any = None
) -> JaxArray:
    """Make an array of one value and of x's shape."""
    value = _fill_value("full_like", fill_value, dtype or x.dtype)
    return jnp.full_like(x, value, value.dtype, device=fitted(device, x.shape))


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: NativeDType | None = None,
    device: Any = None,
) -> JaxArray:
    """Make a matrix with one diagonal of ones."""
    columns = n_rows if n_cols is None else n_cols
    sizes = common.shape_tuple((n_rows, columns))
    check_addressed("eye", "n_rows", sizes)
    k = common.triangle_offset("eye", sizes, k)
    rows, columns = sizes
    return jnp.eye(rows, columns, k, _float(dtype), device=target_device(device, sizes))


# --- ranges and grids -------------------------------------------------------------------------


@functools.partial(jax.jit, static_argnums=(0, 3, 4))
def _progression(
    length: int, start: Any, step: Any, compute: NativeDType, dtype: NativeDType
) -> JaxArray:
    """Count from a start, by default 0, by steps, by default 1: these need no kernel's time."""
    steps: Any = lax.iota(compute, length)
    if step is not None:
        steps = steps * step
        if compute.kind == "f":
            # A fused multiply-add would round once where the other backends round twice.
            barrier: Any = lax.optimization_barrier
            steps = barrier(steps)
    return cast(steps if start is None else start + steps, dtype)


def _scalar(number: float, dtype: NativeDType) -> Any:
    """Make a scalar; an integer wraps around."""
    if dtype.kind in "iu":
        return np.uint64(int(number) % 2**64).astype(dtype)
    return dtype.type(number)


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: NativeDType | None = None,
    device: Any = None,
) -> JaxArray:
    """Count: element i is `start + i * step`, in integers modulo their width."""
    p = common.arange(start, stop, step, as_dtype(dtype))
    compute = DTYPES.by_name[p.compute.name]
    first = None if p.start == 0 else _scalar(p.start, compute)
    distance = None if p.step == 1 else _scalar(p.step, compute)
    result = _progression(p.length, first, distance, compute, DTYPES.by_name[p.dtype.name])
    return placed_new(result, device)


def linspace(
    start: complex,
    stop: complex,
    /,
    num: int,
    *,
    dtype: NativeDType | None = None,
    device: Any = None,
    endpoint: bool = True,
) -> JaxArray:
    """Divide an interval, on the host: these are few numbers out of two."""
    first, last, target = common.linspace(start, stop, num, as_dtype(dtype))
    values = np.linspace(first, last, num, endpoint=endpoint, dtype=DTYPES[target])
    return from_host(values, device)


def meshgrid(*arrays: JaxArray, indexing: Literal["xy", "ij"] = "xy") -> tuple[JaxArray, ...]:
    """Make a grid."""
    common.check_meshgrid([x.shape for x in arrays], indexing)
    return tuple(jnp.meshgrid(*[jnp.atleast_1d(x) for x in arrays], indexing=indexing))


# --- triangles --------------------------------------------------------------------------------


def tril(x: JaxArray, /, *, k: int = 0) -> JaxArray:
    """Keep the lower triangle."""
    return jnp.tril(x, common.triangle_offset("tril", x.shape, k))


def triu(x: JaxArray, /, *, k: int = 0) -> JaxArray:
    """Keep the upper triangle."""
    return jnp.triu(x, common.triangle_offset("triu", x.shape, k))


@functools.partial(jax.jit, static_argnums=(1, 2, 3))
def _one_hot(indices: JaxArray, depth: int, axis: int, dtype: NativeDType) -> JaxArray:
    places = lax.broadcasted_iota(jnp.int64, (depth, *[1] * (indices.ndim - axis)), 0)
    # The cast makes unsigned indices beyond int64 negative, which are out of bounds as well.
    return (jnp.expand_dims(indices, axis).astype(jnp.int64) == places).astype(dtype)


@partial_mixed(common.plain_one_hot(_INDICES))
def one_hot(
    indices: JaxArray,
    depth: int,
    /,
    *,
    on_value: Any = None,
    off_value: Any = None,
    axis: int = -1,
    dtype: NativeDType | None = None,
    device: Any = None,
) -> JaxArray:
    """Compare with all places in one kernel."""
    axis = normalize_axis("one_hot", axis, indices.ndim + 1)
    return _one_hot(indices, depth, axis, _float(dtype))


@functools.partial(jax.jit, static_argnums=(3, 4, 5))
def _logspace(
    start: JaxArray, stop: JaxArray, base: Any, num: int, endpoint: bool, dtype: NativeDType
) -> JaxArray:
    first, last = start.astype(dtype), stop.astype(dtype)
    steps = max(num - 1 if endpoint else num, 1)
    counts = jnp.arange(num, dtype=dtype)
    exponents = first + counts * ((last - first) / steps)
    if endpoint and num > 1:
        exponents = jnp.where(counts == steps, last, exponents)  # no rounding error there
    return jnp.power(jnp.asarray(base, dtype), exponents)


@partial_mixed(common.plain_logspace(_FLOATS, _INDICES))
def logspace(
    start: JaxArray,
    stop: JaxArray,
    num: int,
    base: JaxArray | float = 10.0,
    axis: int = 0,
    *,
    endpoint: bool = True,
    dtype: NativeDType | None = None,
    device: Any = None,
) -> JaxArray:
    """Raise to evenly spaced powers in one kernel."""
    target = start.dtype if start.dtype in _FLOATS else _float(None)
    powers = _logspace(start, stop, base, num, bool(endpoint), target)
    return powers if dtype is None else powers.astype(dtype)
