"""The page of the results: `consumers.md`."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from arrayapi_unify.backends import BUILT_IN

from .. import COMMAND
from .packages import PACKAGES
from .plugin import STRICT
from .reasons import UNEXPLAINED
from .store import LEFT_OUT

_NOTHING = "not measured"
# Its arrays are immutable, like TensorFlow's, and SciPy's tests support it.
_CHANGELESS = "jax.numpy"
_INTRODUCTION = f"""# Tests of libraries that take any array

SciPy, scikit-learn, array-api-extra and einops ship tests that run with `array_api_strict`, the
strict library of the standard. Here each namespace of ours takes its place; no file of theirs is
changed, and nothing is skipped but what they skip themselves. `{COMMAND} consumers`
writes this page, and `consumers.json` beside it, which has each message.

A cell says how many tests passed and how many failed. A failure is *shared* where
`array_api_strict` itself fails when it has another name, and the same is said: these tests fail
with any library that the package doesn't know by name. It is counted apart. Tests that they skip,
or expect to fail, count neither way.
"""


def render(results: list[dict[str, Any]]) -> str:
    """The whole page; the same results always give the same page."""
    lines = [_INTRODUCTION]
    lines += _summary(results)
    for package in PACKAGES:
        lines += _package(package.name, package.titles(), results)
    lines += _failures(results)
    lines += _shared(results)
    lines += _measured(results)
    return "\n".join(lines).rstrip() + "\n"


def own(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The failures that no strictly conforming library shares."""
    return [failure for failure in found["failures"] if not failure.get("shared")]


def unexplained(results: Iterable[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """Return the failures without a cause, with the backend."""
    return [
        (found["backend"], failure)
        for found in results
        for failure in found["failures"]
        if failure.get("cause") == UNEXPLAINED
    ]


def cell(found: list[dict[str, Any]]) -> str:
    """Passed, failed and shared, of one or several results."""
    if not found:
        return _NOTHING
    passed = sum(one["counts"]["passed"] for one in found)
    failed = sum(len(own(one)) for one in found)
    shared = sum(len(one["failures"]) for one in found) - failed
    text = f"{passed:,} passed, {failed:,} failed"
    return f"{text}, {shared:,} shared" if shared else text


def _table(first: str, rows: list[tuple[str, list[list[dict[str, Any]]]]]) -> Iterator[str]:
    yield "| " + " | ".join([first, *BUILT_IN]) + " |"
    yield "| --- |" + " --- |" * len(BUILT_IN)
    for title, cells in rows:
        yield "| " + " | ".join([title, *map(cell, cells)]) + " |"
    yield ""


def _summary(results: list[dict[str, Any]]) -> Iterator[str]:
    rows = []
    for package in PACKAGES:
        mine = [found for found in results if found["package"] == package.name]
        rows.append((package.name, [_of(mine, backend) for backend in BUILT_IN]))
    rows.append(("all", [_of(results, backend) for backend in BUILT_IN]))
    yield from _table("package", rows)
    yield "The numbers of a package that was measured in parts only are those of these parts."
    yield ""
    yield from _shares(results)


def _shares(results: list[dict[str, Any]]) -> Iterator[str]:
    """Render the share of failures relative to the passes on NumPy, in the same parts."""
    passed = {found["part"]: found["counts"]["passed"] for found in _of(results, "numpy")}
    every, without = [], []
    for backend in BUILT_IN:
        mine = [found for found in _of(results, backend) if found["part"] in passed]
        if mine:
            failures = [failure for found in mine for failure in own(found)]
            kept = [failure for failure in failures if _CHANGELESS not in _others(failure)]
            whole = max(sum(passed[found["part"]] for found in mine), 1)
            every.append(f"{backend} {len(failures) / whole:.2%}")
            without.append(f"{backend} {len(kept) / whole:.2%}")
    if every:
        yield f"Failures, beside what NumPy passes in the same parts: {', '.join(every)}."
        yield (
            "Without those of tests that the package leaves out with "
            f"`{_CHANGELESS}` itself: {', '.join(without)}."
        )
        yield ""


def _others(failure: dict[str, Any]) -> dict[str, str]:
    """The libraries for which the package skips the failed test, with the reasons."""
    found: dict[str, str] = failure.get(LEFT_OUT, {})
    return found


def _of(results: list[dict[str, Any]], backend: str) -> list[dict[str, Any]]:
    return [found for found in results if found["backend"] == backend]


def _package(name: str, titles: list[str], results: list[dict[str, Any]]) -> Iterator[str]:
    mine = [found for found in results if found["package"] == name]
    versions = sorted({found["version"] for found in mine})
    yield f"## {name} {', '.join(versions)}".rstrip()
    yield ""
    rows = []
    for title in titles:
        part = [found for found in mine if found["part"] == title]
        rows.append((f"`{title}`", [_of(part, backend) for backend in BUILT_IN]))
    yield from _table("part", rows)
    apart: Counter[str] = Counter()
    for found in mine:
        if found["backend"] != STRICT:
            apart.update({key: found["counts"][key] for key in ("skipped", "expected")})
    if mine:
        yield (
            f"Over all backends, {name} skips {apart['skipped']:,} of them itself, and expects "
            f"{apart['expected']:,} to fail."
        )
        yield ""


def _failures(results: list[dict[str, Any]]) -> Iterator[str]:
    yield "## Failures and their causes"
    yield ""
    for backend in BUILT_IN:
        causes: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for found in _of(results, backend):
            for failure in own(found):
                causes[failure["cause"]].append(failure)
        if causes:
            yield f"### {backend}"
            yield ""
        for why in sorted(causes, key=lambda why: (why == UNEXPLAINED, -len(causes[why]), why)):
            yield f"**{len(causes[why]):,}: {why}**"
            yield ""
            yield from _left_out(causes[why])
            yield from _tests([failure["test"] for failure in causes[why]])
    if not any(own(found) for found in results if found["backend"] != STRICT):
        yield "None."
        yield ""


def _left_out(failures: list[dict[str, Any]]) -> Iterator[str]:
    """Describe how many of these tests a package skips with other libraries, and why."""
    libraries: dict[str, list[str]] = defaultdict(list)
    for failure in failures:
        for library, why in _others(failure).items():
            libraries[library].append(why)
    for library in sorted(libraries):
        count = len(libraries[library])
        said = "; ".join(f"*{why}*" for why in sorted(set(libraries[library])) if why)
        why = f": {said}" if said else ""
        yield f"The package itself leaves out {count:,} of them with `{library}`{why}."
        yield ""


def _shared(results: list[dict[str, Any]]) -> Iterator[str]:
    """List the failures of any library whose name the package doesn't know."""
    tests: dict[str, set[str]] = defaultdict(set)
    for found in results:
        for failure in found["failures"]:
            if failure.get("shared"):
                tests[failure["test"]].add(found["backend"])
    yield "## Failures that a strict library shares"
    yield ""
    places: dict[str, list[str]] = defaultdict(list)
    for test, where in tests.items():
        places[", ".join(b for b in BUILT_IN if b in where)].append(test)
    for place in sorted(places):
        yield f"**{len(places[place]):,} on {place}**"
        yield ""
        yield from _tests(places[place])
    if not places:
        yield "None."
        yield ""


def _tests(tests: list[str]) -> Iterator[str]:
    """Fold a list of tests, with those of one function in one line."""
    functions: dict[str, list[str]] = defaultdict(list)
    for test in tests:
        function, _, parameters = test.partition("[")
        functions[function].append(parameters)
    yield f"<details><summary>{len(tests):,} tests of {len(functions):,} functions</summary>"
    yield ""
    for function in sorted(functions):
        count = len(functions[function])
        yield f"- `{function}`" + (f", {count:,} times" if count > 1 else "")
    yield ""
    yield "</details>"
    yield ""


def _measured(results: list[dict[str, Any]]) -> Iterator[str]:
    yield "## Dates of measurement"
    yield ""
    yield "| backend | library | parts | first | last |"
    yield "| --- | --- | ---: | --- | --- |"
    for backend in (*BUILT_IN, STRICT):
        mine = _of(results, backend)
        if not mine:
            continue
        times = sorted(found["timestamp"][:10] for found in mine)
        libraries = ", ".join(sorted({found["library"] for found in mine}))
        name = "array_api_strict, renamed" if backend == STRICT else backend
        yield f"| {name} | {libraries} | {len(mine)} | {times[0]} | {times[-1]} |"
    yield ""
