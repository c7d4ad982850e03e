"""`out=` of every function that has it: the result is `out`, its values are what they would be.

On a backend that compiles each call, `test_functions.py` gives `out` to the calls that it makes: to
compile others would take longer than all the rest of this.
"""

from __future__ import annotations

from types import ModuleType

import pytest

from arrayapi_unify.binding import CONTRACTS
from tests.differential.coverage import parameters
from tests.differential.drive import until_compared
from tests.differential.into_out import Drawn, calls_into, problems_into

FUNCTIONS = parameters(lambda name: CONTRACTS[name].takes_out)


@pytest.mark.some(100)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_same_as_numpy(function: str, others: list[ModuleType]) -> None:
    made = 0

    def check(drawn: Drawn) -> str | None:
        nonlocal made
        succeeds, problems = problems_into(drawn, others)
        made += succeeds
        return "\n".join(problems) or None

    until_compared(calls_into(function), check, lambda: made, others[0], share=0.5)
