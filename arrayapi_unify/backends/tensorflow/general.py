"""The general functions on TensorFlow."""

from __future__ import annotations

from typing import Any, cast

from arrayapi_unify.backends._common.checks.shapes import raise_many_error
from arrayapi_unify.backends.tensorflow._core import Tensor, shape_of
from arrayapi_unify.backends.tensorflow._interchange import to_numpy


def to_list(x: Tensor, /) -> Any:
    """Return nested lists of Python scalars."""
    return to_numpy(x).tolist()


def to_scalar(x: Tensor, /) -> bool | int | float | complex:
    """Return the only element."""
    values = to_numpy(x)
    if values.size != 1:
        raise_many_error(shape_of(x))
    return cast("bool | int | float | complex", values.item())
