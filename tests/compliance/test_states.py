"""The states of tests and functions, the causes of failures, and the names to write next."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from compliance import absent, badge, report, states, store, suite, view
from compliance.absent import Absent
from compliance.errors import ComplianceError
from compliance.needs import Needs
from compliance.results import SCHEMA, is_valid

LACKING = Absent(
    frozenset({"finfo", "iinfo", "atan2", "linalg.det", "linalg"}),
    frozenset({"complex64", "complex128", "uint8"}),
)
NEEDS = Needs(
    {"t.py::test_exp": ("finfo", "imag"), "t.py::test_atan2": ("finfo",)},
    {"t.py::test_exp": ("finfo",), "t.py::test_atan2": ("finfo",)},
    (
        (frozenset({"complex64", "complex128"}), frozenset({"t.py::test_conj"})),
        (frozenset({"uint8"}), frozenset({"t.py::test_conj", "t.py::test_sum"})),
        (frozenset({"int8"}), frozenset({"t.py::test_sum"})),
    ),
)


def one(name: str, outcome: str = "failed", message: str = "", **more: str) -> dict[str, Any]:
    """Return a test of a function."""
    test = {"nodeid": f"t.py::test_{name}", "outcome": outcome, "function": name}
    return {"category": "elementwise", "message": message, **test, **more}


def annotated(*tests: dict[str, Any], needs: Needs | None = None) -> list[dict[str, Any]]:
    """Return the tests with their states."""
    states.annotate(tests, LACKING, needs)
    return list(tests)


class TestState:
    """The state of a test."""

    @pytest.mark.parametrize(
        ("test", "state", "waits_for"),
        [
            (one("exp", "passed"), "right", None),
            (one("exp", "skipped"), "skipped", None),
            (one("exp", message="out=2, but should be 1"), "wrong", None),
            # A name that is there, and one of another module, excuse nothing.
            (one("exp", message="AssertionError: sin is not defined in x"), "wrong", None),
            (one("exp", message="module 'x' has no attribute '_private'"), "wrong", None),
            (
                one("exp", message="AssertionError: finfo is not defined in x"),
                "waiting",
                ["finfo"],
            ),
            (
                one("exp", message="module x does not have required attributes: iinfo, finfo"),
                "waiting",
                ["finfo", "iinfo"],
            ),
            (
                one("exp", message="module 'x' has no attribute 'complex64'"),
                "waiting",
                ["complex64"],
            ),
            (
                one("exp", message="ValueError: no complex dtype to match float32"),
                "waiting",
                ["complex128", "complex64"],
            ),
            (one("atan2", message="assert False"), "absent", ["atan2"]),
            (
                one("det", "lost_extension", category="linalg"),
                "absent",
                ["linalg.det"],
            ),
        ],
    )
    def test_by_the_message(
        self, test: dict[str, Any], state: str, waits_for: list[str] | None
    ) -> None:
        annotated(test)
        assert (test["state"], test.get("waits_for")) == (state, waits_for)

    def test_by_what_is_known_of_the_suite(self) -> None:
        """A test may fail by one name, and need more; without complex numbers it needs fewer."""
        exp, atan2, conj, total = annotated(
            one("exp", message="assert 1"), one("atan2"), one("conj"), one("sum"), needs=NEEDS
        )
        assert (exp["state"], exp["waits_for"]) == ("waiting", ["finfo"])
        assert (atan2["state"], atan2["waits_for"]) == ("absent", ["atan2", "finfo"])
        assert conj["waits_for"] == ["complex128", "complex64", "uint8"]
        assert total["waits_for"] == ["uint8"]

    def test_what_is_absent_by_the_tests_of_names_alone(self) -> None:
        """An older report has no list of it."""
        tests = [
            one("sin", message="x is missing the elementwise function sin()"),
            one("det", message="module 'x' has no attribute 'linalg'", category="linalg"),
            one("T", message="The x array object is missing the attribute T"),
            one("cos", message="AssertionError: ones is not defined in x"),
        ]
        for test in tests:
            test["nodeid"] = f"test_has_names[{test['function']}]"
        found = absent.of({"dtypes": ["int8"]}, tests)
        assert {"sin", "T", "linalg", "linalg.det", "linalg.svd"} <= found.names
        assert not {"cos", "ones", "fft.fft"} & found.names
        assert "bool" not in found.dtypes
        assert "uint8" in found.dtypes

    def test_tests_that_can_not_run(self) -> None:
        assert absent.decided(NEEDS, LACKING) == {
            "t.py::test_exp": "not run: finfo is missing",
            "t.py::test_atan2": "not run: finfo is missing",
        }
        assert absent.decided(None, LACKING) == absent.decided(NEEDS, Absent()) == {}


class TestFunction:
    """The state of a function."""

    @pytest.mark.parametrize(
        ("tests", "state"),
        [
            ([one("exp", "passed"), one("exp", message="finfo is not defined in x")], "right"),
            ([one("exp", "passed"), one("exp", message="assert 1")], "wrong"),
            ([one("exp", message="finfo is not defined in x")], "waiting"),
            ([one("atan2"), one("atan2", "skipped")], "absent"),
            ([one("ndim", "passed", nodeid="test_has_names[ndim]")], "right"),
            # That the name is there is no result of a test.
            (
                [
                    one("exp", "passed", nodeid="test_has_names[exp]"),
                    one("exp", message="finfo is not defined in x"),
                ],
                "waiting",
            ),
        ],
    )
    def test_state(self, tests: list[dict[str, Any]], state: str) -> None:
        assert states.function_state(annotated(*tests)) == state

    def test_score(self) -> None:
        tests = annotated(
            *(one("exp", "passed"), one("sin", message="assert 1"), one("atan2"), one("unknown")),
            one("cos", message="finfo is not defined in x"),
        )
        assert states.score(tests) == "1 of 3 functions right, 1 wrong, 1 waiting; 1 absent"
        assert states.score(annotated(one("exp", "passed"))) == "1 of 1 functions right"
        assert states.score([]) == ""


def test_causes() -> None:
    tests = annotated(
        *(one(f"a{i}", message="iinfo is not defined in x") for i in range(3)),
        *(one(name, message="out=1, but should be 2\n\nmore") for name in "bc"),
        *(one("exp", "passed"), one("atan2", message="atan2 is not defined in x")),
    )
    assert [(cause.words, cause.text, cause.example) for cause in states.causes(tests)] == [
        ("3 tests wait", "iinfo is missing", "t.py::test_a0"),
        ("2 tests fail", "out=1, but should be 2", "t.py::test_b"),
        ("1 test waits", "atan2 is missing", "t.py::test_atan2"),
    ]


class TestAdvice:
    """The names to write next."""

    def steps(self, *sets: tuple[str, int]) -> list[tuple[str, int]]:
        """Return the advice for numbers of tests that need names."""
        tests = [{"waits_for": names.split()} for names, count in sets for _ in range(count)]
        return [(" ".join(step.names), step.tests) for step in states.advice(tests)]

    def test_those_first_that_let_most_tests_run_for_each_name(self) -> None:
        found = self.steps(("a b", 7), ("a", 1), ("c", 1), ("a b c", 1), ("d e f", 5))
        assert found == [("a b", 8), ("c", 2), ("d e f", 5)]

    def test_one_name_may_come_first(self) -> None:
        assert self.steps(("a b", 3), ("a", 4)) == [("a", 4), ("b", 3)]

    def test_several_may_pay_for_each_other(self) -> None:
        assert self.steps(("a b", 1), ("c", 2), ("a b c", 9)) == [("a b c", 12)]

    def test_no_name_helps_without_the_data_type(self) -> None:
        assert self.steps(("a complex64", 5), ("b", 1)) == [("b", 1)]
        assert states.waiting_for_dtypes([{"waits_for": ["a", "complex64"]}]) == {"complex64": 1}


class TestReport:
    """The states in a report, and what is made of it."""

    @pytest.fixture
    def unfinished(self, make_report: Any, side: dict[str, Any]) -> store.Stored:
        """Return a report as an older version wrote it."""
        found = make_report(exp="passed", sin="failed", cos="failed", atan2="failed")
        tests = found["data"]["tests"]
        tests[2]["message"] = "AssertionError: finfo is not defined in fakens"
        tests[3]["message"] = "AssertionError: atan2 is not defined in fakens"
        found["data"]["summary"] |= {"official": 1, "pinned_suite": 1}
        found |= {"test_suite": suite.COMMIT, "api_version": "2024.12"}
        return store.Stored(Path("fakens.json"), found, side | {"missing": ["finfo", "atan2"]})

    def test_an_older_report_gets_them(self, unfinished: store.Stored) -> None:
        assert [test["state"] for test in unfinished.tests] == [
            *("right", "wrong", "waiting", "absent")
        ]
        assert is_valid(unfinished.report, SCHEMA)

    def test_counts_that_contradict_the_tests(
        self, tmp_path: Path, unfinished: store.Stored
    ) -> None:
        path = tmp_path / "fakens.json"
        unfinished.summary.update(states.counts(unfinished.tests) | {"waiting": 2})
        path.write_text(json.dumps(unfinished.report), encoding="utf-8")
        with pytest.raises(ComplianceError, match="says 2 waiting, and its tests are 1"):
            store.load(path)

    def test_badge(self, unfinished: store.Stored) -> None:
        made = badge.badge(unfinished)
        assert made.message == "1 of 3 functions right, 1 wrong, 1 waiting; 1 absent"
        assert made.colour == badge._COLOURS["some"]
        unfinished.tests.pop(1)
        assert badge.badge(unfinished).colour == badge._UNFINISHED

    def test_pages(self, tmp_path: Path, unfinished: store.Stored) -> None:
        store.save(tmp_path / "fakens.json", unfinished.report, unfinished.meta)
        report.render(tmp_path)
        text = (tmp_path / "README.md").read_text(encoding="utf-8")
        assert "1 of 3 functions right, 1 wrong, 1 waiting; 1 absent" in text
        assert "| finfo | 1 more |\n" in text
        for row in ("exp | ✓ 1/1", "sin | ✗ 0/1", "cos | … 1 wait", "atan2 | – absent"):
            assert f"| {row} |\n" in text
        (entry,) = view.build([unfinished]).entries
        assert entry.score.words == (
            "1 passed, 3 failed (1 by themselves), 0 skipped by the suite, 4 in all"
        )
