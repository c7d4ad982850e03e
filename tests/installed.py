"""The registered backends with an installed framework."""

from __future__ import annotations

import importlib
import importlib.util
from itertools import product
from typing import Any, Final

from arrayapi_unify import backends

__all__ = ["DIFFERENTIATING", "EAGER", "INSTALLED", "LAZY", "PAIRS", "native"]

# torch before tensorflow: the other import order fails in one process.
INSTALLED = [
    name for name in backends.REGISTRY if importlib.util.find_spec(backends.REGISTRY[name])
]
# Lazy arrays share no memory with NumPy's, and have neither derivatives nor compilers.
LAZY: Final = ("dask",)
EAGER: Final = [name for name in INSTALLED if name not in LAZY]
DIFFERENTIATING: Final = [name for name in EAGER if name != "numpy"]
PAIRS = [pair for pair in product(INSTALLED, INSTALLED) if pair[0] != pair[1]] or [
    ("numpy", "numpy")
]


def native(backend: str, values: Any, dtype: str = "float64") -> Any:
    """Create a native array of a backend."""
    namespace = importlib.import_module("arrayapi_unify").get_backend(backend)
    return namespace.asarray(values, dtype=dtype).data
