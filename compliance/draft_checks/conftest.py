"""The namespace under test, as in the own checks, and the data types that it has."""

from typing import Any

import pytest

from ..own_checks.conftest import xp

__all__ = ["xp"]

KINDS = {
    "bool": ("bool",),
    "signed": ("int8", "int16", "int32", "int64"),
    "unsigned": ("uint8", "uint16", "uint32", "uint64"),
    "floating": ("float32", "float64"),
    "complex": ("complex64", "complex128"),
}
REAL = (*KINDS["signed"], *KINDS["unsigned"], *KINDS["floating"])
NUMERIC = (*REAL, *KINDS["complex"])
ALL = (*KINDS["bool"], *NUMERIC)


def dtype_of(xp: Any, name: str) -> Any:
    """Return a data type by its name; a namespace without it isn't measured for it."""
    if not hasattr(xp, name):
        pytest.skip(f"the namespace has no {name}")
    return getattr(xp, name)
