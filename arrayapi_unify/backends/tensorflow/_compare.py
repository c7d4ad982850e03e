"""Comparisons, exact also between int64 and uint64 and with Python integers of any size."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

import tensorflow as tf

from arrayapi_unify.backends.tensorflow._carry import Implementation, named, op2, signed, table, via
from arrayapi_unify.backends.tensorflow._complex import less
from arrayapi_unify.backends.tensorflow._core import LIMITS, Tensor, const, pair, raw, shape_tensor

__all__ = ["comparison"]

_MIXED: Final = frozenset({tf.int64, tf.uint64})
_PYTHON: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "equal": operator.eq,
    "not_equal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
}
_ON_COMPLEX: Final[dict[str, Implementation]] = {
    "less": less(strict=True),
    "less_equal": less(strict=False),
    "greater": lambda x, y: less(strict=True)(y, x),
    "greater_equal": lambda x, y: less(strict=False)(y, x),
}


def comparison(name: str, operation: Implementation) -> Callable[[Any, Any], Tensor]:
    """Make one comparison."""
    compare = op2(operation)
    ordered = table(name, compare, b=via(tf.uint8, compare), c=_ON_COMPLEX.get(name, compare))
    how = ordered if name in _ON_COMPLEX else table(name, compare)
    python = _PYTHON[name]

    def native(x1: Any, x2: Any, /) -> Tensor:
        try:
            first = x1.dtype
            if first is x2.dtype:
                return how[first](x1, x2)
        except AttributeError:  # a Python scalar
            known = _out_of_range(python, x1, x2)
            if known is not None:
                return known
        else:
            if {first, x2.dtype} == _MIXED:
                return _mixed(python, compare, x1, x2)
        x1, x2 = pair(x1, x2)
        return how[x1.dtype](x1, x2)

    return named(native, name)  # type: ignore[no-any-return]


def _out_of_range(python: Callable[[Any, Any], bool], x1: Any, x2: Any) -> Tensor | None:
    """Compare with an integer that the array's data type can't hold: all elements answer alike."""
    for x, value, swapped in ((x1, x2, False), (x2, x1, True)):
        if type(value) is int and isinstance(x, tf.Tensor | tf.Variable):
            low, high = LIMITS.get(x.dtype, (value, value))
            if not low <= value <= high:
                answer = python(value, low) if swapped else python(low, value)
                return raw.Fill(dims=shape_tensor(x), value=const(answer, tf.bool))
    return None


def _mixed(
    python: Callable[[Any, Any], bool], compare: Implementation, x1: Tensor, x2: Tensor
) -> Tensor:
    """Compare int64 with uint64; float64, to which they promote, can't tell neighbours apart.

    Below 2**63 both are the same bits. Above, or below 0, the answer is that of any two numbers
    in that order.
    """
    first = x1 if x1.dtype is tf.int64 else signed(x1)
    second = x2 if x2.dtype is tf.int64 else signed(x2)
    apart = (first < 0) | (second < 0)
    # int64 has the negative number where it has one, uint64 the larger one: the same order.
    answer = python(0, 1) if x1.dtype is tf.int64 else python(1, 0)
    return raw.SelectV2(condition=apart, t=const(answer, tf.bool), e=compare(first, second))
