"""Runs pytest on one namespace in its own process, and returns its report."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import absent, chunks, counting, needs, splits
from .decided import DECIDED
from .errors import (
    INTERRUPTED,
    ComplianceError,
    ImportFailed,
    Interrupted,
    NamespaceError,
    RunFailed,
)
from .namespaces import DEVICE_VARIABLE, Namespace, suite_variable
from .processes import LOG_LINES, PYTHON_VARIABLES, running, scratch, tail, wait
from .progress import Progress
from .progress_plugin import EVENTS, NODES, QUICK, SEED
from .suite import API_VERSION, Suite
from .time_limit import HANGS, LIMIT, hung

PACKAGE = Path(__file__).resolve().parent
NAMESPACE_VARIABLE = "COMPLIANCE_NAMESPACE"
_POLL_SECONDS = 0.2
_GRACE_SECONDS = 5.0  # for pytest to write its report: services kill ten seconds after SIGTERM
_NOT_IMPORTED = (
    "Check the spelling, that the library is installed in this environment, and the environment "
    "variables that it needs (--env NAME=VALUE)."
)
_USABLE = (0, 1)  # pytest: all passed, some failed; everything else lacks results
_MOST_HANGS = 100  # workers that may be replaced because a test hung in them
QUICK_EXAMPLES = 10
_USUAL_LIMIT = 600.0  # seconds for a test of up to 100 examples: the longest ones take a minute
# Autoloading is off, so that other installed plugins (random order, reruns) can't change the
# outcome; a run needs these.
_PLUGINS = ("xdist", "pytest_jsonreport", "metadata", "hypothesispytest")
_OURS = tuple(
    f"{__package__}.{name}"
    for name in ("progress_plugin", "time_limit", "decided", "missing_dtypes", "chunks", "splits")
)


# Variables of pytest, of the suite and of this package.
RESERVED = ("PYTEST_", "ARRAY_API_TESTS_", "COMPLIANCE_")


@dataclass(frozen=True)
class Settings:
    """Everything that determines the outcome of a run, apart from the code itself."""

    api_version: str = API_VERSION
    max_examples: int = 100
    seed: int = 0
    workers: int = 1
    keyword: str = ""
    nodes: tuple[str, ...] = ()
    timeout_per_test: float = _USUAL_LIMIT
    device: str = ""  # the library's own default
    quick: bool = False  # examples that fail aren't shrunk
    variables: tuple[tuple[str, str], ...] = ()  # of the environment

    @property
    def partial(self) -> bool:
        """True if only a part of the suite is selected."""
        return bool(self.keyword or self.nodes)


def time_limit(max_examples: int) -> float:
    """Return the default time limit of a test in seconds, for a number of examples."""
    return _USUAL_LIMIT * max(1.0, max_examples / Settings.max_examples)


@dataclass
class Outcome:
    """The outcome of one pytest process."""

    raw: dict[str, Any]  # as written by pytest-json-report
    exitcode: int
    uncollected: int = 0  # tests of the suite that could not be collected
    interrupted: bool = False  # not every test has a result
    arrays: dict[str, int] = field(default_factory=dict)  # their counts, in runs that count them

    @property
    def collected(self) -> int:
        """The number of tests that pytest collected, selected or not."""
        return int(self.raw["summary"]["collected"])


@dataclass
class _Watch:
    """The state of a run according to the events so far."""

    progress: Progress
    hangs: Path  # the folder in which terminated processes name their test
    collect_errors: dict[str, str] = field(default_factory=dict)  # reported by every worker
    crashed: list[str] = field(default_factory=list)
    hung: dict[str, str] = field(default_factory=dict)  # test -> where it stood

    def take(self, event: dict[str, Any]) -> None:
        match event["event"]:
            case "collected":
                self.progress.start(event["total"])
            case "test":
                self.progress.advance(event["outcome"])
            case "collect_error":
                self.collect_errors[event["nodeid"]] = event["text"]
            case "crash":
                self._crash(event["nodeid"])

    def _crash(self, nodeid: str) -> None:
        """Count a crash as a hang if the time limit ended the process, else as a crash."""
        if where := hung(self.hangs, nodeid):
            self.hung[nodeid] = where
        else:
            self.crashed.append(nodeid)


def look_at(
    namespace: Namespace, device: str = "", variables: Sequence[tuple[str, str]] = ()
) -> dict[str, Any]:
    """Describe the namespace with a probing process; raise if it can't be measured."""
    extra = {**dict(variables), DEVICE_VARIABLE: device}
    with scratch() as folder:
        target, log = folder / "probe.json", folder / "log.txt"
        command = [sys.executable, "-m", f"{__package__}.probe", namespace.spec, str(target)]
        with running(command, folder, _environment(namespace, extra), log) as process:
            wait(process)
        if not target.exists():
            message, said = f"Importing {namespace.name} ended the process.", tail(log)
            raise ImportFailed(message, said, said)
        found: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
    if found.get("error") == "import":
        message = f"{namespace.name} can't be imported: {found['detail']}"
        end = "\n".join(found["trace"].strip().splitlines()[-LOG_LINES:])
        raise ImportFailed(message, f"{end}\n{_NOT_IMPORTED}", found["trace"])
    if found.get("error") == "device":
        raise NamespaceError(found["detail"], found["remedy"])
    if "error" in found:
        remedy = "Name a module with the functions of the Array API standard, such as asarray."
        raise NamespaceError(f"{namespace.name} is no array namespace: {found['detail']}.", remedy)
    return found


def measure(
    namespace: Namespace,
    found: dict[str, Any],
    suite: Suite | None,
    settings: Settings,
    progress: Progress,
) -> Outcome:
    """Run the official suite, or the project's own checks if `suite` is None.

    `found` is the description of the namespace (`look_at`).
    """
    with scratch() as folder:
        raw, log, events = folder / "raw.json", folder / "log.txt", folder / "events.jsonl"
        hangs, counted = folder / "hangs", folder / "counts"
        events.touch()
        hangs.mkdir()
        counted.mkdir()
        extra = {
            **dict(settings.variables),
            EVENTS: str(events),
            LIMIT: str(settings.timeout_per_test),
            HANGS: str(hangs),
            SEED: str(settings.seed),
            "ARRAY_API_TESTS_MODULE": suite_variable(namespace),
            "ARRAY_API_TESTS_VERSION": settings.api_version,
            DEVICE_VARIABLE: settings.device,
            counting.FOLDER: str(counted),
            # Cached examples of an earlier run would make runs depend on each other.
            "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / "hypothesis"),
        }
        extra |= _counting(namespace.kind)
        if settings.quick:
            extra[QUICK] = "1"
        if settings.nodes:
            extra[NODES] = json.dumps(settings.nodes)
        lacking = absent.of(found)
        known = needs.of(suite is not None and suite.pinned, settings.api_version)
        if decided := absent.decided(known, lacking):
            extra[DECIDED] = str(folder / "decided.json")
            (folder / "decided.json").write_text(json.dumps(decided), encoding="utf-8")
        watch = _Watch(progress, hangs)
        checks = "draft_checks" if namespace.kind == "draft" else "own_checks"
        command = pytest_command(suite, settings, raw, checks)
        cwd = suite.path if suite else PACKAGE
        with running(command, cwd, _environment(namespace, extra), log) as process, progress:
            try:
                exitcode = _watch(process, events, watch)
            except Interrupted:
                return _finished(process, raw, watch)
        outcome = _result(exitcode, watch, raw, log)
        outcome.arrays = counting.total(counted)
    if suite is not None:
        outcome.uncollected = _uncollected_tests(outcome, suite, settings, watch, lacking.dtypes)
    return outcome


def _counting(kind: str) -> dict[str, str]:
    """Return the variables of the plugins that count arrays in a run of a kind."""
    if kind in splits.KINDS:
        return {splits.NUMBER: str(splits.KINDS[kind])}
    return {chunks.COUNTING: "1"} if kind == "chunked" else {}


def _uncollected_tests(
    outcome: Outcome, suite: Suite, settings: Settings, watch: _Watch, lacking: Collection[str] = ()
) -> int:
    """Return the number of missing tests of the pinned suite.

    They are in files that can't be collected, or have an absent data type as their parameter. If
    tests are missing or added for any other reason, the run is worthless: raise.
    """
    expected = suite.expected_tests(settings.api_version)
    # For a part, the workers report the number of selected tests, not of all tests.
    if expected is None or settings.partial or outcome.collected == expected:
        return 0
    if (watch.collect_errors or lacking) and outcome.collected < expected:
        return expected - outcome.collected
    raise RunFailed(
        f"The pinned suite has {expected} tests, and pytest collected {outcome.collected}.",
        "Something selects or adds tests: look for configuration files and plugins of pytest.",
    )


def pytest_command(
    suite: Suite | None, settings: Settings, raw: Path, checks: str = "own_checks"
) -> list[str]:
    """The command line of the measured process; without a suite the checks of a folder run."""
    root = suite.path if suite else PACKAGE
    tests = "array_api_tests" if suite else checks
    ini = root / "pytest.ini" if suite else PACKAGE / checks / "pytest.ini"
    if not ini.exists():
        ini = Path(os.devnull)  # without -c, pytest would take one from an enclosing folder
    command = [sys.executable, "-m", "pytest", tests, f"--rootdir={root}", "-c", str(ini)]
    for plugin in (*_PLUGINS, "no:cacheprovider", *_OURS):
        command += ["-p", plugin]
    if settings.workers:
        # A worker in which a test hung is replaced. A worker that crashes makes the run unusable,
        # and ends it.
        command += ["-n", str(settings.workers), f"--max-worker-restart={_MOST_HANGS}"]
    command += [f"--hypothesis-seed={settings.seed}", "--json-report", f"--json-report-file={raw}"]
    command += ["--json-report-omit", "keywords", "streams", "log", "warnings", "collectors"]
    command += ["--tb=auto", "-q", "--continue-on-collection-errors"]
    if settings.keyword:
        command += ["-k", settings.keyword]
    if suite:
        # The deadline would measure the load of the machine, not conformance.
        command += [f"--max-examples={settings.max_examples}", "--disable-deadline"]
    return command


def _environment(namespace: Namespace, extra: dict[str, str]) -> dict[str, str]:
    """The caller's environment, without variables that could change results unnoticed.

    These are pytest's own variables, and the suite's, one of which omits whole dtypes.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(RESERVED)}
    for name in PYTHON_VARIABLES:
        kept.pop(name, None)
    path = [str(PACKAGE.parent), os.getcwd(), *filter(None, [kept.get("PYTHONPATH")])]
    fixed = {
        "PYTHONPATH": os.pathsep.join(path),
        "PYTHONHASHSEED": "0",  # same test order and same draws in every run
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        NAMESPACE_VARIABLE: namespace.spec,
    }
    return kept | fixed | extra


def _watch(process: subprocess.Popen[bytes], events: Path, watch: _Watch) -> int:
    """Show events immediately, until the process ends."""
    try:
        with events.open(encoding="utf-8") as stream:
            rest = ""
            while True:
                code = process.poll()  # before reading: the last events are then not missed
                *lines, rest = (rest + stream.read()).split("\n")
                for line in lines:
                    watch.take(json.loads(line))
                if watch.crashed:
                    raise _crash(watch.crashed[0])
                if code is not None:
                    return code
                time.sleep(_POLL_SECONDS)
    except KeyboardInterrupt:
        raise Interrupted("Interrupted.", "No report was changed.") from None


def _result(exitcode: int, watch: _Watch, raw: Path, log: Path) -> Outcome:
    """Accept only a run in which every collected test has an outcome.

    A file that needs a missing name at import can't be collected; it counts as one failed test,
    unless nothing else ran.
    """
    found: dict[str, Any] = {}
    if raw.exists():
        found = json.loads(raw.read_text(encoding="utf-8"))
    tests = found.get("tests", [])
    if watch.collect_errors and not tests:
        nodeid, text = next(iter(watch.collect_errors.items()))
        last = text.strip().splitlines()[-LOG_LINES:]
        raise RunFailed(f"{nodeid} could not be collected.", "\n".join(last))
    if exitcode == 5:
        raise RunFailed("No test was selected.", "Check the -k expression or the --node names.")
    if exitcode not in _USABLE or not raw.exists():
        how = f"was ended by signal {-exitcode}" if exitcode < 0 else f"ended with {exitcode}"
        raise RunFailed(f"pytest {how}, without usable results.", tail(log))
    collected, finished = found["summary"].get("collected", 0), len(tests)
    selected = collected - found["summary"].get("deselected", 0)
    if finished != selected:
        raise RunFailed(f"{finished} of {selected} tests have a result.", tail(log))
    _complete(tests, watch)
    return Outcome(found, exitcode)


def _finished(process: subprocess.Popen[bytes], raw: Path, watch: _Watch) -> Outcome:
    """Return the finished tests of an interrupted run, as far as pytest reports them."""
    with contextlib.suppress(ValueError):  # a system without this signal
        process.send_signal(signal.SIGINT)
    until, found = time.monotonic() + _GRACE_SECONDS, None
    while found is None and time.monotonic() < until:
        ended = process.poll() is not None
        with contextlib.suppress(OSError, ValueError):  # missing or incomplete
            found = json.loads(raw.read_text(encoding="utf-8"))
        if ended:
            break
        time.sleep(_POLL_SECONDS)
    # The interrupted test itself has only been set up.
    tests = [test for test in (found or {}).get("tests", []) if _has_ended(test)]
    if found is None or not tests:
        raise Interrupted("Interrupted.", "No test had finished. No report was changed.")
    found["summary"]["collected"] = max(found["summary"].get("collected", 0), watch.progress.total)
    found["tests"] = tests
    _complete(tests, watch)
    return Outcome(found, INTERRUPTED, interrupted=True)


def _has_ended(test: dict[str, Any]) -> bool:
    return "call" in test or test["setup"]["outcome"] != "passed"


def _complete(tests: list[dict[str, Any]], watch: _Watch) -> None:
    """Add what pytest doesn't report: where tests hung, and files that could not be collected."""
    for test in tests:
        if test["nodeid"] in watch.hung:
            test["call"] = _hung(watch.hung[test["nodeid"]])
    tests += [_uncollected(nodeid, text) for nodeid, text in watch.collect_errors.items()]


def _hung(where: str) -> dict[str, Any]:
    """Create the result of a test that hung in native code."""
    message = f"TimeLimitError: the test hung, and was ended with its process:\n{where.strip()}"
    return {
        "outcome": "failed",
        "duration": 0.0,
        "longrepr": message,
        "crash": {"message": message},
    }


def _uncollected(nodeid: str, text: str) -> dict[str, Any]:
    """Create the result of a file that could not be collected."""
    reasons = [line.removeprefix("E").strip() for line in text.splitlines() if line[:1] == "E"]
    message = f"the file could not be collected, so none of its tests ran: {' '.join(reasons)}"
    crash = {"message": message}
    setup = {"outcome": "failed", "duration": 0.0, "longrepr": text, "crash": crash}
    return {"nodeid": nodeid, "outcome": "failed", "setup": setup}


def _crash(nodeid: str) -> ComplianceError:
    return RunFailed(
        f"A worker process crashed while it ran {nodeid}.",
        "Run that test alone with --workers 0 to see the crash: " + f"--node '{nodeid}'",
    )
