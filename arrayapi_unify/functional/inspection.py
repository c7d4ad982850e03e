"""Contracts of the inspection functions: what a namespace can do, and the shapes of arrays."""

from __future__ import annotations

import math

from arrayapi_unify.backends._common.checks.axes import normalize_axes
from arrayapi_unify.backends._common.protocols.inspection import Info
from arrayapi_unify.binding import compositional, primary
from arrayapi_unify.contracts.annotations import ArrayIn


@primary
def __array_namespace_info__() -> Info:
    """Return what a namespace can do: its devices, data types, defaults and capabilities.

    Returns
    -------
    An object with the methods `capabilities`, `default_device`, `default_dtypes`, `devices` and
    `dtypes`.

    References
    ----------
    Array API standard 2025.12, ``__array_namespace_info__``.

    Examples
    --------
    >>> info = unify.__array_namespace_info__()
    >>> info.default_dtypes()["real floating"], info.devices()
    (float64, (Device('cpu'),))
    """


@compositional
def ndim(x: ArrayIn, /) -> int:
    """Number of axes of an array: `x.ndim`, also of a list or a scalar.

    Parameters
    ----------
    x
        Array, nested list or scalar.

    Returns
    -------
    An integer.

    References
    ----------
    NumPy's ``ndim``.

    Examples
    --------
    >>> unify.ndim([[1, 2], [3, 4]])
    2
    """
    return len(x.shape)


@compositional
def shape(x: ArrayIn, /) -> tuple[int, ...]:
    """Shape of an array: `x.shape`, also of a list or a scalar.

    Parameters
    ----------
    x
        Array, nested list or scalar.

    Returns
    -------
    A tuple of integers.

    References
    ----------
    NumPy's ``shape``.

    Examples
    --------
    >>> unify.shape([[1, 2, 3]])
    (1, 3)
    """
    return x.shape


@compositional
def size(x: ArrayIn, /, axis: int | tuple[int, ...] | None = None) -> int:
    """Number of elements of an array, or of those along axes.

    Parameters
    ----------
    x
        Array, nested list or scalar.
    axis
        Axis or axes along which to count; None counts all elements.

    Returns
    -------
    An integer.

    Raises
    ------
    UnifyValueError
        If an axis is given twice.
    UnifyIndexError
        If an axis is out of bounds.

    References
    ----------
    NumPy's ``size``.

    Examples
    --------
    >>> unify.size(unify.zeros((2, 3))), unify.size(unify.zeros((2, 3)), 1)
    (6, 3)
    """
    sides: tuple[int, ...] = x.shape
    return math.prod([sides[a] for a in normalize_axes("size", axis, len(sides))])
