"""Helpers for every category: casts, promotion of operands, Python scalars next to arrays."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.algorithms.arithmetic import CUT, LAST
from arrayapi_unify.backends.jax.dtypes import DTYPES, dtype_of

JaxArray: TypeAlias = Any
Operand: TypeAlias = Any
_BY_NAME: Final = DTYPES.by_name
# JAX has loaded the package that defines it.
_BY_NAME[dtypes.bfloat16.name] = DTYPES[dtypes.bfloat16]
FLOAT64 = DTYPES[dtypes.float64]
_FLOAT16 = DTYPES[dtypes.float16]


def is_traced(x: Any) -> bool:
    """Return True if x is a tracer, the values of which aren't known yet."""
    return isinstance(x, jax.core.Tracer)


def cast(x: JaxArray, dtype: Any) -> JaxArray:
    """Cast as `astype` does; a complex number is only ever cast to bool or complex."""
    if x.dtype == dtype:
        return x
    if x.dtype.kind in "fcV" and dtype.kind == "b":
        return x != 0
    if x.dtype.kind == "b" and dtype.kind in "fcV":
        # XLA makes a selection of the product of a cast bool: False * inf would be 0, not NaN.
        x = lax.convert_element_type(x, np.dtype(np.int8))
    elif x.dtype == FLOAT64 and dtype == _FLOAT16:
        x = _nearly(x)
    return lax.convert_element_type(x, dtype)


@jax.jit
def _nearly(x: JaxArray) -> JaxArray:
    """Return float64 as the float32 that has the same float16; derivatives follow the plain cast.

    XLA's own cast rounds twice on processors that don't cast so in one instruction.
    """
    single = lax.convert_element_type(x, np.float32)
    bits = lax.bitcast_convert_type(lax.stop_gradient(x), np.int64)
    cut = bits & CUT
    odd = lax.bitcast_convert_type((bits ^ cut) | jnp.where(cut == 0, 0, LAST), np.float64)
    off = lax.stop_gradient(single) - lax.convert_element_type(odd, np.float32)
    # A difference, not a sum: -0.0 stays what it is.
    return single - jnp.where(jnp.isfinite(off), off, 0)


def floating(x: JaxArray) -> JaxArray:
    """Return a floating-point array as it is ("V" is bfloat16), others as float64."""
    return x if x.dtype.kind in "fcV" else cast(x, FLOAT64)


def promoted(*arrays: JaxArray) -> list[JaxArray]:
    """Cast arrays to the data type that they promote to."""
    target = _BY_NAME[dtypes.promote(*map(dtype_of, arrays)).name]
    return [cast(x, target) for x in arrays]


def complex_parts(real: JaxArray, imag: JaxArray) -> JaxArray:
    """Make complex numbers of their components, without the arithmetic of `real + 1j * imag`."""
    return lax.complex(*jnp.broadcast_arrays(real, imag))


def scalar_beside(scalar: Any, array: JaxArray) -> Any:
    """Return a Python scalar as NumPy's, of its data type in operations with an array.

    An integer that the data type can't hold raises OverflowError, as in NumPy.
    """
    dtype = _BY_NAME[dtypes.promote_scalar(dtype_of(array), scalar).name]
    if type(scalar) is int:
        return np.asarray(scalar, dtype)[()]
    return _or_infinite(dtype, scalar)


@np.errstate(over="ignore")
def _or_infinite(dtype: np.dtype[Any], scalar: Any) -> Any:
    return dtype.type(scalar)
