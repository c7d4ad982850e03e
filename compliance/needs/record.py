"""Writes `needs.json`: the names and data types that each test of the pinned suite needs.

``python -m compliance.needs.record`` runs the suite on a complete namespace that records calls,
once with all data types, and once without each kind of them. It takes a quarter of an hour on two
cores.
"""

import json
import os
from collections.abc import Iterable
from typing import Any

from rich.console import Console

from .. import runner, suite
from ..namespaces import parse
from ..processes import scratch
from ..progress import Progress
from ..store import bad
from . import FILE, NO_COMPLEX, named
from .recorded import FOLDER, HIDDEN

_NAMESPACE = parse(f"{__package__}.recorded")
# The data types that libraries lack, together. A test that fails without one of them fails without
# all, so only the tests that fail without all run without each.
_GROUPS = (
    NO_COMPLEX, ("uint8", "uint16", "uint32", "uint64"), ("int8", "int16"), ("int32",), ("int64",),
    ("float32",), ("float64", "complex128"),
)  # fmt: skip
_COLLECTED = "array_api_tests/test_has_names.py::test_has_names[creation-asarray]"
_EXAMPLES, _FEW = 30, 5  # where names are recorded, and where only failures are


def _measured(
    hidden: tuple[str, ...], examples: int, tests: Iterable[str] = ()
) -> tuple[dict[str, str], dict[str, set[str]]]:
    """Return the outcome of each test without some data types, and the names that it needed."""
    with scratch() as folder:
        os.environ |= {FOLDER: str(folder), HIDDEN: ",".join(hidden)}
        found = runner.look_at(_NAMESPACE)
        settings = runner.Settings(
            max_examples=examples, workers=os.cpu_count() or 1, nodes=tuple(tests), quick=True
        )
        progress = Progress(Console(stderr=True), f"without {', '.join(hidden) or 'nothing'}")
        official = suite.find_pinned(None, settings.api_version)
        outcome = runner.measure(_NAMESPACE, found, official, settings, progress)
        names: dict[str, set[str]] = {}
        for path in folder.glob("*.txt"):
            for line in path.read_text(encoding="utf-8").splitlines():
                test, name = line.split("\t")
                names.setdefault(test, set()).add(name)
    outcomes = {named(test["nodeid"], hidden): test["outcome"] for test in outcome.raw["tests"]}
    return outcomes, {named(test, hidden): found for test, found in names.items()}


def _failing(tests: Iterable[str], outcomes: dict[str, str]) -> list[str]:
    """Return the tests that fail, are skipped, or are not collected."""
    return [test for test in tests if outcomes.get(test) != "passed"]


def _of_test(names: dict[str, set[str]], test: str) -> tuple[str, ...]:
    """Return the names that a test needs, those of its module among them."""
    return tuple(sorted(names.get(test, set()) | names.get(test.partition("::")[0], set())))


def main() -> None:
    """Record, and write the file."""
    outcomes, names = _measured((), _EXAMPLES)
    real_outcomes, real_names = _measured(NO_COMPLEX, _EXAMPLES)
    tests = sorted(outcomes)
    needs = {test: _of_test(names, test) for test in tests}
    # A test that fails without complex numbers ends early, and needs what it needs with them.
    real = {
        test: needs[test] if bad(real_outcomes.get(test, "failed")) else _of_test(real_names, test)
        for test in tests
    }
    sets = sorted({*needs.values(), *real.values()})
    skipped = [test for test in tests if outcomes[test] == "skipped"]
    lacking = []
    for group in _GROUPS:
        without = real_outcomes if group == NO_COMPLEX else _measured(group, _FEW)[0]
        fail = [test for test in _failing(tests, without) if test not in skipped]
        lacking.append((group, fail))
        for name in group if len(group) > 1 else ():
            without = _measured((name,), _FEW, [*fail, _COLLECTED])[0]
            lacking.append(((name,), _failing(fail, without)))
    data: dict[str, Any] = {
        "suite": suite.COMMIT,
        "api_version": suite.API_VERSION,
        "sets": sets,
        "skipped": [tests.index(test) for test in skipped],
        "dtypes": [[group, [tests.index(test) for test in fail]] for group, fail in lacking],
        "tests": [[test, sets.index(needs[test]), sets.index(real[test])] for test in tests],
    }
    lines = ",\n".join(
        f"{json.dumps(key)}: "
        + (f"[\n{_lines(value)}\n]" if isinstance(value, list) else json.dumps(value))
        for key, value in data.items()
    )
    FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    wrong = [test for test in tests if bad(outcomes[test])]
    print(f"wrote {FILE.name}: {len(tests)} tests, {len(sets)} sets of names; failed: {wrong}")


def _lines(values: list[Any]) -> str:
    return ",\n".join(json.dumps(value, separators=(",", ":")) for value in values)


if __name__ == "__main__":
    main()
