"""The benchmark of programs: each way gives SciPy's or scikit-learn's results, and is reported."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from arrayapi_unify import use_backend
from benchmarks.cases import installed
from benchmarks.programs import report, timing, worker
from benchmarks.programs.catalog import PROGRAMS
from benchmarks.programs.program import SIZES, differing
from tests.tables import each

# Inductor compiles each program for seconds: two programs are enough on PyTorch.
_COMPILED = {"torch": ("fft_filter", "network")}
# Inductor's warnings about complex numbers, and of its imports.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*script_method:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Torchinductor does not support:UserWarning"),
]


@pytest.mark.slow
@pytest.mark.parametrize("backend", installed())
@each("name", PROGRAMS)
def test_all_ways_agree_with_the_reference(backend: str, name: str) -> None:
    program = PROGRAMS[name]
    wanted = program.reference(*program.made("small"))
    with use_backend(backend):
        for way, run in timing.ways(backend, program, "small").items():
            if "compiled" in way and name not in _COMPILED.get(backend, PROGRAMS):
                continue
            assert differing(run(), wanted) == "", way


@each("name", PROGRAMS)
def test_a_wrong_result_is_noticed(name: str) -> None:
    program = PROGRAMS[name]
    for size in ("small", "middle"):
        wanted = program.reference(*program.made(size))
        assert differing(wanted, wanted) == ""
        for i, right in enumerate(wanted):
            wrong = np.array(right)
            wrong.flat[0] += 1
            assert differing([*wanted[:i], wrong, *wanted[i + 1 :]], wanted) != ""


def test_the_net_goes_down_its_slope() -> None:
    # The formulas of the derivatives, compared with differences of the loss.
    program = PROGRAMS["network"]
    x, true, *weights = program.made("small")
    moved = program.portable(np, x, true, *weights)[1:]
    for i, (before, after) in enumerate(zip(weights, moved, strict=True)):
        for place in np.ndindex(before.shape):
            losses = []
            for way in (1e-6, -1e-6):
                other = [w.copy() for w in weights]
                other[i][place] += way
                losses.append(program.portable(np, x, true, *other)[0])
            slope = (losses[0] - losses[1]) / 2e-6
            assert before[place] - after[place] == pytest.approx(0.5 * slope, abs=1e-8)


def test_a_way_that_is_wrong_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = PROGRAMS["pca"].portable

    def twice(xp: object, x: object) -> object:
        scores, *others = broken(xp, x)
        return (2.0 * scores, *others)

    program = timing.PROGRAMS["pca"]
    changed = {field: getattr(program, field) for field in program.__dataclass_fields__}
    monkeypatch.setitem(timing.PROGRAMS, "pca", type(program)(**{**changed, "portable": twice}))
    done = CliRunner().invoke(
        worker.main,
        ["numpy", "--program", "pca", "--size", "small", "--rounds", "1", "--output", "/dev/null"],
    )
    assert done.exit_code != 0
    assert "PCA, small, bound: a share of 1.000 of result 0 differs" in done.output


def _timing(backend: str, name: str, size: str, **ratios: float) -> timing.Timing:
    return timing.Timing(backend, name, size, "n", 10.0, None, ratios)


def test_report(tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    done = CliRunner().invoke(
        worker.main,
        ["numpy", "--program", "pca", "--program", "network", "--size", "small", "--rounds", "1",
         "--output", str(lines)],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    timings = [timing.Timing(**json.loads(line)) for line in lines.read_text("utf-8").splitlines()]
    assert [t.program for t in timings] == ["pca", "network"]
    assert all(t.ratios[way] > 0 for t in timings for way in report.OURS)
    report.write(tmp_path, timings, ["Keras"])
    assert json.loads((tmp_path / "programs.json").read_text("utf-8")) == [
        asdict(t) for t in timings
    ]
    page = (tmp_path / "programs.md").read_text("utf-8")
    assert "left out: Keras" in page
    assert "| numpy | small net | small: 8 rows" in page
    drawn = (tmp_path / "programs.svg").read_text("utf-8")
    assert "numpy, small" in drawn
    assert "Date" not in drawn


def test_what_is_above_its_threshold_is_named() -> None:
    assert [report.threshold(b, size) for b in ("numpy", "jax") for size in SIZES] == [
        1.6, 1.05, 1.05, 1.25, 1.05, 1.05,
    ]  # fmt: skip
    ratios = {"bound": 1.3, "top level": 1.2, "portable": 1.7, "compiled": 1.0, "Keras": 9.0}
    assert report.spell_reason(_timing("numpy", "new", "small", **ratios)) == "not portable"
    assert report.spell_reason(_timing("jax", "new", "small", **ratios)) == "not bound, portable"
    assert report.spell_reason(_timing("jax", "new", "small", bound=1.25)) == "yes"
