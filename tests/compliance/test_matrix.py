"""The matrix: which versions are measured, how results are kept, and what the page says of them."""

from __future__ import annotations

import base64
import contextlib
import json
import signal
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from compliance.errors import ComplianceError, NotAReport
from compliance.matrix import command, environments, libraries, page, results
from compliance.matrix.libraries import Library

LIBRARY = Library("grid", "grid", "grid", "1.0")
OTHER = Library("other", "other", "other", "1.0")


def report(**outcomes: str) -> dict[str, Any]:
    """A report with the outcomes of tests, each of the function of its name."""
    tests = [
        {
            "nodeid": f"test_{name}", "category": "elementwise", "function": name.rstrip("2"),
            "outcome": outcome, "message": f"{name} at 0x7f0011223344 <b>\nmore",
        }
        for name, outcome in outcomes.items()
    ]  # fmt: skip
    return {
        "python": "3.11.0", "timestamp": "2026-01-02T03:04:05+00:00", "test_suite": "0" * 40,
        "data": {"tests": tests, "duration": 1.6, "summary": {"interrupted": 0}},
    }  # fmt: skip


def data(*runs: tuple[str, dict[str, str]], library: Library = LIBRARY) -> dict[str, Any]:
    found = results.empty()
    for version, outcomes in runs:
        results.add(found, library, version, report(**outcomes))
    return found


class TestVersions:
    def test_the_last_of_each_minor_one(self) -> None:
        versions = ["1.9.0", "2.0.0", "2.0.2", "2.0.10", "2.1.0rc1", "2.1.0", "0.9.1"]
        assert libraries.minors(versions, "1.9") == ["2.1.0", "2.0.10", "1.9.0"]
        assert libraries.minors(versions, "2.0") == ["2.1.0", "2.0.10"]

    def test_every_second_one_counts_from_the_newest(self) -> None:
        versions = [f"1.{minor}.0" for minor in range(5)]
        assert libraries.minors(versions, "1.0", 2) == ["1.4.0", "1.2.0", "1.0.0"]

    def test_names(self) -> None:
        assert libraries.selected("numpy==2.1.3")[1] == "2.1.3"
        assert [one.name for one in libraries.selected("numpy")[0]] == ["numpy"]
        assert {one.package for one in libraries.selected("array-api-compat")[0]} == {
            "array-api-compat"
        }
        with pytest.raises(ComplianceError, match="'nope' is no library"):
            libraries.selected("nope")
        with pytest.raises(ComplianceError, match="is no released version"):
            libraries.selected("numpy==new")

    def test_what_pip_lists(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def listed(*args: Any, **kwargs: Any) -> Any:
            text = "grid (1.1)\nAvailable versions: 1.1, 1.0\n  INSTALLED: 1.0\n"
            return type("Done", (), {"stdout": text, "stderr": ""})

        monkeypatch.setattr(libraries.subprocess, "run", listed)
        assert libraries.available("grid[array]") == ["1.1", "1.0"]

    def test_an_environment_has_what_runs_the_suite(self) -> None:
        library = Library("x", "x[array]", "x", "1.0", ("xlib=={version}",))
        found = environments.requirements(library, "1.2.3")
        assert found[:2] == ["x[array]==1.2.3", "xlib==1.2.3"]
        assert any(requirement.startswith("hypothesis") for requirement in found)


class TestResults:
    def test_a_letter_for_each_test(self) -> None:
        found = data(("1.0", {"a": "passed", "b": "failed", "c": "skipped"}))
        (run,) = found["runs"]
        assert run["outcomes"] == "pfs"
        assert run["failed"] == {"1": 0}
        assert found["messages"] == ["b at 0x... <b>"]
        assert (run["date"], run["seconds"], run["partial"]) == ("2026-01-02", 2, False)

    def test_other_tests_of_a_later_run(self) -> None:
        found = data(("1.0", {"a": "passed"}), ("1.1", {"b": "lost_extension", "a": "failed"}))
        assert [run["outcomes"] for run in found["runs"]] == ["p", "fx"]
        assert [test[0] for test in found["tests"]] == ["test_a", "test_b"]

    def test_again_replaces_and_versions_are_in_order(self) -> None:
        found = data(("1.10", {"a": "passed"}), ("1.9", {"a": "passed"}), ("1.9", {"a": "failed"}))
        assert [(run["version"], run["outcomes"]) for run in found["runs"]] == [
            ("1.9", "f"), ("1.10", "p"),
        ]  # fmt: skip
        assert results.is_there(found, LIBRARY, "1.9")
        assert not results.is_there(found, OTHER, "1.9")

    def test_a_file_is_short_and_loads_as_it_was(self, tmp_path: Path) -> None:
        """A run has what differs from the version before; ids have their categories."""
        for version, outcomes in (
            ("1.0", {"a": "failed", "b": "failed"}),
            ("1.1", {"a": "failed", "b": "passed", "c": "failed"}),
            ("1.2", {"a": "passed", "b": "failed", "c": "failed"}),
        ):
            results.save(tmp_path, LIBRARY, version, report(**outcomes))
        results.save(tmp_path, OTHER, "1.0", report(a="failed", abs="passed"))
        kept = json.loads((tmp_path / results.FILE).read_text("utf-8"))
        assert kept["runs"][1]["failed"].keys() == {"2"}
        assert kept["runs"][1]["failed_before"] == ["1"]
        found = results.load(tmp_path)
        assert [sorted(run["failed"]) for run in found["runs"]] == [
            ["0", "1"], ["0", "2"], ["1", "2"], ["0"],
        ]  # fmt: skip
        assert found["tests"][0] == ["test_a", "elementwise", "a"]

    def test_another_file_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / results.FILE).write_text("{}")
        with pytest.raises(NotAReport, match=r"matrix\.json"):
            results.load(tmp_path)


class TestPage:
    @pytest.mark.parametrize(
        ("outcomes", "text", "status"),
        [
            (["passed", "passed"], "≤ 1.0", "all"),
            (["failed", "passed"], "since 1.1", "all"),
            (["passed", "failed"], "1 of 1 fail", "no"),
            (["passed", "lost_extension"], "1 of 1 fail", "no"),
            (["skipped", "passed"], "since 1.1", "all"),
            (["passed", "skipped"], "not tested", "none"),
        ],
    )
    def test_cells(self, outcomes: list[str], text: str, status: str) -> None:
        found = data(*[(f"1.{i}", {"a": outcome}) for i, outcome in enumerate(outcomes)])
        cell = page.cell(found["runs"], [0])
        assert (cell.text, cell.status) == (text, status)

    def test_a_failure_between_counts(self) -> None:
        runs = [(f"1.{i}", {"a": o}) for i, o in enumerate(["passed", "failed", "passed"])]
        assert page.cell(data(*runs)["runs"], [0]).text == "since 1.2"

    def test_some_tests_of_a_function(self) -> None:
        found = data(("1.0", {"a": "passed", "a2": "failed"}))
        (places,) = page.functions(found).values()
        assert page.cell(found["runs"], places).text == "1 of 2 fail"
        assert page.cell(found["runs"], places).status == "some"

    def test_whole(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(page, "LIBRARIES", (LIBRARY, OTHER))
        results.save(tmp_path, LIBRARY, "1.0", report(a="passed", b="failed"))
        text = page.render(tmp_path).read_text("utf-8")
        assert "≤ 1.0" in text
        assert "1 of 1 fail" in text
        assert "other" not in text.partition("</thead>")[0].partition("<thead>")[2]
        inside = text.partition('id="data">')[2].partition("</script>")[0]
        found = json.loads(zlib.decompress(base64.b64decode(inside)))
        assert [run.pop("states") for run in found["runs"]] == ["ir"]
        assert found == results.load(tmp_path)

    def test_states(self) -> None:
        """By the tests of names, and by the tests of data types that other runs collected."""
        names = "array_api_tests/test_has_names.py::test_has_names[elementwise-{}]"
        cast = "array_api_tests/test_array_object.py::test_scalar_casting[__int__(uint8)]"
        found = data(("1.0", {"sin": "passed"}), ("1.1", {"sin": "passed"}))
        for run, outcomes in zip(found["runs"], ("pfffp", "pfff-"), strict=True):
            run["outcomes"] = outcomes
            run["failed"] = {"1": 0, "2": 1, "3": 2}
        found["tests"] += [
            [names.format("cos"), "elementwise", "cos"], ["test_exp", "elementwise", "exp"],
            ["test_sum", "elementwise", "sum"], [cast, "array_object", "__int__"],
        ]  # fmt: skip
        found["messages"] = [
            "AssertionError: x is missing the elementwise function cos()",
            "AssertionError: cos is not defined in x", "module 'x' has no attribute 'uint8'",
        ]  # fmt: skip
        old, new = (page.run_states(found, run) for run in found["runs"])
        assert [old["elementwise", name] for name in ("sin", "cos", "exp", "sum")] == [
            "right", "absent", "waiting", "wrong",
        ]  # fmt: skip
        assert new["elementwise", "sum"] == "waiting"
        places = {name: where for (_, name), where in page.functions(found).items()}
        texts = [
            page.cell(found["runs"], places[name], new["elementwise", name])
            for name in ("cos", "exp")
        ]
        assert [(cell.text, cell.status) for cell in texts] == [
            ("absent", "absent"), ("1 of 1 wait", "waiting"),
        ]  # fmt: skip


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Measure without environments; the list has what was."""
    done: list[tuple[str, ...]] = []

    @contextlib.contextmanager
    def environment(library: Library, version: str) -> Iterator[Path]:
        if version == "1.1":
            raise ComplianceError("there is no such wheel")
        done.append((library.name, version))
        yield Path(sys.executable)

    def measure(*args: Any) -> dict[str, Any]:
        return report(a="passed", b="failed")

    monkeypatch.setattr(environments, "environment", environment)
    monkeypatch.setattr(environments, "measure", measure)
    for module in (libraries, command, page):
        monkeypatch.setattr(module, "LIBRARIES", (LIBRARY, OTHER))
    monkeypatch.setattr(command, "available", lambda package: ["1.0", "1.1", "1.2"])
    return done


class TestCommand:
    def run(self, *arguments: str) -> Any:
        return CliRunner().invoke(command.matrix, arguments)

    def test_goes_on_and_measures_the_newest_first(
        self, tmp_path: Path, measured: list[tuple[str, ...]]
    ) -> None:
        done = self.run("run", "--output", str(tmp_path))
        assert done.exit_code == 1, done.output  # one version can't be installed
        assert "grid 1.1: there is no such wheel" in done.output
        order = [("grid", "1.2"), ("other", "1.2"), ("grid", "1.0"), ("other", "1.0")]
        assert measured == order
        assert len(results.load(tmp_path)["runs"]) == 4
        self.run("run", "--output", str(tmp_path))
        assert measured == order
        self.run("run", "grid==1.0", "--again", "--output", str(tmp_path))
        assert measured == [*order, ("grid", "1.0")]

    def test_a_function_alone_is_printed_and_not_written(
        self,
        tmp_path: Path,
        measured: list[tuple[str, ...]],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        done = data(("1.0", {"a": "passed"}))
        done["tests"] = [["test_a.py::test_a[T]", "elementwise", "T"], ["test_a.py", "x", "T"]]
        (tmp_path / results.FILE).write_text(json.dumps(done))
        before = (tmp_path / results.FILE).read_bytes()
        asked: list[Any] = []
        monkeypatch.setattr(
            environments, "measure", lambda *args: asked.extend(args[3]) or report(b="failed")
        )
        output = self.run("run", "grid==1.2", "--function", "T", "--output", str(tmp_path))
        assert output.exit_code == 0, output.output
        assert asked == ["test_a.py::test_a[T]"]
        assert "failed: test_b" in output.output
        assert (tmp_path / results.FILE).read_bytes() == before
        output = self.run("run", "grid==1.2", "--function", "nope", "--output", str(tmp_path))
        assert output.exit_code == 1
        assert "no test of a function 'nope'" in output.output

    def test_a_page_without_results_names_the_command(self, tmp_path: Path) -> None:
        done = self.run("page", "--output", str(tmp_path))
        assert done.exit_code == 2
        assert "matrix run numpy" in done.output


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A shell can't trap a signal that is ignored where it begins, as it is in background jobs."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.slow
class TestTime:
    @pytest.mark.usefixtures("interruptible")
    def test_a_run_is_interrupted_and_may_write_what_it_has(self, tmp_path: Path) -> None:
        """A shell is there in milliseconds, also on a busy machine."""
        target = tmp_path / "written"
        end = f"printf partial > {target}; echo interrupted; exit 0"
        program = f"trap '{end}' INT; while :; do sleep 0.1; done"
        said = environments._watched(["sh", "-c", program], 3.0)
        assert (said, target.read_text()) == ("interrupted", "partial")

    def test_one_that_goes_on_is_ended(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(environments, "_GRACE", 1.0)
        program = "trap '' INT; while :; do sleep 0.1; done"
        said = environments._watched(["sh", "-c", program], 3.0)
        assert said == f"it ended with {-signal.SIGKILL} and printed nothing"
