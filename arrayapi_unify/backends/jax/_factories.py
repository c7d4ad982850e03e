"""Factories of native elementwise functions, each one compiled function (`jax.jit`).

Data types are known when JAX traces, so promotion and the choice among formulas cost nothing
afterwards: jit keeps one kernel for each combination. A Python scalar becomes a NumPy scalar of the
data type that promotion gives it, before the call, since jit would forget what it was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import jax
import jax.numpy as jnp
import numpy as np

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.checks.arguments import UndefinedError
from arrayapi_unify.backends.jax._core import (
    JaxArray,
    Operand,
    cast,
    floating,
    promoted,
    scalar_beside,
)
from arrayapi_unify.backends.jax.dtypes import DTYPES
from arrayapi_unify.backends.kernel import Kernel

_SCALARS = frozenset({bool, int, float, complex})


class Unary(Protocol):
    """A native function of one array."""

    __name__: str

    def __call__(self, x: JaxArray, /) -> JaxArray:
        """Compute."""


class Binary(Protocol):
    """A native function of two operands, at least one of them an array."""

    __name__: str

    def __call__(self, x1: Operand, x2: Operand, /) -> JaxArray:
        """Compute."""


def _floating_beside(scalar: Any, array: JaxArray) -> Any:
    """Return a Python scalar as NumPy's; with bool and integers, any real number is a float64."""
    if array.dtype.kind not in "fc" and not isinstance(scalar, complex):
        return np.float64(scalar)
    return scalar_beside(scalar, array)


def _comparable(scalar: Any, array: JaxArray) -> Any:
    """Return a Python scalar as NumPy's: integers that the data type can't hold compare as well."""
    if type(scalar) is not int or array.dtype.kind == "b":
        return scalar_beside(scalar, array)
    if array.dtype.kind in "iu":
        if -(2**63) <= scalar < 2**63:
            return np.int64(scalar)
        return np.uint64(scalar) if 0 < scalar < 2**64 else np.float64(np.copysign(np.inf, scalar))
    return scalar_beside(scalar, array)


def _truth_beside(scalar: Any, array: JaxArray) -> Any:
    """Return a Python scalar as a NumPy bool, where only its truth counts."""
    return np.bool_(scalar)


def _named(native: Any, name: str, fast_call: Callable[..., Any] | None = None) -> Any:
    native.__name__ = native.__qualname__ = name
    native.__doc__ = f"`{name}` of the standard on JAX arrays."
    return Kernel(fast_call=fast_call)(native)


def unary(name: str, compute: Callable[[JaxArray], JaxArray], inline: bool = False) -> Any:
    """Make a native function of a computation that is right for every data type.

    One that hands on derivatives as they come gets `inline=True`: a compiled function whose
    result is its argument copies that, and what is inlined isn't compiled to be pulled back.
    """
    compiled = jax.jit(compute, inline=inline)

    def native(x: JaxArray, /) -> JaxArray:
        return compiled(x)

    return _named(native, name, compiled)


def floating_unary(
    name: str,
    compute: Callable[[JaxArray], JaxArray],
    on_complex: Callable[[JaxArray], JaxArray] | None = None,
    on_integers: Callable[[JaxArray], JaxArray] | None = None,
) -> Any:
    """Make a native function that is floating-point only: of bool and integers, float64.

    `on_complex` replaces the computation for complex arrays, `on_integers` that for bool and
    integers, which it gets as float64.
    """
    special = dict.fromkeys("c", on_complex) | dict.fromkeys("biu", on_integers)

    def choose(x: JaxArray) -> JaxArray:
        return (special.get(x.dtype.kind) or compute)(floating(x))

    return unary(name, choose)


def real_unary(name: str, compute: Callable[[JaxArray], JaxArray]) -> Any:
    """Make a native function of real arrays; of bool and integers, float64."""

    def checked(x: JaxArray) -> JaxArray:
        check_not_complex(x)
        return compute(floating(x))

    return unary(name, checked)


def check_not_complex(x: JaxArray) -> None:
    """Raise for complex numbers, which have no order and no sign."""
    if x.dtype.kind == "c":
        raise UndefinedError


def identity_except(kinds: str, name: str, compute: Callable[[JaxArray], JaxArray]) -> Any:
    """Make a native function that returns its argument, except for dtypes of these kinds."""
    return unary(name, lambda x: compute(x) if x.dtype.kind in kinds else x, inline=True)


def _binary(
    name: str,
    compute: Callable[[JaxArray, JaxArray], JaxArray],
    beside: Callable[[Any, JaxArray], Any] = scalar_beside,
    inline: bool = False,
) -> Any:
    compiled = jax.jit(compute, inline=inline)

    def native(x1: Operand, x2: Operand, /) -> JaxArray:
        if type(x2) in _SCALARS:
            return compiled(x1, beside(x2, x1))
        if type(x1) in _SCALARS:
            return compiled(beside(x1, x2), x2)
        return compiled(x1, x2)

    return _named(native, name)


def binary(
    name: str, compute: Callable[[JaxArray, JaxArray], JaxArray], inline: bool = False
) -> Any:
    """Make a native function of a computation on two arrays of one data type.

    `inline` is that of `unary`.
    """
    return _binary(name, lambda x1, x2: compute(*promoted(x1, x2)), inline=inline)


def logical(name: str, compute: Callable[[JaxArray, JaxArray], JaxArray]) -> Any:
    """Make a native function of two operands that count by their truth, of whatever data types."""
    return _binary(name, compute, _truth_beside)


def floating_binary(name: str, compute: Callable[[JaxArray, JaxArray], JaxArray]) -> Any:
    """Make a native function that is floating-point only: of bool and integers, float64."""
    return _binary(name, lambda x1, x2: compute(*map(floating, promoted(x1, x2))), _floating_beside)


def real_binary(name: str, compute: Callable[[JaxArray, JaxArray], JaxArray]) -> Any:
    """Make a native function of real arrays; of bool and integers, float64."""

    def checked(x1: JaxArray, x2: JaxArray) -> JaxArray:
        check_not_complex(x1)
        return compute(x1, x2)

    return floating_binary(name, checked)


def comparison(
    name: str, compute: Callable[[JaxArray, JaxArray], JaxArray], first: bool, second: bool
) -> Any:
    """Make a comparison, exact also between uint64 and signed integers.

    These promote to float64, in which neighbours above 2**53 are equal. The answer is `first` where
    the first operand is negative and the other unsigned, `second` the other way round.
    """

    def compare(x1: JaxArray, x2: JaxArray) -> JaxArray:
        unsigned = DTYPES[dtypes.uint64]
        if unsigned not in (x1.dtype, x2.dtype) or {x1.dtype.kind, x2.dtype.kind} != {"i", "u"}:
            return compute(*promoted(x1, x2))
        exact = compute(cast(x1, unsigned), cast(x2, unsigned))
        if x1.dtype.kind == "i":
            return jnp.where(x1 < 0, first, exact)
        return jnp.where(x2 < 0, second, exact)

    return _binary(name, compare, _comparable)
