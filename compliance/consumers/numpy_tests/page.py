"""The page of the results: `numpy_tests.md`."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from ... import COMMAND
from .reasons import REASONS

_INTRODUCTION = f"""# NumPy's own tests

NumPy's wheel ships its tests. `{COMMAND} consumers numpy` runs those of `numpy._core`, `numpy.lib`,
`numpy.linalg` and `numpy.fft` three times: with NumPy alone; with Arrays in place of the arrays
that NumPy's functions make, and NumPy's own functions on them (*arrays*); and with functions of our
namespace where it has the name (*functions*). It writes this page, and `numpy_tests.json` beside
it, which has each message. No file of NumPy is changed.

A test counts if NumPy alone passes it and if it reaches something of ours. Comparisons are made on
the host, and an error counts by its class, not by its words.
"""


def share(found: dict[str, Any]) -> float:
    """Return the share of tests that pass."""
    passed = sum(found["passed"].values())
    return float(passed / max(passed + len(found["failures"]), 1))


def cell(found: dict[str, Any]) -> str:
    """Describe the counts of a result."""
    passed = sum(found["passed"].values())
    whole = passed + len(found["failures"])
    return f"{passed:,} of {whole:,} ({100 * share(found):.1f} %)"


def render(results: list[dict[str, Any]]) -> str:
    """Render the page; the same results always give the same one."""
    lines = [_INTRODUCTION, "| backend | column | passed | unreached | measured |"]
    lines += ["| --- | --- | --- | ---: | --- |"]
    for found in results:
        date, numbers = found["timestamp"][:10], f"{cell(found)} | {found['unreached']:,}"
        lines.append(f"| {found['backend']} | {found['column']} | {numbers} | {date} |")
    lines += ["", *_reasons(results)]
    for found in results:
        lines += _failures(found)
    return "\n".join(lines).rstrip() + "\n"


def _reasons(results: list[dict[str, Any]]) -> Iterator[str]:
    yield "## Tests that aren't run"
    yield ""
    yield "The source and the parameters of a test decide about its reason, by the words in"
    yield "`compliance/consumers/numpy_tests/reasons.py`."
    yield ""
    yield "| reason | tests |"
    yield "| --- | ---: |"
    for reason in REASONS:
        yield f"| {reason} | {max((r['reasons'].get(reason, 0) for r in results), default=0):,} |"
    yield ""


def _failures(found: dict[str, Any]) -> Iterator[str]:
    yield f"## Failures: {found['backend']}, {found['column']}"
    yield ""
    kinds: dict[str, list[str]] = defaultdict(list)
    for failure in found["failures"]:
        kinds[failure["test"].partition("[")[0]].append(failure["message"])
    if not kinds:
        yield "None."
    for test in sorted(kinds):
        first = kinds[test][0].splitlines()[:1] or [""]
        count = f", {len(kinds[test]):,} times" if len(kinds[test]) > 1 else ""
        yield f"- `{test.removeprefix('numpy/')}`{count}: {_plain(first[0])}"
    yield ""


def _plain(message: str) -> str:
    """Return a message as code, so that nothing of it is markup."""
    return f"`{message[:160].replace('`', ' ')}`" if message else "``"
