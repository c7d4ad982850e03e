"""SciPy's and scikit-learn's functions on Dask are right, and compute no more than they look."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from scipy import stats

from tests.tables import each

ROOT: Final = Path(__file__).parents[2]
# Numbers of looks at values: SciPy has a way without looks for lazy arrays. Scikit-learn's
# scalers ask whether there are NaN, for data and for what is counted, or for each of two extremes.
LOOKS: Final[dict[str, int]] = {
    "zscore": 0, "pearsonr": 0, "PCA": 0, "Ridge": 0, "StandardScaler": 2, "MinMaxScaler": 2,
}  # fmt: skip
# SciPy 1.15 has no such way: it asks whether there are NaN, and whether values are constant.
if "Dask" not in (stats.pearsonr.__doc__ or ""):
    LOOKS.update(zscore=8, pearsonr=2)
PROGRAM: Final = """
import json

import dask
import dask.array as da
import numpy as np
import sklearn
from dask.callbacks import Callback
from scipy import stats
from sklearn.decomposition import PCA
from sklearn.linear_model import Ridge
from sklearn.preprocessing import MinMaxScaler, StandardScaler

import arrayapi_unify as unify

sklearn.set_config(array_api_dispatch=True, assume_finite=True)
rows = np.random.default_rng(0).normal(size=(200, 4))
target = rows @ np.arange(4.0) + 0.1 * rows[:, 0] ** 2
x, y = unify.Array(da.from_array(rows, chunks=(50, 4))), unify.Array(da.from_array(target, 50))
FUNCTIONS = {
    "zscore": lambda x, y: [stats.zscore(x, axis=0)],
    "pearsonr": lambda x, y: [*stats.pearsonr(x[:, 1], y)],
    "PCA": lambda x, y: [PCA(2, svd_solver="covariance_eigh").fit(x).explained_variance_],
    "Ridge": lambda x, y: [Ridge(solver="svd").fit(x, y).predict(x)],
    "StandardScaler": lambda x, y: [StandardScaler().fit_transform(x)],
    "MinMaxScaler": lambda x, y: [MinMaxScaler().fit_transform(x)],
}
found = {}
for name, function in FUNCTIONS.items():
    computed = []
    lazily = name in ("zscore", "pearsonr") and "Dask" in stats.pearsonr.__doc__
    policy = "refuse" if lazily else "allow"
    with Callback(start=computed.append), unify.computing(policy):
        lazy = function(x, y)
    values = [np.asarray(one) for one in unify.compute(*lazy, None)[:-1]]
    far = max(np.abs(a - b).max() for a, b in zip(values, function(rows, target), strict=True))
    found[name] = [len(computed), all(map(unify.is_lazy, lazy)), float(far)]
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def measured() -> dict[str, Any]:
    pytest.importorskip("sklearn")
    environment = {**os.environ, "SCIPY_ARRAY_API": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True, text=True, cwd=ROOT, env=environment, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.slow
@each("name", LOOKS)
def test_looks_and_values(measured: dict[str, Any], name: str) -> None:
    looks, lazy, far = measured[name]
    assert looks == LOOKS[name]
    assert lazy
    assert far < 1e-12
