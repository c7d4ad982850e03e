"""Gradient functions for Dask, which differentiates nothing, so that none has to be stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NoReturn

import dask.array as da

from arrayapi_unify.backends._common.algorithms.graph_values import by_rows
from arrayapi_unify.backends._common.protocols.transformations import Function, Natives, Rule
from arrayapi_unify.backends.dask._lift import alias
from arrayapi_unify.backends.dask._natives import DaskArray

DIFFERENTIATES: Final = False


def stop_gradient(x: DaskArray, /, *, preserve_type: bool = True) -> DaskArray:
    """Return another array of the same graph."""
    return alias(x)


def requires_gradient(x: DaskArray, /) -> bool:
    """Return False: Dask tracks no array."""
    return False


def uncompiled(call: Callable[[Any], Any], argument: Any) -> Any:
    """Call the function: Dask has no compiler of Python code."""
    return call(argument)


def detached(x: DaskArray) -> DaskArray:
    """Return the array: nothing tracks it."""
    return x


def tracking(xs: Natives) -> bool:
    """Return False: Dask tracks no array."""
    return False


def finite(xs: Natives) -> bool:
    """Return False: to find out takes a computation."""
    return False


def pullback(func: Callable[..., Any], xs: Natives, keep: bool) -> NoReturn:
    """Raise: callers check `DIFFERENTIATES` first."""
    raise NotImplementedError


def vectorized(func: Function, xs: Natives) -> tuple[DaskArray, ...]:
    """Call the function row by row."""
    return by_rows(func, xs, da.stack)


def with_rule(func: Function, rule: Rule, xs: Natives) -> tuple[DaskArray, ...]:
    """Call the function; its derivative is never needed."""
    return func(*xs)


def recomputed(func: Function, xs: Natives) -> tuple[DaskArray, ...]:
    """Call the function; its derivative is never needed."""
    return func(*xs)
