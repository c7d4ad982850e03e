"""The backends that are registered and whose framework is installed here."""

from __future__ import annotations

import importlib
import importlib.util
from itertools import product
from typing import Any

from arrayapi_unify import backends

__all__ = ["INSTALLED", "PAIRS", "native"]

# torch before tensorflow: loaded the other way round in one process they don't get along.
INSTALLED = [
    name for name in backends.REGISTRY if importlib.util.find_spec(backends.REGISTRY[name])
]
PAIRS = [pair for pair in product(INSTALLED, INSTALLED) if pair[0] != pair[1]] or [
    ("numpy", "numpy")
]


def native(backend: str, values: Any, dtype: str = "float64") -> Any:
    """Make a native array of a backend."""
    namespace = importlib.import_module("arrayapi_unify").get_backend(backend)
    return namespace.asarray(values, dtype=dtype).data
