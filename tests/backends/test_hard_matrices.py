"""NaN, infinities, singular, empty and badly scaled matrices: no crashes, and equal outcomes."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from arrayapi_unify import linalg
from tests.backends.hard_matrices import FUNCTIONS, PARTS
from tests.differential.differences import REFUSALS
from tests.installed import INSTALLED

ROOT: Final = Path(__file__).parents[2]
Outcomes = Callable[[str, str], list[str]]
ENDED: Final = "the process ended"
_PATIENCE: Final = 900  # seconds to wait for a worker that may have died


def _run(backend: str, part: str, start: int) -> list[str]:
    """Return the outcomes of calls from one on, up to the one that ended the process, if any."""
    command = [sys.executable, "-m", "tests.backends.hard_matrices", backend, part, str(start)]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    lines = done.stdout.splitlines()  # LAPACK prints too
    outcomes = [json.loads(line[5:]) for line in lines if line.startswith("done ")]
    if done.returncode and len(outcomes) < sum(line.startswith("call ") for line in lines):
        return [*outcomes, f"{ENDED} with {done.returncode}"]
    assert done.returncode == 0, done.stderr
    return outcomes


def _measure(backend: str, part: str) -> list[str]:
    """Return the outcome of each call; after a crash, another process continues."""
    found: list[str] = []
    while len(found) < len(PARTS[part]):
        found += _run(backend, part, len(found))
    return found


def _shared(folder: Path, backend: str, part: str) -> list[str]:
    """Return the outcomes, measured once for all workers: it takes many seconds a backend."""
    result, begun = folder / f"{backend}-{part}.json", folder / f"{backend}-{part}.begun"
    try:
        begun.touch(exist_ok=False)
    except FileExistsError:
        end = time.monotonic() + _PATIENCE
        while not result.exists() and time.monotonic() < end:
            time.sleep(0.1)
        text = result.read_text("utf-8") if result.exists() else "null"
        found: list[str] | None = json.loads(text)
        return _measure(backend, part) if found is None else found
    found = None
    try:
        found = _measure(backend, part)
    finally:  # waiting workers continue in any case
        whole = begun.with_suffix(".whole")
        whole.write_text(json.dumps(found), encoding="utf-8")
        whole.rename(result)
    return found


@pytest.fixture(scope="session")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    """Return a cached function: the outcomes of a backend for a part of the calls."""
    own = tmp_path_factory.getbasetemp()
    # The workers' folders of one run are in the same one.
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "hard_matrices"
    folder.mkdir(exist_ok=True)
    return functools.cache(functools.partial(_shared, folder))


def test_every_function_is_called() -> None:
    """A new function of the namespace may crash."""
    assert set(linalg.__all__) == FUNCTIONS


# CI makes the other calls, too.
in_parts = pytest.mark.parametrize(
    "part", ["first", pytest.param("second", marks=pytest.mark.slow)]
)


@pytest.mark.slow_on("torch")
@in_parts
@pytest.mark.slow_on("tensorflow", "jax", "dask")
@pytest.mark.parametrize("backend", INSTALLED)
def test_no_process_ends(backend: str, part: str, outcomes: Outcomes) -> None:
    """A crash, an abort, or a call that doesn't return within minutes."""
    pairs = zip(PARTS[part], outcomes(backend, part), strict=True)
    assert [f"{call}: {outcome}" for call, outcome in pairs if outcome.startswith(ENDED)] == []


@pytest.mark.slow
@in_parts
@pytest.mark.slow_on("tensorflow", "jax", "dask")
@pytest.mark.parametrize("backend", [name for name in INSTALLED if name != "numpy"])
def test_refuses_what_numpy_refuses(backend: str, part: str, outcomes: Outcomes) -> None:
    """With the same words, except for the entries of the table of differences."""
    both = zip(outcomes("numpy", part), outcomes(backend, part), strict=True)
    differing = [
        (call, wanted, found)
        for call, (wanted, found) in zip(PARTS[part], both, strict=True)
        if wanted != found
    ]
    named = [row for row in REFUSALS if row.backend == backend]
    unnamed = [
        f"{call}: {wanted!r} on numpy, {found!r}"
        for call, wanted, found in differing
        if not any(
            row.function == f"linalg.{call.function}" and row.matrix == call.matrix for row in named
        )
    ]
    assert unnamed == []
    for row in named:  # an outdated row has to be removed
        assert any(
            row.function == f"linalg.{call.function}" and row.matrix == call.matrix
            for call, *_ in differing
        ), row
