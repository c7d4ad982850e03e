"""Tests of every entry of a long table, as one test."""

from __future__ import annotations

import functools
import inspect
import random
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.state import unchanged

__all__ = ["each"]

_SHOWN = 5
Test = Callable[..., None]


def each(names: str, entries: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test on every entry of a table, as `pytest.mark.parametrize` does, but as one test.

    Collection, transfer to a worker, setup and report of a test take 2 ms, which is more than the
    check of one function among hundreds. The order of entries is random, none may change the global
    state, and all are run: a failure names those that failed.
    """
    keys = [name.strip() for name in names.split(",")]
    table = [_arguments(keys, entry) for entry in entries]
    assert table, "a test of an empty table would pass without a check"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def over_the_table(*args: Any, **fixtures: Any) -> None:
            failures = []
            for entry in random.sample(table, len(table)):
                try:
                    with unchanged():
                        test(*args, **entry, **fixtures)
                except (Exception, pytest.fail.Exception) as error:
                    error.add_note(f"This was with {entry}.")
                    failures.append(error)
            _raise(failures, len(table))

        shown = inspect.signature(test)
        left = [p for p in shown.parameters.values() if p.name not in keys]
        vars(over_the_table)["__signature__"] = shown.replace(parameters=left)
        return over_the_table

    return decorate


def _arguments(keys: list[str], entry: Any) -> dict[str, Any]:
    """Return the arguments of an entry, which may be `pytest.param(...)`."""
    values = getattr(entry, "values", None)
    if not isinstance(values, tuple):
        values = entry if len(keys) > 1 else (entry,)
    return dict(zip(keys, values, strict=True))


def _raise(failures: list[BaseException], count: int) -> None:
    """Raise a single failure unchanged, and the first ones of several."""
    if len(failures) == 1:
        raise failures[0]
    if failures:
        said = f"{len(failures)} of {count} entries of the table fail; the first ones"
        raise BaseExceptionGroup(said, failures[:_SHOWN])
