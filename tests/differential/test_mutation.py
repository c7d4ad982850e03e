"""The test of the tests: wrong answers are noticed. `tox -e mutation` runs all of it.

Here the results of each function are mutated on the NumPy backend, with a few calls; the committed
report under `reports/` has all backends.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arrayapi_unify import backends
from arrayapi_unify.binding import namespace_of
from tests.differential import mutation
from tests.differential.case import ArrayArg, Case
from tests.differential.coverage import compared
from tests.differential.mutants import MUTATIONS, Part, excepted, is_right
from tests.differential.mutation import REPORTS, Tally, attack, attack_function, main, rate
from tests.installed import LAZY

_CALLS = 5


# Their results hold no arrays that could be corrupted.
_WITHOUT_ARRAYS = {
    "broadcast_shapes", "can_cast", "dtype", "finfo", "iinfo", "iscomplexobj", "isdtype", "ndim",
    "requires_gradient", "result_type", "shape", "size", "to_list", "to_scalar",
}  # fmt: skip


@pytest.mark.sample(60)
@pytest.mark.parametrize("function", compared())
def test_wrong_answers_are_noticed(function: str) -> None:
    tally = Tally()
    attack_function(function, namespace_of("numpy"), _CALLS, 0, tally)
    assert not tally.missed, "\n".join(tally.missed)
    assert bool(tally.made) != (function in _WITHOUT_ARRAYS)


def test_report_is_of_all_backends_and_good_enough() -> None:
    report = json.loads((REPORTS / "mutation.json").read_text())
    found = {name for counts in report["functions"].values() for name in counts}
    assert found == set(backends.REGISTRY) - set(LAZY)  # these compute by NumPy's functions
    assert report["noticed"] / report["made"] >= mutation.LEAST
    assert len(report["missed"]) == report["made"] - report["noticed"]
    counted = [c for of in report["functions"].values() for b in of.values() for c in b.values()]
    assert [sum(c) for c in zip(*counted, strict=True)] == [report["made"], report["noticed"]]


# --- the mutations themselves ---------------------------------------------------------------------

_CASE = Case("multiply", (ArrayArg(np.array([[1.0, -2.0], [0.5, 3.0]])), ArrayArg(np.array(2.0))))


def test_blind_comparison_is_found_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(mutation, "compare", lambda *args: None)
    tally = Tally()
    attack(_CASE, namespace_of("numpy"), tally)
    assert rate(tally) == 0
    options = ["--backend", "numpy", "--function", "add", "--examples", "3"]
    assert main([*options, "--output", str(tmp_path)]) == 1
    assert "0.000 %" in capsys.readouterr().out
    report = json.loads((tmp_path / "mutation.json").read_text())
    assert report["noticed"] == 0 < report["made"]
    assert "**0 of" in (tmp_path / "mutation.md").read_text()


def _part(values: Any, function: str = "multiply", *arrays: Any) -> Part:
    values = np.asarray(values)
    return Part(Case(function, tuple(map(ArrayArg, arrays))), 0, values, values)


@pytest.mark.parametrize("name", MUTATIONS)
def test_corruptions_change_something(name: str) -> None:
    part = _part(np.array([[1.0, -2.0, 0.0], [0.5, 3.0, 9.0], [1.0, 1.0, 5.0]]))
    mutant = MUTATIONS[name](part)
    same = mutant.dtype == part.got.dtype and np.array_equal(mutant, part.got)
    assert not same or np.any(np.signbit(mutant) != np.signbit(part.got))
    assert not is_right(part, mutant, name == "sign of zero")


def test_what_changes_nothing_is_right() -> None:
    assert is_right(_part(np.zeros((2, 2))), np.zeros((2, 2)), False)
    assert is_right(_part(np.eye(3)), MUTATIONS["transposed"](_part(np.eye(3))), False)


def test_what_is_as_near_is_right() -> None:
    """For a sum of 0.1, 0.2 and -0.3, zero is as right as 5e-17; for a sum of ones it isn't."""
    x = np.array([0.1, 0.2, -0.3])
    assert is_right(_part(np.sum(x), "sum", x), np.zeros(()), False)
    assert not is_right(_part(np.asarray(3.0), "sum", np.ones(3)), np.zeros(()), False)


def test_signs_of_zeros_are_excepted_where_nobody_promises_them() -> None:
    assert excepted(_part(np.zeros(2), "sum", np.zeros((2, 2))), "sign of zero")
    assert excepted(_part(np.zeros(2), "add"), "sign of zero") is None
    assert excepted(_part(np.zeros(2), "sum", np.zeros((2, 2))), "zeros") is None
