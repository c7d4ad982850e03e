"""Fixtures of all tests: namespaces to test on, and a check that no test leaks state."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Final

from arrayapi_unify.backends import _triton_first  # noqa: F401 - before any TensorFlow

# isort: split
import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from arrayapi_unify import backends
from arrayapi_unify.binding import namespace_of
from tests import immutable_backend, numbers, slow, workers
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


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of workers of `-n auto`."""
    return workers.workers(workers.cores(), workers.memory())


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Iterator[None]:
    """Leave the cases that run, after all parameters were combined."""
    yield
    slow.thin(metafunc)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Iterator[None]:
    """Mark the slow tests, before pytest deselects by `-m`, and leave out what doesn't run.

    The random order stays among the tests of a backend. They are next to each other, so that a
    worker, which begins with a part of the list, has the memory of a few libraries.
    """
    slow.mark(items)
    if lazy := [test for test in items if slow.needs_eager(test)]:
        config.hook.pytest_deselected(items=lazy)
        items[:] = [test for test in items if test not in set(lazy)]
    if share := os.environ.get(slow.SHARE):
        rest = set(slow.left_out(items, share))
        config.hook.pytest_deselected(items=list(rest))
        items[:] = [test for test in items if test not in rest]
    yield
    items.sort(key=_place)


# The first of two workers has the tests until "dask_backend", which together need less memory than
# JAX and TensorFlow beside PyTorch's compiler.
_PLACES: Final = ("jax", "tensorflow", "numpy", "dask", "several", "array_object", "dask_backend")
_LAST: Final = "torch"


def _place(test: pytest.Item) -> int:
    names = slow.backends_of(test)
    one = names[0] if len(names) == 1 else "several"
    place = one if names else test.path.parent.name
    if place in _PLACES:
        return _PLACES.index(place)
    return len(_PLACES) + (place == _LAST)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Fix the other inputs of Hypothesis' draws, so that they don't depend on the order of tests.

    It also draws constants of loaded modules outside of site-packages, which depend on earlier
    tests and on the machine. A worker prints nothing: its reporter would keep 40 MB of reports.
    """
    if hasattr(session.config, "workerinput"):
        session.config.pluginmanager.unregister(name="terminalreporter")
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


# At 1.5 MB each. A kernel that is dropped and called again is traced and loaded again, in a quarter
# of the time that compiling takes.
_KERNELS: Final = 200
# A worker may take 2 GB; the frameworks have 1.4.
_RESIDENT: Final = 1.7e9
_STEP: Final = 0.1e9
_most = _RESIDENT


def _resident() -> int:
    """Return the memory of this process in bytes; 0 where the system doesn't show it."""
    if sys.platform != "linux":
        return 0
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _drop_kernels() -> None:
    """Drop JAX's compiled kernels. The allocator keeps free memory, which is returned, too.

    JAX's cache on disk has the kernels for further calls.
    """
    if jax := sys.modules.get("jax"):
        jax.clear_caches()
    if sys.platform == "linux":
        ctypes.CDLL(None).malloc_trim(0)


def _drop_programs() -> None:
    """Drop compiled programs, kernels of operations, and cycles of objects."""
    if "torch._dynamo" in sys.modules:
        sys.modules["torch"].compiler.reset()
    if context := sys.modules.get("tensorflow.python.eager.context"):
        context.context().clear_kernel_cache()
    gc.collect()
    _drop_kernels()


@pytest.fixture(autouse=True)
def _compiled_programs_go() -> Iterator[None]:
    """Drop compiled programs if there are too many: a run would keep gigabytes of them."""
    global _most
    yield
    jax = sys.modules.get("jax")
    if _resident() > _most:
        _drop_programs()
        # If something else has the memory, each test would drop all anew.
        _most = max(_RESIDENT, _resident() + _STEP)
    elif jax and len(jax.devices("cpu")[0].client.live_executables()) > _KERNELS:
        _drop_kernels()


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
