"""The built-in exceptions that errors of PyTorch stand for."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np
import torch

from arrayapi_unify.backends._common.algorithms.memory import ReadOnlyError
from arrayapi_unify.backends._common.checks.arguments import TracedError
from arrayapi_unify.errors import UnifyLinAlgError

_LinAlgError: Any = torch.linalg.LinAlgError  # type: ignore[attr-defined]  # not in its __all__


class TorchLinAlgError(UnifyLinAlgError, _LinAlgError):  # type: ignore[misc]  # an untyped base
    """A matrix that can't be factorized or solved, or that is none; an error of PyTorch's too."""


# PyTorch raises RuntimeError for nearly everything, and says what is wrong in the message only.
# What PyTorch says where values of a mapped tensor are read.
_READING: Final = ("vmap: It looks like you're", "Cannot access data pointer of Tensor")
_MEANINGS: Final[tuple[tuple[re.Pattern[str], type[Exception]], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), kind)
    for pattern, kind in (
        (r"without overflow|overflow(ed)? when|too large to convert", OverflowError),
        (r"out of (range|bounds)", IndexError),
        (
            r"not implemented for|dtype|scalar type|not supported for|unsupported for|result type|"
            r"(real|complex|integral|floating|bool)\w* (input|tensor|type)|can't be cast|"
            r"is not implemented for type",
            TypeError,
        ),
        (
            r"shape|size|invalid number|at least|must match|broadcast|dimension|\bdim\b|"
            r"number of elements|negative|inconsistent|stride|vector|matri|singular|"
            r"converge|repeats|equal",
            ValueError,
        ),
    )
)


def translate_error(error: Exception) -> Exception:
    """Return the built-in exception that NumPy would raise instead of a RuntimeError."""
    if not isinstance(error, RuntimeError):
        return error
    if isinstance(error, NotImplementedError):
        return TypeError(str(error))
    if isinstance(error, _LinAlgError):
        return np.linalg.LinAlgError(str(error))
    message = str(error).partition("\n")[0]
    if message.startswith(_READING):
        return TracedError(message)
    if "more than one element of the written-to tensor" in message:
        return ReadOnlyError()  # NumPy makes what is broadcast read-only
    kind = next((kind for pattern, kind in _MEANINGS if pattern.search(message)), None)
    return error if kind is None else kind(message)


def as_library_error(error: Exception) -> Exception:
    """Return an error of ours; if a matrix is at fault, one that PyTorch's users catch."""
    if type(error) is UnifyLinAlgError:
        error.__class__ = TorchLinAlgError  # a second error would show the message twice
    return error
