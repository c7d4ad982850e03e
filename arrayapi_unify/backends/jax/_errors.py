"""The built-in exceptions that errors of JAX stand for."""

from __future__ import annotations

import re
from typing import Final

import jax

from arrayapi_unify.backends._common.checks.arguments import TracedError, UndefinedError

_ABOUT_SHAPES: Final = re.compile(r"\b(shapes?|dimensions?|size)\b")


_OF_TRACERS: Final = (
    jax.errors.ConcretizationTypeError,
    jax.errors.NonConcreteBooleanIndexError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
)


def translate_error(error: Exception) -> Exception:
    """Return the error as NumPy would have it: shapes that don't fit aren't types that don't."""
    if isinstance(error, TypeError) and "does not accept dtype" in str(error):
        return UndefinedError(str(error))
    if isinstance(error, _OF_TRACERS):
        return TracedError(str(error).partition("\n")[0])
    # The errors of tracing are TypeErrors too, and say much more than one line.
    if (
        isinstance(error, TypeError)
        and not isinstance(error, jax.errors.JAXTypeError)
        and _ABOUT_SHAPES.search(str(error))
    ):
        return ValueError(str(error))
    return error
