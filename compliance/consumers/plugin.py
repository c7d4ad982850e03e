"""A pytest plugin: replaces `array_api_strict` by a namespace, and records the outcomes.

It is loaded with ``-p compliance.consumers.plugin``, before any test or `conftest.py` is imported,
so that every import of `array_api_strict` returns the measured namespace.

``CONSUMERS_NAMESPACE`` names it: a dotted name, or ``strict`` for `array_api_strict` itself under
another name: a strictly conforming library with an unknown name. Either way, special treatment of
the name `array_api_strict` in a test has no effect.

``CONSUMERS_OUTCOMES`` is the file that gets one JSON line for each test, ``CONSUMERS_SELECT`` a
pattern of the ids of the selected tests, and ``CONSUMERS_IMPORTS`` a prefix of modules whose
functions import the namespace instead of NumPy, for packages that test with NumPy as an array
library like any other.
"""

import builtins
import contextlib
import importlib.metadata
import importlib.util
import json
import os
import re
import sys
from collections.abc import Generator, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

NAMESPACE = "CONSUMERS_NAMESPACE"
OUTCOMES = "CONSUMERS_OUTCOMES"
SELECT = "CONSUMERS_SELECT"
IMPORTS = "CONSUMERS_IMPORTS"

STRICT = "strict"
DOUBLE = "unknown_strict"  # the name of array_api_strict as an unknown library
REPLACED = "array_api_strict"
# SciPy's marker of tests that it skips with certain libraries.
_LEAVES_OUT = "skip_xp_backends"
_LONGEST = 2000  # characters of a message: a comparison of arrays can fill pages


def namespace(name: str) -> ModuleType:
    """Return the namespace to measure, with the extras of `array_api_strict` that suites use."""
    if name == STRICT:
        return _double()
    found = importlib.import_module(name)
    return _dressed(found)


def _double() -> ModuleType:
    """Import `array_api_strict` from its own files, as a package with another name."""
    real = importlib.util.find_spec(REPLACED)
    assert real is not None, f"{REPLACED} is not installed"
    assert real.origin is not None, f"{REPLACED} has no file"
    places = list(real.submodule_search_locations or ())
    spec = importlib.util.spec_from_file_location(
        DOUBLE, real.origin, submodule_search_locations=places
    )
    assert spec is not None, "a package has a specification"
    assert spec.loader is not None, "a package has a loader"
    double = importlib.util.module_from_spec(spec)
    # Its own modules import it by its usual name, too.
    sys.modules[DOUBLE] = sys.modules[REPLACED] = double
    spec.loader.exec_module(double)
    return double


def _dressed(found: ModuleType) -> ModuleType:
    """Give a namespace the switches of `array_api_strict`, without any effect.

    They are in the namespace itself, because test suites look them up in `x.__array_namespace__()`.
    Its one device replaces all simulated devices of `array_api_strict`.
    """
    device = found.asarray(0).device
    info = found.__array_namespace_info__

    def nothing(**flags: Any) -> None:
        """Accept the flags of `array_api_strict`, without an effect."""

    @contextlib.contextmanager
    def flags(**given: Any) -> Iterator[None]:
        """Accept the flags of `array_api_strict`, without an effect."""
        yield

    extra: Mapping[str, Any] = {
        "__version__": importlib.metadata.version(REPLACED),
        "Device": lambda name: device,
        "__array_namespace_info__": lambda: _Info(info(), device),
        "set_array_api_strict_flags": nothing,
        "reset_array_api_strict_flags": nothing,
        "get_array_api_strict_flags": dict,
        "ArrayAPIStrictFlags": flags,
    }
    for name, value in extra.items():
        setattr(found, name, value)
    return found


class _Info:
    """The inspection API of a namespace, which also accepts the devices of `array_api_strict`."""

    def __init__(self, genuine: Any, device: Any) -> None:
        """Use `device` for each device of `array_api_strict`."""
        self._genuine = genuine
        self._device = device

    def __getattr__(self, name: str) -> Any:
        """Forward to the inspection API of the namespace."""
        return getattr(self._genuine, name)

    def devices(self) -> list[Any]:
        """Return a list, as versions before 2025.12 do, for which SciPy's tests were written."""
        return list(self._genuine.devices())

    def default_dtypes(self, *, device: Any = None) -> Any:
        """Return the default data types of the only device."""
        return self._genuine.default_dtypes(device=device and self._device)

    def dtypes(self, *, device: Any = None, kind: Any = None) -> Any:
        """Return the data types of the only device."""
        return self._genuine.dtypes(device=device and self._device, kind=kind)


def replace_imports(prefix: str, found: ModuleType) -> None:
    """Make functions of modules with this prefix import the namespace instead of NumPy.

    Imports at the top of a module still import NumPy, which computes the expected results.
    """
    genuine = builtins.__import__

    def replaced(
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        # Inside a function the locals differ from the globals.
        asked = globals is not None and locals is not globals and name == "numpy"
        if asked and globals is not None and str(globals.get("__name__")).startswith(prefix):
            return found
        return genuine(name, globals, locals, fromlist or (), level)

    builtins.__import__ = replaced


class Outcomes:
    """Writes one line for each test."""

    def __init__(self, target: Path) -> None:
        """Append to `target`."""
        self.target = target

    def write(self, **line: Any) -> None:
        """Append a line; closing the file flushes it to the watching process."""
        with self.target.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Record a file that can't be collected, which would otherwise be missing."""
        if report.failed:
            self.write(id=report.nodeid, outcome="failed", message=last(report.longreprtext))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One line for each test: its call, or the phase that did not pass."""
        if report.when == "call" or not report.passed:
            line = {"outcome": outcome(report), "message": message(report)}
            others = getattr(report, "left_out", None)
            self.write(id=report.nodeid, **line, **({"left_out": others} if others else {}))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Record with which libraries the package itself skips a failed test.

    The report carries it from the worker to the controller.
    """
    report = yield
    if report.failed:
        vars(report)["left_out"] = left_out(item)
    return report


def left_out(item: pytest.Item) -> dict[str, str]:
    """The libraries with which a package skips a test, and its reasons."""
    return {
        library: str(marker.kwargs.get("reason") or "")
        for marker in item.iter_markers(_LEAVES_OUT)
        for library in marker.args
    }


def outcome(report: pytest.TestReport) -> str:
    """Return ``passed``, ``failed``, ``skipped``, or ``expected`` for an expected failure."""
    if hasattr(report, "wasxfail") and report.skipped:
        return "expected"
    return report.outcome


def message(report: pytest.TestReport) -> str:
    """Return the error and its place, or the reason of a skip; "" for a test that passed."""
    if report.passed:
        return ""
    if report.skipped:
        return getattr(report, "wasxfail", "") or skip_reason(report.longrepr)
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is None:
        return last(report.longreprtext)
    return f"{crash.message[:_LONGEST]}\nat {crash.path}:{crash.lineno}"


def skip_reason(found: object) -> str:
    """Return the reason of a skip: the last of the three items that pytest reports."""
    return str(found[2]) if isinstance(found, tuple) else str(found)


def last(text: str) -> str:
    """Return the lines of a traceback that describe the error, without those of its place."""
    lines = [line.removeprefix("E").strip() for line in text.splitlines() if line[:1] == "E"]
    return "\n".join(lines or text.strip().splitlines()[-1:])[:_LONGEST]


def pytest_configure(config: pytest.Config) -> None:
    """Record outcomes in the controller, which gets all of them: workers have a ``workerinput``."""
    if OUTCOMES in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Outcomes(Path(os.environ[OUTCOMES])), "consumers-outcomes")


def pytest_plugin_registered(plugin: object) -> None:
    """Register the namespace in SciPy's `conftest.py`.

    Its markers skip tests with every library but NumPy, of those that it lists.
    """
    known = getattr(plugin, "xp_known_backends", None)
    if known is not None and NAMESPACE in os.environ:
        known.add(sys.modules[REPLACED].__name__)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the tests that run with `array_api_strict`, according to their ids."""
    pattern = os.environ.get(SELECT)
    if pattern is None:
        return
    kept = [item for item in items if selected(item.nodeid, pattern)]
    chosen = set(map(id, kept))
    config.hook.pytest_deselected(items=[item for item in items if id(item) not in chosen])
    items[:] = kept


def selected(nodeid: str, pattern: str) -> bool:
    """Return True if the id of a test, without its file, matches the pattern."""
    return re.search(pattern, nodeid.partition("::")[2]) is not None


def _install() -> None:
    """Install the namespace when the plugin is imported."""
    name = os.environ.get(NAMESPACE)
    if name is None:
        return
    found = namespace(name)
    sys.modules[REPLACED] = found
    if IMPORTS in os.environ:
        replace_imports(os.environ[IMPORTS], found)


_install()
