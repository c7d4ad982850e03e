"""The body of `einsum`: diagonals, sums and matrix products, two operands at a time."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Iterable, Sequence
from typing import Any

from arrayapi_unify import dtypes
from arrayapi_unify.array_object import Array
from arrayapi_unify.backends._common.algorithms.einsum import resolve
from arrayapi_unify.functional._common import BodyArray

Labelled = tuple[Any, str]


def contract(equation: str, arrays: Sequence[BodyArray]) -> Array:
    """Compute what an equation says, in the data type to which the arrays promote."""
    resolved = resolve(equation, [array.shape for array in arrays])
    dtype = dtypes.promote(*(array.dtype for array in arrays))
    operands: list[Labelled] = []
    for array, labels, gone in zip(arrays, resolved.inputs, resolved.squeezed, strict=True):
        xp = array.__array_namespace__()
        cast = xp.astype(array, dtype, copy=False)
        operands.append(_diagonal(xp.squeeze(cast, axis=gone), labels))
    while len(operands) > 1:
        first, second, *rest = operands
        needed = set(resolved.output).union(*(labels for _, labels in rest))
        operands = [_product(first, second, needed), *rest]
    x, labels = _summed(operands[0], set(resolved.output))
    order = tuple(labels.index(label) for label in resolved.output)
    xp = x.__array_namespace__()
    if len(arrays) == 1 and x is operands[0][0]:
        x = xp.astype(x, dtype)  # nothing was computed: a view of the argument, or itself
    return xp.permute_dims(x, order)


def _diagonal(x: Any, labels: str) -> Labelled:
    """Join axes with the same label into one."""
    xp = x.__array_namespace__()
    while len(set(labels)) < len(labels):
        label = next(c for c in labels if labels.count(c) > 1)
        pair = (labels.index(label), labels.rindex(label))
        # The diagonal becomes the last axis.
        x = xp.linalg.diagonal(xp.moveaxis(x, pair, (-2, -1)))
        labels = "".join(c for a, c in enumerate(labels) if a not in pair) + label
    return x, labels


def _summed(operand: Labelled, needed: Iterable[str]) -> Labelled:
    """Sum over the axes that no later operand needs."""
    x, labels = operand
    axes = tuple(a for a, label in enumerate(labels) if label not in needed)
    if not axes:
        return x, labels
    xp = x.__array_namespace__()
    total = xp.any(x, axis=axes) if x.dtype.kind == "b" else xp.sum(x, axis=axes, dtype=x.dtype)
    return total, "".join(label for a, label in enumerate(labels) if a not in axes)


def _matrices(operand: Labelled, *groups: Sequence[str]) -> tuple[Any, list[int]]:
    """Reshape to one axis for each group of labels; return the sizes of all labels, too."""
    x, labels = operand
    xp = x.__array_namespace__()
    order = [labels.index(label) for label in functools.reduce(operator.add, map(list, groups))]
    shape = [math.prod([x.shape[labels.index(label)] for label in group]) for group in groups]
    sizes = [x.shape[a] for a in order]
    return xp.reshape(xp.permute_dims(x, tuple(order)), tuple(shape)), sizes


def _product(first: Labelled, second: Labelled, needed: set[str]) -> Labelled:
    """Contract two operands: a stack of matrix products."""
    x, left = _summed(first, needed | set(second[1]))
    y, right = _summed(second, needed | set(left))
    batch = [c for c in left if c in right and c in needed]
    inner = [c for c in left if c in right and c not in needed]
    rows = [c for c in left if c not in right]
    columns = [c for c in right if c not in left]
    a, sizes = _matrices((x, left), batch, rows, inner)
    b, others = _matrices((y, right), batch, inner, columns)
    kept = len(batch) + len(rows)
    shape = (*sizes[:kept], *others[len(batch) + len(inner) :])
    xp = a.__array_namespace__()
    result = xp.reshape(xp.matmul(a, b), shape)
    return result, "".join([*batch, *rows, *columns])
