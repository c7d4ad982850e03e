"""B53: programs of views and writes have NumPy's results on every backend.

`ARRAYAPI_UNIFY_MAX_EXAMPLES` sets the number of programs for each backend,
`ARRAYAPI_UNIFY_GROUP_EXAMPLES` ten times that number.
"""

from __future__ import annotations

from types import ModuleType

import pytest

from arrayapi_unify.views import memory
from tests.views.implementations import Bound
from tests.views.state_machine import count, run_programs

# JAX compiles a kernel for each new combination of data types and shapes.
SHARES = {"jax": 0.25, "dask": 0.25}


@pytest.mark.quick
@pytest.mark.parametrize("copies", [0, memory._BUDGET_FACTOR])
def test_programs(xp: ModuleType, copies: int, monkeypatch: pytest.MonkeyPatch) -> None:
    # Views of small arrays drop their data, too, as soon as there are others.
    monkeypatch.setattr(memory, "_MIN_BUDGET", 0)
    monkeypatch.setattr(memory, "_BUDGET_FACTOR", copies)
    backend = xp.__unify_backend__
    programs = count(SHARES.get(backend, 1.0))
    run_programs(lambda: Bound(xp), programs, shrink=backend not in SHARES)
