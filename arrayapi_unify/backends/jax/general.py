"""The general functions on JAX."""

from __future__ import annotations

from typing import Any, cast

from arrayapi_unify.backends._common.checks.shapes import raise_many_error
from arrayapi_unify.backends.jax._core import JaxArray
from arrayapi_unify.backends.jax._interchange import host_values, to_numpy as to_numpy
from arrayapi_unify.backends.jax._looks import check_here


def to_list(x: JaxArray, /) -> Any:
    """Return nested lists of Python scalars."""
    check_here("to_list", "x", x)
    return host_values(x).tolist()


def to_scalar(x: JaxArray, /) -> bool | int | float | complex:
    """Return the only element."""
    if x.size != 1:
        raise_many_error(x.shape)
    check_here("to_scalar", "x", x)
    return cast("bool | int | float | complex", host_values(x).item())
