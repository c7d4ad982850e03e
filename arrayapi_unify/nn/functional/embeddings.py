"""Contracts of tables of vectors."""

from __future__ import annotations

import math

from arrayapi_unify.array_object import Array
from arrayapi_unify.binding import mixed
from arrayapi_unify.contracts.annotations import ArrayIn, Out
from arrayapi_unify.errors import (
    raise_type_error,
    raise_value_error,
)


@mixed
def embedding(weights: ArrayIn, indices: ArrayIn, /, *, out: Out = None) -> Array:
    """Look up a row of a table for each index.

    Parameters
    ----------
    weights
        Array of shape ``(rows, *features)``.
    indices
        Array of integers from 0 to ``rows - 1``, of any shape.

    Returns
    -------
    Array of shape ``(*indices.shape, *features)``, of the data type of the weights. The derivative
    by a row of the weights is the sum of those by all its copies.

    Raises
    ------
    UnifyTypeError
        If the indices are no integers.
    UnifyValueError
        If the weights have no axis.
    UnifyIndexError
        If an index is out of bounds.

    References
    ----------
    PyTorch's ``torch.nn.functional.embedding``.

    Examples
    --------
    >>> table = unify.array([[0.0, 1.0], [10.0, 11.0], [20.0, 21.0]])
    >>> unify.nn.embedding(table, unify.array([2, 0, 2]))
    unify.array([[20., 21.],
                 [ 0.,  1.],
                 [20., 21.]])
    """
    xp = weights.__array_namespace__()
    if indices.dtype.kind not in "iu":
        raise_type_error(
            "nn.embedding", "indices", f"has data type {indices.dtype}", "pass integers"
        )
    if not weights.ndim:
        raise_value_error(
            "nn.embedding", "weights", "has no axis", "pass an array of shape (rows, *features)"
        )
    flat = xp.reshape(indices, (math.prod(indices.shape),))
    rows = xp.take(weights, flat, axis=0)
    return xp.reshape(rows, (*indices.shape, *weights.shape[1:]))
