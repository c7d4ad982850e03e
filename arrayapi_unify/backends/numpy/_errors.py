"""The meaning of NumPy's errors, where their class doesn't tell it."""

from __future__ import annotations

import re
from typing import Final

from arrayapi_unify.backends._common.algorithms.memory import ReadOnlyError
from arrayapi_unify.backends._common.checks.arguments import UndefinedError, UnfitDTypeError

_UNDEFINED: Final = re.compile(
    r"not supported for the input types|did not contain a loop|numpy boolean (subtract|negative)"
)

_UNFIT: Final = re.compile(r"Cannot cast .* from dtype\('(\w+)'\) to")


def translate_error(error: Exception) -> Exception:
    """Return the error, or one that says more: NumPy raises what NumPy's users expect."""
    message = str(error)
    if isinstance(error, TypeError) and _UNDEFINED.search(message):
        return UndefinedError(message)
    unfit = _UNFIT.search(message) if isinstance(error, TypeError) else None
    if unfit:
        return UnfitDTypeError(message, unfit[1])
    return ReadOnlyError() if "read-only" in message else error
