"""The ledger of upstream faults: each row still is one, and ours gives the expected result."""

from __future__ import annotations

import ast
import math
import platform
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import mpmath
import numpy as np
import pytest

import arrayapi_unify as unify
from docs.upstream import __main__ as upstream, page, run
from docs.upstream.table import LIBRARIES, Row, measured, rows
from tests.installed import INSTALLED
from tests.tables import each

ROWS: Final = [row for library in LIBRARIES for row in rows(library)]
DIGITS: Final = 60


def defined(path: Path) -> Iterator[str]:
    """The names that a module defines."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            yield from (n.id for n in ast.walk(target) if isinstance(n, ast.Name)) if target else ()


def reference(row: Row) -> str:
    """The expected result of a row, by NumPy or mpmath."""
    if row.numpy:
        with np.errstate(all="ignore"):
            return run.text(row.numpy, {"np": np})
    with mpmath.workdps(DIGITS):
        value = eval(row.mpmath, vars(mpmath).copy())
    return str(complex(value)) if isinstance(value, mpmath.mpc) else str(float(value))


class TestTable:
    def test_is_large(self) -> None:
        assert len(ROWS) >= 200
        assert {row.library for row in ROWS} == {*LIBRARIES}

    @each("row", ROWS)
    def test_reproduction_is_short(self, row: Row) -> None:
        lines = row.code.splitlines()
        assert len(lines) <= 3
        assert lines[0].startswith("import ")
        assert "arrayapi_unify" not in row.code

    @each("row", ROWS)
    def test_correction_exists(self, row: Row) -> None:
        assert row.source.is_file(), row.source
        name = row.correction.partition(": ")[2]
        assert name in {*defined(row.source)}, row.correction

    @each("row", ROWS)
    def test_function_exists(self, row: Row) -> None:
        if row.function not in ("get_item", "set_item"):
            space, _, name = row.function.rpartition(".")
            assert hasattr(getattr(unify, space) if space else unify, name)

    @each("row", [row for row in ROWS if row.standard])
    def test_page_of_the_standard_exists(self, row: Row) -> None:
        space, _, name = row.standard.rpartition(".")
        places = (getattr(unify, space) if space else unify, unify.Array)
        assert row.standard in page.SECTIONS or any(hasattr(place, name) for place in places)

    @each("row", ROWS)
    def test_has_one_source(self, row: Row) -> None:
        assert sum(map(bool, (row.standard, row.mpmath, row.numpy))) == 1
        assert row.because

    @each("row", [row for row in ROWS if not row.standard])
    def test_expected_is_that_of_the_source(self, row: Row) -> None:
        found = reference(row)
        exact = replace(row, ulps=0)
        assert exact.agrees(found), found

    @each("row", ROWS)
    def test_recorded_results(self, row: Row) -> None:
        """The record has every row, with faults in the versions that the table says."""
        versions = measured()[row.library]
        for version, results in versions.items():
            assert row.agrees(results[row.name]) is not row.has_fault_in(version), version
        assert any(map(row.has_fault_in, versions)), "no measured version has the fault"


class TestResults:
    @pytest.mark.slow_on("torch", "tensorflow", "jax", "dask")
    @pytest.mark.parametrize("library", INSTALLED)
    def test_rows(self, library: str) -> None:
        """The bare library has the fault in the versions that the table says; ours never has it."""
        found = run.measure(library)
        wrong = upstream.deviations(library, found)
        # Kernels of other processors have other digits.
        if platform.machine() not in ("x86_64", "AMD64"):
            wrong = [line for line in wrong if ": ours gives " in line]
        assert wrong == []


class TestDetection:
    """Wrong rows are noticed."""

    ROW: Final = Row("numpy", "a", "sign", "", "", "1.0", "", "")

    def deviations(self, row: Row, bare: str, ours: str, monkeypatch: Any) -> list[str]:
        monkeypatch.setattr(upstream, "rows", lambda library: [row])
        found = {"version": "2.4.6", "bare": {row.name: bare}, "ours": {row.name: ours}}
        return upstream.deviations(row.library, found)

    def test_a_fault(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert self.deviations(self.ROW, "2.0", "1.0", monkeypatch) == []

    @pytest.mark.parametrize(
        ("fields", "bare", "ours", "said"),
        [
            ({}, "1.0", "1.0", "the fault is gone"),
            ({}, "2.0", "2.0", "ours gives 2.0"),
            ({"gone_in": "2.4"}, "2.0", "1.0", "has the fault"),
            ({"since": "2.5"}, "2.0", "1.0", "has the fault"),
            ({"gone_in": "2.5"}, "1.0", "1.0", "the fault is gone"),
        ],
    )
    def test_others(
        self,
        fields: dict[str, Any],
        bare: str,
        ours: str,
        said: str,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        (line,) = self.deviations(replace(self.ROW, **fields), bare, ours, monkeypatch)
        assert said in line

    @pytest.mark.parametrize("bare", ["1.0", "2.0"])
    def test_some_processors(self, bare: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """Kernels for AVX-512 may have a fault that those for AVX2 lack."""
        row = replace(self.ROW, on_some_processors=True)
        assert self.deviations(row, bare, "1.0", monkeypatch) == []
        assert "ours gives" in self.deviations(row, bare, "2.0", monkeypatch)[0]

    def test_signs_of_zeros(self) -> None:
        assert not replace(self.ROW, expected="[0.0]").agrees("[-0.0]")

    def test_errors(self) -> None:
        row = replace(self.ROW, expected="ValueError")
        assert row.agrees("ValueError: no")
        assert not row.agrees("TypeError: no")

    def test_units_in_the_last_place(self) -> None:
        row = replace(self.ROW, ulps=2)
        assert row.agrees(str(1 + 2 * math.ulp(1)))
        assert not row.agrees(str(1 + 3 * math.ulp(1)))
        assert not row.agrees("inf")
        assert not row.agrees("nan")
        assert not row.agrees("RuntimeError: no")

    def test_an_end_of_the_process(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "executable", "/bin/false")
        assert run.measure("numpy", "a") == {"bare": {"a": "the process ends at once"}}
        with pytest.raises(RuntimeError, match="did not run"):
            run.measure("numpy")


def test_page_names_every_row() -> None:
    text = page.render()
    assert all(row.code in text for row in ROWS)
    assert f"{len(ROWS)} rows" in text
