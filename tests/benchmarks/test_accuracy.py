"""The measurement of accuracy finds errors that are put in, at the points where they are."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import mpmath
import numpy as np
import pytest
from click.testing import CliRunner

from arrayapi_unify.contracts import CONTRACTS
from benchmarks.accuracy import exact, page, points, report, run
from benchmarks.accuracy.functions import EXACT, FUNCTIONS, Function, true_value
from benchmarks.accuracy.libraries import LIBRARIES, calls
from benchmarks.accuracy.units import EDGES, FORMATS, Tally, exact_error, tally, ulp_errors

FLOAT32, FLOAT16 = FORMATS["float32"], FORMATS["float16"]
HALF_LARGEST = 65504.0


class TestUnits:
    @pytest.mark.parametrize("name", ["float16", "float32", "bfloat16"])
    @pytest.mark.parametrize("truth", [1.0, 1.5, -3.0, 1e-3])
    @pytest.mark.parametrize("steps", [0, 1, 5])
    def test_a_step_is_a_unit(self, name: str, truth: float, steps: int) -> None:
        dtype = FORMATS[name].dtype
        result = np.asarray([truth], dtype)
        exactly = result.astype(np.float64)
        for _ in range(steps):  # away from zero, where the unit is that of the truth
            result = np.nextafter(result, np.asarray(math.copysign(1e4, truth), dtype))
        found = ulp_errors(result, exactly, FORMATS[name])
        np.testing.assert_allclose(found, [steps])

    def test_a_subnormal_unit_is_the_smallest_number(self) -> None:
        result = np.asarray([3 * 2.0**-24], np.float16)
        assert ulp_errors(result, np.asarray([1.5 * 2.0**-24]), FLOAT16) == [1.5]

    @pytest.mark.parametrize(
        ("result", "truth", "error"),
        [
            (np.inf, 65520.0, 0.5),  # half a unit beyond the largest number: rounds to infinity
            (np.inf, 1e9, 0.0),
            (np.inf, HALF_LARGEST, 1.0),
            (HALF_LARGEST, 1e9, 1.0),
            (np.inf, np.inf, 0.0),
            (-np.inf, np.inf, np.inf),
            (np.nan, np.nan, 0.0),
            (np.nan, 1.0, np.inf),
            (1.0, np.nan, np.inf),
            (0.0, 0.0, 0.0),
            (-0.0, 0.0, np.inf),
        ],
    )
    def test_special_values(self, result: float, truth: float, error: float) -> None:
        found = ulp_errors(np.asarray([result], np.float16), np.asarray([truth]), FLOAT16)
        assert found == [error]

    @pytest.mark.parametrize(("truth", "result"), [(1 / 3, 0.33333), (1e-6, 1.1e-6), (65510, 6e4)])
    def test_one_number_against_many_digits(self, truth: float, result: float) -> None:
        half = np.asarray([result], np.float16)
        expected = ulp_errors(half, np.asarray([truth]), FLOAT16)[0]
        assert exact_error(float(half[0]), mpmath.mpf(truth), FLOAT16) == pytest.approx(expected)


class TestTally:
    x = np.asarray([0.5, 1.0, 2.0, 3e-8, np.nan, -4.0], np.float16)
    truth = np.asarray([0.5, 1.0, 2.0, 1.0, np.nan, -4.0])

    def _of(self, result: list[float]) -> Tally:
        found = np.asarray(result, np.float16)
        return tally([self.x], found, self.truth, FLOAT16)

    def test_no_error(self) -> None:
        found = self._of([0.5, 1.0, 2.0, 1.0, np.nan, -4.0])
        assert (found.max_ulp, found.total, found.wrong) == (0, 0, 0)
        assert found.correct == found.points == 6

    def test_each_kind_of_error_is_counted_apart(self) -> None:
        found = self._of([0.5 + 3 * 2**-11, 1.0, 2.0 + 2**-9, 1.0 + 2**-10, 7.0, np.nan])
        assert (found.max_ulp, found.at, found.gave) == (3.0, [0.5], 0.5 + 3 * 2**-11)
        assert found.total == 4.0
        assert (found.max_ulp_subnormal, found.at_subnormal) == (1.0, [float(self.x[3])])
        assert found.wrong == 2
        assert math.isnan(found.wrong_at[0])
        assert found.correct == 1
        assert found.profile[len(EDGES) - EDGES[0] - 1] == 3.0  # of 2**-1
        assert found.profile[len(EDGES) - EDGES[0] + 1] == 1.0  # of 2**1

    def test_parts_merge_to_the_whole(self) -> None:
        result = np.asarray([0.5 + 3 * 2**-11, 1.0, 2.25, 1.0, 7.0, -4.0], np.float16)
        whole = tally([self.x], result, self.truth, FLOAT16)
        merged = Tally()
        for part in (slice(0, 2), slice(2, 6)):
            merged.merge(tally([self.x[part]], result[part], self.truth[part], FLOAT16))
        assert Tally.of_row(json.loads(json.dumps(whole.as_row()))).as_row() == whole.as_row()
        assert merged.as_row() == whole.as_row()


class TestPoints:
    @pytest.mark.parametrize("name", ["float16", "bfloat16"])
    def test_blocks_have_every_number_once(
        self, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(points, "BLOCK", 2**14)
        format_ = FORMATS[name]
        assert points.blocks_of(format_) == 4
        bits = np.concatenate([points.block(format_, i).view(np.uint16) for i in range(4)])
        assert sorted(bits) == list(range(2**16))

    def test_blocks_of_float32(self) -> None:
        count = points.blocks_of(FLOAT32)
        assert count * points.BLOCK == 2**32
        assert points.block(FLOAT32, count - 1)[-1:].view(np.uint32) == 2**32 - 1

    @pytest.mark.parametrize("arity", [1, 2])
    def test_a_search_has_all_magnitudes(self, arity: int) -> None:
        found = points.drawn(np.random.default_rng(0), 2**14, FORMATS["float64"], arity)
        assert [len(x) for x in found] == [2**14] * arity
        for x in found:
            exponents = np.frexp(x[np.isfinite(x) & (x != 0)])[1]
            assert exponents.min() < -900
            assert exponents.max() > 900
            assert np.mean(np.abs(exponents) < 12) > 0.3

    @pytest.mark.parametrize("name", ["float16", "float32"])
    def test_nan_is_quiet(self, name: str) -> None:
        format_ = FORMATS[name]
        found = points.drawn(np.random.default_rng(0), 2**14, format_, 1)[0]
        nans = found[np.isnan(found)].view(format_.bits)
        assert len(nans) > 20
        assert np.all(nans >> (format_.precision - 2) & 1)

    def test_points_near_the_worst_are_near(self) -> None:
        found = points.near(np.random.default_rng(0), [[3.0]], 1000, FORMATS["float64"])[0]
        assert np.all((found >= 1) & (found < 8))
        assert len(np.unique(found)) > 500


class TestReferences:
    def test_every_function_of_the_standard_is_measured(self) -> None:
        own = {
            "angle", "cbrt", "deg2rad", "divmod", "exp2", "float_power", "fmax", "fmin", "fmod",
            "heaviside", "isneginf", "isposinf", "rad2deg", "sinc",
        }  # fmt: skip
        elementwise = {n for n, c in CONTRACTS.items() if c.category == "elementwise"}
        assert {*FUNCTIONS, *EXACT} == elementwise - own
        assert len(FUNCTIONS) + len(EXACT) == 67

    @pytest.mark.parametrize("name", FUNCTIONS)
    def test_both_references_are_the_same_function(self, name: str) -> None:
        function = FUNCTIONS[name]
        arguments = [1.25, 0.75][: function.arity]
        arguments = [0.3] if name in ("acos", "asin", "atanh") else arguments
        wide = function.wide(*map(np.float64, arguments))
        assert float(true_value(function, arguments)) == pytest.approx(float(wide), rel=1e-14)

    def test_digits_suffice_for_a_small_difference(self) -> None:
        truth = true_value(FUNCTIONS["add"], [1e300, 1e-300])
        with mpmath.workdps(700):
            assert float((truth - mpmath.mpf(1e300)) / mpmath.mpf(1e-300)) == pytest.approx(1)


def _exp_with_an_error(x: Any) -> Any:
    """Compute exp in float64, but for two units at 2.5."""
    right = np.exp(x.astype(np.float64)).astype(x.dtype)
    unit = np.nextafter(right, np.asarray(np.inf, x.dtype)) - right
    return np.where(x == 2.5, right + 2 * unit, right).astype(x.dtype)


class TestMeasurement:
    @pytest.fixture
    def fake(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def made(library: str, _: str) -> dict[str, Callable[..., Any]]:
            def right(x: Any) -> Any:
                return np.exp(x.astype(np.float64)).astype(x.dtype)

            def refused(x: Any) -> Any:
                raise TypeError("no such data type")

            bare = {"numpy": _exp_with_an_error, "jax": refused}.get(library, right)
            return {"ours": right, "bare": bare}

        monkeypatch.setattr(run, "calls", made)
        monkeypatch.setattr(points, "BLOCK", 2**14)

    def _measured(self, rows: dict[str, Any], until: float) -> run.Measurement:
        found = run.Measurement(FUNCTIONS["exp"], FLOAT16, rows)
        for _ in found.run(until):
            pass
        return found

    def test_an_error_is_found_where_it_is(self, fake: None) -> None:
        rows = self._measured({}, math.inf).rows()
        assert rows["numpy/bare"]["at"] == [2.5]
        assert rows["numpy/bare"]["max_ulp"] == pytest.approx(2, abs=0.5)
        assert rows["numpy/ours"]["max_ulp"] <= 0.5001
        assert rows["numpy/ours"]["points"] == 2**16
        assert rows["numpy/ours"]["share_correct"] == 1
        assert "points" not in rows["jax/bare"]
        assert rows["jax/bare"]["how"] == "exhaustive"

    def test_a_run_goes_on_where_one_ended(
        self, fake: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        clock = iter(range(100))
        monkeypatch.setattr(time, "monotonic", lambda: next(clock))
        part = self._measured({}, 1)
        assert part.done == 2
        report.merge(tmp_path, part.rows())
        rest = self._measured(report.rows_of(tmp_path, "exp", "float16"), math.inf)
        assert rest.done == 4
        assert rest.rows() == self._measured({}, math.inf).rows()

    def test_other_libraries_begin_anew(
        self, fake: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        report.merge(tmp_path, self._measured({}, math.inf).rows())
        monkeypatch.setattr(report, "environment", lambda: {"packages": {"numpy": "0"}})
        assert report.rows_of(tmp_path, "exp", "float16") == {}

    def test_two_functions_share_a_report(self, fake: None, tmp_path: Path) -> None:
        rows = self._measured({}, math.inf).rows()
        report.merge(tmp_path, rows)
        others = {key: row | {"function": "log"} for key, row in rows.items()}
        report.merge(tmp_path, others)
        report.merge(tmp_path, rows)
        found = report.load(tmp_path)["rows"]
        assert [row["function"] for row in found] == ["exp"] * 8 + ["log"] * 8
        assert "NaN" not in json.dumps(found)

    @pytest.mark.slow
    def test_a_search_climbs_to_the_worst(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A fault that grows toward one point: the draws are far from it, the climb isn't."""

        def wrong(x: Any) -> Any:
            near = np.abs(x.astype(np.longdouble) - 1.7)
            size = np.where(near < 1, 40 * (1 - near) ** 8, 0)
            return (np.exp(x.astype(np.longdouble)) * (1 + size * 2.0**-53)).astype(x.dtype)

        monkeypatch.setattr(run, "calls", lambda *_: {"ours": wrong})
        monkeypatch.setattr(run, "SEARCHED", 10)
        cut_off = run.Measurement(FUNCTIONS["exp"], FORMATS["float64"], {})
        next(cut_off.run(math.inf))
        found = run.Measurement(FUNCTIONS["exp"], FORMATS["float64"], cut_off.rows())
        assert found.done == 0  # it begins anew
        found = run.Measurement(FUNCTIONS["exp"], FORMATS["float64"], {})
        for _ in found.run(math.inf):
            pass
        row = found.rows()["numpy/ours"]
        assert row["at"][0] == pytest.approx(1.7, abs=0.05)
        assert row["max_ulp"] > 25


@pytest.mark.parametrize("library", LIBRARIES)
def test_each_library_computes_each_data_type(library: str) -> None:
    for dtype in ("float32", "float64", ml_dtypes.bfloat16):
        x = np.asarray([0.25, 4.0], dtype)
        for who, function in calls(library, "sqrt").items():
            found = function(x)
            assert found.dtype == x.dtype, who
            expected = np.sqrt(x.astype(np.float64)).astype(dtype)
            np.testing.assert_array_equal(found, expected)
    assert "bare" in calls(library, "exp")


class TestExact:
    def test_no_function_rounds(self) -> None:
        assert exact.verify("numpy", "ours", 2**10).wrong == 0

    def test_a_wrong_value_is_found(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def made(library: str, function: str) -> dict[str, Callable[..., Any]]:
            found = calls(library, function)
            if function == "trunc":
                found["ours"] = lambda x: np.floor(x)
            return found

        monkeypatch.setattr(exact, "calls", made)
        found = exact.verify("numpy", "ours", 2**10)
        assert found.wrong > 0
        assert found.first.startswith("trunc ")


def test_a_page_is_written_when_the_time_is_over(tmp_path: Path) -> None:
    options = ["--function", "exp", "--dtype", "float16", "--output", str(tmp_path), "--minutes"]
    assert CliRunner().invoke(run.main, [*options, "0"]).exit_code == 0
    assert not list(tmp_path.iterdir())  # nothing is measured
    done = CliRunner().invoke(run.main, [*options, "10"])
    assert "exp float16: 1 of 1 steps" in done.output, done.output
    page_of_all = (tmp_path / "accuracy.md").read_text(encoding="utf-8")
    (tmp_path / "accuracy.md").unlink()
    assert CliRunner().invoke(run.main, [*options, "0"]).exit_code == 0
    assert (tmp_path / "accuracy.md").read_text(encoding="utf-8") == page_of_all


def test_the_page_names_what_is_missing(tmp_path: Path) -> None:
    function = Function("exp", np.exp, mpmath.exp)
    measured = run.Measurement(function, FLOAT16, {})
    for _ in measured.run(math.inf):
        pass
    report.merge(tmp_path, measured.rows())
    text = page.markdown(report.load(tmp_path))
    assert "| exp | float16 | 0.50 |" in text
    assert "| none" not in text
    rows = report.load(tmp_path)
    rows["rows"] = [row for row in rows["rows"] if row["who"] == "ours"]
    assert "| none" in page.markdown(rows)
