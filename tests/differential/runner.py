"""Settings of Hypothesis for the tests, and failures that print a compact reproduction.

`tox -e tests` draws few calls, the same ones in every run. `ARRAYAPI_UNIFY_SEED` draws others, in
the numbers of `tox -e differential`. A number always draws the same calls. `random` uses another
number each time, which is printed (see `tests/conftest.py`). A number of examples without a seed
draws other calls each time, too. `ARRAYAPI_UNIFY_LEAST` lowers the minimum of traced calls and
derivatives of each function in a run with a seed.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection
from types import ModuleType
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, seed, settings, strategies as st

__all__ = [
    "EACH", "GROUP", "LEAST", "SEED", "SHARES", "is_enough", "examples", "check_examples", "quick",
    "check_until",
]  # fmt: skip

# The numbers for `tox -e differential`, and for `tox -e tests`.
_FULL: Final = 20
_QUICK: Final = 5
_FEWEST: Final = 3
# JAX compiles a kernel for each new combination of data types and shapes, 0.1 s an example.
SHARES: Final = {"jax": 0.3}

EACH: Final = "ARRAYAPI_UNIFY_MAX_EXAMPLES"
GROUP: Final = "ARRAYAPI_UNIFY_GROUP_EXAMPLES"
SEED: Final = "ARRAYAPI_UNIFY_SEED"
LEAST: Final = "ARRAYAPI_UNIFY_LEAST"
_ROUNDS: Final = 40


def quick() -> bool:
    """Return True if no variable is set, so that every run draws the same few calls."""
    return not {EACH, GROUP, SEED} & set(os.environ)


def _at_least(least: int) -> int:
    return min(least, int(os.environ.get(LEAST, least)))


def examples(
    backend: str = "", share: float = 1.0, among: int | None = None, least: int = 1
) -> int:
    """Return the number of examples of a function on a backend; a group has `among` functions.

    The environment variables apply to all backends: a number for each function, or one for each
    group. A run with its own seed draws at least `least`.
    """
    if EACH in os.environ:
        return int(os.environ[EACH])
    if among is not None and GROUP in os.environ:
        return math.ceil(int(os.environ[GROUP]) / among)
    found = int((_QUICK if quick() else _FULL) * share * SHARES.get(backend, 1.0))
    return max(found, _at_least(least) if SEED in os.environ else _FEWEST)


def is_enough(
    compared: int, xp: ModuleType, compiling: Collection[str] = frozenset(SHARES)
) -> bool:
    """Return True if a function is compared often enough: once, on a backend that compiles.

    It is for tests whose comparisons take up to seconds there. If a variable is set, all
    comparisons are made.
    """
    backend = xp.__unify_backend__
    return backend in compiling and compared > 0 and quick()


def check_examples(
    strategy: st.SearchStrategy[Any],
    check: Callable[[Any], str | None],
    xp: ModuleType | None = None,
    share: float = 1.0,
    again: int = 0,
    among: int | None = None,
    least: int = 1,
) -> None:
    """Draw examples, and fail with the text that `check` returns for the simplest failure.

    A number in `again` draws others. See `examples` for `share`, `among` and `least`.
    """
    backend = xp.__unify_backend__ if xp else ""

    @settings(
        max_examples=examples(backend, share, among, least),
        deadline=None,
        database=None,
        derandomize=False,
        # Shrinking would compile hundreds of calls, for minutes.
        phases=[Phase.generate] if backend in SHARES else [Phase.generate, Phase.shrink],
        # Calls have many arguments, and the first one on a backend compiles.
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        report_multiple_bugs=False,
        print_blob=False,
    )
    @given(strategy)
    def example(drawn: Any) -> None:
        problem = check(drawn)
        if problem is not None:
            raise AssertionError(problem)

    if SEED in os.environ or quick() or again:
        example = seed(_ROUNDS * int(os.environ.get(SEED, "0")) + again)(example)
    # Without a database no key is needed. To create one, Hypothesis searches all modules for the
    # source of the test, which takes longer than most tests.
    vars(example)["_hypothesis_internal_database_key"] = None
    example()


def check_until(
    strategy: st.SearchStrategy[Any],
    check: Callable[[Any], str | None],
    compared: Callable[[], int],
    xp: ModuleType,
    share: float = 1.0,
    least: int = 1,
    among: int | None = None,
) -> None:
    """Draw examples as `check_examples` does, until enough of them were compared.

    A test without any comparison would be void.
    """
    wanted = _at_least(least) if SEED in os.environ else 1
    for again in range(_ROUNDS):
        check_examples(strategy, check, xp, share, again, among, least)
        if compared() >= wanted:
            return
    assert compared(), "nothing that was drawn could be compared"
