"""`out=` of every function that has it: the result is `out`, with the values of a call without it.

On a backend that compiles each call, `test_functions.py` passes `out` in its own calls, because
compiling others would take longer than everything else here.
"""

from __future__ import annotations

from types import ModuleType

import pytest

from arrayapi_unify.contracts import CONTRACTS
from tests.differential.coverage import parameters
from tests.differential.out_argument import CallWithOut, calls_with_out, problems_with_out
from tests.differential.runner import check_until

FUNCTIONS = parameters(lambda name: CONTRACTS[name].takes_out)


@pytest.mark.sample(24)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_same_as_numpy(function: str, others: list[ModuleType]) -> None:
    made = 0

    def check(drawn: CallWithOut) -> str | None:
        nonlocal made
        succeeds, problems = problems_with_out(drawn, others)
        made += succeeds
        return "\n".join(problems) or None

    check_until(calls_with_out(function), check, lambda: made, others[0], share=0.5)
