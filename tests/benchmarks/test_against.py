"""`--against COMMIT` compares the same rows of two trees, and measures the commit's own package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from benchmarks import against
from benchmarks.containers import main

CALLS = {"calls": [{"operation": "sin(x)", "size": 4, "native_ns": 7.0, "ratios": {"bound": 1.5}}]}
ROWS = [
    {"backend": "torch", "compiled": True, "own_us": 3.0, "ratio": 1.25, "bar": None},
    {"backend": "numpy", "function": "cov", "native_ns": 4.0, "ours_ns": 6.0, "within": True},
]


class TestRatios:
    def test_a_row_is_known_by_its_names(self) -> None:
        assert against.ratios(CALLS) == {"sin(x) 4 bound": 1.5}
        assert against.ratios(ROWS) == {"torch True": 1.25, "numpy cov": 1.5}


class TestCompare:
    def test_changes_of_the_same_rows_are_printed(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def run(module: str, arguments: list[str], tree: Path) -> dict[str, float]:
            return {"x": 1.0, "y": 2.0, tree.name: 3.0} if tree == Path.cwd() else {"x": 2, "y": 2}

        monkeypatch.setattr(against, "_run", run)
        against.compare("benchmarks.containers", "HEAD", [])
        *rows, last = capsys.readouterr().out.splitlines()
        assert rows == ["0.50  x"]
        assert last == "2 ratios beside HEAD: geometric mean 0.707, most 1.00"

    def test_the_package_of_the_commit_is_imported(self, tmp_path: Path) -> None:
        against._extract("HEAD", tmp_path)
        code = "import arrayapi_unify, benchmarks.measure; print(arrayapi_unify.__file__)"
        command = [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, '.'); {code}"]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert Path(tmp_path, run.stdout.strip()).resolve().is_relative_to(tmp_path.resolve())

    def test_the_option_takes_the_arguments_that_remain(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen: list[tuple[str, str, list[str]]] = []
        monkeypatch.setattr(against, "compare", lambda *given: seen.append(given))
        main_module = SimpleNamespace(__spec__=SimpleNamespace(name="benchmarks.containers"))
        monkeypatch.setitem(sys.modules, "__main__", main_module)
        monkeypatch.setattr(sys, "argv", ["pytest", "--rounds", "1", "--against", "HEAD"])
        ran = CliRunner().invoke(main, ["--rounds", "1", "--against", "HEAD"])
        assert ran.exit_code == 0, ran.output
        assert seen == [("benchmarks.containers", "HEAD", ["--rounds", "1"])]
