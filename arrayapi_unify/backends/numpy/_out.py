"""NumPy's own functions that compute into `out`, and when they may."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from arrayapi_unify.backends._common.algorithms.out import arrays_of, check_out, taking_out
from arrayapi_unify.backends._common.checks.shapes import raise_out_error
from arrayapi_unify.backends.numpy._core import NDArray
from arrayapi_unify.backends.numpy.dtypes import dtype_of

_BOOL: Final = np.dtype(bool)


def check_shape(name: str, out: NDArray, shape: tuple[int, ...]) -> None:
    """Raise for an `out` of another shape than the result's (NumPy would broadcast into it)."""
    if out.shape != shape:
        raise_out_error(name, out.shape, shape)


def store(name: str, result: NDArray, out: NDArray) -> NDArray:
    """Write a finished result into `out` if its shape and data type fit; else `out` is kept."""
    check_out(name, (out.shape, dtype_of(out)), (result.shape, dtype_of(result)))
    np.copyto(out, result, casting="unsafe")
    return out


def alike(*args: Any, **_: Any) -> Any:
    """Return the data type to which NumPy promotes arrays."""
    return np.result_type(*arrays_of(args))


def broadcast_shape(*args: Any) -> Any:
    """Return the shape of an elementwise function."""
    return np.broadcast(*args).shape


def truth(*_: Any, **__: Any) -> Any:
    """Return the data type of truth values."""
    return _BOOL


def filled_by(
    call: Callable[..., Any],
    dtype: Callable[..., Any] = alike,
    shape: Callable[..., Any] | None = None,
) -> Callable[[Any], Any]:
    """Give a native function `out`, into which `call` computes if its memory is another's.

    `dtype` and `shape` are those of the result, by the arguments; some functions look at the shape
    themselves.
    """

    def fits(out: NDArray, *args: Any, **kwargs: Any) -> bool:
        wanted = dtype(*args, **kwargs)
        known = wanted is not None and out.dtype == wanted  # NumPy takes None for float64
        known = known and (shape is None or out.shape == shape(*args, **kwargs))
        return known and not any(np.may_share_memory(x, out) for x in arrays_of(args))

    return taking_out(call, fits, store)


def reduced_by(reduce: Callable[..., Any], dtype: Callable[..., Any] = alike) -> Callable[..., Any]:
    """Give a reduction `out`, by that of a ufunc, which computes in the data type of `out`."""

    def call(
        x: NDArray, *, out: NDArray, axis: Any = None, dtype: Any = None, keepdims: bool = False
    ) -> None:
        reduce(x, axis, None, out, keepdims)

    return filled_by(call, dtype)
