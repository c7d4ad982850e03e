"""Programs of views and writes mean on every backend what they mean in NumPy.

`ARRAYAPI_UNIFY_MAX_EXAMPLES` sets the number of programs for each backend.
"""

from __future__ import annotations

import pytest

from arrayapi_unify.binding import namespace_of
from tests.installed import INSTALLED
from tests.memory.machine import count, run_programs
from tests.memory.sides import Bound

# JAX compiles a kernel for each new combination of data types and shapes.
SHARES = {"jax": 0.25}


@pytest.mark.parametrize("backend", INSTALLED)
def test_programs(backend: str) -> None:
    xp = namespace_of(backend)
    programs = count(SHARES.get(backend, 1.0))
    run_programs(lambda: Bound(xp), programs, shrink=backend not in SHARES)
