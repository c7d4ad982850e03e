"""The benchmark measures the right calls, and writes the report. No test asserts a time."""

from __future__ import annotations

import importlib
import io
import json
import timeit
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from arrayapi_unify import backends
from benchmarks import cases, measure, report, special_value_cost, thresholds
from tests.installed import EAGER, LAZY


@pytest.fixture(scope="module")
def results() -> list[measure.Result]:
    native, candidates = cases.load_candidates("numpy")
    return measure.measure(native, candidates, size=4, rounds=1)


class TestCases:
    def test_every_backend_is_measured(self) -> None:
        assert set(cases.BACKENDS) == set(backends.REGISTRY) - {*LAZY}

    @pytest.mark.slow_on("jax")
    @pytest.mark.parametrize("backend", EAGER)
    def test_every_statement_runs(self, backend: str) -> None:
        native, candidates = cases.load_candidates(backend)
        for candidate in (native, *candidates[:2]):
            made = cases.scope(candidate, 4)["scope"]
            names = dict(zip(cases.NAMES.split(", "), made, strict=True))
            for operation in cases.OPERATIONS:
                statement = candidate.statement(operation)
                if statement is not None:
                    exec(statement, dict(names))

    def test_operators_are_measured_once(self) -> None:
        _, candidates = cases.load_candidates("numpy")
        measured = [candidate.name for candidate in candidates if candidate.statement("x + y")]
        assert measured == ["bound namespace", "array_api_strict"]


class TestMeasure:
    @pytest.mark.slow
    def test_every_operation_has_the_bound_ratio(self, results: list[measure.Result]) -> None:
        assert [r.operation for r in results] == list(cases.OPERATIONS)
        assert all(r.ratios["bound namespace"] > 0 and r.native_ns > 0 for r in results)

    def test_imports(self) -> None:
        numpy, ours = measure.import_times(["arrayapi_unify"], rounds=1)
        assert (numpy.module, numpy.ratio, ours.module) == ("numpy", 1.0, "arrayapi_unify")
        assert ours.milliseconds > 0

    def test_each_is_first_in_turn(self) -> None:
        ran: list[str] = []
        timers = {name: timeit.Timer(lambda n=name: ran.append(n)) for name in "abc"}  # type: ignore[misc]
        times = measure.take_turns(timers, 1, 4)
        assert "".join(ran) == "abcbcacababc"
        assert [len(taken) for taken in times.values()] == [4, 4, 4]

    def test_each_runs_as_often_as_its_loops_say(self) -> None:
        ran: list[str] = []

        def append(name: str) -> Any:
            # Its clock counts runs, so that one run takes one second.
            return timeit.Timer(lambda: ran.append(name), timer=lambda: float(len(ran)))

        times = measure.take_turns({"a": append("a"), "b": append("b")}, {"a": 3, "b": 1}, 2)
        assert "".join(ran) == "aaabbaaa"
        assert times == {"a": [1e9, 1e9], "b": [1e9, 1e9]}

    def test_no_operation_meets_what_another_has_written(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """`x += y` leaves larger numbers with slower sines; not every candidate can write."""
        made: list[Any] = []

        def scope(candidate: cases.Candidate, size: int) -> dict[str, Any]:
            made.append(cases.scope(candidate, size))
            return made[-1]  # type: ignore[no-any-return]  # what was appended

        monkeypatch.setattr(measure, "scope", scope)
        monkeypatch.setattr(measure, "OPERATIONS", ["x += y", "sin(x)"])
        native, candidates = cases.load_candidates("numpy")
        measure.measure(native, candidates[:1], 4, 1)
        written, other, *untouched = [np.asarray(names["scope"][1]) for names in made]
        assert written[0] > 0.5 < other[0]
        assert [x[0] for x in untouched] == [0.5, 0.5]

    def test_what_exceeds_is_measured_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """New figures of the candidate and the bare call replace the old ones; others remain."""
        asked: list[tuple[list[str], int]] = []

        def take_turns(timers: Any, loops: int, rounds: int) -> dict[str, list[float]]:
            asked.append((list(timers), rounds))
            again = rounds > 2
            return {name: [10.0 if again else 30.0 - (name == "numpy")] for name in timers}

        monkeypatch.setattr(measure, "take_turns", take_turns)
        monkeypatch.setattr(measure, "OPERATIONS", ["sin(x)"])
        native, candidates = cases.load_candidates("numpy")
        ours = candidates[0].name
        [result] = measure.measure(native, candidates[:2], 4, 2, lambda r: ours)
        assert asked == [
            (["numpy", ours, candidates[1].name], 2),
            (["numpy", ours], 2 * measure.AGAIN),
        ]
        assert (result.native_ns, result.ratios[ours]) == (10.0, 1.0)
        assert result.ratios[candidates[1].name] == 30 / 29


class TestBars:
    @pytest.mark.parametrize(
        ("native", "ratio", "above"),
        [(100, 10.9, False), (100, 11.1, True), (3000, 1.9, False), (3000, 2.1, True)],
    )
    def test_whichever_is_more(self, native: float, ratio: float, above: bool) -> None:
        row = measure.Result("numpy", "sin(x)", 4, native, {"bound namespace": ratio})
        assert [o.operation for o in thresholds.exceeding([row])] == ["sin(x)"] * above

    @pytest.mark.parametrize(
        ("native", "ratio", "above"),
        [(1e3, 1.9, False), (1e3, 2.1, True), (1e6, 1.019, False), (1e6, 1.021, True)],
    )
    def test_of_many_elements(self, native: float, ratio: float, above: bool) -> None:
        row = measure.Result(
            "numpy", "sin(x)", thresholds.LARGE, native, {"bound namespace": ratio}
        )
        assert [o.operation for o in thresholds.exceeding([row], thresholds.LARGE)] == [
            "sin(x)"
        ] * above

    def test_sizes_between_have_no_threshold(self) -> None:
        row = measure.Result("numpy", "f", 1000, 1, {"bound namespace": 9e9})
        assert not [*thresholds.exceeding([row]), *thresholds.exceeding([row], thresholds.LARGE)]

    def test_reasons_are_about_rows(self) -> None:
        for backend, operation in thresholds.REASONS:
            assert backend in cases.BACKENDS
            assert operation in cases.OPERATIONS


class TestReport:
    @pytest.mark.slow
    def test_written_and_shown(self, results: list[measure.Result], tmp_path: Path) -> None:
        imports = [measure.ImportResult("arrayapi_unify", 50.0, 0.5)]
        report.write(tmp_path, results, imports, {"numpy": 340.0}, 2000.0)
        content = json.loads((tmp_path / "benchmark.json").read_text("utf-8"))
        assert [call["operation"] for call in content["calls"]] == list(cases.OPERATIONS)
        assert "| `arrayapi_unify` | 50 | 0.50 |" in (tmp_path / "benchmark.md").read_text("utf-8")
        output = io.StringIO()
        report.show(Console(file=output, width=200), results, imports)
        assert "floor_divide(x, y)" in output.getvalue()


class TestPortable:
    def test_measures_what_a_call_costs(self) -> None:
        native, _ = cases.load_candidates("numpy")
        assert 0 < measure.portable_ns(native, 3) < 1e6


class TestPatches:
    def test_finds_the_librarys_own_functions(self) -> None:
        native, _ = cases.load_candidates("numpy")
        assert (
            special_value_cost.bare_function("numpy", native.namespace, "add")
            is native.namespace.add
        )
        assert (
            special_value_cost.bare_function("numpy", native.namespace, "no such function") is None
        )

    def test_measures_one_function(self) -> None:
        xp = importlib.import_module("arrayapi_unify.numpy")
        numpy = importlib.import_module("numpy")
        x = xp.asarray([0.5, 1.5])
        found = special_value_cost._ratio(xp.exp, numpy.exp, [x], 3, lambda result: result)
        assert found is not None
        assert found[0] > 0
        assert found[1] > 0
        assert special_value_cost._ratio(xp.exp, numpy.isnan, [x], 3, lambda result: result) is None

    def test_page(self) -> None:
        costs = [
            special_value_cost.Cost("numpy", "exp", "float64", 1.0, 1.5),
            special_value_cost.Cost("numpy", "add", "float64", 1.0, 1.0),
        ]
        page = special_value_cost._page(costs)
        assert "| `exp` | float64 | 1.00 | 1.50 |" in page
        assert "2 measured, 1 of them up to 1.02" in page
