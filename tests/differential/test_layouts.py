"""The result of a call doesn't depend on the layout of its arguments: each is made in all layouts.

The other tests draw layouts, too, but few of their calls combine two axes, a data type that a
kernel supports, and a layout that it doesn't.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify.binding import namespace_of
from arrayapi_unify.contracts import CONTRACTS
from tests.differential.arguments import cases
from tests.differential.case import VIEWS, ArrayArg, Case
from tests.differential.check import differences, report
from tests.differential.coverage import groups, parameters, takes_arrays
from tests.differential.outcome import run, values_of
from tests.differential.runner import SHARES, check_until, quick
from tests.differential.sharing import memory
from tests.installed import INSTALLED
from tests.tables import each

# The default number of calls of a function in each layout.
_FEW = 2
# JAX, which compiles each call, has no layouts.
LAID_OUT = tuple(name for name in INSTALLED if name not in SHARES)


@pytest.mark.sample(16)
@pytest.mark.parametrize("every_backend", [LAID_OUT], ids="+".join, indirect=True)
@pytest.mark.parametrize("function", parameters(takes_arrays))
def test_same_in_every_layout(function: str, every_backend: list[ModuleType]) -> None:
    """Calls that NumPy refuses are omitted: read-only layouts are a separate fault."""
    made = 0

    def check(case: Case) -> str | None:
        nonlocal made
        if (quick() and made >= _FEW) or run(case, namespace_of("numpy")).error:
            return None
        made += 1
        return problems(case, every_backend)

    among = len(groups()[CONTRACTS[function].category])
    check_until(cases(function), check, lambda: made, every_backend[0], among=among)


def problems(case: Case, namespaces: Sequence[ModuleType]) -> str | None:
    """Make a call in each layout; return the differences."""
    laid = [case.laid(view) for view in VIEWS]
    found = [report(one, *what) for one in laid for what in differences(one, namespaces)]
    return "\n".join(found) or None


SHAPES = [(), (3,), (2, 3), (2, 1, 3), (2, 3, 4), (0, 3)]
NUMBERS = ["bool", "int8", "uint16", "int64", "float32", "float64", "complex64", "complex128"]


def _values(shape: tuple[int, ...], dtype: str) -> Any:
    values = np.arange(np.prod(shape)).reshape(shape)
    return (values * (1 + 2j)).astype(dtype) if dtype.startswith("c") else values.astype(dtype)


@pytest.mark.slow_on("dask")
@each("view", VIEWS)
def test_layouts_keep_the_values(view: str, backend: ModuleType) -> None:
    compiles = backend.__unify_backend__ in SHARES
    for shape in [(2, 3)] if compiles else SHAPES:
        for dtype in ["float32"] if compiles else NUMBERS:
            values = _values(shape, dtype)
            given = values[:1].repeat(shape[0], 0) if view == "broadcast" and shape else values
            found = values_of(ArrayArg(given).laid(view).build(backend)).values
            assert found.dtype == values.dtype
            np.testing.assert_array_equal(found, given, err_msg=f"{view} {shape}")


def _built(view: str, xp: ModuleType, dtype: str) -> Any:
    return ArrayArg(_values((2, 3, 4), dtype)).laid(view).build(xp).data


# Strides in bytes along each axis, for float64 elements in shape (2, 3, 4).
STEPS = {
    "inside": (240, 48, 8),
    "every second": (192, 64, 16),
    "transposed": (8, 16, 48),
    "permuted": (8, 64, 16),
    "taken": (8, 16, 48),
    "native": (8, 16, 48),
    "imported": (8, 16, 48),
}


@pytest.mark.parametrize("name", [name for name in ("numpy", "torch") if name in INSTALLED])
@each("view, steps", STEPS.items())
def test_layouts_are_what_they_say(view: str, steps: tuple[int, ...], name: str) -> None:
    """A layout that equals the default one would test nothing."""
    assert memory(_built(view, namespace_of(name), "float64")).strides == steps


@pytest.mark.parametrize("name", [name for name in ("torch",) if name in INSTALLED])
def test_what_pytorch_alone_has(name: str) -> None:
    xp = namespace_of(name)
    for dtype in ("float64", "complex64"):
        assert _built("tracked", xp, dtype).requires_grad
        assert _built("tracked transposed", xp, dtype).stride() == (1, 2, 6)
    assert _built("conjugated", xp, "complex64").is_conj()
    assert _built("conjugated transposed", xp, "complex64").stride() == (1, 2, 6)
    assert _built("negated", xp, "float64").is_neg()


def test_a_layout_that_is_not_taken_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    xp = namespace_of("numpy")
    case = Case("sin", (ArrayArg(np.ones((2, 3))),))
    assert problems(case, [xp]) is None
    sin = xp.sin

    def of_rows(x: Any, /) -> Any:
        right = sin(x)
        return right if x.data.flags.c_contiguous else right + 1

    monkeypatch.setattr(xp, "sin", of_rows)
    found = problems(case, [xp])
    assert found is not None
    assert "permute_dims" in found
