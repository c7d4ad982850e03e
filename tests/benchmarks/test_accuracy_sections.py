"""The sections of the report on accuracy find errors that are put in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import mpmath
import numpy as np
import pytest

from benchmarks.accuracy import arrays, complexes, mends, page, report, sections, special
from benchmarks.accuracy.drawn import truth_of
from benchmarks.accuracy.left import LEFT

Functions = dict[str, Callable[..., Any]]


def _numpy_only(monkeypatch: pytest.MonkeyPatch, module: Any, change: Callable[[Any], Any]) -> None:
    """Let NumPy be the only library, and change the results of its own function."""
    real = module.both

    def both(library: str, ours: Any, bare: Any, **named: Any) -> Functions:
        if library != "numpy":
            return {}
        found: Functions = real(library, ours, bare, **named)
        right = found["bare"]
        return {**found, "bare": lambda *xs: change(right(*xs))}

    monkeypatch.setattr(module, "both", both)


def _by_who(rows: Any) -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["dtype"], row["who"]): row for row in rows}


def _reported() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = report.load(Path(__file__).parents[2] / "reports")["sections"]
    return found


class TestSpecial:
    def test_an_error_is_found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def off(result: Any) -> Any:
            found = result.copy()
            found[-1] *= 1 + 16 * np.finfo(found.dtype).eps
            return found

        _numpy_only(monkeypatch, special, off)
        found = _by_who(special.rows(("erf",), 40))
        for dtype in ("float32", "float64"):
            assert found[dtype, "ours"]["max"] < 2
            assert found[dtype, "bare"]["max"] > 7
            assert found[dtype, "bare"]["points"] == 40
        assert found["float64", "bare"]["at"] != found["float64", "ours"]["at"]

    @pytest.mark.parametrize("name", ["digamma", "expit", "i0", "xlogy", "zeta"])
    def test_points_count(self, name: str) -> None:
        """Most of these domains are beyond float32, or their results are."""
        case = next(case for case in special.CASES if case.name == name)
        for dtype in ("float32", "float64"):
            arguments = special.drawn(case, dtype, 300)
            function = special.bare("numpy", name)
            assert function is not None
            for x in (*arguments, function(*(x.astype(np.float64) for x in arguments))):
                assert len(x) == 300
                assert np.finfo(dtype).tiny <= np.abs(x).min()
                assert np.abs(x).max() <= np.finfo(dtype).max

    def test_the_report_is_within_its_bars(self) -> None:
        """Eight rows may be outside; each has 2,000 points, or as many vectors."""
        found = [row for row in _reported() if row["section"] == "special"]
        names = {case.name for case in special.CASES}
        ours = {
            (row["function"], row["dtype"], row["library"]) for row in found if row["who"] == "ours"
        }
        assert len(ours) == len(names) * 2 * 4
        assert min(row["points"] for row in found if row["who"] == "ours") >= special.SIZE
        assert not any(row["wrong"] for row in found if row["who"] == "ours")
        assert len(special.outside(found)) <= 8

    def test_a_row_outside_is_noticed(self) -> None:
        found = [row for row in _reported() if row["section"] == "special"]
        for name, change in (("erf", {"max": 8.1}), ("gamma", {"relative": 1.1e-13})):
            worse = [row | change if row["function"] == name else row for row in found]
            assert len(special.outside(worse)) == len(special.outside(found)) + 4

    def test_vectors(self, monkeypatch: pytest.MonkeyPatch) -> None:
        _numpy_only(monkeypatch, special, lambda result: result)
        rows = list(special.rows(("softmax", "logsumexp"), 4))
        assert {row["points"] for row in rows} == {4, 32}
        assert all(row["max"] < 16 for row in rows)

    @pytest.mark.parametrize(
        ("name", "inverse"),
        [("erfinv", mpmath.erf), ("ndtri", lambda x: mpmath.erfc(-x / mpmath.sqrt(2)) / 2)],
    )
    def test_inverses_have_more_digits_than_a_double(self, name: str, inverse: Any) -> None:
        case = next(case for case in special.CASES if case.name == name)
        for y in (1e-200, 0.25, 1 - 2.0**-40):
            with mpmath.workdps(40):
                found = inverse(case.exact(mpmath.mpf(y)))
                assert abs(found / mpmath.mpf(y) - 1) < 1e-25

    def test_each_library_has_functions_of_its_own(self) -> None:
        found = {
            library: {case.name for case in special.CASES if special.bare(library, case.name)}
            for library in ("numpy", "torch", "tensorflow", "jax")
        }
        assert len(found["numpy"]) == len(special.CASES)
        assert "beta" not in found["torch"]
        assert {"gammainc", "softmax"} <= found["tensorflow"] & found["torch"] & found["jax"]


class TestComplex:
    def test_an_error_in_one_component(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def off(result: Any) -> Any:
            smaller = np.minimum(np.abs(result.real), np.abs(result.imag))
            change = 8 * np.spacing(smaller)
            both = np.abs(result.real) < np.abs(result.imag)
            return (result + np.where(both, change, 1j * change)).astype(result.dtype)

        _numpy_only(monkeypatch, complexes, off)
        found = _by_who(complexes.rows(("exp",), 20))
        row = found["complex128", "bare"]
        assert row["component"] >= 7
        assert row["max"] <= 9
        assert found["complex128", "ours"]["component"] < 4

    def test_a_truth_of_real_numbers(self) -> None:
        case = next(case for case in complexes.CASES if case.name == "abs")
        assert truth_of(case, [np.array([3 + 4j, -5 + 12j])]).tolist() == [5, 13]


class TestArrays:
    def test_a_wrong_sum_is_found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        _numpy_only(monkeypatch, arrays, lambda result: result * (1 + 1e-3))
        rows = list(arrays.reductions((100,)))
        assert {row["function"] for row in rows} == {"sum", "mean", "var", "prod", "vector_norm"}
        for row in rows:
            if row["dtype"] == "float64" and row["domain"].startswith("positive"):
                assert (row["max"] > 1e12) == (row["who"] == "bare"), row

    def test_wrong_factors_are_found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def off(result: Any) -> Any:
            parts = result if isinstance(result, list) else [result]
            return [*parts[:-1], parts[-1] * (1 + 1e-3)]

        _numpy_only(monkeypatch, arrays, off)
        rows = [row for row in arrays.decompositions((4,)) if row["dtype"] == "float64"]
        assert len({row["function"] for row in rows}) == 8
        for row in rows:
            assert (row["max"] > 1e7) == (row["who"] == "bare"), row
            assert row["who"] == "bare" or row["max"] < 40, row


ROW: Final = {
    "section": "special", "function": "erf", "domain": "-6 to 6", "dtype": "float64",
    "library": "numpy", "who": "ours", "max": 1.25, "wrong": 0,
}  # fmt: skip


class TestReport:
    def test_missing_cells_say_none(self) -> None:
        lines = sections.markdown([ROW, {**ROW, "library": "torch", "max": 1e7}])
        assert lines[-1].startswith("| erf | -6 to 6 | float64 | none | 1.25 | none | 1.0e+07 |")
        assert "## Special functions" in lines

    def test_sections_are_measured_once(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calls = []

        def rows() -> Any:
            calls.append(1)
            yield {key: value for key, value in ROW.items() if key != "section"}

        made = {name: sections.Section(rows, name, "") for name in ("special", "complex")}
        monkeypatch.setattr(sections, "SECTIONS", made)
        for _ in range(2):
            sections.measure(tmp_path)
        assert len(calls) == 2
        found = report.load(tmp_path)
        assert [row["section"] for row in found["sections"]] == ["special", "complex"]
        assert "## complex" in page.markdown(found)


class TestMends:
    @pytest.mark.parametrize("key", [key for key in LEFT if key[2] == "tensorflow"])
    def test_a_mend_is_the_same_function(self, key: tuple[str, str, str]) -> None:
        made = mends.mend_of(*key)
        if made is None:
            assert key == ("pow", "float64", "tensorflow")
            return
        arguments = [np.asarray([0.2, 0.5, 0.8], key[1])] * (2 if key[0] in ("atan2", "pow") else 1)
        own, mended = (np.asarray(function(*arguments)) for function in made)
        assert own.dtype == mended.dtype == key[1]
        np.testing.assert_allclose(own, mended, rtol=16 * np.finfo(key[1]).eps)
