"""Consecutive numbers of float32, measured in pieces, get the tally that any points get."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from benchmarks.accuracy import blocks, points, report, run
from benchmarks.accuracy.functions import FUNCTIONS, in_double, true_value
from benchmarks.accuracy.libraries import LIBRARIES, is_same_kernel
from benchmarks.accuracy.units import FORMATS, tally

FLOAT32 = FORMATS["float32"]
SIZE = 2**12
# 1; zero and subnormal ones; the largest ones; infinity and NaN; where exp overflows, and where it
# becomes subnormal; -1.
BEGINS = (0x3F800000, 0, 0x7F7FF000, 0x7F800000, 0x42B17000, 0xC2AEAC50, 0xBF800000)


def _numbers(begin: int) -> Any:
    return (np.arange(SIZE, dtype=np.uint32) + np.uint32(begin)).view(np.float32)


def _off(right: Any, kind: str) -> Any:
    """Put an error into results: none, one unit in some, or special values."""
    found = right.copy()
    if kind == "units":
        with np.errstate(all="ignore"):
            found[::7] = np.nextafter(found[::7], np.float32(np.inf))
    if kind == "special":
        found[5:9] = np.nan, np.inf, -0.0, 0.0
    return found


@pytest.mark.parametrize("kind", ["none", "units", "special"])
@pytest.mark.parametrize("begin", BEGINS)
@pytest.mark.parametrize("name", ["exp", "square", "log", "acos", "sin"])
def test_pieces_have_the_tally_of_points(
    name: str, begin: int, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "PIECE", SIZE // 4)
    x = _numbers(begin)
    truth = in_double(FUNCTIONS[name], x)
    with np.errstate(all="ignore"):
        result = _off(truth.astype(np.float32), kind)
    found = blocks.Pieces(x, truth, FLOAT32).tally(result).as_row()
    expected = tally([x], result, truth, FLOAT32).as_row()
    for key in ("total", "mean_ulp", "max_ulp", "max_ulp_subnormal", "profile"):
        np.testing.assert_allclose(found.pop(key), expected.pop(key), rtol=2e-4, err_msg=key)
    for key in ("at", "at_subnormal", "gave") if kind == "none" else ():
        found.pop(key), expected.pop(key)  # the first of equal errors, which float32 rounds
    assert found == expected


def test_a_unit_is_that_of_the_truth_on_both_sides_of_a_power() -> None:
    x = _numbers(0x3F800000 - SIZE // 2)
    result = np.nextafter(x, np.float32(2))
    found = blocks.Pieces(x, x.astype(np.float64), FLOAT32).tally(result)
    assert (found.max_ulp, found.total, found.correct) == (1, SIZE, 0)


@pytest.mark.parametrize("name", [n for n, f in FUNCTIONS.items() if f.arity == 1])
def test_a_truth_in_double_is_within_two_units_of_it(name: str) -> None:
    x = np.random.default_rng(0).uniform(0.1, 0.9, 64).astype(np.float32)
    x = 1 / x if name == "acosh" else x
    truths = in_double(FUNCTIONS[name], x)
    for number, found in zip(x.tolist(), truths.tolist(), strict=True):
        truth = true_value(FUNCTIONS[name], [number])
        assert abs(found - truth) <= 2 * math.ulp(found)


class TestBothAtOnce:
    def test_ours_is_the_kernel_of_the_library(self) -> None:
        one = np.ones(1, np.float32)
        assert all(is_same_kernel(library, "cos", one) for library in LIBRARIES)
        assert not is_same_kernel("torch", "cosh", one)  # ours corrects it
        assert not is_same_kernel("tensorflow", "log2", one)  # there is no such function

    def _measured(self, monkeypatch: pytest.MonkeyPatch, bare: Callable[..., Any]) -> Any:
        def made(library: str, _: str) -> dict[str, Callable[..., Any]]:
            return {"ours": np.exp, "bare": bare} if library == "numpy" else {}

        monkeypatch.setattr(run, "calls", made)
        monkeypatch.setattr(run, "EVALUATED", SIZE // 4)
        found = run.Measurement(FUNCTIONS["exp"], FLOAT32, {})
        found.block(_numbers(0x3F800000))
        return found.tallies

    def test_one_is_measured_for_both(self, monkeypatch: pytest.MonkeyPatch) -> None:
        sizes = []

        def bare(x: Any) -> Any:
            sizes.append(x.size)
            return np.exp(x)

        found = self._measured(monkeypatch, bare)
        assert sizes == [SIZE // 4]
        assert found["numpy/bare"].as_row() == found["numpy/ours"].as_row()
        assert found["numpy/bare"].points == SIZE

    def test_a_difference_is_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(AssertionError, match="numpy: ours differs from its exp"):
            self._measured(monkeypatch, lambda x: np.exp(x) + np.float32(1))

    def test_others_are_measured_apart(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(run, "is_same_kernel", lambda *_: False)
        found = self._measured(monkeypatch, lambda x: np.exp(x) + np.float32(1))
        assert found["numpy/bare"].max_ulp > 1e5
        assert found["numpy/ours"].max_ulp < 4


class TestExhaustion:
    def test_every_number_replaces_a_search(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        clock = iter(range(1000))
        monkeypatch.setattr(run, "time", SimpleNamespace(monotonic=lambda: next(clock)))
        monkeypatch.setattr(points, "blocks_of", lambda _: 2)
        monkeypatch.setattr(points, "block", lambda _, i: _numbers(BEGINS[i]))
        monkeypatch.setattr(run, "SEARCHED", 2)
        output, state = tmp_path / "output", tmp_path / "state"
        for folder in (output, state):
            folder.mkdir()
        run._measure(FUNCTIONS["exp"], FLOAT32, math.inf, output)
        assert {row["how"] for row in report.load(output)["rows"]} == {"searched"}
        run._exhaust(FUNCTIONS["exp"], next(clock) + 3, output, state)
        assert {row["steps"] for row in report.load(state)["rows"]} == {1}
        assert {row["how"] for row in report.load(output)["rows"]} == {"searched"}
        run._exhaust(FUNCTIONS["exp"], math.inf, output, state)
        rows = report.load(output)["rows"]
        assert {(row["how"], row["steps"]) for row in rows} == {("exhaustive", 2)}
        assert {row["points"] for row in rows if "points" in row} == {2 * SIZE}
