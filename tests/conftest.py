"""Fixtures of all tests: namespaces to test on, and a check that no test leaks state."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import random
import sys
from collections.abc import Iterator
from types import ModuleType

from arrayapi_unify.backends import _triton_first  # noqa: F401 - before any TensorFlow

# isort: split
import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from arrayapi_unify import backends
from arrayapi_unify.binding import namespace_of
from tests import immutable_backend, numbers, slow
from tests.differential.runner import SEED
from tests.installed import INSTALLED
from tests.state import unchanged

settings.register_profile(
    "unify",
    deadline=None,
    database=None,
    # The same examples in every run, unless more are requested.
    derandomize="ARRAYAPI_UNIFY_MAX_EXAMPLES" not in os.environ,
    max_examples=int(os.environ.get("ARRAYAPI_UNIFY_MAX_EXAMPLES", "50")),
)
settings.load_profile("unify")

# The workers of pytest-xdist use all cores, so additional threads of PyTorch wait for each other:
# the same 2,000 draws took 0.2 s on one thread, and up to 13 s on two under load.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# A process that a test starts says where it crashed.
os.environ.setdefault("PYTHONFAULTHANDLER", "1")


def pytest_configure() -> None:
    """Select the seed before other processes start, which inherit it."""
    if os.environ.get(SEED) == "random":
        os.environ[SEED] = str(random.randrange(1, 10**6))


def pytest_report_header() -> str:
    """Print the seed, which draws the same calls again."""
    if SEED in os.environ:
        return f"calls are drawn with {SEED}={os.environ[SEED]}"
    return f"the same calls are drawn in every run; {SEED}=random draws others"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the slow tests, before pytest deselects by `-m`, and leave out what doesn't run."""
    slow.mark(items)
    if lazy := [test for test in items if slow.is_eager_alone(test)]:
        config.hook.pytest_deselected(items=lazy)
        items[:] = [test for test in items if test not in set(lazy)]
    if share := os.environ.get(slow.SHARE):
        rest = set(slow.left_out(items, share))
        config.hook.pytest_deselected(items=list(rest))
        items[:] = [test for test in items if test not in rest]


def pytest_collection_finish() -> None:
    """Fix the other inputs of Hypothesis' draws, so that they don't depend on the order of tests.

    It also draws constants of loaded modules outside of site-packages, which depend on earlier
    tests and on the machine.
    """
    none = providers.Constants()
    providers._get_local_constants = lambda: none
    _settle()


def _settle() -> None:
    """Exempt the millions of permanent objects from garbage collection.

    With Python's own thresholds, made for small programs, collections took a tenth of the time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 20)


@pytest.fixture(autouse=True)
def _no_leaks() -> Iterator[None]:
    """Fail a test that changes the global state."""
    with unchanged():
        yield


@pytest.fixture(autouse=True)
def _same_numbers() -> None:
    numbers.start_again()


class Logged(logging.Handler):
    """A handler that keeps every record of its loggers."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a record."""
        self.records.append(record)

    @property
    def messages(self) -> list[str]:
        return [record.getMessage() for record in self.records]


@pytest.fixture
def logged() -> Iterator[Logged]:
    """Collect the log records of a test, from all loggers.

    pytest's own plugin is off: it attaches itself to each of the frameworks' forty loggers, three
    times per test.
    """
    found, root = Logged(), logging.getLogger()
    every = [root, *map(logging.getLogger, list(root.manager.loggerDict))]
    ends = [logger for logger in every if logger is root or not logger.propagate]
    level = root.level
    for logger in ends:
        logger.addHandler(found)
    yield found
    for logger in ends:
        logger.removeHandler(found)
    root.setLevel(level)


def _kernels() -> int:
    """Return the number of compiled JAX kernels to keep, at 1.4 MB each.

    They get a tenth of the machine's memory, at least 1 GB and at most 2.5 GB. A kernel that is
    dropped and called again is traced and loaded again, in a quarter of the time that compiling
    takes.
    """
    if not hasattr(os, "sysconf"):
        return 700
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return int(min(max(memory / 10, 1e9), 2.5e9) / 1.4e6)


_KERNELS = _kernels()


@pytest.fixture(autouse=True)
def _kernels_go() -> Iterator[None]:
    """Drop JAX's compiled kernels if there are too many: a run would keep gigabytes of them.

    The cache on disk has the kernels for further calls. The allocator keeps free memory, so
    `malloc_trim` returns it to the system.
    """
    yield
    jax = sys.modules.get("jax")
    if jax is None or len(jax.devices("cpu")[0].client.live_executables()) <= _KERNELS:
        return
    jax.clear_caches()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)


_SETTLED: set[str] = set()


@pytest.fixture(autouse=True)
def _frameworks_settle() -> Iterator[None]:
    """Freeze the objects of a newly loaded framework, which are permanent, too."""
    yield
    loaded = {framework for framework in backends.REGISTRY.values() if framework in sys.modules}
    if loaded - _SETTLED:
        _SETTLED.update(loaded)
        _settle()


@pytest.fixture(params=INSTALLED)
def xp(request: pytest.FixtureRequest) -> ModuleType:
    """The bound namespace of each installed backend."""
    return namespace_of(request.param)


@pytest.fixture
def frozen() -> Iterator[ModuleType]:
    """The bound namespace of a second backend, whose arrays are immutable."""
    with immutable_backend.registered() as namespace:
        yield namespace


@pytest.fixture(params=["numpy", "frozen"])
def either(request: pytest.FixtureRequest) -> Iterator[ModuleType]:
    """The bound namespaces of a backend with mutable arrays and of one with immutable arrays."""
    if request.param == "numpy":
        yield namespace_of("numpy")
    else:
        with immutable_backend.registered() as namespace:
            yield namespace
