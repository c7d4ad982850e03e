"""Gradient functions for NumPy, which differentiates nothing, so that none has to be stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from arrayapi_unify.backends._common.algorithms.graph_values import by_rows
from arrayapi_unify.backends._common.protocols.transformations import Function, Natives, Rule

NDArray = npt.NDArray[Any]

DIFFERENTIATES: Final = False


def stop_gradient(x: NDArray, /, *, preserve_type: bool = True) -> NDArray:
    """Copy the values."""
    return x.copy()


def requires_gradient(x: NDArray, /) -> bool:
    """Return False: NumPy tracks no array."""
    return False


def uncompiled(call: Callable[[Any], Any], argument: Any) -> Any:
    """Call the function: NumPy has no compiler of Python code."""
    return call(argument)


def detached(x: NDArray) -> NDArray:
    """Return the array: nothing tracks it."""
    return x


def tracking(xs: Natives) -> bool:
    """Return False: NumPy tracks no array."""
    return False


def finite(xs: Natives) -> bool:
    """Return True if all elements are finite."""
    return all(bool(np.isfinite(x).all()) for x in xs)


def pullback(func: Callable[..., Any], xs: Natives, keep: bool) -> NoReturn:
    """Raise: callers check `DIFFERENTIATES` first."""
    raise NotImplementedError


def vectorized(func: Function, xs: Natives) -> tuple[NDArray, ...]:
    """Call the function row by row."""
    return by_rows(func, xs, np.stack)


def with_rule(func: Function, rule: Rule, xs: Natives) -> tuple[NDArray, ...]:
    """Call the function; its derivative is never needed."""
    return func(*xs)


def recomputed(func: Function, xs: Natives) -> tuple[NDArray, ...]:
    """Call the function; its derivative is never needed."""
    return func(*xs)
