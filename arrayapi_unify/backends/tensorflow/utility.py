"""TensorFlow's implementations of the utility functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from arrayapi_unify.backends._common.checks.arguments import raise_times_error
from arrayapi_unify.backends._common.checks.axes import normalize_axis, whole
from arrayapi_unify.backends._common.checks.shapes import check_joinable
from arrayapi_unify.backends.tensorflow._core import (
    SCALARS,
    Tensor,
    broadcast,
    cast,
    rank_of,
    raw,
    scalar,
    scalar_dtype,
    shape_of,
    together,
)
from arrayapi_unify.backends.tensorflow._factories import Implementation, named
from arrayapi_unify.backends.tensorflow.elementwise import not_equal, subtract
from arrayapi_unify.backends.tensorflow.manipulation import concat
from arrayapi_unify.backends.tensorflow.statistical import axes_of


def _test(name: str, operation: Implementation) -> Callable[..., Tensor]:
    """Make all or any."""

    def test(
        x: Tensor, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False
    ) -> Tensor:
        return operation(input=cast(x, tf.bool), axis=axes_of(name, x, axis), keep_dims=keepdims)

    return named(test, name)


all = _test("all", raw.All)
any = _test("any", raw.Any)


def _joinable(name: str, part: Any, x: Tensor, axis: int) -> Tensor:
    """Return what diff joins to x. NumPy's extension is kept: a scalar stands for one slice."""
    if type(part) in SCALARS:
        part = scalar(part, scalar_dtype(x.dtype, part))
    shape = shape_of(x)
    if rank_of(part):
        check_joinable(name, shape_of(part), shape, axis)
        return part
    return broadcast(part, (*shape[:axis], 1, *shape[axis + 1 :]))


def diff(
    x: Tensor,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
) -> Tensor:
    """Difference; of bools it is whether neighbours differ."""
    if whole("diff", "n", n) < 0:
        raise_times_error(n)
    axis = normalize_axis("diff", axis, rank_of(x))
    parts = [x]
    if prepend is not None:
        parts.insert(0, _joinable("prepend", prepend, x, axis))
    if append is not None:
        parts.append(_joinable("append", append, x, axis))
    x = concat(together(parts), axis=axis)
    subtraction = not_equal if x.dtype is tf.bool else subtract
    lead: tuple[Any, ...] = (slice(None),) * axis
    for _ in range(min(n, x.shape[axis])):
        x = subtraction(x[(*lead, slice(1, None))], x[(*lead, slice(None, -1))])
    return x
