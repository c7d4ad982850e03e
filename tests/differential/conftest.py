"""The backends that are compared with NumPy, and the number of examples of each test."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from types import ModuleType

import pytest

from tests import immutable_backend
from tests.differential.runner import SHARES
from tests.installed import INSTALLED

# If only NumPy is installed, the tests' own second backend shows that they work.
OTHERS = [name for name in INSTALLED if name != "numpy"] or [immutable_backend.NAME]


@pytest.fixture(autouse=True)
def _every_warning() -> Iterator[None]:
    """Make PyTorch warn each time, not once in a process: otherwise the second example passes."""
    torch = sys.modules.get("torch")
    before = torch.is_warn_always_enabled() if torch else False
    if torch:
        torch.set_warn_always(True)
    yield
    if torch:
        torch.set_warn_always(before)


@pytest.fixture(params=["numpy", *OTHERS])
def backend(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The bound namespace of each backend, including NumPy's, for comparisons with an oracle."""
    with immutable_backend.namespace(request.param) as namespace:
        yield namespace


def _apart(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Group the backends with the same number of calls, so that they share the drawn calls.

    A backend that compiles each call gets fewer.
    """
    return [_quick(names), *((name,) for name in names if name in SHARES)]


def _quick(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in SHARES)


def _joined(names: tuple[str, ...]) -> str:
    return "+".join(names)


@pytest.fixture(params=_apart(["numpy", *OTHERS]), ids=_joined)
def every_backend(request: pytest.FixtureRequest) -> Iterator[list[ModuleType]]:
    """The bound namespaces of a group of backends with common calls, including NumPy's."""
    with ExitStack() as stack:
        yield [stack.enter_context(immutable_backend.namespace(name)) for name in request.param]


@pytest.fixture(params=[_quick(OTHERS) or (immutable_backend.NAME,)], ids=_joined)
def others(request: pytest.FixtureRequest) -> Iterator[list[ModuleType]]:
    """The bound namespaces of a group without NumPy and without backends that compile each call."""
    with ExitStack() as stack:
        yield [stack.enter_context(immutable_backend.namespace(name)) for name in request.param]


@pytest.fixture(params=OTHERS)
def other(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The bound namespace of each backend except NumPy."""
    with immutable_backend.namespace(request.param) as namespace:
        yield namespace
