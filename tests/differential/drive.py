"""How the tests call Hypothesis: settings, and failures that print a compact reproduction.

The calls are the same ones in every run. `ARRAYAPI_UNIFY_SEED` draws others: a number always draws
the same, `random` takes another number each time, which is printed (see `conftest`). So does a
number of examples, without one.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Collection
from types import ModuleType
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

__all__ = ["SEED", "enough", "examples", "for_all", "until_compared"]

# Those of `tox -e tests`; `tox -e differential` draws more.
_DEFAULT: Final = 20
_FEWEST: Final = 3
# JAX compiles a kernel for each new combination of data types and shapes, 0.1 s an example.
_SHARES: Final = {"jax": 0.3}


_EACH: Final = "ARRAYAPI_UNIFY_MAX_EXAMPLES"
_GROUP: Final = "ARRAYAPI_UNIFY_GROUP_EXAMPLES"
SEED: Final = "ARRAYAPI_UNIFY_SEED"
_ROUNDS: Final = 40


def examples(
    backend: str = "", share: float = 1.0, among: int | None = None, least: int = 1
) -> int:
    """Return how many examples a function gets on a backend, `among` how many there are in a group.

    What is set counts for all backends: a number for each function, or one for each group. A run
    with its own seed has time: it draws `least` of them.
    """
    if _EACH in os.environ:
        return int(os.environ[_EACH])
    if among is not None and _GROUP in os.environ:
        return math.ceil(int(os.environ[_GROUP]) / among)
    found = int(_DEFAULT * share * _SHARES.get(backend, 1.0))
    return max(found, least if SEED in os.environ else _FEWEST)


def enough(compared: int, xp: ModuleType, compiling: Collection[str] = frozenset(_SHARES)) -> bool:
    """Whether so many comparisons do for a function: one on a backend that compiles for each.

    It is for tests of which a comparison takes up to seconds there. What is set asks for all.
    """
    backend = xp.__name__.rpartition(".")[2]
    return backend in compiling and compared > 0 and not {_EACH, _GROUP, SEED} & set(os.environ)


def for_all(
    strategy: st.SearchStrategy[Any],
    check: Callable[[Any], str | None],
    xp: ModuleType | None = None,
    share: float = 1.0,
    again: int = 0,
    among: int | None = None,
    least: int = 1,
) -> None:
    """Draw examples, and fail with the text that `check` returns for the simplest bad one.

    A number in `again` draws others. `examples` says what `share`, `among` and `least` are.
    """
    backend = xp.__name__.rpartition(".")[2] if xp else ""

    @settings(
        max_examples=examples(backend, share, among, least),
        deadline=None,
        database=None,
        derandomize=not {_EACH, _GROUP, SEED} & set(os.environ),
        # Hundreds of simpler calls, each of which is compiled, would take minutes.
        phases=[Phase.generate] if backend in _SHARES else [Phase.generate, Phase.shrink],
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

    if SEED in os.environ:
        example = seed(_ROUNDS * int(os.environ[SEED]) + again)(example)
    elif again:
        example = seed(again)(example)
    example()


def until_compared(
    strategy: st.SearchStrategy[Any],
    check: Callable[[Any], str | None],
    compared: Callable[[], int],
    xp: ModuleType,
    share: float = 1.0,
    least: int = 1,
) -> None:
    """Draw examples as `for_all` does, and go on until enough of them were compared.

    A test that has compared nothing has passed for nothing.
    """
    wanted = least if SEED in os.environ else 1
    for again in range(_ROUNDS):
        for_all(strategy, check, xp, share, again, least=least)
        if compared() >= wanted:
            return
    assert compared(), "nothing that was drawn could be compared"
