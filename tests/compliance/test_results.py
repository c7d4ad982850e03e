"""Reports against their schema."""

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest

from compliance.errors import ComplianceError
from compliance.namespaces import parse
from compliance.results import NOT_RUN, SCHEMA, build, command, is_valid, validate
from compliance.runner import Outcome, Settings
from compliance.suite import Suite

FOUND = {
    "kind": "cpu",
    "runtime": "numpy 2",
    "version": "1",
    "device": "cpu",
    "python": "3.12.0",
    "platform": {"description": "d", "system": "s", "release": "r", "machine": "m"},
}
RAW = {
    "duration": 1.234,
    "summary": {"collected": 3, "deselected": 1},
    "tests": [
        {"nodeid": "array_api_tests/test_x.py::test_add", "outcome": "passed"},
        {"nodeid": "array_api_tests/test_x.py::test_abs", "outcome": "error"},
    ],
}


def test_schema_is_the_shared_one() -> None:
    """If the shared schema is next to the repository, ours must equal it."""
    shared = Path(__file__).resolve().parents[3] / "shared" / SCHEMA.name
    ours = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert ours["$id"] == "https://data-apis.org/schemas/compliance/v1.schema.json"
    if shared.exists():
        assert ours == json.loads(shared.read_text(encoding="utf-8"))


@pytest.mark.parametrize("official", [True, False])
def test_build(official: bool, tmp_path: Path) -> None:
    suite = Suite(tmp_path, "c" * 40, None) if official else None
    report = build(parse("bare:numpy"), FOUND, suite, Settings(), Outcome(RAW, 1))
    assert is_valid(report)
    assert report["test_suite"] == ("c" * 40 if official else NOT_RUN)
    summary = report["data"]["summary"]
    assert summary["official"] == int(official)
    assert (summary["passed"], summary["failed"], summary["error"]) == (1, 0, 1)
    assert (summary["collected"], summary["total"]) == (3, 2)
    assert [test["function"] for test in report["data"]["tests"]] == ["abs", "add"]


class TestLostExtension:
    """A namespace without an extension, whose tests the suite skips."""

    SKIPPED: ClassVar = {
        name: {
            "nodeid": f"array_api_tests/test_x.py::test_{name}",
            "outcome": "skipped",
            "setup": {"outcome": "skipped", "longrepr": f"('x.py', 1, 'Skipped: {reason}')"},
        }
        for name, reason in {"fft": "fft not found in array module", "abs": "flaky"}.items()
    }

    def report(self, tmp_path: Path, claims: str | None) -> dict[str, Any]:
        """For a namespace that claims a version of the standard."""
        tests = list(self.SKIPPED.values())
        raw = {"duration": 1.0, "summary": {"collected": 2}, "tests": tests}
        suite = Suite(tmp_path, "c" * 40, None)
        found = FOUND | {"claims": claims}
        return build(parse("bare:numpy"), found, suite, Settings(), Outcome(raw, 0))

    @pytest.mark.parametrize("claims", [None, "2024.12"])
    def test_counted_apart(self, tmp_path: Path, claims: str | None) -> None:
        data = self.report(tmp_path, claims)["data"]
        assert [test["outcome"] for test in data["tests"]] == ["skipped", "lost_extension"]
        summary = data["summary"]
        assert (summary["skipped"], summary["lost_extension"], summary["failed"]) == (1, 1, 0)
        assert data["exitcode"] == 0

    def test_failure_of_a_namespace_that_claims_the_version(self, tmp_path: Path) -> None:
        data = self.report(tmp_path, "2025.12")["data"]
        summary = data["summary"]
        assert (summary["skipped"], summary["lost_extension"], summary["failed"]) == (1, 0, 1)
        assert data["exitcode"] == 1
        failed = data["tests"][1]
        assert failed["message"] == (
            "the namespace claims version 2025.12, and has no extension fft"
        )
        assert "--node" in failed["reproduce"]


def test_accelerator_has_a_backend() -> None:
    found = FOUND | {"kind": "gpu", "device": "cuda:0"}
    report = build(parse("bare:torch"), found, None, Settings(), Outcome(RAW, 1))
    assert report["execution_target"]["backend"] == "cuda"


def test_invalid_report_is_refused(make_report: Any) -> None:
    report = make_report(add="passed") | {"extra": 1}
    with pytest.raises(ComplianceError, match="top level"):
        validate(report)


def test_command_is_quoted() -> None:
    text = command("bare:numpy", Settings(seed=3), node="t.py::test_x[a b]")
    assert text.endswith("--node 't.py::test_x[a b]' --seed 3 --max-examples 100")
    assert command("bare:numpy", Settings(timeout_per_test=2.5)).endswith("--timeout-per-test 2.5")
    assert command("torch", Settings(device="gpu:0")).endswith("--device gpu:0")
