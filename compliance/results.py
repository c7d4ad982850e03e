"""Builds a report from the results of a run, and checks it against the schema."""

import json
import os
import platform
import re
import shlex
from collections.abc import Collection
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema

from . import COMMAND, absent, failures, needs, splits, states
from .classify import classify
from .errors import ComplianceError, ImportFailed
from .namespaces import Namespace
from .provenance import host
from .redact import Redactor
from .runner import Outcome, Settings, time_limit
from .standard import STANDARD
from .states import LOST
from .suite import Suite

# Variables that change what a library does; recorded, since a run depends on them.
_VARIABLES = ("JAX_ENABLE_X64", "JAX_PLATFORMS", "CUDA_VISIBLE_DEVICES", "OMP_NUM_THREADS")
NOT_RUN = "0" * 40  # the schema requires a commit; this one means "none"
_SCHEMAS = Path(__file__).parent / "schema"
SCHEMA = _SCHEMAS / "compliance-report.v1.schema.json"
ENTRIES = _SCHEMAS / "entries.v1.schema.json"
SIDE_FILE = _SCHEMAS / "side-file.v1.schema.json"
CONSUMERS = _SCHEMAS / "consumers.v1.schema.json"
NUMPY_TESTS = _SCHEMAS / "numpy-tests.v1.schema.json"
GOOD = ("passed", "skipped", LOST)
# Outcomes that a report counts even if there are none.
OUTCOMES = ("passed", "failed", "error", "skipped", LOST)
# Other numbers in a summary.
NO_OUTCOMES = (
    *("total", "collected", "uncollected"),
    *("official", "pinned_suite", "partial", "interrupted", "unimportable", "compiled", "chunked"),
    *("draft", "split", "seed", "max_examples", "arrays", "arrays_in_chunks", "arrays_on_devices"),
    *states.STATES,
)
_NO_EXTENSION = re.compile(r"(\w+) not found in array module")  # as the suite words it


def command(spec: str, settings: Settings, node: str | None = None) -> str:
    """The command that repeats the run, or one test of it."""
    words = [*COMMAND.split(), "run", spec]
    if node is not None:
        words += ["--node", node]
    elif settings.keyword:
        words += ["-k", settings.keyword]
    if node is None:
        words += [word for name in settings.nodes for word in ("--node", name)]
    words += ["--seed", str(settings.seed), "--max-examples", str(settings.max_examples)]
    words += ["--quick"] * settings.quick
    words += [word for pair in settings.variables for word in ("--env", "=".join(pair))]
    if settings.timeout_per_test != time_limit(settings.max_examples):
        words += ["--timeout-per-test", f"{settings.timeout_per_test:g}"]
    if settings.device:
        words += ["--device", settings.device]
    if settings.api_version != Settings.api_version:
        words += ["--api-version", settings.api_version]
    return shlex.join(words)


def build(
    namespace: Namespace,
    found: dict[str, Any],
    suite: Suite | None,
    settings: Settings,
    outcome: Outcome,
) -> dict[str, Any]:
    """The report, valid against the schema."""
    redact = Redactor(suite.path if suite else None)
    claims = settings.api_version if found.get("claims") == settings.api_version else ""
    tests = [_entry(test, namespace, settings, redact, claims) for test in outcome.raw["tests"]]
    known = needs.of(suite is not None and suite.pinned, settings.api_version)
    if known and outcome.uncollected:
        tests += _uncollected(tests, known, absent.dtypes(found))
    lacking = absent.of(found, tests)
    states.annotate(tests, lacking, known)
    if known:  # the tests of a file stand for it, unless it fails by itself
        tests = [test for test in tests if "::" in test["nodeid"] or test["state"] == states.WRONG]
    tests.sort(key=lambda entry: str(entry["nodeid"]))  # workers finish in any order
    target = {"kind": found["kind"], "runtime_version": found["runtime"]}
    if found["kind"] != "cpu":
        # The schema names the accelerator's software here; devices are written like cuda:0.
        target["backend"] = found["device"].lower().split(":")[0].strip("<>") or found["kind"]
    report = {
        "schema": "v1",
        "name": namespace.name,
        "version": found["version"],
        "api_version": settings.api_version,
        "timestamp": datetime.now(UTC).isoformat(timespec="seconds"),
        "platform": found["platform"],
        "execution_target": target,
        "python": found["python"],
        "test_suite": (suite.commit if suite else None) or NOT_RUN,
        "data": {
            "duration": round(outcome.raw["duration"], 2),
            # An extension that is lost fails although pytest only saw a skip.
            "exitcode": outcome.exitcode or int(any(t["outcome"] not in GOOD for t in tests)),
            "summary": _summary(tests, namespace, suite, settings, outcome),
            "tests": tests,
        },
    }
    validate(report)
    return report


def _uncollected(
    tests: list[dict[str, Any]], known: needs.Needs, dtypes: Collection[str]
) -> list[dict[str, Any]]:
    """Return the tests of the suite that pytest didn't collect, for their file or a data type."""
    there = {needs.named(test["nodeid"], dtypes): test for test in tests}
    found = []
    for nodeid in known.names.keys() - there.keys():
        file, subject = there.get(nodeid.partition("::")[0]), classify(nodeid)
        reason = absent.first_line(file).partition(": ")[2] if file else "its data type is missing"
        entry = {
            "nodeid": nodeid, "category": subject.category, "function": subject.function,
            "duration": 0.0, "outcome": "failed", "message": f"{states.UNCOLLECTED}: {reason}",
        }  # fmt: skip
        if nodeid in known.skipped:
            entry |= {"outcome": "skipped", "reason": entry.pop("message")}
        found.append(entry)
    return found


def of_failed_import(
    namespace: Namespace, error: ImportFailed, settings: Settings
) -> dict[str, Any]:
    """Return the report on a namespace that can't be imported: its one failure is the error."""
    redact = Redactor()
    test = {
        "nodeid": f"import {namespace.name}", "outcome": "error", "category": "import",
        "function": namespace.name, "duration": 0.0, "state": states.WRONG,
        "message": redact(f"{error.message}\n\n{error.trace}".strip()),
        "reproduce": command(namespace.spec, settings),
    }  # fmt: skip
    outcome = Outcome({"summary": {"collected": 1}}, error.exit_code)
    summary = _summary([test], namespace, None, settings, outcome)
    report = {
        "schema": "v1", "name": namespace.name, "version": "unknown",
        "api_version": settings.api_version,
        "timestamp": datetime.now(UTC).isoformat(timespec="seconds"),
        "platform": host(), "execution_target": {"kind": "cpu"},
        "python": platform.python_version(), "test_suite": NOT_RUN,
        "data": {
            "duration": 0.0, "exitcode": error.exit_code,
            "summary": summary | {"partial": 1, "unimportable": 1}, "tests": [test],
        },
    }  # fmt: skip
    validate(report)
    return report


def counts(tests: list[dict[str, Any]]) -> dict[str, int]:
    """Return the number of tests with each outcome."""
    found = dict.fromkeys(OUTCOMES, 0)
    for test in tests:
        found[test["outcome"]] = found.get(test["outcome"], 0) + 1
    return found


def _summary(
    tests: list[dict[str, Any]],
    namespace: Namespace,
    suite: Suite | None,
    settings: Settings,
    outcome: Outcome,
) -> dict[str, int]:
    """Counts, and the settings a reader must not miss; the schema allows only integers here."""
    return {
        **counts(tests),
        **states.counts(tests),
        "total": len(tests),
        "collected": outcome.collected,
        "uncollected": outcome.uncollected,
        "official": int(suite is not None),
        "pinned_suite": int(suite is not None and suite.pinned),
        "partial": int(settings.partial or outcome.interrupted),
        "interrupted": int(outcome.interrupted),
        "compiled": int(namespace.kind == "compiled"),
        "chunked": int(namespace.kind == "chunked"),
        "draft": int(namespace.kind == "draft"),
        "split": splits.KINDS.get(namespace.kind, 0),
        **outcome.arrays,
        "seed": settings.seed,
        "max_examples": settings.max_examples,
    }


def _entry(
    test: dict[str, Any], namespace: Namespace, settings: Settings, redact: Redactor, claims: str
) -> dict[str, Any]:
    """One test: the schema's two keys, and ours.

    `claims` is the version that the namespace claims, if it is the measured one.
    """
    subject = classify(test["nodeid"])
    phases = [test.get(name, {}) for name in ("setup", "call", "teardown")]
    entry = {
        "nodeid": redact(test["nodeid"]),
        "outcome": test["outcome"],
        "category": subject.category,
        "function": subject.function,
        "duration": round(sum(phase.get("duration", 0.0) for phase in phases), 3),
    }
    if entry["outcome"] == "skipped":
        entry |= _skipped(failures.skip_reason(test, redact), claims)
    elif entry["outcome"] not in GOOD:
        entry |= failures.explain(test, redact)
    if entry["outcome"] not in GOOD:
        # A file that couldn't be collected has no test to select.
        node = test["nodeid"] if "::" in test["nodeid"] else None
        entry["reproduce"] = command(namespace.spec, settings, node=node)
    return entry


def _skipped(reason: str, claims: str) -> dict[str, Any]:
    """Distinguish the suite's own skips from tests of a missing extension.

    An extension is optional in the standard, but a namespace that claims the version and lacks one
    must not have a better result.
    """
    match = _NO_EXTENSION.fullmatch(reason)
    if match is None or match[1] not in STANDARD.extensions:
        return {"reason": reason}
    if not claims:
        return {"outcome": LOST, "reason": reason}
    message = f"the namespace claims version {claims}, and has no extension {match[1]}"
    expected = f"the extension {match[1]}"
    return {"outcome": "failed", "message": message, "expected": expected, "got": reason}


def meta(
    namespace: Namespace,
    found: dict[str, Any],
    suite: Suite | None,
    settings: Settings,
    reason: str,
) -> dict[str, Any]:
    """Return the data without a field in the schema, for the side file next to the report."""
    return {
        "namespace": namespace.spec,
        "command": command(namespace.spec, settings),
        "official_suite": {
            "status": "run" if suite else "NOT RUN",
            "reason": reason,
            "commit": suite.commit if suite else None,
            "array_api_commit": suite.array_api_commit if suite else None,
            "warnings": suite.warnings() if suite else [],
        },
        "settings": {
            "seed": settings.seed,
            "max_examples": settings.max_examples,
            "workers": settings.workers,
            "keyword": settings.keyword,
            "nodes": list(settings.nodes),
            "timeout_per_test": settings.timeout_per_test,
            "device": settings.device,
            "quick": settings.quick,
        },
        "library": found["library"],
        "claims": found["claims"],
        "versions": found["versions"],
        "dtypes": found["dtypes"],
        "extensions": found["extensions"],
        "missing": found["missing"],
        "not_compiled": found["not_compiled"],
        "device": found["device"],
        "environment": {name: os.environ[name] for name in _VARIABLES if name in os.environ}
        | dict(settings.variables),
    }


@cache
def _validator(schema: Path) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(schema.read_text(encoding="utf-8")))


def is_valid(found: object, schema: Path = SCHEMA) -> bool:
    """Return True if data conforms to a schema, by default to that of compliance reports."""
    return bool(_validator(schema).is_valid(found))


def validate(report: dict[str, Any]) -> None:
    """Raise if the report breaks the schema: an invalid report must never be written."""
    error = jsonschema.exceptions.best_match(_validator(SCHEMA).iter_errors(report))
    if error is not None:
        place = "/".join(map(str, error.absolute_path)) or "its top level"
        raise ComplianceError(
            f"The report breaks the schema at {place}: {error.message[:300]}",
            "This is a defect of the compliance package; no report was changed.",
        )
