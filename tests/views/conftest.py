"""The backends of these tests: the installed ones, and one with emulated views."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import pytest

from tests import immutable_backend
from tests.installed import INSTALLED


@pytest.fixture(params=[*INSTALLED, immutable_backend.NAME])
def xp(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The bound namespace of each backend."""
    with immutable_backend.namespace(request.param) as namespace:
        yield namespace
