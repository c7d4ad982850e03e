"""Namespaces of Dask: of small blocks, so that the arrays of tests have several along each axis."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from types import ModuleType

import pytest

from arrayapi_unify import backends
from arrayapi_unify.binding import namespace_of
from tests.registered import registered

BYTES = 32

collect_ignore_glob = [] if importlib.util.find_spec("dask") else ["*"]


@pytest.fixture(scope="module")
def xp() -> Iterator[ModuleType]:
    """The namespace of Dask, with Dask's own blocks."""
    if "dask" in backends.REGISTRY:
        yield namespace_of("dask")
        return
    with registered("dask", "dask.array", "arrayapi_unify.backends.dask") as namespace:
        yield namespace


@pytest.fixture
def chunked(xp: ModuleType) -> Iterator[ModuleType]:
    """The namespace of Dask, while new arrays are cut into blocks of four numbers."""
    import dask

    with dask.config.set({"array.chunk-size": BYTES}):
        yield xp
