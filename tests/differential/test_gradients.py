"""Derivatives are mathematically right on each framework that has them.

They are computed at drawn points, including the real axis and zeros, if NumPy's results are smooth
there. `ARRAYAPI_UNIFY_MAX_EXAMPLES` sets the number of points.
"""

from __future__ import annotations

import importlib
from types import ModuleType

import numpy as np
import pytest

from arrayapi_unify.array_object import Array
from arrayapi_unify.contracts import CONTRACTS
from tests.differential.case import ArrayArg, Case
from tests.differential.coverage import GIVE_NO_ARRAYS, parameters, slow_but_first, takes_arrays
from tests.differential.differences import NOT_DERIVED, NOT_DIFFERENTIATED
from tests.differential.gradients import (
    FLAT,
    GRADIENTS,
    NO_FLOATS,
    Moving,
    moves_floats,
    moving_cases,
    slope,
)
from tests.differential.indexing import names_twice
from tests.differential.runner import check_examples, check_until, is_enough
from tests.installed import INSTALLED

FRAMEWORKS = [name for name in INSTALLED if name in GRADIENTS]
FUNCTIONS = parameters(
    lambda name: (
        name not in NOT_DIFFERENTIATED
        and name not in NO_FLOATS | GIVE_NO_ARRAYS
        and takes_arrays(name)
    )
)
every_framework = pytest.mark.parametrize("framework", FRAMEWORKS)


@pytest.mark.sample(60)
@every_framework
@pytest.mark.parametrize("function", FUNCTIONS)
def test_derivative(function: str, framework: str) -> None:
    xp = importlib.import_module(f"arrayapi_unify.{framework}")
    count = 0

    def check(moving: Moving) -> str | None:
        nonlocal count
        found = None if is_enough(count, xp) else slope(moving)
        if found is None:
            return None
        smooth, expected, size = found
        count += size > 0 or function in FLAT
        got = _derivative(smooth, framework)
        if got is None or abs(got - expected) <= 1e-5 * (1 + size):
            return None
        known = (framework, function) in NOT_DERIVED and function == "set_item"
        if known and names_twice(*smooth.case.args[:2]):
            return None
        return f"{smooth}: the derivative is {got}, by differences {expected}"

    check_until(moving_cases(function), check, lambda: count, xp, share=0.3, least=10)


@pytest.mark.sample(6)
@pytest.mark.parametrize("function", slow_but_first(FUNCTIONS))
def test_frameworks_agree(function: str) -> None:
    """To 1e-10 of the derivative's magnitude: finite differences have fewer digits."""
    slowest = importlib.import_module(f"arrayapi_unify.{FRAMEWORKS[-1]}")
    count = 0

    def check(moving: Moving) -> str | None:
        nonlocal count
        found = None if is_enough(count, slowest) else slope(moving)
        if found is None:
            return None
        smooth, _, size = found
        derivatives = {name: _derivative(smooth, name) for name in FRAMEWORKS}
        got = {name: value for name, value in derivatives.items() if value is not None}
        if function == "set_item" and names_twice(*smooth.case.args[:2]):
            return None  # see the table of differences
        count += len(got) > 1 and (size > 0 or function in FLAT)
        apart = np.ptp(list(got.values())) if got else 0.0  # NaN with numbers is NaN
        return None if apart <= 1e-10 * (1 + size) else f"{smooth}: {got}"

    check_until(moving_cases(function), check, lambda: count, slowest, share=0.3, least=10)


def _derivative(smooth: Moving, framework: str) -> float | None:
    """Return a derivative on a framework, or None if it refuses according to a table."""
    try:
        return GRADIENTS[framework](smooth, importlib.import_module(f"arrayapi_unify.{framework}"))
    except Exception:
        if (framework, smooth.case.function) in NOT_DERIVED and _refused(smooth.case):
            return None
        raise


def _refused(case: Case) -> bool:
    """Return True if the table applies to these matrices: singular for det, not square for svd."""
    matrices = case.arrays()[0]
    if matrices.shape[-1] != matrices.shape[-2]:
        return True
    return case.function == "linalg.det" and bool(np.any(np.abs(np.linalg.det(matrices)) < 1e-9))


REFUSED = {
    "linalg.svd": (np.arange(8.0).reshape(1, 8), {}),
    "linalg.qr": (np.arange(6.0).reshape(3, 2), {"mode": "complete"}),
    "linalg.eig": (np.arange(9.0).reshape(3, 3), {}),
    "linalg.det": (np.ones((3, 3)), {}),
}


@pytest.mark.parametrize(
    ("framework", "function"), [k for k in NOT_DERIVED if k[0] in FRAMEWORKS and k[1] in REFUSED]
)
def test_table_is_true(framework: str, function: str) -> None:
    values, kwargs = REFUSED[function]
    moving = Moving(
        Case(function, (ArrayArg(values),), kwargs), (np.ones_like(values),), np.full(99, 1 + 1j)
    )
    with pytest.raises(Exception, match=r"not differentiable|mplemented|invertible|erivatives"):
        GRADIENTS[framework](moving, importlib.import_module(f"arrayapi_unify.{framework}"))


def _smooth_share(function: str) -> float:
    """Return the share of compared calls in several runs, because draws of one run are similar."""
    smooth: list[bool] = []

    def check(moving: Moving) -> None:
        smooth.append(slope(moving) is not None)

    for again in range(10):
        check_examples(moving_cases(function), check, again=again)
        if sum(smooth) > len(smooth) / 3:
            break
    return sum(smooth) / len(smooth)


@pytest.mark.parametrize(
    "function",
    ["add", "acos", "clip", "cumulative_prod", "linalg.det", "linalg.svd", "nn.lstm_update",
    "matmul",
     "max", "set_item", "sort", "std", "take", "where"],
)  # fmt: skip
def test_derivatives_are_compared(function: str) -> None:
    """Calls that aren't smooth are skipped, but more than a third remain."""
    assert _smooth_share(function) > 1 / 3


@pytest.mark.parametrize("function", sorted(NO_FLOATS))
def test_moves_no_floats(function: str) -> None:
    def check(moving: Moving) -> str | None:
        return str(moving) if moves_floats(moving) else None

    check_examples(moving_cases(function), check)


@every_framework
class TestEigenvalues:
    """Their sum of cubes doesn't depend on their order: its derivative is 3 transpose(A**2)."""

    @pytest.mark.parametrize("dtype", ["float64", "complex128"])
    def test_sum_of_cubes(self, framework: str, dtype: str) -> None:
        xp = importlib.import_module(f"arrayapi_unify.{framework}")
        generator = np.random.default_rng(5)
        values = generator.normal(size=(3, 3)).astype(dtype)
        if dtype == "complex128":
            values += 1j * generator.normal(size=(3, 3))
        direction = generator.normal(size=(3, 3)).astype(dtype)
        moving = Moving(
            Case("linalg.eigvals", (ArrayArg(values),)), (direction,), np.full(12, 1 - 0j)
        )
        cubes = GRADIENTS[framework](moving, _Cubes(xp))
        expected = np.sum(3 * np.linalg.matrix_power(values, 2).T * direction).real
        np.testing.assert_allclose(cubes, expected, rtol=1e-10)


class _Cubes(ModuleType):
    """A namespace whose `linalg.eigvals` returns the sum of the eigenvalues' cubes."""

    def __init__(self, xp: ModuleType) -> None:
        super().__init__(xp.__unify_backend__)
        self.asarray = xp.asarray
        self.linalg = self

        def eigvals(x: Array) -> Array:
            return xp.real(xp.sum(xp.linalg.eigvals(x) ** 3))

        self.eigvals = eigvals


def test_tables_name_functions() -> None:
    assert set(NOT_DIFFERENTIATED) | {function for _, function in NOT_DERIVED} <= set(CONTRACTS)
