"""The benchmark measures what it says, and writes it whole. Nothing here asserts a time."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from arrayapi_unify import backends
from benchmarks import cases, measure, report
from tests.installed import INSTALLED


@pytest.fixture(scope="module")
def results() -> list[measure.Result]:
    native, candidates = cases.doors("numpy")
    return measure.measure(native, candidates, size=4, rounds=1)


class TestCases:
    def test_every_backend_is_measured(self) -> None:
        assert set(cases.BACKENDS) == set(backends.REGISTRY)

    @pytest.mark.parametrize("backend", INSTALLED)
    def test_every_statement_runs(self, backend: str) -> None:
        native, candidates = cases.doors(backend)
        for door in (native, *candidates[:2]):
            made = cases.scope(door, 4)["scope"]
            names = dict(zip(["xp", "x", "y", "m", "n", "values"], made, strict=True))
            for operation in cases.OPERATIONS:
                statement = door.statement(operation)
                if statement is not None:
                    exec(statement, dict(names))

    def test_operators_are_measured_once(self) -> None:
        _, candidates = cases.doors("numpy")
        measured = [door.name for door in candidates if door.statement("x + y")]
        assert measured == ["bound namespace", "array_api_strict"]


class TestMeasure:
    def test_every_operation_has_the_bound_ratio(self, results: list[measure.Result]) -> None:
        assert [r.operation for r in results] == list(cases.OPERATIONS)
        assert all(r.ratios["bound namespace"] > 0 and r.native_ns > 0 for r in results)

    def test_imports(self) -> None:
        numpy, ours = measure.import_times(["arrayapi_unify"], rounds=1)
        assert (numpy.module, numpy.ratio, ours.module) == ("numpy", 1.0, "arrayapi_unify")
        assert ours.milliseconds > 0


class TestReport:
    def test_written_and_shown(self, results: list[measure.Result], tmp_path: Path) -> None:
        imports = [measure.ImportResult("arrayapi_unify", 50.0, 0.5)]
        report.write(tmp_path, results, imports)
        content = json.loads((tmp_path / "benchmark.json").read_text("utf-8"))
        assert [call["operation"] for call in content["calls"]] == list(cases.OPERATIONS)
        assert "| `arrayapi_unify` | 50 | 0.50 |" in (tmp_path / "benchmark.md").read_text("utf-8")
        output = io.StringIO()
        report.show(Console(file=output, width=200), results, imports)
        assert "floor_divide(x, y)" in output.getvalue()
