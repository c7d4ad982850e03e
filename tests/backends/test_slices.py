"""Slices with bounds on either side of an axis, in steps of either sign, as NumPy takes them."""

from __future__ import annotations

import itertools
from types import ModuleType

import numpy as np
import pytest

import arrayapi_unify as unify
from tests.installed import EAGER

BOUNDS = [None, *range(-12, 13)]
FEW = [None, -12, -11, -1, 3, 12]
BACKENDS = [*EAGER, "dask"]


def check(xp: ModuleType, bounds: list[int | None], steps: tuple[int | None, ...]) -> None:
    values = np.arange(10)
    x = xp.asarray(values)
    for start, stop, step in itertools.product(bounds, bounds, steps):
        key = slice(start, stop, step)
        np.testing.assert_array_equal(np.asarray(x[key]), values[key], err_msg=str(key))


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_every_slice(backend: str) -> None:
    pytest.importorskip(backend)
    compiling = backend in ("jax", "tensorflow")  # a kernel for each slice
    check(unify.get_backend(backend), BOUNDS, (-3, 2) if compiling else (-3, -1, 2, None))


@pytest.mark.parametrize("backend", BACKENDS)
def test_slices(backend: str) -> None:
    pytest.importorskip(backend)
    check(unify.get_backend(backend), FEW, (-2, 1))


@pytest.mark.parametrize("backend", BACKENDS)
def test_writes(backend: str) -> None:
    pytest.importorskip(backend)
    xp = unify.get_backend(backend)
    few = [None, -12, -11, 9, 12]
    for start, stop, step in itertools.product(few, few, (-2, 1)):
        key, expected, x = slice(start, stop, step), np.arange(10.0), xp.asarray(np.arange(10.0))
        expected[key] = -1.0
        x[key] = -1.0
        np.testing.assert_array_equal(np.asarray(x), expected, err_msg=str(key))
