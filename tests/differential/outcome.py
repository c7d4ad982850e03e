"""The outcome of a call, in a form for comparison across backends."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from arrayapi_unify.array_object import Array
from arrayapi_unify.dtypes import DType
from arrayapi_unify.limits import FInfo, IInfo
from tests.differential.case import Case, build, literal

__all__ = ["Outcome", "Result", "call", "outcome_of", "resolve", "run", "values_of"]

# The built-in exceptions for users, subclasses first.
_BUILTIN = (
    OverflowError, ZeroDivisionError, ArithmeticError, IndexError, KeyError, AttributeError,
    BufferError, NotImplementedError, ValueError, TypeError, RuntimeError,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Result:
    """An array of a result: the name of its data type, and its values."""

    dtype: str
    values: Any

    def __repr__(self) -> str:
        """Return values, data type and shape."""
        return f"{literal(self.values.tolist())} {self.dtype} {self.values.shape}"


@dataclass(frozen=True, eq=False)
class Outcome:
    """A value, or the exception that was raised."""

    value: Any = None
    error: Exception | None = None

    @property
    def error_class(self) -> str | None:
        """The built-in class of the exception."""
        if self.error is None:
            return None
        kind = next((c for c in _BUILTIN if isinstance(self.error, c)), type(self.error))
        return kind.__name__

    def __repr__(self) -> str:
        """Return the value or the exception, in one line."""
        if self.error is None:
            return literal(self.value)
        return f"{self.error_class}: {str(self.error)[:300]}".replace("\n", " ")


def values_of(x: Any) -> Result:
    """Convert an array from its backend."""
    values = np.asarray(x)
    assert values.dtype.name == str(x.dtype), f"dtype {x.dtype} holds {values.dtype} values"
    assert values.shape == x.shape, f"shape {x.shape} holds values of shape {values.shape}"
    return Result(str(x.dtype), np.array(values))


def _normalised(value: Any, xp: ModuleType) -> Any:
    if isinstance(value, Array):
        expected = xp.__unify_backend__
        assert value.backend == expected, f"an array of {value.backend} came from {expected}"
        return values_of(value)
    if isinstance(value, np.ndarray | np.generic):
        return Result(value.dtype.name, np.array(value))
    if isinstance(value, tuple | list):
        return type(value).__name__, [_normalised(part, xp) for part in value]
    if isinstance(value, DType):
        return str(value)
    if isinstance(value, FInfo | IInfo):
        parts = [getattr(value, f.name) for f in dataclasses.fields(value)]
        return type(value).__name__.lower(), [_normalised(part, xp) for part in parts]
    return value


def resolve(xp: ModuleType, function: str) -> Callable[..., Any]:
    """Find a function of a namespace by its qualified name."""
    found: Any = xp
    for part in function.split("."):
        found = getattr(found, part)
    return found  # type: ignore[no-any-return]


def outcome_of(action: Callable[[], Any], xp: ModuleType) -> Outcome:
    """Run a function on a backend.

    Warnings are errors, as everywhere in the tests, except NumPy's about special values.
    """
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("error")
            # A warning of PyTorch's compiler, on Python 3.13.0 only.
            warnings.filterwarnings("ignore", "Guards may run slower on Python 3.13.0")
            return Outcome(_normalised(action(), xp))
    except Exception as error:
        return Outcome(error=error)


def call(case: Case, xp: ModuleType) -> Any:
    """Make the call on a backend."""
    return resolve(xp, case.function)(*build(case.args, xp), **build(case.kwargs, xp))


def run(case: Case, xp: ModuleType) -> Outcome:
    """Make the call on a backend, and return its outcome."""
    return outcome_of(lambda: call(case, xp), xp)
