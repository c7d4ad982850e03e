"""The backends of these tests: those that are installed, and one whose views are followed."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import pytest

from arrayapi_unify.binding import namespace_of
from tests import frozen
from tests.installed import INSTALLED


@pytest.fixture(params=[*INSTALLED, frozen.NAME])
def xp(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The bound namespace of each backend."""
    if request.param == frozen.NAME:
        with frozen.registered() as namespace:
            yield namespace
    else:
        yield namespace_of(request.param)
