"""A pytest plugin: reports each finished test to the runner during the run.

It is loaded into the pytest process with ``-p compliance.progress_plugin`` and appends one JSON
line per event to the file named by ``COMPLIANCE_EVENTS``. With xdist the reports of all workers
arrive in the controller, so only the controller writes. It also

- selects the single tests named by ``COMPLIANCE_NODES``. Naming them on pytest's command line
  would import only their modules, and Hypothesis draws constants from the modules that are
  loaded: only a whole collection reproduces a failure exactly;
- loads a Hypothesis profile, which the suite's own profile then inherits, without the check that
  data generation is quick: the speed of a loaded machine says nothing about conformance. The
  numbers of examples and all other checks stay the suite's. A quick run (``COMPLIANCE_QUICK``)
  doesn't shrink examples that fail, which takes most of the time of a library that fails often;
- leaves no compiled modules in the suite's folder, which has to stay as its commit says;
- gives every test the same start, whichever tests ran before it in the same worker. The suite
  draws some values with ``strategy.example()``, which ``--hypothesis-seed`` does not cover: it
  shuffles with the global random generator and keeps unused values on cached strategies.
"""

import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.strategies._internal.utils import clear_strategy_cache

EVENTS = "COMPLIANCE_EVENTS"
NODES = "COMPLIANCE_NODES"
SEED = "COMPLIANCE_SEED"
QUICK = "COMPLIANCE_QUICK"

# Hypothesis explains what it has shrunk.
_LEFT_OUT = (Phase.shrink, Phase.explain) if QUICK in os.environ else ()

sys.dont_write_bytecode = True
settings.register_profile(
    "compliance",
    parent=settings.get_profile("default"),
    suppress_health_check=[HealthCheck.too_slow],
    phases=[phase for phase in Phase if phase not in _LEFT_OUT],
)
settings.load_profile("compliance")


class Reporter:
    """Writes the events of one run."""

    def __init__(self, target: Path) -> None:
        """Append to `target`."""
        self.target = target
        self.announced = False

    def write(self, **event: Any) -> None:
        """Append one event; closing the file flushes it to the watching process."""
        with self.target.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(event) + "\n")

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Without xdist, the items are known here."""
        if session.items:
            self.write(event="collected", total=len(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: object, ids: list[str]) -> None:
        """With xdist, every worker collects the same items; the first to finish reports them."""
        if not self.announced:
            self.announced = True
            self.write(event="collected", total=len(ids))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Record a module that can't be imported, which would otherwise be missing."""
        if report.failed:
            text = report.longreprtext
            self.write(event="collect_error", nodeid=report.nodeid or "session", text=text)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """One event per test: its call, or the other phase that did not pass."""
        if report.when == "call" or not report.passed:
            self.write(event="test", nodeid=report.nodeid, outcome=report.outcome)

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self, crashitem: str) -> None:
        """A worker process died while it ran `crashitem`."""
        self.write(event="crash", nodeid=crashitem)


def pytest_configure(config: pytest.Config) -> None:
    """Report from the controller only: workers have a ``workerinput``."""
    if EVENTS in os.environ and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reporter(Path(os.environ[EVENTS])), "compliance-reporter")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep only the tests named by ``COMPLIANCE_NODES``, if it is set."""
    wanted = os.environ.get(NODES)
    if wanted is None:
        return
    nodes = set(json.loads(wanted))
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in nodes])
    items[:] = [item for item in items if item.nodeid in nodes]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """The same start for every test."""
    random.seed(int(os.environ.get(SEED, "0")))
    clear_strategy_cache()
