"""Programs of views and writes mean on every backend what they mean in NumPy.

`ARRAYAPI_UNIFY_MAX_EXAMPLES` sets the number of programs for each backend.
"""

from __future__ import annotations

from types import ModuleType

from tests.memory.machine import count, run_programs
from tests.memory.sides import Bound

# JAX compiles a kernel for each new combination of data types and shapes.
SHARES = {"jax": 0.25}


def test_programs(xp: ModuleType) -> None:
    backend = xp.__name__.rpartition(".")[2]
    programs = count(SHARES.get(backend, 1.0))
    run_programs(lambda: Bound(xp), programs, shrink=backend not in SHARES)
