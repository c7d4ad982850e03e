"""Reports of a library that isn't finished, by the official suite."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from compliance import absent, needs, states, suite
from compliance.results import is_valid
from compliance.standard import STANDARD
from tests import unfinished
from tests.compliance.conftest import REPOSITORY

KNOWN = needs._read()


@pytest.mark.parametrize(
    ("nodeid", "name"),
    [
        ("t.py::test_iinfo[dtype0]", "t.py::test_iinfo[int32]"),
        ("t.py::test_finfo_dtype[dtype1]", "t.py::test_finfo_dtype[float64]"),
        ("t.py::test_finfo[float32]", "t.py::test_finfo[float32]"),
        ("t.py::test_finfo[dtype2]", "t.py::test_finfo[dtype2]"),
    ],
)
def test_names_of_numbered_data_types(nodeid: str, name: str) -> None:
    lacking = {"complex64", "complex128", "int8", "int16", *(f"uint{n}" for n in (8, 16, 32, 64))}
    assert needs.named(nodeid, lacking) == name


class TestNeeds:
    """The names that each test of the pinned suite needs."""

    def test_every_test_is_there(self) -> None:
        assert len(KNOWN.names) == suite.TESTS
        assert KNOWN.names.keys() == KNOWN.real.keys()
        assert needs.of(True, suite.API_VERSION) is KNOWN
        assert needs.of(False, suite.API_VERSION) is needs.of(True, "2024.12") is None

    def test_they_are_names_of_the_standard(self) -> None:
        for names in (*KNOWN.names.values(), *KNOWN.real.values()):
            assert set(names) <= STANDARD.category_of.keys()
        for without, tests in KNOWN.dtypes:
            assert without <= set(STANDARD.dtypes)
            assert tests <= KNOWN.names.keys()

    def test_some_of_them(self) -> None:
        test = "array_api_tests/test_operators_and_elementwise_functions.py::test_exp"
        assert {"exp", "finfo", "iinfo", "isnan"} <= set(KNOWN.real[test])
        without = dict(KNOWN.dtypes)
        fft = "array_api_tests/test_fft.py::test_fft"
        assert fft in without[frozenset(needs.NO_COMPLEX)]
        assert fft not in without[frozenset({"uint8"})]


def measured(name: str, folder: Path) -> dict[str, Any]:
    """Return the report of a quick run on one of the two namespaces, and check it."""
    spec = f"tests.unfinished.{name}"
    command = [sys.executable, "-m", "compliance", "run", spec, "--quick", "--workers", "2"]
    done = subprocess.run(
        [*command, "--require-official", "--output", str(folder)],
        cwd=REPOSITORY, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    found: dict[str, Any] = json.loads((folder / f"{spec}.json").read_text(encoding="utf-8"))
    assert is_valid(found)
    ids = {needs.named(test["nodeid"]) for test in found["data"]["tests"]}
    assert ids == KNOWN.names.keys()
    assert len(found["data"]["tests"]) == len(ids)
    assert states.counts(found["data"]["tests"]).items() <= found["data"]["summary"].items()
    found["shown"] = done.stdout
    return found


def of_names(tests: list[dict[str, Any]]) -> dict[str, str]:
    """Return the states of the 31 functions."""
    found = states.functions(tests)
    return {name: state for (_, name), state in found.items() if name in unfinished.FUNCTIONS}


@pytest.mark.slow
@pytest.mark.skipif(not suite.cache_folder().exists(), reason="the official suite isn't at hand")
def test_a_library_of_31_functions(tmp_path: Path) -> None:
    """None of them is wrong, and the advice keeps its promise."""
    before = measured("first", tmp_path / "first")
    tests = before["data"]["tests"]
    counts = Counter(of_names(tests).values())
    assert counts["right"] >= 26
    assert counts["right"] + counts["waiting"] == 31
    wrong = [test["nodeid"] for test in tests if test["state"] == states.WRONG]
    assert wrong == []
    assert states.score(tests) in before["shown"]
    step, *_ = states.advice(tests)
    assert step.names == unfinished.ADVISED
    assert f"finfo and iinfo: {step.tests} more tests can run" in before["shown"]
    after = measured("second", tmp_path / "second")["data"]["tests"]
    assert Counter(of_names(after).values()) == {"right": 31}
    could, can = (
        {test["nodeid"] for test in every if test["state"] in (states.RIGHT, states.WRONG)}
        for every in (tests, after)
    )
    assert could <= can
    assert len(can - could) == step.tests


def test_a_data_type_alone_is_told_apart() -> None:
    lacking = absent.Absent(dtypes=frozenset(needs.NO_COMPLEX))
    test = {"nodeid": "array_api_tests/test_fft.py::test_fft", "outcome": "failed"}
    states.annotate([test], lacking, KNOWN)
    assert test["state"] == states.WAITING
    assert test["waits_for"] == sorted(needs.NO_COMPLEX)
