"""B48 and B54: five malformed calls of each function; `tox -e fuzz` makes 40,000."""

from __future__ import annotations

import pytest

import arrayapi_unify as unify
from arrayapi_unify.contracts import CONTRACTS
from tests.fuzz.__main__ import above
from tests.fuzz.driver import run
from tests.fuzz.lines import LINES
from tests.fuzz.sorting import BAD
from tests.fuzz.surface import functions
from tests.installed import INSTALLED


def test_functions_that_nothing_draws_have_lines() -> None:
    """The other functions have the calls of the differential tests."""
    of_nests = {name for name, c in CONTRACTS.items() if c.category in ("nest", "nn.optimizers")}
    assert of_nests - LINES.keys() == set()
    classes = {
        f"{module.__name__.rpartition('.')[2]}.{name}"
        for module in (unify.optimizers, unify.schedules)
        for name in module.__all__
    }
    assert classes - LINES.keys() == {"optimizers.Optimizer", "schedules.Schedule"}


@pytest.mark.slow
@pytest.mark.parametrize("backend", [name for name in ("numpy", "torch") if name in INSTALLED])
def test_what_comes_of_malformed_calls(backend: str) -> None:
    made = run(backend, functions(), 5, 2026)
    assert len(made) > 2000
    bad = [one for one in made if one.sort in BAD]
    shown = "\n".join(f"{one.sort}: {one.text}\n    {one.message}" for one in bad)
    assert above(made) == [], shown
