"""Creation functions hold no values: their blocks are made where they are needed."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import arrayapi_unify as unify

dask = pytest.importorskip("dask")
cloudpickle = pytest.importorskip("cloudpickle")
xp: Any = unify.get_backend("dask")
N: Final = 200_000
MADE: Final[dict[str, Callable[[], Any]]] = {
    "arange": lambda: xp.arange(N),
    "linspace": lambda: xp.linspace(0, 1, N),
    "logspace": lambda: xp.logspace(0, 1, N),
    "geomspace": lambda: xp.geomspace(1, 2, N),
    "full": lambda: xp.full((N,), 3.0),
    "eye": lambda: xp.eye(450, k=3),
    "tri": lambda: xp.tri(450),
    "tril_indices": lambda: xp.tril_indices(450)[0],
    "meshgrid": lambda: xp.meshgrid(xp.arange(450), xp.arange(450))[0],
    "fft.fftfreq": lambda: xp.fft.fftfreq(N),
    "fft.rfftfreq": lambda: xp.fft.rfftfreq(N),
    "random.uniform": lambda: xp.random.uniform(xp.random.key(1), (N,)),
}


@pytest.mark.sample(12)
@pytest.mark.parametrize("name", MADE)
def test_no_values_are_held(name: str) -> None:
    """FAULTS 5.10."""
    tasks = dict(MADE[name]().data.__dask_graph__()).values()
    assert sum(len(cloudpickle.dumps(task)) for task in tasks) < 20_000


@pytest.mark.parametrize("num", [0, 1, 2, 33])
@pytest.mark.parametrize("endpoint", [True, False])
def test_linspace_in_blocks(num: int, endpoint: bool) -> None:
    ends = [(0, 1), (-3, 7.5), (1, 1), (5, -5), (1 + 1j, 2), (0.0, 5e-324), (float("inf"), 1)]
    for start, stop in ends:
        for dtype in ("complex128",) if isinstance(start, complex) else ("float64", "int64"):
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                expected = np.linspace(start, stop, num, endpoint=endpoint, dtype=dtype)
                with dask.config.set({"array.chunk-size": "80B"}):
                    found = xp.linspace(start, stop, num, endpoint=endpoint, dtype=dtype)
                assert num < 33 or found.data.npartitions > 1
                np.testing.assert_array_equal(np.asarray(found), expected, strict=True)


@pytest.mark.parametrize("n", [1, 2, 33, 34])
def test_frequencies_in_blocks(n: int) -> None:
    for name in ("fftfreq", "rfftfreq"):
        with dask.config.set({"array.chunk-size": "80B"}):
            found = getattr(xp.fft, name)(n, d=0.1)
        np.testing.assert_array_equal(np.asarray(found), getattr(np.fft, name)(n, 0.1))
