"""The backends that are compared with NumPy, and how many examples each test draws."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType

import pytest

from tests import frozen
from tests.conftest import INSTALLED

# Where NumPy is alone, the tests' own second backend shows that they work.
OTHERS = [name for name in INSTALLED if name != "numpy"] or [frozen.NAME]


@pytest.fixture(autouse=True)
def _every_warning() -> Iterator[None]:
    """Let PyTorch warn each time, not once in a process: else the second example passes."""
    torch = sys.modules.get("torch")
    before = torch.is_warn_always_enabled() if torch else False
    if torch:
        torch.set_warn_always(True)
    yield
    if torch:
        torch.set_warn_always(before)


@pytest.fixture(params=["numpy", *OTHERS])
def backend(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The bound namespace of each backend, NumPy's too: of those compared with an oracle."""
    with frozen.namespace(request.param) as namespace:
        yield namespace


@pytest.fixture(params=OTHERS)
def other(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The bound namespace of each backend but NumPy."""
    with frozen.namespace(request.param) as namespace:
        yield namespace
