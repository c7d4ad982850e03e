"""Extracts message, expected and actual values from pytest's and Hypothesis' output."""

import re
import textwrap
from typing import Any

from .redact import Redactor

_LIMIT = 4000  # characters per field; some arrays print at any length
# Two wordings of Hypothesis' headline, which introduces the minimal failing input.
_EXAMPLE = re.compile(r"^(?:Failing test case|Falsifying example): ", re.MULTILINE)
_EXPLANATION = re.compile(r"^Explanation:$.*", re.MULTILINE | re.DOTALL)
_GROUP_MARGIN = re.compile(r"^ *(?:\||\+[-+]+.*$) ?", re.MULTILINE)
_INTROSPECTION = re.compile(r"^\s*(?:\+|assert ).*", re.MULTILINE | re.DOTALL)
_SHOULD = re.compile(
    r"^(?:\w+(?:Error|Exception)?: )?(?P<got>.+?),? but should (?:be )?(?P<expected>.+?)"
    r"(?: \[.*\])?$",
    re.DOTALL,
)
_EQUALITY = re.compile(r"^(?:AssertionError: )?assert (?P<got>.+?) == (?P<expected>.+)$")
_ARGUMENTS = re.compile(r"^[A-Za-z_]\w* = .*(?:\n(?![ >E]|$).*)*", re.MULTILINE)
_RAISED = re.compile(r"(?:\w+\.)*([A-Za-z]\w*(?:Error|Exception|Warning|Exit)): ")
_FALSE = re.compile(r"where False = (.*)")
_FAILED_SOURCE = re.compile(r"^>(.*(?:\n(?!E|\s*$).*)*)", re.MULTILINE)
_CARETS = re.compile(r"\n\s*\^+$")


def explain(test: dict[str, Any], redact: Redactor) -> dict[str, Any]:
    """The extra keys of a test that did not pass: message, expected, got, minimal input."""
    phase = _failed_phase(test)
    crash = phase.get("crash", {})
    longrepr = str(phase.get("longrepr", ""))
    text = str(crash.get("message") or longrepr or "no message")
    if "Hypothesis found" in longrepr:  # several failures at once: only longrepr has them
        text = _without_margin(longrepr)
    message, *examples = _EXAMPLE.split(text)
    message = message.strip() or text
    expected, got = expectation(message, longrepr)
    fields = {
        "message": message,
        "expected": expected,
        "got": got,
        "falsifying_example": "\n".join(_EXPLANATION.sub("", e).strip() for e in examples),
        "arguments": _arguments(longrepr) if examples else "",
    }
    found: dict[str, Any] = {key: _clip(redact(value)) for key, value in fields.items() if value}
    frames = phase.get("traceback", [])[-5:]
    found["traceback"] = [redact(f"{frame['path']}:{frame['lineno']}") for frame in frames]
    return found


def skip_reason(test: dict[str, Any], redact: Redactor) -> str:
    """Why the suite itself skipped a test."""
    text = str(_failed_phase(test).get("longrepr", ""))
    match = re.search(r"Skipped: (.*?)'?\)?$", text, re.DOTALL)
    return _clip(redact(match.group(1) if match else text)).strip()


def expectation(message: str, longrepr: str) -> tuple[str, str]:
    """Return the expected result and the actual one.

    The suite words most assertions as "out=..., but should be ...". For any other assertion, its
    source is the expectation. For any other exception, the expectation is "no exception".
    """
    head = _INTROSPECTION.sub("", message).strip().split("\n\n")[0]
    first = head.split("\n")[0]
    for candidate in (first, head):
        if match := _SHOULD.match(candidate):
            return match["expected"].strip(), match["got"].strip()
    if match := _EQUALITY.match(message.split("\n")[0]):
        return match["expected"], match["got"]
    raised = _RAISED.match(first)
    if raised and raised[1] != "AssertionError":
        return "no exception", first
    false = _FALSE.search(message)
    got = f"{false[1]} is False" if false and not first.strip() else first
    failed = _FAILED_SOURCE.findall(longrepr)
    source = textwrap.dedent(_CARETS.sub("", f" {failed[-1]}")) if failed else ""
    return source.strip(), (got or message.split("\n")[0]).strip()


def _failed_phase(test: dict[str, Any]) -> dict[str, Any]:
    """The phase that decided the outcome."""
    for name in ("setup", "call", "teardown"):
        phase: dict[str, Any] = test.get(name, {})
        if phase and phase.get("outcome") != "passed":
            return phase
    return {}


def _without_margin(longrepr: str) -> str:
    """An exception group as Python prints it, without its left margin of bars."""
    body = longrepr[longrepr.index("Hypothesis found") :]
    return "\n".join(_GROUP_MARGIN.sub("", line).rstrip() for line in body.splitlines())


def _arguments(longrepr: str) -> str:
    """The arguments of the failing call as pytest shows them: real values, unlike strategies."""
    shown = [found.strip() for found in _ARGUMENTS.findall(longrepr)]
    return shown[0] if shown else ""


def _clip(text: str) -> str:
    return text if len(text) <= _LIMIT else f"{text[:_LIMIT]}\n... ({len(text)} characters)"
