"""The rows of `limits.py` apply to the backends that they name, and to no other."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
import pytest

from arrayapi_unify.binding import namespace_of
from tests.differential.differences import render
from tests.differential.limits import LIMITS, Limit
from tests.immutable_backend import NAME as FROZEN


def _components(x: Any) -> Any:
    """Return an array of real numbers: a complex number with a NaN component counts as NaN."""
    values = np.atleast_1d(np.asarray(x))
    return values.view(values.real.dtype) if values.dtype.kind == "c" else values


ROWS = [pytest.param(row, id=f"{row.functions}-{row.condition}") for row in LIMITS]


@pytest.mark.parametrize("row", ROWS)
def test_is_true(row: Limit, backend: ModuleType) -> None:
    name = backend.__unify_backend__
    with np.errstate(all="ignore"):
        expected, got = (_components(row.shown_by(xp)) for xp in (namespace_of("numpy"), backend))
    same = np.array_equal(expected, got, equal_nan=got.dtype.kind == "f")
    assert same is (name not in row.backends or name == FROZEN)


@pytest.mark.parametrize("row", ROWS)
def test_is_on_the_page(row: Limit) -> None:
    assert f"| {row.functions} | {', '.join(row.backends)} | {row.condition} |" in render()
