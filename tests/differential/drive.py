"""How the tests call Hypothesis: settings, and failures that print a compact reproduction."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

__all__ = ["examples", "for_all"]

# Those of `tox -e tests`; `tox -e differential` draws more.
_DEFAULT: Final = 20
_FEWEST: Final = 3
# JAX compiles a kernel for each new combination of data types and shapes, 0.1 s an example.
_SHARES: Final = {"jax": 0.3}


_EACH: Final = "ARRAYAPI_UNIFY_MAX_EXAMPLES"
_GROUP: Final = "ARRAYAPI_UNIFY_GROUP_EXAMPLES"


def examples(backend: str = "", share: float = 1.0, among: int | None = None) -> int:
    """Return how many examples a function gets on a backend, `among` how many there are in a group.

    What is set counts for all backends: a number for each function, or one for each group.
    """
    if _EACH in os.environ:
        return int(os.environ[_EACH])
    if among is not None and _GROUP in os.environ:
        return math.ceil(int(os.environ[_GROUP]) / among)
    return max(_FEWEST, int(_DEFAULT * share * _SHARES.get(backend, 1.0)))


def for_all(
    strategy: st.SearchStrategy[Any],
    check: Callable[[Any], str | None],
    xp: ModuleType | None = None,
    share: float = 1.0,
    again: int = 0,
    among: int | None = None,
) -> None:
    """Draw examples, and fail with the text that `check` returns for the simplest bad one.

    They are the same ones in every run; a number in `again` draws others.
    """
    backend = xp.__name__.rpartition(".")[2] if xp else ""

    @settings(
        max_examples=examples(backend, share, among),
        deadline=None,
        database=None,
        # The same calls in every run, unless one asks for a number of them: then always others.
        derandomize=not {_EACH, _GROUP} & set(os.environ),
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

    (seed(again)(example) if again else example)()
