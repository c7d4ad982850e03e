"""Runs on Dask arrays in chunks of 32 bytes."""

import pytest

from compliance import view
from compliance.store import load

from .conftest import Workplace

TESTS = """
def test_one_array(xp):
    assert xp.ones({size}).shape == ({size},)

def test_no_array(xp):
    pass
"""


@pytest.mark.slow
@pytest.mark.parametrize(("size", "in_chunks"), [(8, 1), (4, 0)])
@pytest.mark.parametrize("workers", ["0", "2"])
def test_share_of_cut_arrays(workplace: Workplace, size: int, in_chunks: int, workers: str) -> None:
    """Eight numbers of eight bytes have two chunks, four have one."""
    workplace.write_tests(TESTS.format(size=size))
    suite = str(workplace.suite)
    done = workplace.run("run", "chunked:dask.array", "--suite", suite, "--workers", workers)
    assert done.returncode == 0, done.stderr
    stored = load(workplace.output / "chunked" / "dask.array.json")
    assert (stored.summary["arrays"], stored.summary["arrays_in_chunks"]) == (1, in_chunks)
    (remark,) = [text for text in view.remarks(stored) if "more than one chunk" in text]
    assert remark.startswith(f"{in_chunks:.0%} of 1 arrays")
    assert "chunked:dask.array" in stored.meta["command"]


@pytest.mark.slow
def test_usual_runs_count_nothing(workplace: Workplace) -> None:
    workplace.write_tests(TESTS.format(size=8))
    done = workplace.run("run", "dask.array", "--suite", str(workplace.suite), "--workers", "0")
    assert done.returncode == 0, done.stderr
    stored = load(workplace.output / "dask.array.json")
    assert "arrays" not in stored.summary
    assert not [text for text in view.remarks(stored) if "chunk" in text]
