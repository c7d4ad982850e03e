"""A pytest plugin: test modules of NumPy import another NumPy, and outcomes are recorded.

It is loaded with ``-p compliance.consumers.numpy_tests.plugin``. ``CONSUMERS_NAMESPACE`` names one
of our namespaces, ``CONSUMERS_COLUMN`` the replacement:

- ``bare``: NumPy itself by the same way, for the number of tests that can pass.
- ``arrays``: functions of NumPy that make arrays return Arrays; all others are NumPy's own.
- ``functions``: functions of our namespace where it has the name, on Arrays: also of what NumPy's
  generators of random numbers make.

Functions are replaced while a test runs: values that a module makes at its import are NumPy's.
Comparisons of `numpy.testing` convert Arrays to NumPy's arrays first, and an error counts by its
class, not by its words. Only tests without a reason (`reasons`) run. A test is *reached* if an
Array was made in it, or a function of ours called. ``CONSUMERS_OUTCOMES`` is the file that gets one
JSON line for each test.
"""

import builtins
import functools
import importlib
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify import Array

from ..plugin import NAMESPACE, OUTCOMES, message, outcome
from .reasons import reason_of

COLUMN = "CONSUMERS_COLUMN"
COLUMNS = ("bare", "arrays", "functions")
_TESTS = re.compile(r"numpy\..*\btests\b")
_CREATION = (
    "arange", "array", "asanyarray", "asarray", "ascontiguousarray", "empty", "empty_like", "eye",
    "fromfunction", "full", "full_like", "geomspace", "identity", "indices", "linspace", "logspace",
    "ones", "ones_like", "tri", "vander", "zeros", "zeros_like",
)  # fmt: skip
_RANDOM = ("rand", "randint", "randn", "random", "standard_normal", "uniform", "normal")
# Functions of these two modules stand in our namespace by the same names.
_EXTENSIONS = ("linalg", "fft")


class _Now:
    """The running test: whether there is one, and whether it has reached a function of ours."""

    runs = False
    reached = False


class _Replaced:
    """A function of NumPy with ours in its place, and with its own attributes."""

    def __init__(self, theirs: Any, ours: Callable[..., Any]) -> None:
        """Stand for a function."""
        self._theirs, self._ours = theirs, ours
        functools.update_wrapper(self, theirs, updated=())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function that is wanted now."""
        return (self._ours if _Now.runs else self._theirs)(*args, **kwargs)

    def __repr__(self) -> str:
        """Describe NumPy's function: parameters of tests are told by it."""
        return repr(self._theirs)

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of NumPy's, such as a ufunc's `reduce`."""
        return getattr(self._theirs, name)


def _mapped(change: Callable[[Any], Any], value: Any) -> Any:
    """Change a value, or the items of a list or tuple."""
    if type(value) in (list, tuple):
        return type(value)(_mapped(change, one) for one in value)
    return change(value)


def _array_of(xp: Any) -> Callable[[Any], Any]:
    def array_of(value: Any) -> Any:
        if type(value) is not np.ndarray:
            return value
        try:
            return xp.asarray(value)
        except (TypeError, ValueError):  # objects, text, dates
            return value

    return functools.partial(_mapped, array_of)


def _noted(function: Callable[..., Any], xp: Any) -> Callable[..., Any]:
    """Return a function that is called with Arrays."""
    array_of = _array_of(xp)

    def called(*args: Any, **kwargs: Any) -> Any:
        _Now.reached = True
        return function(*map(array_of, args), **{n: array_of(x) for n, x in kwargs.items()})

    return called


def _makes_arrays(function: Callable[..., Any], xp: Any) -> Callable[..., Any]:
    """Return a function of NumPy's with an Array in place of its result, if there can be one."""
    array_of = _array_of(xp)

    def made(*args: Any, **kwargs: Any) -> Any:
        found = function(*args, **kwargs)
        other = array_of(found)
        _Now.reached = _Now.reached or other is not found
        return other

    return made


def _on_host(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a comparison of NumPy's arrays."""

    hosted = functools.partial(
        _mapped, lambda value: np.asarray(value) if isinstance(value, Array) else value
    )

    def compared(*args: Any, **kwargs: Any) -> Any:
        return function(*map(hosted, args), **{name: hosted(x) for name, x in kwargs.items()})

    return compared


def _raises(kind: Any, *args: Any, match: Any = None, **kwargs: Any) -> Any:
    return pytest.raises(kind, *args, **kwargs)


def _raises_regex(kind: Any, pattern: Any, *args: Any, **kwargs: Any) -> Any:
    return np.testing.assert_raises(kind, *args, **kwargs)


def _comparisons() -> Iterator[tuple[Any, Any]]:
    yield pytest.raises, _raises
    yield np.testing.assert_raises_regex, _raises_regex
    for name in np.testing.__all__:
        if name.startswith("assert_") and "raises" not in name and "warn" not in name:
            yield getattr(np.testing, name), _on_host(getattr(np.testing, name))


def _functions(column: str, xp: Any) -> Iterator[tuple[Any, Any]]:
    if column == "arrays":
        for module, names in ((np, _CREATION), (np.random, _RANDOM)):
            for theirs in (getattr(module, name) for name in names):
                yield theirs, _makes_arrays(theirs, xp)
    for module, space in [(np, xp), *((getattr(np, e), getattr(xp, e)) for e in _EXTENSIONS)]:
        for name in module.__all__ if column == "functions" else ():
            theirs, ours = getattr(module, name), getattr(space, name, None)
            if _is_function(theirs) and ours is not None and _is_function(ours):
                yield theirs, _noted(ours, xp)


def _is_function(value: Any) -> bool:
    return callable(value) and not isinstance(value, type | ModuleType)


def replacements(column: str, name: str) -> dict[int, Any]:
    """Return the replacements of NumPy's functions, by the identity of each function."""
    pairs = [*_comparisons(), *_functions(column, importlib.import_module(name))]
    return {id(theirs): _Replaced(theirs, ours) for theirs, ours in pairs}


class Stand:
    """A module of NumPy, or pytest, as a test sees it."""

    def __init__(self, module: ModuleType, found: Mapping[int, Any]) -> None:
        """Stand for a module."""
        vars(self).update(_module=module, _found=found)

    def __getattr__(self, name: str) -> Any:
        """Return a replacement, or what the module has."""
        value = getattr(self._module, name)
        if isinstance(value, ModuleType):
            return Stand(value, self._found)
        return self._found.get(id(value), value)

    def __setattr__(self, name: str, value: Any) -> None:
        """Set the module's own attribute, as a test that patches it wants."""
        setattr(self._module, name, value)

    def __dir__(self) -> list[str]:
        """List the module's names."""
        return dir(self._module)


def _replace_imports(found: Mapping[int, Any]) -> None:
    """Make test modules of NumPy import stands."""
    genuine = builtins.__import__

    def replaced(
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        module = genuine(name, globals, locals, fromlist or (), level)
        asking = str(globals.get("__name__")) if globals else ""
        ours = name.partition(".")[0] in ("numpy", "pytest") and _TESTS.match(asking)
        return Stand(module, found) if ours else module

    builtins.__import__ = replaced


class Recorder:
    """Leaves out tests with a reason, and writes a line for each of the others."""

    def __init__(self, target: Path, worker: str | None) -> None:
        """Append to `target`: the reasons in the first worker, the rest in the controller."""
        self.target, self.worker = target, worker

    def write(self, **line: Any) -> None:
        """Append a line; closing the file flushes it to the watching process."""
        with self.target.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(line) + "\n")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Record a file that can't be collected."""
        if report.failed and self.worker is None:
            self.write(id=report.nodeid, outcome="failed", message=report.longreprtext[-2000:])

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Keep the tests without a reason."""
        reasons = {item.nodeid: reason_of(item) for item in items}
        if self.worker in (None, "gw0"):
            self.write(reasons=Counter(filter(None, reasons.values())))
        out = [item for item in items if reasons[item.nodeid]]
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if not reasons[item.nodeid]]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self) -> Any:
        """Replace functions from here on."""
        _Now.runs, _Now.reached = True, False
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self) -> Any:
        """Replace no functions any more."""
        _Now.runs = False
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Any:
        """Say whether the test has reached a function."""
        report = yield
        vars(report)["reached"] = _Now.reached
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write a line for the call of a test, or for the phase that didn't pass."""
        if self.worker is None and (report.when == "call" or not report.passed):
            reached = getattr(report, "reached", False)
            line = {"outcome": outcome(report), "message": message(report), "reached": reached}
            self.write(id=report.nodeid, **line)


def pytest_configure(config: pytest.Config) -> None:
    """Install the replacements, and record."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    config.pluginmanager.register(Recorder(Path(os.environ[OUTCOMES]), worker))


if COLUMN in os.environ:
    _replace_imports(replacements(os.environ[COLUMN], os.environ[NAMESPACE]))
