"""Special functions of the JAX backend: its own where they keep their digits in the tails."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

import jax
import jax.numpy as jnp
import numpy as np

from arrayapi_unify.backends._common.algorithms.special import FUNCTIONS, NAMES
from arrayapi_unify.backends._common.algorithms.special.natives import native_functions
from arrayapi_unify.backends._common.protocols.module_getattr import make_extension_getattr
from arrayapi_unify.backends.jax import elementwise
from arrayapi_unify.backends.jax._core import FLOAT64, JaxArray

__getattr__, __dir__ = make_extension_getattr(__name__)


# XLA's logarithm of 1 + x loses digits, and the derivative of its abs at zero is 1.
_NAMESPACE: Final = SimpleNamespace(
    **{name: getattr(jnp, name) for name in NAMES}
    | {name: getattr(elementwise, name) for name in ("abs", "expm1", "log1p")},
    constants=lambda numbers, _: jnp.asarray(numbers, FLOAT64),
    stop_gradient=jax.lax.stop_gradient,
    holds=lambda _: None,
    compresses=lambda *_: False,
)


def _compiled(name: str) -> Callable[..., JaxArray]:
    """Compile a function that computes in double precision.

    Compilation takes seconds, so that calls outside of programs share one for many shapes.
    """
    compute = FUNCTIONS[name]

    @jax.jit
    def kernel(*arrays: JaxArray) -> JaxArray:
        return compute(_NAMESPACE, *arrays)

    def native(*operands: Any) -> JaxArray:
        dtype = next(x.dtype for x in operands if isinstance(x, jax.Array))
        shape = np.broadcast_shapes(*map(np.shape, operands))
        size = math.prod(shape)
        padded = _common_size(size) if all(map(_is_on_one_device, operands)) else size
        if padded == size:
            return _narrow(kernel(*_wide(*operands)), dtype)
        return _restored(kernel(*_padded(shape, padded, *operands)), dtype, shape)

    return native


def _common_size(size: int) -> int:
    """Return a size that arrays of similar sizes are padded to, by an eighth if they are large."""
    if size < _SMALL:
        return max(16, 1 << (size - 1).bit_length()) if size else 0
    step = 1 << (size.bit_length() - 4)
    return -(-size // step) * step


_SMALL: Final = 4096


def _is_on_one_device(x: Any) -> bool:
    if isinstance(x, jax.core.Tracer):
        return False
    return not isinstance(x, jax.Array) or len(x.sharding.device_set) == 1


@jax.jit
def _wide(*operands: JaxArray) -> list[JaxArray]:
    return [x.astype(FLOAT64) for x in jnp.broadcast_arrays(*operands)]


@functools.partial(jax.jit, static_argnums=1)
def _narrow(result: JaxArray, dtype: Any) -> JaxArray:
    return result.astype(dtype)


@functools.partial(jax.jit, static_argnums=(0, 1))
def _padded(shape: tuple[int, ...], size: int, *operands: JaxArray) -> list[JaxArray]:
    """Return the operands as vectors of a size, which their last elements fill."""
    flat = [x.reshape(-1) for x in _wide(*(jnp.broadcast_to(x, shape) for x in operands))]
    return [jnp.pad(x, (0, size - x.size), mode="edge") for x in flat]


@functools.partial(jax.jit, static_argnums=(1, 2))
def _restored(result: JaxArray, dtype: Any, shape: tuple[int, ...]) -> JaxArray:
    return result[: math.prod(shape)].reshape(shape).astype(dtype)


def _is_real(x: Any) -> bool:
    return isinstance(x, jax.Array) and x.dtype.kind == "f"


_OWN: Final = {"erf": jax.jit(jax.lax.erf), "ndtri": jax.jit(jax.scipy.special.ndtri)}
PARTIAL: Final = native_functions(
    {name: _compiled(name) for name in FUNCTIONS} | _OWN,
    _is_real,
    lambda x: isinstance(x, jax.core.Tracer),
)
