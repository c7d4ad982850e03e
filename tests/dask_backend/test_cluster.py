"""Dask's clusters: natives travel by name, blocks are computed within the workers' memory."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arrayapi_unify as unify
from arrayapi_unify.errors import UnifyLinAlgError

dask = pytest.importorskip("dask")
distributed = pytest.importorskip("distributed")

ROWS, COLUMNS = 2_500_000, 10  # 200 MB
BLOCK = 2**19
BEYOND_IDLE = 40 * 10**6  # the limit of a worker's memory beyond what it has when it is idle

pytestmark = [
    pytest.mark.slow,  # a cluster of two processes
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Two worker processes."""
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with (
        dask.config.set({"distributed.worker.memory.terminate": False}),
        distributed.LocalCluster(processes=True, **options) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def _peak() -> int:
    """Return the most memory that this process has had, in bytes."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _table(xp: ModuleType, rows: int) -> Any:
    """Return numbers whose columns are mixed, so that they are correlated."""
    x = xp.random.bits(xp.random.key(5), (rows, COLUMNS)) / 2.0**32
    return x @ xp.asarray(np.triu(np.ones((COLUMNS, COLUMNS))))


def _decomposed(xp: ModuleType, rows: int) -> Any:
    """Return the decomposition of the correlations."""
    x = _table(xp, rows)
    z = (x - xp.mean(x, axis=0)) / xp.std(x, axis=0)
    return xp.linalg.eigh(z.T @ z / rows)


def test_a_table_larger_than_the_limit(xp: ModuleType, client: Any) -> None:
    """Standardized and decomposed, with peaks below the limit, and right to 1e-12."""
    with dask.config.set({"array.chunk-size": BLOCK}):
        unify.compute(*_decomposed(xp, 4 * BLOCK // 80))  # the workers import what they need
        idle = client.run(_peak)
        values, _ = unify.compute(*_decomposed(xp, ROWS))
    peaks = {worker: peak - idle[worker] for worker, peak in client.run(_peak).items()}
    assert max(peaks.values()) < BEYOND_IDLE, peaks
    host = _table(unify.numpy, ROWS).to_numpy()
    host = (host - host.mean(0)) / host.std(0)
    expected = np.linalg.eigvalsh(host.T @ host / ROWS)
    assert np.allclose(values.to_numpy(), expected, rtol=1e-12)


def test_collections(xp: ModuleType, client: Any) -> None:
    x = xp.asarray([1.0, 2.0, 3.0])
    assert client.compute(x).result().tolist() == [1.0, 2.0, 3.0]
    assert [y.tolist() for y in client.gather(client.compute([x + 1, x * 2]))] == [
        [2.0, 3.0, 4.0], [2.0, 4.0, 6.0],
    ]  # fmt: skip
    kept = client.persist(x + 1)
    assert isinstance(kept, type(x))
    assert (kept * 2).tolist() == [4.0, 6.0, 8.0]


def test_default_data_types_travel(xp: ModuleType, client: Any) -> None:
    with unify.default_dtype("int32"):
        total = xp.sum(xp.asarray(np.ones(3, np.int8)))
    assert client.compute(total).result().dtype == unify.int32


def test_errors_name_the_function(xp: ModuleType, client: Any) -> None:
    inverse = xp.linalg.cholesky(xp.asarray([[1.0, 2.0], [2.0, 1.0]]))
    with pytest.raises(UnifyLinAlgError, match=r"linalg\.cholesky"):
        unify.compute(inverse)


def test_a_worker_that_ends_loses_nothing(xp: ModuleType, client: Any) -> None:
    """Dask computes again what was lost: all that a block needs is in its task."""
    with dask.config.set({"array.chunk-size": 2**16}):
        x = xp.random.bits(xp.random.key(3), (100_000,), dtype="uint32")
        kept = client.persist(x)
        distributed.wait(kept.data)
        victim = next(iter(client.scheduler_info()["workers"]))
        client.cluster.scheduler.close_worker(victim)
        found = unify.compute(xp.sum(kept))
    expected = unify.numpy.random.bits(unify.numpy.random.key(3), (100_000,), dtype="uint32")
    assert found.item() == int(expected.to_numpy().sum(dtype=np.uint64))
