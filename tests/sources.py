"""The package's files, for tests that trace lines: its own and those of rendered functions."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import arrayapi_unify

__all__ = ["OURS"]

OURS: Final = (str(Path(arrayapi_unify.__file__).parent), "<arrayapi_unify.")
"""Prefixes of the file names of the package's code."""
