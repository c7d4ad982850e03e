"""`out=` of native functions: results computed into memory that is there already.

A library's own function gets `out` only where nothing has to be cast, or is read after it was
written. All else is computed first, and stored if it fits.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from arrayapi_unify import dtypes
from arrayapi_unify.backends._common.checks.arguments import raise_out_dtype_error
from arrayapi_unify.backends._common.checks.shapes import raise_out_error
from arrayapi_unify.backends.kernel import kernel_of, writes_out

__all__ = ["arrays_of", "check_out", "plain", "taking_out"]

_OUT = inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None)


def taking_out(
    call: Callable[..., Any], fits: Callable[..., bool], store: Callable[..., Any]
) -> Callable[[Any], Any]:
    """Give a native function the parameter `out`.

    `call` computes into `out` if `fits` says that it may, and writes nothing if it raises; both get
    all arguments. `store` gets the function's name, a result and `out`; it returns `out`, or the
    array that has to replace it.
    """

    def decorate(native: Any) -> Any:
        @functools.wraps(native)
        def whole(*args: Any, out: Any = None, **kwargs: Any) -> Any:
            try:
                if out is not None and fits(out, *args, **kwargs):
                    call(*args, out=out, **kwargs)
                    return out
            except (RuntimeError, TypeError, ValueError, IndexError):
                pass  # the native function says why
            result = native(*args, **kwargs)
            return result if out is None else store(native.__name__, result, out)

        known, kernel = inspect.signature(native), kernel_of(native)
        parameters = [*known.parameters.values(), _OUT]
        vars(whole).update(__signature__=known.replace(parameters=parameters))
        return writes_out(replace(kernel, fast_call=plain(native))(whole))

    return decorate


def plain(native: Any) -> Any:
    """Return a function without its `out`, for calls that have none: one call of Python less."""
    return kernel_of(native).fast_call or native


def arrays_of(args: Sequence[Any]) -> list[Any]:
    """Return the arrays among arguments, and those of a sequence that is the first one."""
    first = args[0] if isinstance(args[0], list | tuple) else ()
    return [x for x in (*first, *args) if hasattr(x, "dtype")]


def check_out(name: str, out: tuple[Any, Any], result: tuple[Any, Any]) -> None:
    """Raise for the shape of an `out`, and for its data type if it can't hold the result's."""
    if out[0] != result[0]:
        raise_out_error(name, out[0], result[0])
    if not dtypes.can_cast(result[1], out[1]):
        raise_out_dtype_error(name, out[1], result[1])
