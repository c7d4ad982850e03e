"""Slow tests, which CI runs after the others.

A test with the mark `slow` is one. After collection, others get that mark:

- For a test with `sample(n)`, all but n cases on each backend.
- A test with `slow_on(*backends)`, on these.
- For a test with many cases on a backend, or for a function there, all but five, unless it has
  `sample(n)` or `exhaustive`.
- On a backend that compiles each operation for each shape and data type, all but one case of each
  category of a test over functions; otherwise all but one test of each class, or case of a test
  without a class. Exceptions are the folder of tests of that backend, and tests with `exhaustive`.

The selection is drawn by names, so that it is the same in each run and on each worker, and a new
test changes few others.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

import pytest

from arrayapi_unify.contracts import CONTRACTS
from tests.differential.runner import SHARES
from tests.installed import INSTALLED, LAZY

__all__ = ["SHARE", "left_out", "mark"]

SHARE: Final = "ARRAYAPI_UNIFY_SLOW_SHARE"
"""The variable with a number n and a text, ``3:c0ffee``: the text draws one in n slow tests."""

Group = tuple[str, ...]

_MOST: Final = 5


def mark(tests: Iterable[pytest.Item]) -> None:
    """Mark the slow tests among the collected tests."""
    known = list(tests)
    _leave(known, _none)
    _leave(known, _sampled)
    _leave(known, _many)
    _leave(known, _of_a_compiler)


def left_out(tests: Iterable[pytest.Item], share: str) -> list[pytest.Item]:
    """Return the slow tests that a share leaves out: by their names, the same on each worker."""
    number, _, text = share.partition(":")
    return [
        test
        for test in tests
        if test.get_closest_marker("slow")
        and zlib.crc32(f"{text} {test.nodeid}".encode()) % int(number)
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
    mark = test.get_closest_marker("slow_on")
    there = mark is not None and not set(_backends(test)).isdisjoint(mark.args)
    return ((_name(test),), 0) if there else None


def _sampled(test: pytest.Item) -> tuple[Group, int] | None:
    mark = test.get_closest_marker("sample")
    return None if mark is None else ((_name(test), *_backends(test)), mark.args[0])


def _many(test: pytest.Item) -> tuple[Group, int] | None:
    backends = _backends(test)
    chosen = any(test.get_closest_marker(name) for name in ("sample", "exhaustive"))
    if not backends or chosen:
        return None
    function = _parameters(test).get("function")
    return (_name(test), *backends, function if function in CONTRACTS else ""), _MOST


def _of_a_compiler(test: pytest.Item) -> tuple[Group, int] | None:
    compiler = next((name for name in _backends(test) if name in SHARES), None)
    if (
        compiler is None
        or test.path.parent.name == compiler
        or test.get_closest_marker("exhaustive")
    ):
        return None
    function = _parameters(test).get("function")
    if function in CONTRACTS:
        return (_name(test), compiler, CONTRACTS[function].category), 1
    whole = test.getparent(pytest.Class)
    return (whole.nodeid if whole else _name(test), compiler), 1


def is_eager_alone(test: pytest.Item) -> bool:
    """Return True for a lazy backend's case of a test that is marked as of eager ones alone."""
    return test.get_closest_marker("eager") is not None and bool({*LAZY} & {*_backends(test)})


def _name(test: pytest.Item) -> str:
    """Return a test's name without its case."""
    return test.nodeid.partition("[")[0]


def _parameters(test: pytest.Item) -> dict[str, Any]:
    """Return the parameters that are strings or tuples of strings, as names of backends are."""
    given = getattr(getattr(test, "callspec", None), "params", {})
    return {name: value for name, value in given.items() if isinstance(value, str | tuple)}


def _backends(test: pytest.Item) -> tuple[str, ...]:
    """Return the backends of a test's case."""
    values = _parameters(test).values()
    names = [one for value in values for one in ((value,) if isinstance(value, str) else value)]
    return tuple(name for name in names if isinstance(name, str) and name in INSTALLED)
