"""Programs of others give NumPy's results with each namespace, array_api_compat's among them."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.binding import namespace_of
from tests.installed import INSTALLED, LAZY
from tests.numpy_programs import geometry, regression, searches, signals, statistics

MODULES = (geometry, regression, searches, signals, statistics)
PROGRAMS = {program.__name__: program for module in MODULES for program in module.PROGRAMS}


def described(value: Any) -> tuple[str, Any]:
    """Return the kind of a result, and its values as NumPy's."""
    if isinstance(value, tuple | list):
        return "sequence", [described(part) for part in value]
    if isinstance(value, unify.Array | np.ndarray | np.generic):
        return str(value.dtype), np.asarray(value)
    return type(value).__name__, value


def check(found: Any, expected: Any) -> None:
    """Compare descriptions: kinds and text are equal, numbers close."""
    assert found[0] == expected[0]
    if found[0] == "sequence":
        assert len(found[1]) == len(expected[1])
        for one, other in zip(found[1], expected[1], strict=True):
            check(one, other)
    elif isinstance(expected[1], np.ndarray | float | complex):
        assert np.shape(found[1]) == np.shape(expected[1])
        np.testing.assert_allclose(found[1], expected[1], rtol=1e-9, atol=1e-12)
    else:
        assert found[1] == expected[1]


def results(name: str, xp: Any) -> list[Any]:
    """Run a program with a namespace."""
    found = PROGRAMS[name](xp, xp.asarray)
    assert len(found) == 10
    if xp.__name__.startswith("arrayapi_unify"):
        assert sum(isinstance(value, unify.Array) for value in found) >= 3
    return [described(value) for value in found]


# Programs that catch an error of values, which a lazy array raises when it is computed.
CATCHING = {"cholesky_with_jitter", "guarded_solve"}
CASES = [
    (name, namespace)
    for namespace in ("array_api_compat.numpy", *INSTALLED)
    for name in PROGRAMS
    if namespace not in LAZY or name not in CATCHING
]


@pytest.mark.parametrize(("name", "namespace"), CASES)
def test_results_are_numpys(name: str, namespace: str) -> None:
    expected = results(name, np)
    xp = namespace_of(namespace) if namespace in INSTALLED else importlib.import_module(namespace)
    for i, (one, other) in enumerate(zip(results(name, xp), expected, strict=True)):
        try:
            check(one, other)
        except AssertionError as error:
            error.add_note(f"result {i} of {name}")
            raise


def test_their_number() -> None:
    """Count the programs, and those built on what published packages write."""
    assert len(PROGRAMS) >= 30
