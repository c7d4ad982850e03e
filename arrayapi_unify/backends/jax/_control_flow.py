"""Loops and branches as XLA's operations, which `jax.jit` traces without unrolling them.

Where values are known they aren't used: the derivative of a loop that Python runs needs no bound of
its length, and nothing is compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import jax
import numpy as np
from jax import lax

from arrayapi_unify.backends._common.protocols import defaults
from arrayapi_unify.backends._common.protocols.transformations import Function, Natives, Step
from arrayapi_unify.backends.jax._core import JaxArray

_ZERO = np.float32(0)


TRACES_BRANCHES_FIRST: Final = False
share_memory: Final = defaults.shares_memory
count_writes: Final = defaults.version_of


def lowers_control_flow() -> bool:
    """Return True if JAX traces now, operations on constants included."""
    return isinstance(lax.neg(_ZERO), jax.core.Tracer)


def is_known(truth: JaxArray) -> bool:
    """Return True if a truth value is concrete, as it is under differentiation alone."""
    try:
        bool(truth)
    except jax.errors.ConcretizationTypeError:
        return False
    return True


def _strong(xs: Natives) -> tuple[JaxArray, ...]:
    """Return arrays of a data type that doesn't yield to others."""
    return tuple([lax.convert_element_type(x, x.dtype) for x in xs])


def lowered_scan(
    step: Step, carry: Natives, xs: Natives, length: int, reverse: bool
) -> tuple[Natives, Natives]:
    """Scan."""

    def one(carry: Any, x: Any) -> tuple[Any, Any]:
        found, y = step(carry, x)
        return _strong(found), tuple(y)

    return lax.scan(one, _strong(carry), tuple(xs), length, reverse=reverse)


def lowered_while(
    test: Callable[..., Any], step: Function, carry: Natives, most: int | None
) -> Natives:
    """Loop; without a bound, JAX pushes derivatives forward through it, and pulls none back."""
    if most is not None:

        def one(v: Any, _: None) -> tuple[Any, None]:
            return lax.cond(test(*v), lambda v: _strong(step(*v)), lambda v: v, v), None

        return lax.scan(one, _strong(carry), None, most)[0]
    return lax.while_loop(lambda v: test(*v), lambda v: _strong(step(*v)), _strong(carry))


def lowered_cond(
    truth: JaxArray, true_fun: Function, false_fun: Function, operands: Natives
) -> Natives:
    """Choose."""
    return lax.cond(
        truth, lambda *v: _strong(true_fun(*v)), lambda *v: _strong(false_fun(*v)), *operands
    )
