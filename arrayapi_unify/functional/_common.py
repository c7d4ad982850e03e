"""Helpers that the bodies of several contracts share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from arrayapi_unify import backends, dtypes
from arrayapi_unify._core import lazy_access
from arrayapi_unify.array_object import Array
from arrayapi_unify.errors import describe, raise_type_error

# An array as a body gets it: an Array, where the contract's hints allow callers a native one, too.
BodyArray: TypeAlias = Any


def is_number(x: Any) -> bool:
    """Return True for a Python number, which a body may get in place of an array."""
    return isinstance(x, bool | int | float | complex)


def floating(x: BodyArray) -> Array:
    """Return x, or of integers and bools x in the default floating-point data type."""
    return x if x.dtype.kind in "fc" else x.astype(dtypes.default_float())


def real(function: str, name: str, x: BodyArray) -> Array:
    """Return x in a floating-point data type; refuse complex numbers."""
    check_real(function, name, x)
    return floating(x)


def check_real(function: str, name: str, x: BodyArray) -> None:
    """Raise for complex numbers."""
    if x.dtype.kind == "c":
        raise_type_error(function, name, f"has data type {x.dtype}", "take real(x) or abs(x) first")


def floating_together(*arrays: BodyArray) -> list[Array]:
    """Return arrays in the floating-point data type to which all of them promote."""
    dtype = dtypes.promote(*(array.dtype for array in arrays))
    if dtype.kind not in "fc":
        dtype = dtypes.default_float()
    return [array.astype(dtype, copy=False) for array in arrays]


def is_compiling(x: BodyArray) -> bool:
    """Return True if a compiler of Python code, as PyTorch's, traces what is done with x."""
    return isinstance(x, Array) and backends.load(x.backend).is_compiling()


def known(x: BodyArray, method: str = "item") -> Any:
    """Return the value of a 0-d array as Python's number; None while something traces.

    It saves work where it is known. The value of a lazy array would take more than it saves, and
    so would one on several devices, for which Python waits.
    """
    return None if x.device.kind == "mesh" else _seen(x, method)


def _seen(x: BodyArray, method: str) -> Any:
    if not isinstance(x, Array):
        return _told(x) if method == "item" else None
    backend = backends.load(x.backend)
    if is_compiling(x) or backend.tracer_of(x._data) is not None or backend.lazy is not None:
        return None
    try:
        return getattr(x, method)()
    except Exception:  # of a graph's trace, or of PyTorch's vmap
        return None


def _told(x: BodyArray) -> Any:
    """Return the value of an object that overrides functions, if its class tells."""
    try:
        return x.__array_namespace__().to_scalar(x)
    except Exception:  # of the class, or of a trace
        return None


def is_surely(truth: BodyArray) -> bool:
    """Return True if a 0-d array is true, for an error; it isn't known while something traces."""
    return bool(_seen(truth, "item"))


def unchecked(primary: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call a function with values for which a body answers: indices of its own, which are within x.

    On several devices a check takes a look, for which Python waits.
    """
    outer, lazy_access.trust.given = lazy_access.trust.given, True
    try:
        return primary(*args, **kwargs)
    finally:
        lazy_access.trust.given = outer


def check_function(function: str, argument: str, value: Any) -> None:
    """Raise for what can't be called."""
    if not callable(value):
        raise_type_error(function, argument, f"is {describe(value)}", "pass a function")


def check_number(function: str, argument: str, value: Any) -> None:
    """Refuse what isn't one number: libraries would broadcast an array, or take a list for one."""
    number = hasattr(type(value), "__float__") or isinstance(value, complex)
    if not number or getattr(value, "ndim", False):
        raise_type_error(function, argument, f"is {describe(value)}", "pass one number")
