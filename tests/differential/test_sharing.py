"""A result shares memory with an argument where NumPy's does, and nowhere else."""

from __future__ import annotations

from types import ModuleType

import pytest

from arrayapi_unify.binding import CONTRACTS, namespace_of
from tests.conftest import INSTALLED
from tests.differential.arguments import cases
from tests.differential.case import Case
from tests.differential.coverage import groups
from tests.differential.drive import for_all
from tests.differential.sharing import SHARING, faults

# It returns its argument, by definition.
UPDATES = frozenset({"set_item"})
FUNCTIONS = [
    pytest.param(name, id=f"{category}-{name}")
    for category, names in groups().items()
    for name in names
    if name not in UPDATES
]
MUTABLE = [name for name in ("numpy", "torch") if name in INSTALLED]


@pytest.fixture(params=MUTABLE)
def mutable(request: pytest.FixtureRequest) -> ModuleType:
    """The bound namespace of each backend whose own memory is shared."""
    return namespace_of(request.param)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_shares_as_numpy(function: str, mutable: ModuleType) -> None:
    def check(case: Case) -> str | None:
        found = faults(case, mutable)
        return f"{case} on {mutable.__name__}: {'; '.join(found)}" if found else None

    for_all(cases(function), check, mutable)


def test_table_names_functions() -> None:
    assert set(SHARING) <= set(CONTRACTS)
