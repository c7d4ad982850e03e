"""The expected outcome of a call, from its oracle, in the form for `compare`.

This module connects the calls with the oracles, which don't use `arrayapi_unify`.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from arrayapi_unify.dtypes import DType
from tests.differential.case import ArrayArg, Case
from tests.differential.oracle import ORACLES
from tests.differential.oracle.creation import Info
from tests.differential.outcome import Outcome, Result

__all__ = ["answer", "expected", "plain_arguments"]

# Parameters for the device or sharing of memory change no value.
_OF_MEMORY = ("device", "copy", "out")


def plain_arguments(case: Case) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments as NumPy and Python objects."""
    args = list(case.args)
    if case.function == "astype":
        args = args[:2]
    kwargs = {n: _plain(v) for n, v in case.kwargs.items() if n not in _OF_MEMORY}
    return [_plain(v) for v in args], kwargs


def _plain(spec: Any) -> Any:
    if isinstance(spec, ArrayArg):
        return np.array(spec.values)
    if isinstance(spec, DType):
        return str(spec)
    if isinstance(spec, np.generic):  # NumPy's scalars count as Python's
        return spec.item()
    if isinstance(spec, dict):
        return {name: _plain(v) for name, v in spec.items()}
    return type(spec)([_plain(v) for v in spec]) if isinstance(spec, list | tuple) else spec


def answer(function: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """Call the oracle; NumPy's warnings about special values are ignored."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ORACLES[function](*args, **kwargs)


def expected(case: Case) -> Outcome:
    """Return the expected outcome of a call: the oracle's result, or its exception."""
    args, kwargs = plain_arguments(case)
    try:
        return Outcome(_normalised(answer(case.function, args, kwargs)))
    except Exception as error:
        return Outcome(error=error)


def _normalised(value: Any) -> Any:
    if isinstance(value, np.ndarray | np.generic):
        return Result(value.dtype.name, np.array(value))
    if isinstance(value, Info):
        return value.name, [_normalised(part) for part in value.values]
    if isinstance(value, tuple | list):
        return type(value).__name__, [_normalised(part) for part in value]
    return value
