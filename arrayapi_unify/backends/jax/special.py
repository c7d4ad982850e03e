"""Special functions of the JAX backend: its own where they keep their digits in the tails."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, Final

import jax
import jax.numpy as jnp

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
    """Compile a function that computes in double precision."""
    compute = FUNCTIONS[name]

    @jax.jit
    def kernel(*operands: JaxArray) -> JaxArray:
        arrays = jnp.broadcast_arrays(*operands)
        dtype = next(x.dtype for x in operands if not x.weak_type)
        return compute(_NAMESPACE, *(x.astype(FLOAT64) for x in arrays)).astype(dtype)

    return kernel


def _is_real(x: Any) -> bool:
    return isinstance(x, jax.Array) and x.dtype.kind == "f"


_OWN: Final = {"erf": jax.jit(jax.lax.erf), "ndtri": jax.jit(jax.scipy.special.ndtri)}
PARTIAL: Final = native_functions(
    {name: _compiled(name) for name in FUNCTIONS} | _OWN,
    _is_real,
    lambda x: isinstance(x, jax.core.Tracer),
)
