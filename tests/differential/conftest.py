"""The backends that are compared with NumPy, and how many examples each test draws."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from types import ModuleType

import pytest

from tests import immutable_backend
from tests.conftest import INSTALLED
from tests.differential.runner import SHARES

# Where NumPy is alone, the tests' own second backend shows that they work.
OTHERS = [name for name in INSTALLED if name != "numpy"] or [immutable_backend.NAME]


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
    with immutable_backend.namespace(request.param) as namespace:
        yield namespace


def _apart(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Put the backends together that get as many calls, so that what is drawn serves all of them.

    One that compiles each call gets fewer.
    """
    return [_quick(names), *((name,) for name in names if name in SHARES)]


def _quick(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in SHARES)


def _joined(names: tuple[str, ...]) -> str:
    return "+".join(names)


@pytest.fixture(params=_apart(["numpy", *OTHERS]), ids=_joined)
def every_backend(request: pytest.FixtureRequest) -> Iterator[list[ModuleType]]:
    """The bound namespaces of backends that a call is made on together, NumPy's among them."""
    with ExitStack() as stack:
        yield [stack.enter_context(immutable_backend.namespace(name)) for name in request.param]


@pytest.fixture(params=[_quick(OTHERS) or (immutable_backend.NAME,)], ids=_joined)
def others(request: pytest.FixtureRequest) -> Iterator[list[ModuleType]]:
    """The bound namespaces of those together that neither are NumPy's nor compile each call."""
    with ExitStack() as stack:
        yield [stack.enter_context(immutable_backend.namespace(name)) for name in request.param]


@pytest.fixture(params=OTHERS)
def other(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The bound namespace of each backend but NumPy."""
    with immutable_backend.namespace(request.param) as namespace:
        yield namespace
