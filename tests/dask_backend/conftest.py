"""Namespaces of Dask: of small blocks, so that the arrays of tests have several along each axis."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from types import ModuleType

import pytest

from arrayapi_unify.binding import namespace_of

BYTES = 32

collect_ignore_glob = [] if importlib.util.find_spec("dask") else ["*"]


@pytest.fixture(scope="module")
def xp() -> ModuleType:
    """The namespace of Dask, with Dask's own blocks."""
    return namespace_of("dask")


@pytest.fixture
def chunked(xp: ModuleType) -> Iterator[ModuleType]:
    """The namespace of Dask, while new arrays are cut into blocks of four numbers."""
    import dask

    with dask.config.set({"array.chunk-size": BYTES}):
        yield xp
