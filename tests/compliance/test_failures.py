"""Expectations and explanations read from the output of pytest and Hypothesis."""

from typing import Any

import pytest

from compliance.failures import expectation, explain, skip_reason
from compliance.redact import Redactor

REDACT = Redactor()
GROUP = """[gw0] linux
  + Exception Group Traceback (most recent call last):
  | ExceptionGroup: Hypothesis found 2 distinct failures. (2 sub-exceptions)
  +-+---------------- 1 ----------------
    | AssertionError: out=1001, but should be 1000 [f(1001)]
    | Falsifying example: test_m(
    |     x=1001,
    | )
    +---------------- 2 ----------------
    | ValueError: negative
    | Failing test case: test_m(
    |     x=-4,
    | )
    +------------------------------------
"""


def failed(message: str, longrepr: str = "") -> dict[str, Any]:
    """A test entry of pytest-json-report."""
    call = {"outcome": "failed", "crash": {"message": message}, "longrepr": longrepr or message}
    return {"setup": {"outcome": "passed"}, "call": call, "teardown": {"outcome": "passed"}}


@pytest.mark.parametrize("headline", ["Failing test case", "Falsifying example"])
def test_hypothesis(headline: str) -> None:
    text = (
        "AssertionError: out=nan, but should be +infinity [f()]\n  x1=inf\nassert False\n"
        f" +  where False = check(1)\n{headline}: test_f(\n    x=1,\n)\nDraw 1 (y): inf\n"
        "Explanation:\n    These lines were run\n"
    )
    longrepr = (
        "x = array([[1.]], dtype=float32)\n\n    def test_f(x):\n>       assert f(x)\nE  no\n"
    )
    found = explain(failed(text, longrepr), REDACT)
    assert found["expected"] == "+infinity"
    assert found["got"] == "out=nan"
    assert found["falsifying_example"] == "test_f(\n    x=1,\n)\nDraw 1 (y): inf"
    assert found["arguments"] == "x = array([[1.]], dtype=float32)"
    assert "Explanation" not in str(found)


def test_several_failures_at_once() -> None:
    found = explain(failed("ExceptionGroup: Hypothesis found 2 distinct failures.", GROUP), REDACT)
    assert "x=1001" in found["falsifying_example"]
    assert "x=-4" in found["falsifying_example"]
    assert " | " not in found["falsifying_example"]


@pytest.mark.parametrize(
    ("message", "longrepr", "expected", "got"),
    [
        ("assert 'a_min' == 'min'", "", "'min'", "'a_min'"),
        ("TypeError: f() got x", "> f()\nE x", "no exception", "TypeError: f() got x"),
        (
            "assert False\n +  where False = isinstance(1, str)",
            ">   assert isinstance(out, str)\nE   assert False",
            "assert isinstance(out, str)",
            "isinstance(1, str) is False",
        ),
        (
            "AssertionError: 'dtype' missing",
            ">   assert (\n        a in b\n    ), text\nE   AssertionError",
            "assert (\n    a in b\n), text",
            "AssertionError: 'dtype' missing",
        ),
    ],
)
def test_expectation(message: str, longrepr: str, expected: str, got: str) -> None:
    assert expectation(message, longrepr) == (expected, got)


def test_long_texts_are_cut() -> None:
    found = explain(failed("x" * 100_000), REDACT)
    assert len(found["message"]) < 5000
    assert "100000 characters" in found["message"]


def test_error_in_setup() -> None:
    test = {"setup": {"outcome": "failed", "longrepr": "no database"}}
    assert explain(test, REDACT)["message"] == "no database"


def test_skip_reason() -> None:
    longrepr = "('/some/where/test_x.py', 1953, 'Skipped: flaky')"
    test = {"setup": {"outcome": "skipped", "longrepr": longrepr}}
    assert skip_reason(test, REDACT) == "flaky"
