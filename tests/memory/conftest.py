"""The backends of these tests: those that are installed, and one whose views are emulated."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import pytest

from tests import frozen
from tests.installed import INSTALLED


@pytest.fixture(params=[*INSTALLED, frozen.NAME])
def xp(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The bound namespace of each backend."""
    with frozen.namespace(request.param) as namespace:
        yield namespace
