"""Slow tests, which CI runs after the others.

A test with the mark `slow` is one. Others get that mark, by the cases of a test before they are
collected, which takes time and memory, and by the tests of a backend afterwards:

- For a test with `sample(n)`, all but n cases on each backend.
- A test with `slow_on(*backends)`, on these.
- For a test with many cases on a backend, or for a function there, all but two on NumPy and
  PyTorch, and all but one elsewhere, unless it has `sample(n)` or `exhaustive`.
- On a backend that compiles each operation for each shape and data type, all but one case of each
  test over functions, and all but one other test of each folder; where the code has branches for a
  compiler, of each file. Exceptions are the folder of tests of that backend, and tests with
  `exhaustive`.

The selection is drawn by names, so that it is the same in each run and on each worker, and a new
test changes few others.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final

import pytest

from arrayapi_unify.contracts import CONTRACTS
from tests.differential.runner import SHARES
from tests.installed import INSTALLED, LAZY

__all__ = ["SHARE", "backends_of", "needs_eager", "left_out", "mark", "thin"]

SHARE: Final = "ARRAYAPI_UNIFY_SLOW_SHARE"
"""The variable with a number of parts and a part, ``7:3``: the slow tests of that part run."""

Group = tuple[str, ...]

_BY_FILE: Final = ("compilation", "differential", "graph", "views")
# NumPy shares memory natively, PyTorch does with derivatives: most other cases repeat their paths.
_MOST: Final = {"numpy": 2, "torch": 2}


class _Case:
    """A case of a test that isn't collected yet, with a test's names."""

    def __init__(self, definition: Any, callspec: Any) -> None:
        self.nodeid = f"{definition.nodeid}[{callspec.id}]"
        self.callspec = callspec
        self._definition = definition

    def iter_markers(self, name: str) -> Iterator[pytest.Mark]:
        yield from (mark for mark in self.callspec.marks if mark.name == name)
        yield from self._definition.iter_markers(name)

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return next(self.iter_markers(name), None)

    def add_marker(self, name: str) -> None:
        self.callspec.marks.append(getattr(pytest.mark, name).mark)


def thin(metafunc: Any) -> None:
    """Mark the slow cases of a test; drop them if no slow test is wanted.

    One case stays, as pytest takes a test without cases for one without parameters.
    """
    cases: Any = [_Case(metafunc.definition, spec) for spec in metafunc._calls]
    for rule in (_none, _sampled, _many):
        _leave(cases, rule)
    if metafunc.config.getoption("markexpr") == "not slow":
        fast = [case.callspec for case in cases if not case.get_closest_marker("slow")]
        metafunc._calls = fast or metafunc._calls[:1]


def mark(tests: Iterable[pytest.Item]) -> None:
    """Mark the slow tests of backends that compile each operation among the collected tests."""
    _leave(list(tests), _of_a_compiler)


def left_out(tests: Iterable[pytest.Item], share: str) -> list[pytest.Item]:
    """Return the slow tests of the other parts: by their names, the same on each worker."""
    parts, _, part = share.partition(":")
    return [
        test
        for test in tests
        if test.get_closest_marker("slow")
        and zlib.crc32(test.nodeid.encode()) % int(parts) != int(part)
    ]


def _leave(tests: Iterable[pytest.Item], rule: Any) -> None:
    """Mark all but a few of each group; a rule returns a test's group, and the number to keep."""
    groups: dict[Group, list[pytest.Item]] = defaultdict(list)
    sizes: dict[Group, int] = {}
    for test in tests:
        found = None if test.get_closest_marker("slow") else rule(test)
        if found is not None:
            group, sizes[group] = found
            groups[group].append(test)
    for group, members in groups.items():
        members.sort(key=lambda test: (zlib.crc32(test.nodeid.encode()), test.nodeid))
        for test in members[sizes[group] :]:
            test.add_marker("slow")


def _none(test: pytest.Item) -> tuple[Group, int] | None:
    names = {name for mark in test.iter_markers("slow_on") for name in mark.args}
    return ((_name(test),), 0) if names & {*backends_of(test)} else None


def _sampled(test: pytest.Item) -> tuple[Group, int] | None:
    mark = test.get_closest_marker("sample")
    return None if mark is None else ((_name(test), *backends_of(test)), mark.args[0])


def _many(test: pytest.Item) -> tuple[Group, int] | None:
    backends = backends_of(test)
    chosen = any(test.get_closest_marker(name) for name in ("sample", "exhaustive"))
    if not backends or chosen:
        return None
    function = _parameters(test).get("function")
    most = max(_MOST.get(name, 1) for name in backends)
    return (_name(test), *backends, function if function in CONTRACTS else ""), most


def _of_a_compiler(test: pytest.Item) -> tuple[Group, int] | None:
    compiler = next((name for name in backends_of(test) if name in SHARES), None)
    if (
        compiler is None
        or test.path.parent.name == compiler
        or test.get_closest_marker("exhaustive")
    ):
        return None
    if _parameters(test).get("function") in CONTRACTS:
        return (_name(test), compiler), 1
    folder = test.path.parent
    return (str(test.path if folder.name in _BY_FILE else folder), compiler), 1


def needs_eager(test: pytest.Item) -> bool:
    """Return True for a lazy backend's case of a test with the mark `eager`."""
    return test.get_closest_marker("eager") is not None and bool({*LAZY} & {*backends_of(test)})


def _name(test: pytest.Item) -> str:
    """Return a test's name without its case."""
    return test.nodeid.partition("[")[0]


def _parameters(test: pytest.Item) -> dict[str, Any]:
    """Return the parameters that are strings or tuples of strings, as names of backends are."""
    given = getattr(getattr(test, "callspec", None), "params", {})
    return {name: value for name, value in given.items() if isinstance(value, str | tuple)}


def backends_of(test: pytest.Item) -> tuple[str, ...]:
    """Return the backends of a test's case."""
    values = _parameters(test).values()
    names = [one for value in values for one in ((value,) if isinstance(value, str) else value)]
    return tuple(name for name in names if isinstance(name, str) and name in INSTALLED)
