"""Contracts of the inspection functions.

Source: Array API standard 2025.12, "Inspection".
"""

from __future__ import annotations

from arrayapi_unify.backends._common.protocols.inspection import Info
from arrayapi_unify.binding import primary


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
