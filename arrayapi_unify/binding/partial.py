"""Functions that a backend lacks, or has for some calls only.

For a partial mixed function, the native implementation serves some calls, the body the others.

The `partial_mixed_handler` of a native function (any function of its arguments that returns a bool)
decides before each call. Functions without one cost nothing more.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from arrayapi_unify.backends.kernel import kernel_of
from arrayapi_unify.binding.annotations import Role
from arrayapi_unify.binding.contract import Contract
from arrayapi_unify.errors import BackendError

__all__ = ["native_settings", "not_implemented", "not_implemented_message", "with_fallback"]


def with_fallback(
    native: Any,
    body: Callable[..., Any],
    is_native_type: Callable[[type], bool],
    wrap: Callable[[Any], Any],
    settings: Mapping[str, Callable[[Any], Any]] | None = None,
) -> Callable[..., Any]:
    """Join a native function with its contract's body: native in, native out, like any other.

    The handler gets the arguments of the native function: only those that the caller gave.
    `is_native_type` and `wrap` are the backend's: the test for a native array, and the function
    that makes an Array of it for the body. `settings` maps a keyword to the function that converts
    its native data type or device to ours.
    """
    converters = settings or {}
    decide = native.partial_mixed_handler

    def wrap_argument(value: Any) -> Any:
        if is_native_type(type(value)):
            return wrap(value)
        return [wrap_argument(part) for part in value] if isinstance(value, list) else value

    @functools.wraps(native)
    def dispatch(*args: Any, **kwargs: Any) -> Any:
        if decide(*args, **kwargs):
            return native(*args, **kwargs)
        given = {name: converters.get(name, wrap_argument)(value) for name, value in kwargs.items()}
        result = body(*map(wrap_argument, args), **given)
        return tuple(part._data for part in result) if type(result) is tuple else result._data

    # The `fast_call` of the native function would bypass the handler.
    return replace(kernel_of(native), fast_call=None)(dispatch)


def native_settings(contract: Contract, backend: Any) -> dict[str, Callable[[Any], Any]]:
    """Return the conversions of native data types and devices for a body, by keyword."""
    makers = {
        Role.DTYPE: functools.partial(_dtype, backend),
        Role.DEVICE: functools.partial(_device, backend),
    }
    return {p.name: makers[p.role] for p in contract.parameters if p.role in makers}


def _dtype(backend: Any, native: Any) -> Any:
    return None if native is None else backend.as_dtype(native)


def _device(backend: Any, native: Any) -> Any:
    """Return our device for a native one; they are few, so all are looked at."""
    if native is None:
        return None
    return next(d for d in backend.devices() if backend.native_device(d) == native)


def not_implemented(function: str, backend: str, *args: Any, **kwargs: Any) -> NoReturn:
    """Stand for a native function that a backend lacks."""
    raise BackendError(not_implemented_message(function, backend))


def not_implemented_message(function: str, backend: str, lacked: Sequence[str] = ()) -> str:
    """Say that a backend lacks a function, or others that its body needs."""
    needs = f", which lacks {', '.join(lacked)}" if lacked and function not in lacked else ""
    return (
        f"{function} has no implementation on the {backend} backend{needs}; use a function that it "
        f"has, or move the arrays to another backend (unify.to_backend)"
    )
