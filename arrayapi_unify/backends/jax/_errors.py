"""The built-in exceptions that errors of JAX stand for."""

from __future__ import annotations

import re
from typing import Final

import jax

from arrayapi_unify.backends._common.checks.arguments import TracedError, UndefinedError

_ABOUT_SHAPES: Final = re.compile(r"\b(shapes?|dimensions?|size)\b")
_ABOUT_AXES: Final = re.compile(r"Resource axis: .* is not found in mesh")


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
    # The class isn't public. Such a mesh asks for the place of each result in the caller's words.
    if type(error).__name__ == "ShardingTypeError" or _ABOUT_AXES.match(str(error)):
        said = str(error).partition("\n")[0]
        return RuntimeError(f"{said}; make the mesh with axis_types=(jax.sharding.AxisType.Auto,)")
    # The errors of tracing are TypeErrors too, and say much more than one line.
    if (
        isinstance(error, TypeError)
        and not isinstance(error, jax.errors.JAXTypeError)
        and _ABOUT_SHAPES.search(str(error))
    ):
        return ValueError(str(error))
    return error
