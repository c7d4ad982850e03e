"""Storage of the measurements in one file: `consumers.json`."""

import contextlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..disk import read, write
from ..errors import NotAReport
from ..provenance import provenance
from ..results import CONSUMERS, is_valid
from .packages import Package
from .plugin import STRICT
from .reasons import Reason, cause
from .runner import Result

JSON, PAGE = "consumers.json", "consumers.md"
SCHEMA = "consumers-v1"
_AGAIN = "Remove it, and measure again."
# The libraries with which the package itself skips a test, and the reasons.
LEFT_OUT = "left_out"


def load(folder: Path) -> list[dict[str, Any]]:
    """Return the stored results; an empty list if there is no file yet."""
    path = folder / JSON
    if not path.exists():
        return []
    found = _spelled(read(path, _AGAIN))
    if not is_valid(found, CONSUMERS):
        raise NotAReport(f"{path} is no report on consumers.", _AGAIN)
    results: list[dict[str, Any]] = found["results"]
    return results


def entry(
    package: Package, part: str, backend: str, library: str, result: Result
) -> dict[str, Any]:
    """Return one measurement in its stored form."""
    return {
        "package": package.name,
        "version": package.version,
        "part": package.title(part),
        "backend": backend,
        "library": library,
        "timestamp": datetime.now(UTC).isoformat(timespec="seconds"),
        **provenance(),
        "counts": result.counts,
        "skips": result.skips,
        "failures": [
            _plain({"test": test, "message": text, LEFT_OUT: result.left_out.get(test)})
            for test, text in result.failures.items()
        ],
    }


def _plain(failure: dict[str, Any]) -> dict[str, Any]:
    """Return a failure as measured, with `left_out` only if the package skips it with a library."""
    left_out = {LEFT_OUT: failure[LEFT_OUT]} if failure.get(LEFT_OUT) else {}
    return {"test": failure["test"], "message": failure["message"], **left_out}


def key(found: dict[str, Any]) -> tuple[str, str]:
    """Return the key of a measurement: a newer one with the same key replaces it."""
    return found["backend"], found["part"]


def merged(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the newer of each measurement, in a fixed order."""
    everything = {key(found): found for found in [*old, *new]}
    return [everything[name] for name in sorted(everything)]


def explained(results: list[dict[str, Any]], reasons: list[Reason]) -> list[dict[str, Any]]:
    """Mark each failure as shared with the strict library, or add its cause."""
    strict: dict[str, dict[str, str]] = defaultdict(dict)  # part -> test -> message
    for found in results:
        if found["backend"] == STRICT:
            strict[found["part"]] = {f["test"]: said(f["message"]) for f in found["failures"]}
    return [
        {**found, "failures": _explained(found, reasons, strict[found["part"]])}
        for found in results
    ]


def said(message: str) -> str:
    """Return a message without its place, with `Array` as the name of every array class."""
    return re.sub(r"\b\w*Array\b", "Array", message.rpartition("\nat ")[0] or message)


def _explained(
    found: dict[str, Any], reasons: list[Reason], strict: Mapping[str, str]
) -> list[dict[str, Any]]:
    plain = [_plain(failure) for failure in found["failures"]]
    if found["backend"] == STRICT:
        return plain
    told = []
    for failure in plain:
        test, message = failure["test"], failure["message"]
        # It may fail the same test for another missing feature, which doesn't explain our failure.
        if test in strict and said(message) in strict.values():
            told.append({**failure, "shared": True})
        else:
            why = cause(reasons, found["package"], found["backend"], test, message)
            told.append({**failure, "cause": why})
    return told


def save(folder: Path, results: list[dict[str, Any]], page: str) -> list[Path]:
    """Write both files, each completely or not at all."""
    write(folder / JSON, _serialized(results))
    write(folder / PAGE, page)
    return [folder / JSON, folder / PAGE]


def _serialized(results: list[dict[str, Any]]) -> str:
    """Return JSON with one failure per line, and each message and cause once, in a list."""
    numbers: dict[str, int] = {}

    def number(value: Any) -> int:
        return numbers.setdefault(json.dumps(value, ensure_ascii=False), len(numbers))

    entries = []
    for found in results:
        failures = [_with(failure, number) for failure in found["failures"]]
        lines = ",\n".join(json.dumps(failure, ensure_ascii=False) for failure in failures)
        head = json.dumps({**found, "failures": []}, ensure_ascii=False).removesuffix("]}")
        entries.append(f"{head}\n{lines}\n]}}")
    texts, body = ",\n".join(numbers), ",\n".join(entries)
    return f'{{"schema": "{SCHEMA}",\n"texts": [\n{texts}\n],\n"results": [\n{body}\n]}}\n'


def _spelled(found: Any) -> Any:
    """Return the contents of a file with its texts in their places."""
    texts = found.get("texts") if isinstance(found, dict) else None
    if not isinstance(texts, list):  # an older file
        return found
    with contextlib.suppress(AttributeError, KeyError, IndexError, TypeError):  # no valid one then
        for result in found["results"]:
            failures = result["failures"]
            result["failures"] = [_with(failure, texts.__getitem__) for failure in failures]
    return {key: value for key, value in found.items() if key != "texts"}


def _with(failure: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    """Return a failure with other values in place of its texts."""
    texts = ("message", "cause", LEFT_OUT)
    return {key: change(value) if key in texts else value for key, value in failure.items()}
