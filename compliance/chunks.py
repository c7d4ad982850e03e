"""Dask arrays in many chunks: the setting that cuts them, and the share that was cut.

With Dask's default, 128 MiB, the official suite never meets an array of two chunks. This module is
a pytest plugin, too: in each process of a run it counts the arrays that Dask makes, those between
the steps of a function included.
"""

import importlib
import os
from typing import Any

import pytest

from .counting import Writer

SIZE = "32B"  # four elements of eight bytes
COUNTING = "COMPLIANCE_CHUNKS"  # nothing is counted where this variable isn't set


def cut() -> None:
    """Make Dask cut what has no chunks of its own into those of `SIZE`."""
    importlib.import_module("dask").config.set({"array.chunk-size": SIZE})


def _count() -> dict[str, int]:
    """Count the arrays that Dask makes in this process from now on."""
    array: Any = importlib.import_module("dask.array").Array
    counted = {"arrays": 0, "arrays_in_chunks": 0}
    make = array.__new__

    def counting(cls: type[Any], *args: Any, **kwargs: Any) -> Any:
        made = make(cls, *args, **kwargs)
        counted["arrays"] += 1
        counted["arrays_in_chunks"] += made.npartitions > 1
        return made

    array.__new__ = counting
    return counted


def pytest_configure(config: pytest.Config) -> None:
    """Count where a run says so."""
    if os.environ.get(COUNTING):
        config.pluginmanager.register(Writer(_count()), "compliance-chunks")
